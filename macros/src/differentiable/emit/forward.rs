//! Forward mode: every statement is followed by its tangents.
//!
//! ```text
//! let t3 = (a * b);
//! let t3_d = push::<ops::mul, _, _, __W>(a, (b,), t3, &a_d, (&b_d,), strong_zero);
//! set_at(&mut y_d, &t3_d, |m| &mut (*m)[i]);
//! y[i] = t3;
//! ```

use proc_macro2::TokenStream;

use super::bounds::{self, Mode};
use super::names::{handle, local, shadow};
use super::primal::lanes;
use crate::differentiable::ir::*;
use crate::signature::{Function, Passing};

/// `impl ForwardRule for f`.
pub(super) fn rule(function: &Function, program: &Program) -> TokenStream {
    let emit = Forward {
        function,
        program,
        config: local("config"),
    };
    let name = &function.name;
    let generics = bounds::generics(function, program, Mode::Forward);
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let handles = bounds::handles(function);
    let handle_types = function
        .params
        .iter()
        .enumerate()
        .map(|(i, p)| bounds::handle(p, i));
    let names = (0..function.params.len()).map(handle);
    let (config, output) = (&emit.config, &function.output);
    let bind = emit.bind_params();
    let body = emit.block(&program.body);
    let result = emit.result();
    code! {
        #[allow(unused, clippy::all)]
        impl #impl_generics ::coenzyme::ForwardRule<__R, #handles, __W> for #name #where_clause {
            #[inline]
            fn forward(
                &self,
                #config: &::coenzyme::ForwardConfig,
                (#(#names,)*): (#(&mut #handle_types,)*),
            ) -> ::coenzyme::ForwardOutcome<__R, __W> {
                let strong_zero = #config.strong_zero();
                #bind
                #body
                let (value, tangents) = #result;
                let mut tangents = ::coenzyme::__private::lane_values(tangents);
                <#output as ::coenzyme::Outcome>::wrap(
                    <__R as ::coenzyme::ForwardReturn<__W>>::forward(#config, || value, |lane| tangents(lane)),
                )
            }
        }
    }
}

struct Forward<'a> {
    function: &'a Function,
    program: &'a Program,
    config: proc_macro2::Ident,
}

impl Forward<'_> {
    fn bind_params(&self) -> TokenStream {
        let memory = self
            .program
            .roots
            .iter()
            .enumerate()
            .filter_map(|(r, _)| self.bind_root(r));
        let values = self.program.defs.iter().filter_map(|def| {
            let DefKind::Param(index) = def.kind else { return None };
            let (param, h, name, d) = (&self.function.params[index], handle(index), &def.name, shadow(&def.name));
            if param.constant {
                return Some(code!(let #name = ::core::clone::Clone::clone(&#h.0);));
            }
            let tr = bounds::argument_trait(param, Mode::Forward);
            let ty = &param.ty;
            let tangents = def.varied.then(|| {
                code! {
                    let #d: [#ty; __W] = ::core::array::from_fn(|l| match <_ as #tr>::tangent(&*#h, l) {
                        ::core::option::Option::Some(d) => ::core::clone::Clone::clone(d),
                        ::core::option::Option::None => ::coenzyme::Tangent::zero_like(&#name),
                    });
                }
            });
            Some(code! {
                let #name: #ty = ::core::clone::Clone::clone(<_ as #tr>::primal(&*#h));
                #tangents
            })
        });
        code!(#(#memory)* #(#values)*)
    }

    /// The primal of a parameter in memory, and its tangents in all lanes.
    fn bind_root(&self, root: RootId) -> Option<TokenStream> {
        let RootKind::Param { index, passing } = self.program.roots[root].kind else {
            return None;
        };
        let (name, h, param) = (
            &self.program.roots[root].name,
            handle(index),
            &self.function.params[index],
        );
        let d = shadow(name);
        if param.constant {
            let memory = bounds::constant_memory(param, index);
            return Some(code!(let #name = #memory;));
        }
        let tr = bounds::argument_trait(param, Mode::Forward);
        Some(match passing {
            Passing::Exclusive => code!(let (#name, mut #d) = <_ as #tr>::split_mut(&mut *#h);),
            _ => code!(let (#name, #d) = <_ as #tr>::split(&*#h);),
        })
    }

    /// Statements, with parameters bound again after a call that got them as a whole.
    fn block(&self, block: &Block) -> TokenStream {
        block
            .items
            .iter()
            .map(|item| {
                let tokens = self.item(item);
                let again = item
                    .whole_roots(self.program)
                    .into_iter()
                    .filter_map(|r| self.bind_root(r));
                code!(#tokens #(#again)*)
            })
            .collect()
    }

    /// A block of its own.
    fn nested(&self, block: &Block) -> TokenStream {
        let again = block
            .whole_roots(self.program)
            .into_iter()
            .filter_map(|r| self.bind_root(r));
        let body = self.block(block);
        code!(#(#again)* #body)
    }

    fn item(&self, item: &Item) -> TokenStream {
        let p = self.program;
        let _here = self.program.at(item);
        match item {
            Item::Verbatim(tokens) => tokens.clone(),
            Item::Reshape { .. } => TokenStream::new(),
            Item::Def(d) => self.def(&p.defs[*d]),
            Item::Declare { root, init } => self.declare(&p.roots[*root], init),
            Item::Assign { place, op, value } => {
                let primal = p.assign_primal(place, *op, value);
                let tangents = self.assign(place, *op, value);
                // the tangents first: the place's own tokens may read what is assigned
                code!(#tangents #primal)
            }
            Item::Branch { arms, selector } => {
                let bodies = arms.iter().map(|a| self.nested(&a.body)).collect();
                p.branch(selector, arms, bodies)
            }
            Item::Loop {
                iterable,
                body,
                flags,
            } => {
                let (body, leave) = (self.nested(body), p.leave_primal(flags));
                p.loop_primal(iterable, code!(#body #leave))
            }
            Item::Call(call) => {
                let call = self.call(call);
                code!(#call;)
            }
            Item::Copy { to, from } => {
                let (primal, source) = (p.place_value(to), p.place_value(from));
                let tangents = p.base_varied(to.base).then(|| {
                    let (t, f) = (&to.suffix, &from.suffix);
                    let (to, from) = (p.shadow_lane(to.base, true), self.shadow_or_none(from));
                    lanes(code! {
                        if let ::core::option::Option::Some(to) = #to {
                            match #from {
                                ::core::option::Option::Some(from) => (*to)#t.clone_from_slice(&(*from)#f),
                                ::core::option::Option::None => ::coenzyme::Tangent::zero_out(&mut (*to)#t),
                            }
                        }
                    })
                });
                code!(#primal.clone_from_slice(&#source); #tangents)
            }
            Item::Fill { place, value } => {
                let (primal, v) = (p.place_value(place), p.atom_value(value));
                let tangents = p.base_varied(place.base).then(|| {
                    let (to, suffix) = (p.shadow_lane(place.base, true), &place.suffix);
                    let fill = match p.atom_shadow(value) {
                        Some(d) => code!((*m)#suffix.fill(#d[l])),
                        None => code!(::coenzyme::Tangent::zero_out(&mut (*m)#suffix)),
                    };
                    lanes(code!(if let ::core::option::Option::Some(m) = #to { #fill; }))
                });
                code!(#primal.fill(#v); #tangents)
            }
            Item::Push { place, value } => {
                let (primal, v) = (p.place_value(place), p.owned_value(value));
                let tangents = p.base_varied(place.base).then(|| {
                    let (to, suffix) = (p.shadow_lane(place.base, true), &place.suffix);
                    let tangent = match p.atom_shadow(value) {
                        Some(d) => code!(::core::clone::Clone::clone(&#d[l])),
                        None => code!(::coenzyme::Tangent::zero_like(&#v)),
                    };
                    lanes(code!(if let ::core::option::Option::Some(m) = #to { (*m)#suffix.push(#tangent); }))
                });
                code!(#tangents #primal.push(#v);)
            }
            Item::Pop { place } => {
                let primal = p.place_value(place);
                let tangents = p.base_varied(place.base).then(|| {
                    let (to, suffix) = (p.shadow_lane(place.base, true), &place.suffix);
                    lanes(
                        code!(if let ::core::option::Option::Some(m) = #to { (*m)#suffix.pop(); }),
                    )
                });
                code!(#primal.pop(); #tangents)
            }
            Item::Swap { place, i, j } => {
                let primal = p.place_value(place);
                let tangents = p.base_varied(place.base).then(|| {
                    let (to, suffix) = (p.shadow_lane(place.base, true), &place.suffix);
                    lanes(code!(if let ::core::option::Option::Some(m) = #to { (*m)#suffix.swap(#i, #j); }))
                });
                code!(#primal.swap(#i, #j); #tangents)
            }
            Item::Exchange { a, b } => {
                let (x, y) = (p.place_value(a), p.place_value(b));
                let tangents = p.exchange_shadows(a.base, b.base);
                code!(::core::mem::swap(&mut #x, &mut #y); #tangents)
            }
        }
    }

    fn root_shadow(&self, place: &Place) -> proc_macro2::Ident {
        match place.base {
            Base::Root(r) => shadow(&self.program.roots[r].name),
            Base::Def(d) => shadow(&self.program.defs[d].name),
        }
    }

    fn shadow_or_none(&self, place: &Place) -> TokenStream {
        match self.program.base_varied(place.base) {
            true => self.program.shadow_lane(place.base, false),
            false => {
                let value = self.program.base_tokens(place.base);
                code!(if false { ::core::option::Option::Some(&#value) } else { ::core::option::Option::None })
            }
        }
    }

    fn def(&self, def: &Def) -> TokenStream {
        let p = self.program;
        let (name, d) = (&def.name, shadow(&def.name));
        let primal = p.def_value(def).map(|value| code!(let #name = #value;));
        if let DefKind::Call(call) = &def.kind {
            let call = self.call(call);
            return code!(let (#name, #d) = ::coenzyme::BatchDuplicated::into_parts(#call););
        }
        if !def.varied {
            return code!(#primal);
        }
        let tangents = match &def.kind {
            DefKind::Read(place) => {
                let (shadows, suffix) = (p.shadows(place.base), &place.suffix);
                code!(let #d = ::coenzyme::__private::tangents_at(&#name, #shadows, |m| &(*m)#suffix);)
            }
            DefKind::Op { op, args, .. } => {
                let (first, rest) = args.split_first().expect("an operation has an operand");
                let (a, b) = (p.atom_value(first), rest.iter().map(|a| p.atom_value(a)));
                let tangent = |atom: &Atom| match p.atom_shadow(atom) {
                    Some(d) => code!(&#d),
                    None => code!(::coenzyme::__private::NoShadow::new()),
                };
                let (da, db) = (tangent(first), rest.iter().map(tangent));
                code! {
                    let #d = ::coenzyme::__private::push::<#op, _, _, __W>(
                        #a, (#(#b,)*), #name, #da, (#(#db,)*), strong_zero,
                    );
                }
            }
            DefKind::Make { parts, .. } => {
                let parts = parts.iter().filter_map(|(suffix, atom)| {
                    let part = p.atom_shadow(atom)?;
                    Some(code!(::coenzyme::__private::set_part(&mut #d, &#part, |m| &mut (*m)#suffix);))
                });
                code!(let mut #d = ::coenzyme::__private::zeros::<_, __W>(&#name); #(#parts)*)
            }
            DefKind::Version(root) => {
                let root = shadow(&p.roots[*root].name);
                code!(let #d = ::core::clone::Clone::clone(&#root);)
            }
            _ => TokenStream::new(),
        };
        code!(#primal #tangents)
    }

    fn declare(&self, root: &Root, init: &Init) -> TokenStream {
        let p = self.program;
        let (name, declared, d) = (&root.name, root.declared(), shadow(&root.name));
        let Some(value) = p.init_primal(init, root.kind) else {
            let tangents = root.varied.then(|| code!(let mut #d;));
            return code!(#declared; #tangents);
        };
        let tangents = root.varied.then(|| match init {
            Init::Value(atom) if p.atom_varied(atom) => {
                let from = p.atom_shadow(atom);
                code!(let mut #d = ::core::clone::Clone::clone(&#from);)
            }
            Init::Copy { from, .. } if p.base_varied(from.base) => {
                let (lane, suffix) = (p.shadow_lane(from.base, false), &from.suffix);
                code! {
                    let mut #d = ::coenzyme::__private::zeros::<_, __W>(&#name);
                    for l in 0..__W {
                        if let ::core::option::Option::Some(m) = #lane {
                            ::core::clone::Clone::clone_from(&mut #d[l], &::coenzyme::__private::owned_like(&#name, &(*m)#suffix));
                        }
                    }
                }
            }
            _ => code!(let mut #d = ::coenzyme::__private::zeros::<_, __W>(&#name);),
        });
        code!(#declared = #value; #tangents)
    }

    fn assign(&self, place: &Place, op: Assign, value: &Atom) -> TokenStream {
        let p = self.program;
        if !p.base_varied(place.base) {
            return TokenStream::new();
        }
        let from = p.atom_shadow(value);
        // all of a local, which may have been declared without a value
        if let Base::Root(r) = place.base
            && (p.roots[r].kind == RootKind::Scalar
                || p.roots[r].kind == RootKind::Memory
                    && place.suffix.is_empty()
                    && op == Assign::Set)
        {
            let d = shadow(&p.roots[r].name);
            let v = p.atom_value(value);
            return match from {
                Some(from) => code!(#d = ::core::clone::Clone::clone(&#from);),
                None => code!(#d = ::coenzyme::__private::zeros::<_, __W>(&#v);),
            };
        }
        let (shadows, place) = (p.shadows_mut(place.base), p.place_mut(place));
        match (op, from) {
            (Assign::Set, Some(from)) => {
                code!(::coenzyme::__private::set_at(#shadows, &#from, #place);)
            }
            (Assign::Set, None) => code!(::coenzyme::__private::clear_at(#shadows, #place);),
            (Assign::Add, Some(from)) => {
                code!(::coenzyme::__private::add_at(#shadows, &#from, #place);)
            }
            (Assign::Sub, Some(from)) => {
                code!(::coenzyme::__private::subtract_at(#shadows, &#from, #place);)
            }
            (_, None) => TokenStream::new(),
        }
    }

    /// The call of a callee's forward rule.
    fn call(&self, call: &Call) -> TokenStream {
        let callee = self.program.callee(call);
        let config = &self.config;
        let whole = bounds::passes_whole(call);
        let mut before = Vec::new();
        let mut args = Vec::new();
        let mut types = Vec::new();
        for (i, arg) in call.args.iter().enumerate() {
            let a = local(&format!("a{i}"));
            match arg {
                Arg::Whole { root } if whole => {
                    let RootKind::Param { index, .. } = self.program.roots[*root].kind else {
                        continue;
                    };
                    let h = handle(index);
                    args.push(code!(&mut *#h));
                    types.push(bounds::handle(&self.function.params[index], index));
                    continue;
                }
                arg => {
                    let (value, ty) = self.handle(arg);
                    before.push(code!(let mut #a = #value;));
                    types.push(ty);
                }
            }
            args.push(code!(&mut #a));
        }
        let (returns, needs) = match call.used {
            true => (code!(::coenzyme::BatchDuplicated<_, _, __W>), true),
            false => (code!(::coenzyme::Const<_>), false),
        };
        let question = call.unpack.tokens();
        code!({
            let callee = #callee;
            #(#before)*
            ::coenzyme::__private::call_forward::<_, #returns, (#(#types,)*), _, __W>(
                &callee, &#config.with_needs_primal(#needs), (#(#args,)*),
            )#question
        })
    }

    fn handle(&self, arg: &Arg) -> (TokenStream, TokenStream) {
        let p = self.program;
        let part = |place: &Place, exclusive: bool| {
            let (value, suffix) = (p.place_value(place), &place.suffix);
            let m = if exclusive { code!(&mut) } else { code!(&) };
            let shadows = match place.base {
                base if !p.base_varied(base) => {
                    let promised = quote::format_ident!(
                        "{}",
                        if exclusive {
                            "promised_mut"
                        } else {
                            "promised"
                        }
                    );
                    return (
                        code!(::coenzyme::__private::#promised(#m #value, false)),
                        code!(::coenzyme::DynArg<_, _, __W>),
                    );
                }
                Base::Root(r) if matches!(p.roots[r].kind, RootKind::Param { .. }) => {
                    let d = shadow(&p.roots[r].name);
                    let Arg::Shared(_) = arg else {
                        return (
                            code!(::coenzyme::DynArg::new(#m #value, ::coenzyme::__private::each_mut(&mut #d, |m| &mut (*m)#suffix))),
                            code!(::coenzyme::DynArg<_, _, __W>),
                        );
                    };
                    match p.roots[r].kind {
                        RootKind::Param {
                            passing: Passing::Exclusive,
                            ..
                        } => {
                            code!(::coenzyme::__private::each_of_mut(&#d, |m| &(*m)#suffix))
                        }
                        _ => code!(::coenzyme::__private::each(&#d, |m| &(*m)#suffix)),
                    }
                }
                base => {
                    let d = self.root_shadow(&Place {
                        base,
                        suffix: TokenStream::new(),
                        uses: Uses::default(),
                    });
                    match exclusive {
                        true => {
                            code!(::core::option::Option::Some(#d.each_mut().map(|m| &mut (*m)#suffix)))
                        }
                        false => {
                            code!(::core::option::Option::Some(#d.each_ref().map(|m| &(*m)#suffix)))
                        }
                    }
                }
            };
            (
                code!(::coenzyme::DynArg::new(#m #value, #shadows)),
                code!(::coenzyme::DynArg<_, _, __W>),
            )
        };
        match arg {
            Arg::Const(expr) => {
                let tokens = &expr.tokens;
                (
                    code!(::coenzyme::Const(#tokens)),
                    code!(::coenzyme::Const<_>),
                )
            }
            Arg::Value(atom) => {
                let (value, d) = (p.atom_value(atom), p.atom_shadow(atom));
                match d {
                    Some(d) => (
                        code!(::coenzyme::BatchDuplicated::from_parts(#value, ::core::clone::Clone::clone(&#d))),
                        code!(::coenzyme::BatchDuplicated<_, _, __W>),
                    ),
                    None => (
                        code!(::coenzyme::BatchDuplicated::from_parts(#value, ::coenzyme::__private::zeros::<_, __W>(&#value))),
                        code!(::coenzyme::BatchDuplicated<_, _, __W>),
                    ),
                }
            }
            Arg::Closure {
                function, captured, ..
            } => {
                let captured = captured.iter().map(|a| (self.handle(a).0, code!(false)));
                (
                    bounds::bound(function, captured.collect()),
                    code!(::coenzyme::Const<_>),
                )
            }
            Arg::Shared(place) => part(place, false),
            Arg::Exclusive(place) => part(place, true),
            Arg::Whole { root } if self.function.is_constant(&p.roots[*root]) => {
                let memory = p.lend_root(*root);
                (
                    code!(::coenzyme::Const(#memory)),
                    code!(::coenzyme::Const<_>),
                )
            }
            Arg::Whole { root } => {
                let whole = Place {
                    base: Base::Root(*root),
                    suffix: TokenStream::new(),
                    uses: Uses::default(),
                };
                match p.roots[*root].kind {
                    RootKind::Param {
                        passing: Passing::Exclusive,
                        ..
                    } => self.handle(&Arg::Exclusive(whole)),
                    _ => self.handle(&Arg::Shared(whole)),
                }
            }
        }
    }

    fn result(&self) -> TokenStream {
        let p = self.program;
        match &p.result {
            None => code!(((), [(); __W])),
            Some(atom) => {
                let value = p.atom_value(atom);
                match p.atom_shadow(atom) {
                    Some(d) => code!((#value, #d)),
                    None => code!({
                        let value = #value;
                        let tangents = ::coenzyme::__private::zeros::<_, __W>(&value);
                        (value, tangents)
                    }),
                }
            }
        }
    }
}
