//! Reverse mode: the forward sweep and the reverse sweep, in one body so that types are inferred once.
//!
//! A block runs backwards like this: what was taped at its end comes off the tape; values that can be computed again are;
//! every varied value gets a zero cotangent; then the statements are undone in reverse order, each adding to the cotangents
//! of what it read.
//!
//! ```ignore
//! // let t3 = a * b; y[i] = t3;
//! let t3 = (a * b);
//! let mut t3_d = sums::<_, __W>(&t3);
//! for l in 0..__W { if let Some(m) = y_d[l].as_deref_mut() { t3_d[l] += take((*m)[i]) } }
//! let pulled = pull::<ops::mul, _, _, __W>(a, (b,), t3, &t3_d, strong_zero);
//! for l in 0..__W { a_d[l] += pulled[l].0; b_d[l] += pulled[l].1.0; }
//! ```

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::format_ident;

use super::bounds::{self, Mode};
use super::names::{handle, local, shadow, slot};
use super::primal::lanes;
use super::report::Fate;
use crate::differentiable::ir::*;
use crate::differentiable::live::Live;
use crate::signature::{Function, Passing};

/// `impl Sweep for f`, and `impl ReverseRule for f` by it.
pub(super) fn rule(
    function: &Function,
    program: &Program,
) -> (TokenStream, BTreeMap<String, Fate>) {
    let emit = Reverse {
        function,
        program,
        state: RefCell::default(),
    };
    let name = &function.name;
    let generics = bounds::generics(function, program, Mode::Reverse);
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let handles = bounds::handles(function);
    let handle_types: Vec<_> = function
        .params
        .iter()
        .enumerate()
        .map(|(i, p)| bounds::handle(p, i))
        .collect();
    let names: Vec<_> = (0..function.params.len()).map(handle).collect();

    // the first time finds out what is asked for; what is generated early may depend on what is asked for late
    emit.function_backwards();
    let backwards = emit.function_backwards();
    let forwards = emit.function_forwards();
    let slots = emit.slots();
    let rule = code! {
        #[allow(unused, clippy::all)]
        impl #impl_generics ::coenzyme::__private::Sweep<__R, #handles, __W> for #name #where_clause {
            #[inline]
            fn sweep<const __REVERSE: bool>(
                &self,
                config: &::coenzyme::ReverseConfig,
                tape: &mut ::coenzyme::Tape,
                dret: ::core::option::Option<<__R as ::coenzyme::ReverseReturn<__W>>::Cotangent>,
                (#(#names,)*): (#(&mut #handle_types,)*),
            ) -> ::coenzyme::__private::SweptOutcome<__R, #handles, __W> {
                #slots
                if !__REVERSE {
                    #forwards
                } else {
                    #backwards
                }
            }
        }

        #[allow(unused, clippy::all)]
        impl #impl_generics ::coenzyme::ReverseRule<__R, #handles, __W> for #name #where_clause {
            type Tape = ::coenzyme::Tape;

            #[inline]
            fn augmented_primal(
                &self,
                config: &::coenzyme::ReverseConfig,
                args: (#(&mut #handle_types,)*),
            ) -> ::coenzyme::AugmentedOutcome<__R, ::coenzyme::Tape, __W> {
                ::coenzyme::__private::augmented::<_, __R, #handles, __W>(self, config, args)
            }

            #[inline]
            fn reverse(
                &self,
                config: &::coenzyme::ReverseConfig,
                dret: <__R as ::coenzyme::ReverseReturn<__W>>::Cotangent,
                tape: ::coenzyme::Tape,
                args: (#(&mut #handle_types,)*),
            ) -> <#handles as ::coenzyme::Args<__W>>::Gradients {
                ::coenzyme::__private::reverse::<_, __R, #handles, __W>(self, config, dret, tape, args)
            }
        }
    };
    (rule, emit.state.into_inner().fates)
}

struct Reverse<'a> {
    function: &'a Function,
    program: &'a Program,
    state: RefCell<State>,
}

/// What the reverse sweep asks of the forward sweep. The reverse sweep is generated first.
#[derive(Default)]
struct State {
    /// Values that the reverse sweep reads.
    required: BTreeSet<DefId>,
    /// Names that must exist in the reverse sweep, whatever their value.
    mentioned: BTreeSet<DefId>,
    /// Memory whose contents the reverse sweep reads.
    contents: BTreeSet<RootId>,
    /// Names that have a slot.
    slots: BTreeMap<String, Ident>,
    /// What each block puts on the tape at its end.
    pushes: BTreeMap<usize, Vec<TokenStream>>,
    /// Values that go to the tape.
    taped: BTreeSet<DefId>,
    /// Bodies of loops that compute nothing but the value.
    dead: BTreeSet<usize>,
    /// Loops whose rounds are counted.
    counted: BTreeSet<usize>,
    /// Slots that are bound after a definition or a declaration.
    bound_defs: BTreeSet<DefId>,
    bound_roots: BTreeSet<RootId>,
    /// How each value is had, by its name.
    fates: BTreeMap<String, Fate>,
}

impl Reverse<'_> {
    // ---- what the reverse sweep asks for ----

    fn require(&self, def: DefId) {
        self.state.borrow_mut().required.insert(def);
    }

    fn require_uses(&self, uses: &Uses) {
        uses.defs.iter().for_each(|d| self.require(*d));
        uses.roots.iter().for_each(|r| self.require_contents(*r));
    }

    fn require_contents(&self, root: RootId) {
        self.state.borrow_mut().contents.insert(root);
    }

    fn require_atom(&self, atom: &Atom) {
        match atom {
            Atom::Def(d) => self.require(*d),
            Atom::Root(r) => self.require_contents(*r),
            Atom::Const(expr) => self.require_uses(&expr.uses),
        }
    }

    fn mention(&self, atom: &Atom) {
        match atom {
            Atom::Def(d) => drop(self.state.borrow_mut().mentioned.insert(*d)),
            Atom::Root(_) => {}
            Atom::Const(expr) => self.require_uses(&expr.uses),
        }
    }

    fn decide(&self, name: &Ident, fate: Fate) {
        self.state.borrow_mut().fates.insert(name.to_string(), fate);
    }

    fn slot_of(&self, name: &Ident) -> Ident {
        let slot = slot(name);
        self.state
            .borrow_mut()
            .slots
            .insert(slot.to_string(), slot.clone());
        slot
    }

    fn slots(&self) -> TokenStream {
        let state = self.state.borrow();
        let slots = state.slots.values();
        code!(#(let #slots = ::coenzyme::__private::Slot::new();)*)
    }

    // ---- the function ----

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
            return Some(match passing {
                Passing::Exclusive => code!(let #name = &mut *#h.0;),
                _ => code!(let #name = #h.0;),
            });
        }
        let tr = bounds::argument_trait(param, Mode::Reverse);
        let split = match passing {
            Passing::Exclusive => code!(<_ as #tr>::split_mut(&mut *#h)),
            _ => code!(<_ as #tr>::split(&mut *#h)),
        };
        let cut = matches!(param.ty, syn::Type::Slice(_))
            .then(|| code!(let mut #d = ::coenzyme::__private::cut(&*#name, #d);));
        Some(code!(let (#name, mut #d) = #split; #cut))
    }

    /// As [`bind_root`](Self::bind_root), in the reverse sweep: reads go to the copy, if one was made.
    fn bind_root_backwards(&self, root: RootId) -> Option<TokenStream> {
        let bind = self.bind_root(root)?;
        let name = &self.program.roots[root].name;
        let saved = format_ident!("{name}_saved", span = proc_macro2::Span::mixed_site());
        let saved = self
            .saves(root)
            .then(|| code!(let #name = ::coenzyme::__private::saved_or(&#saved, &*#name);));
        Some(code!(#bind #saved))
    }

    /// Whether a parameter's memory is copied to the tape if the caller overwrites it.
    fn saves(&self, root: RootId) -> bool {
        let RootKind::Param { index, .. } = self.program.roots[root].kind else {
            return false;
        };
        self.state.borrow().contents.contains(&root) && !self.function.params[index].constant
    }

    fn bind_values(&self) -> TokenStream {
        let values = self.program.defs.iter().filter_map(|def| {
            let DefKind::Param(index) = def.kind else {
                return None;
            };
            let (param, h, name) = (&self.function.params[index], handle(index), &def.name);
            if param.constant {
                return Some(code!(let #name = ::core::clone::Clone::clone(&#h.0);));
            }
            let (tr, ty) = (bounds::argument_trait(param, Mode::Reverse), &param.ty);
            Some(code!(let #name: #ty = ::core::clone::Clone::clone(<_ as #tr>::primal(&*#h));))
        });
        values.collect()
    }

    fn function_forwards(&self) -> TokenStream {
        let p = self.program;
        let output = &self.function.output;
        let binds = (0..p.roots.len()).filter_map(|r| self.bind_root(r));
        let values = self.bind_values();
        let live = Live::of(p, &self.state.borrow().taped);
        self.find_dead(&p.body, &live);
        let body = self.forwards(&p.body);
        let saves = (0..p.roots.len()).filter(|r| self.saves(*r)).map(|r| {
            let RootKind::Param { index, .. } = p.roots[r].kind else { unreachable!("only parameters are saved") };
            let name = &p.roots[r].name;
            let slot = format_ident!("{}", slot(&format_ident!("{name}_saved")), span = proc_macro2::Span::mixed_site());
            code!(if config.overwritten(#index) { #slot.push(tape, ::std::borrow::ToOwned::to_owned(&*#name)); })
        });
        let saves: Vec<_> = saves.collect();
        // a result that is also on the tape is cloned
        let result = match &p.result {
            None => code!(()),
            Some(Atom::Root(r)) => {
                let name = &p.roots[*r].name;
                code!(::core::clone::Clone::clone(&#name))
            }
            Some(atom) => {
                let value = p.atom_value(atom);
                match atom {
                    Atom::Def(d) if matches!(p.defs[*d].kind, DefKind::Call(_)) => {
                        code!(::core::clone::Clone::clone(&#value))
                    }
                    _ => value,
                }
            }
        };
        let pushes = self
            .state
            .borrow()
            .pushes
            .get(&0)
            .cloned()
            .unwrap_or_default();
        code! {
            #(#binds)* #values
            #body
            let result = #result;
            #(#pushes)*
            #(#saves)*
            <#output as ::coenzyme::Outcome>::wrap(::coenzyme::__private::Swept::Value(result))
        }
    }

    fn function_backwards(&self) -> TokenStream {
        let p = self.program;
        let output = &self.function.output;
        let seed = p.result.as_ref().and_then(|atom| {
            let d = p.atom_shadow(atom)?;
            self.mention(atom);
            Some(lanes(code! {
                if let ::core::option::Option::Some(c) = ::coenzyme::Lanes::lane(&dret, l) {
                    ::coenzyme::Tangent::accumulate(&mut #d[l], c);
                }
            }))
        });
        let body = self.backwards(&p.body, seed.unwrap_or_default());
        let params = p
            .defs
            .iter()
            .filter(|d| matches!(d.kind, DefKind::Param(_)) && d.varied);
        let values = self.bind_values();
        let zeros = params.clone().map(|def| {
            let (name, d) = (&def.name, shadow(&def.name));
            code!(let mut #d = ::coenzyme::__private::sums::<_, __W>(&#name);)
        });
        let gradients = self.function.params.iter().enumerate().map(|(index, param)| {
            if param.constant {
                return code!(());
            }
            let (tr, h) = (bounds::argument_trait(param, Mode::Reverse), handle(index));
            let tr = match param.passing {
                Passing::Exclusive => {
                    let ty = &param.ty;
                    code!(::coenzyme::ReverseArg<#ty, __W>)
                }
                _ => tr,
            };
            let def = params.clone().find(|d| matches!(d.kind, DefKind::Param(i) if i == index));
            match def {
                Some(def) => {
                    let d = shadow(&def.name);
                    code!(<_ as #tr>::accumulate(&mut *#h, |l, _, mut adjoint| adjoint.add(&#d[l])))
                }
                None => code!(<_ as #tr>::no_gradient(&mut *#h)),
            }
        });
        let gradients: Vec<_> = gradients.collect();
        // saved parameters come off first: they went on last
        let saved: Vec<_> = (0..p.roots.len())
            .filter(|r| self.saves(*r))
            .map(|r| {
                let RootKind::Param { index, .. } = p.roots[r].kind else {
                    unreachable!("only parameters are saved")
                };
                let name = format_ident!(
                    "{}_saved",
                    p.roots[r].name,
                    span = proc_macro2::Span::mixed_site()
                );
                let slot = self.slot_of(&name);
                code!(let #name = config.overwritten(#index).then(|| #slot.pop(tape));)
            })
            .collect();
        let saved = saved.iter().rev();
        let binds = (0..p.roots.len()).filter_map(|r| self.bind_root_backwards(r));
        code! {
            let dret = dret.expect("the reverse sweep is given a cotangent");
            #(#saved)*
            #(#binds)* #values #(#zeros)*
            #body
            <#output as ::coenzyme::Outcome>::wrap(::coenzyme::__private::Swept::Gradients((#(#gradients,)*)))
        }
    }

    // ---- forwards ----

    fn forwards(&self, block: &Block) -> TokenStream {
        block
            .items
            .iter()
            .map(|item| {
                let tokens = self.item_forwards(item);
                let again = item
                    .whole_roots(self.program)
                    .into_iter()
                    .filter_map(|r| self.bind_root(r));
                code!(#tokens #(#again)*)
            })
            .collect()
    }

    /// A nested block, with what it leaves on the tape.
    fn nested_forwards(&self, block: &Block) -> TokenStream {
        let again = block
            .whole_roots(self.program)
            .into_iter()
            .filter_map(|r| self.bind_root(r));
        let body = self.forwards(block);
        let pushes = self
            .state
            .borrow()
            .pushes
            .get(&block.id)
            .cloned()
            .unwrap_or_default();
        code!(#(#again)* #body #(#pushes)*)
    }

    fn item_forwards(&self, item: &Item) -> TokenStream {
        let p = self.program;
        match item {
            Item::Verbatim(tokens) => tokens.clone(),
            Item::Def(d) => {
                let def = &p.defs[*d];
                let name = &def.name;
                let bind = self.state.borrow().bound_defs.contains(d).then(|| {
                    let slot = slot(name);
                    code!(#slot.bind(&#name);)
                });
                let primal = match &def.kind {
                    DefKind::Call(call) => {
                        let call = self.call_forwards(call);
                        code!(let #name = #call;)
                    }
                    _ => {
                        let value = p.def_value(def);
                        value
                            .map(|value| code!(let #name = #value;))
                            .unwrap_or_default()
                    }
                };
                code!(#primal #bind)
            }
            Item::Declare { root, init } => {
                let (name, kind) = (&p.roots[*root].name, p.roots[*root].kind);
                match p.init_primal(init, kind) {
                    Some(value) => {
                        let bind = self.bind_slot(*root);
                        code!(let mut #name = #value; #bind)
                    }
                    None => code!(let mut #name;),
                }
            }
            Item::Assign { place, op, value } => {
                let primal = p.assign_primal(place, *op, value);
                let bind = match place.base {
                    Base::Root(r) if place.suffix.is_empty() => self.bind_slot(r),
                    _ => None,
                };
                code!(#primal #bind)
            }
            Item::Branch { arms, selector } => {
                let bodies = arms.iter().map(|a| self.nested_forwards(&a.body)).collect();
                p.branch(selector, arms, bodies)
            }
            Item::Loop {
                iterable,
                body,
                flags,
            } => {
                let (inside, leave) = (self.nested_forwards(body), p.leave_primal(flags));
                if self.state.borrow().dead.contains(&body.id) {
                    let inside = p.loop_primal(iterable, inside);
                    return code!(if config.needs_primal() { #inside });
                }
                if !self.state.borrow().counted.contains(&body.id) {
                    return p.loop_primal(iterable, code!(#inside #leave));
                }
                let rounds = rounds(body.id);
                let slot = slot(&rounds);
                let inside = p.loop_primal(iterable, code!(#inside #rounds += 1; #leave));
                code!(let mut #rounds = 0_usize; #inside #slot.push(tape, #rounds);)
            }
            Item::Call(call) => {
                let call = self.call_forwards(call);
                code!(#call;)
            }
            Item::Copy { to, from } => {
                let (to, from) = (p.place_value(to), p.place_value(from));
                code!(#to.clone_from_slice(&#from);)
            }
            Item::Fill { place, value } => {
                let (place, value) = (p.place_value(place), p.atom_value(value));
                code!(#place.fill(#value);)
            }
            Item::Swap { place, i, j } => {
                let place = p.place_value(place);
                code!(#place.swap(#i, #j);)
            }
            Item::Exchange { a, b } => {
                let (a, b) = (p.place_value(a), p.place_value(b));
                code!(::core::mem::swap(&mut #a, &mut #b);)
            }
        }
    }

    fn bind_slot(&self, root: RootId) -> Option<TokenStream> {
        self.state.borrow().bound_roots.contains(&root).then(|| {
            let name = &self.program.roots[root].name;
            let slot = slot(name);
            code!(#slot.bind(&#name);)
        })
    }

    // ---- backwards ----

    /// A block backwards; `seed` comes after its zero cotangents.
    fn backwards(&self, block: &Block, seed: TokenStream) -> TokenStream {
        let p = self.program;
        // last statement first: it asks for values of earlier ones
        let mut undone = Vec::new();
        for item in block.items.iter().rev() {
            let tokens = self.item_backwards(item);
            let again = item
                .whole_roots(p)
                .into_iter()
                .filter_map(|r| self.bind_root_backwards(r));
            undone.push(code!(#tokens #(#again)*));
        }
        // then the values: the later ones ask for the earlier ones
        let mut values = Vec::new();
        let mut pops = Vec::new();
        let mut pushes = Vec::new();
        for item in block.items.iter().rev() {
            match item {
                Item::Def(d) => {
                    let (value, taped) = self.def_backwards(*d);
                    values.push(value);
                    if let Some((push, pop)) = taped {
                        pushes.push(push);
                        pops.push(pop);
                    }
                }
                Item::Declare { root, init } => {
                    let (value, taped) = self.root_backwards(*root, init);
                    values.push(value);
                    if let Some((push, pop)) = taped {
                        pushes.push(push);
                        pops.push(pop);
                    }
                }
                _ => {}
            }
        }
        values.reverse();
        // pushed last first, so that they come off first first
        self.state.borrow_mut().pushes.insert(block.id, pushes);
        pops.reverse();
        code!(#(#pops)* #(#values)* #seed #(#undone)*)
    }

    fn nested_backwards(&self, block: &Block) -> TokenStream {
        let body = self.backwards(block, TokenStream::new());
        let again = block
            .whole_roots(self.program)
            .into_iter()
            .filter_map(|r| self.bind_root_backwards(r));
        code!(#(#again)* #body)
    }

    /// A value in the reverse sweep: computed again, taken off the tape, or only a name; and its way over the tape.
    fn def_backwards(&self, id: DefId) -> (TokenStream, Option<(TokenStream, TokenStream)>) {
        let def = &self.program.defs[id];
        let (name, d) = (&def.name, shadow(&def.name));
        let is_call = matches!(def.kind, DefKind::Call(_));
        let required = self.state.borrow().required.contains(&id) || is_call && def.varied;
        let mentioned = def.varied || self.state.borrow().mentioned.contains(&id);
        let zeros = (def.varied && !matches!(def.kind, DefKind::Param(_)))
            .then(|| code!(let mut #d = ::coenzyme::__private::sums::<_, __W>(&#name);));
        if matches!(def.kind, DefKind::Param(_) | DefKind::LoopVariable) || !required && !mentioned
        {
            return (TokenStream::new(), None);
        }
        if !required {
            let slot = self.slot_of(name);
            self.state.borrow_mut().bound_defs.insert(id);
            self.decide(name, Fate::Unread);
            return (code!(let #name = #slot.blank(); #zeros), None);
        }
        if !def.stored && self.again(def) {
            self.decide(name, Fate::Again);
            let value = self.program.def_value(def);
            return (code!(let #name = #value; #zeros), None);
        }
        self.decide(name, Fate::Taped);
        let slot = self.slot_of(name);
        self.state.borrow_mut().taped.insert(id);
        let push = code!(#slot.push(tape, #name););
        let pop = code!(let #name = #slot.pop(tape););
        (code!(#zeros), Some((push, pop)))
    }

    /// The outermost loops that compute nothing but the value.
    fn find_dead(&self, block: &Block, live: &Live<'_>) {
        for item in &block.items {
            match item {
                Item::Branch { arms, .. } => {
                    arms.iter().for_each(|a| self.find_dead(&a.body, live));
                }
                Item::Loop { body, flags, .. } => {
                    if flags.is_empty() && live.is_dead(body) && !self.tapes_round(body) {
                        self.state.borrow_mut().dead.insert(body.id);
                    } else {
                        self.find_dead(body, live);
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether a loop with this body leaves anything on the tape.
    fn tapes_round(&self, body: &Block) -> bool {
        self.state.borrow().counted.contains(&body.id) || self.tapes(body)
    }

    /// Whether a block, or one inside it, leaves anything on the tape.
    fn tapes(&self, block: &Block) -> bool {
        let pushes = |state: &State| state.pushes.get(&block.id).is_some_and(|p| !p.is_empty());
        pushes(&self.state.borrow())
            || block.items.iter().any(|item| match item {
                Item::Branch { arms, .. } => arms.iter().any(|a| self.tapes(&a.body)),
                Item::Loop { body, .. } => {
                    self.state.borrow().counted.contains(&body.id) || self.tapes(body)
                }
                Item::Call(_) => true,
                Item::Def(d) => matches!(self.program.defs[*d].kind, DefKind::Call(_)),
                _ => false,
            })
    }

    /// Whether a value can be computed again; if so, asks for what it is computed from.
    fn again(&self, def: &Def) -> bool {
        let stable = |uses: &Uses| {
            uses.roots
                .iter()
                .all(|r| self.program.stable(*r, &def.point))
        };
        match &def.kind {
            DefKind::Pure(expr) if stable(&expr.uses) => self.require_uses(&expr.uses),
            DefKind::Read(place) => {
                if let Base::Root(r) = place.base {
                    if !self.program.stable(r, &def.point) {
                        return false;
                    }
                    self.require_contents(r);
                }
                if let Base::Def(d) = place.base {
                    self.require(d);
                }
                self.require_uses(&place.uses);
            }
            DefKind::Op { args, .. } => args.iter().for_each(|a| self.require_atom(a)),
            DefKind::Make { parts, .. } => parts.iter().for_each(|(_, a)| self.require_atom(a)),
            _ => return false,
        }
        true
    }

    /// A root in the reverse sweep, and its way over the tape.
    fn root_backwards(
        &self,
        id: RootId,
        init: &Init,
    ) -> (TokenStream, Option<(TokenStream, TokenStream)>) {
        let root = &self.program.roots[id];
        let (name, d) = (&root.name, shadow(&root.name));
        if root.kind == RootKind::Scalar {
            if !root.varied {
                return (TokenStream::new(), None);
            }
            let slot = self.slot_of(name);
            self.state.borrow_mut().bound_roots.insert(id);
            return (code!(let mut #d = #slot.sums::<__W>();), None);
        }
        let zeros = root
            .varied
            .then(|| code!(let mut #d = ::coenzyme::__private::sums::<_, __W>(&#name);));
        let contents = self.state.borrow().contents.contains(&id);
        if !contents && !root.varied {
            return (TokenStream::new(), None);
        }
        match init {
            Init::Inactive { expr, again: true } if !contents => {
                self.require_uses(&expr.uses);
                self.decide(name, Fate::Unread);
                let slot = self.slot_of(name);
                self.state.borrow_mut().bound_roots.insert(id);
                let tokens = &expr.tokens;
                (code!(let mut #name = #slot.same(#tokens); #zeros), None)
            }
            _ => {
                self.decide(name, Fate::Taped);
                let slot = self.slot_of(name);
                let push = match self.program.result {
                    Some(Atom::Root(r)) if r == id => {
                        code!(#slot.push(tape, ::core::clone::Clone::clone(&#name));)
                    }
                    _ => code!(#slot.push(tape, #name);),
                };
                (
                    zeros.unwrap_or_default(),
                    Some((push, code!(let mut #name = #slot.pop(tape);))),
                )
            }
        }
    }

    fn item_backwards(&self, item: &Item) -> TokenStream {
        let p = self.program;
        match item {
            Item::Verbatim(_) => TokenStream::new(),
            Item::Def(d) => self.undo_def(&p.defs[*d], *d),
            Item::Declare { root, init } => self.undo_declare(*root, init),
            Item::Assign { place, op, value } => self.undo_assign(place, *op, value),
            Item::Branch { arms, selector } => {
                let bodies: Vec<_> = arms
                    .iter()
                    .map(|a| self.nested_backwards(&a.body))
                    .collect();
                if bodies.iter().all(TokenStream::is_empty) {
                    return TokenStream::new();
                }
                let (Selector::If(atom) | Selector::Match(atom)) = selector;
                self.require_atom(atom);
                p.branch(selector, arms, bodies)
            }
            Item::Loop {
                iterable,
                body,
                flags,
            } => {
                let inside = self.nested_backwards(body);
                if inside.is_empty() {
                    return TokenStream::new();
                }
                let rounds = rounds(body.id);
                let count = || {
                    self.state.borrow_mut().counted.insert(body.id);
                    let slot = self.slot_of(&rounds);
                    code!(let #rounds: usize = #slot.pop(tape);)
                };
                match iterable {
                    Iterable::While { .. } => {
                        let count = count();
                        code!(#count for _ in 0..#rounds { #inside })
                    }
                    Iterable::Counted { range, variable } => {
                        self.require_atom(&range.range);
                        range.step.iter().for_each(|s| self.require_uses(&s.uses));
                        let (run, variable) = (p.range(range), &p.defs[*variable].name);
                        // the last rounds first; only a plain range can be turned round whatever its type
                        if !flags.is_empty() {
                            let count = count();
                            return code! {
                                #count for #variable in ::coenzyme::__private::backwards(#run, #rounds) { #inside }
                            };
                        }
                        if p.rounds_commute(body) && !self.tapes(body) {
                            return code!(for #variable in #run { #inside });
                        }
                        match range.step {
                            None => code!(for #variable in #run.rev() { #inside }),
                            Some(_) => code! {
                                for #variable in ::coenzyme::__private::backwards(#run, ::coenzyme::__private::rounds(&#run)) { #inside }
                            },
                        }
                    }
                }
            }
            Item::Call(call) => self.call_backwards(call, None),
            Item::Copy { to, from } => {
                if !p.base_varied(to.base) {
                    return TokenStream::new();
                }
                self.require_uses(&to.uses);
                self.require_uses(&from.uses);
                let (t, f) = (&to.suffix, &from.suffix);
                let to = p.shadow_lane(to.base, true);
                let add = p.base_varied(from.base).then(|| {
                    let from = p.shadow_lane(from.base, true);
                    code!(if let ::core::option::Option::Some(from) = #from {
                        ::coenzyme::Tangent::accumulate(&mut (*from)#f, &(*to)#t);
                    })
                });
                lanes(code!(if let ::core::option::Option::Some(to) = #to {
                    #add
                    ::coenzyme::Tangent::zero_out(&mut (*to)#t);
                }))
            }
            Item::Fill { place, value } => {
                if !p.base_varied(place.base) {
                    return TokenStream::new();
                }
                self.require_uses(&place.uses);
                let (lane, suffix) = (p.shadow_lane(place.base, true), &place.suffix);
                let add = p.atom_shadow(value).map(|d| {
                    code!(for m in (*m)#suffix.iter() { ::coenzyme::Tangent::accumulate(&mut #d[l], m); })
                });
                lanes(code!(if let ::core::option::Option::Some(m) = #lane {
                    #add
                    ::coenzyme::Tangent::zero_out(&mut (*m)#suffix);
                }))
            }
            Item::Swap { place, i, j } => {
                if !p.base_varied(place.base) {
                    return TokenStream::new();
                }
                self.require_uses(&place.uses);
                let (lane, suffix) = (p.shadow_lane(place.base, true), &place.suffix);
                lanes(
                    code!(if let ::core::option::Option::Some(m) = #lane { (*m)#suffix.swap(#i, #j); }),
                )
            }
            Item::Exchange { a, b } => p.exchange_shadows(a.base, b.base),
        }
    }

    fn base_shadow(&self, base: Base) -> Ident {
        match base {
            Base::Root(r) => shadow(&self.program.roots[r].name),
            Base::Def(d) => shadow(&self.program.defs[d].name),
        }
    }

    /// `place_d += value_d`.
    fn add_to_place(&self, place: &Place, value: &TokenStream) -> TokenStream {
        self.require_uses(&place.uses);
        let (lane, suffix) = (self.program.shadow_lane(place.base, true), &place.suffix);
        lanes(code!(if let ::core::option::Option::Some(m) = #lane {
            ::coenzyme::Tangent::accumulate(&mut (*m)#suffix, &#value);
        }))
    }

    fn undo_def(&self, def: &Def, id: DefId) -> TokenStream {
        let p = self.program;
        let d = shadow(&def.name);
        if !def.varied {
            return TokenStream::new();
        }
        match &def.kind {
            DefKind::Read(place) => self.add_to_place(place, &code!(#d[l])),
            DefKind::Op {
                op, args, needs, ..
            } => {
                match needs {
                    Needs::Nothing => {}
                    // the factor beside each varied factor
                    Needs::Others => args.iter().enumerate().for_each(|(i, other)| {
                        if args
                            .iter()
                            .enumerate()
                            .any(|(j, a)| i != j && p.atom_varied(a))
                        {
                            self.require_atom(other);
                        }
                    }),
                    Needs::Everything => {
                        args.iter().for_each(|a| self.require_atom(a));
                        self.require(id);
                    }
                }
                args.iter().for_each(|a| self.mention(a));
                let (first, rest) = args.split_first().expect("an operation has an operand");
                let (a, b) = (p.atom_value(first), rest.iter().map(|a| p.atom_value(a)));
                let name = &def.name;
                let into = p
                    .atom_shadow(first)
                    .map(|d| code!(::coenzyme::Tangent::accumulate(&mut #d[l], &pulled[l].0);));
                let rest_into = rest.iter().enumerate().filter_map(|(i, atom)| {
                    let (d, i) = (p.atom_shadow(atom)?, syn::Index::from(i));
                    Some(code!(::coenzyme::Tangent::accumulate(&mut #d[l], &(pulled[l].1).#i);))
                });
                let add = lanes(code!(#into #(#rest_into)*));
                code! {
                    let pulled = ::coenzyme::__private::pull::<#op, _, _, __W>(
                        #a, (#(#b,)*), #name, &#d, config.strong_zero(),
                    );
                    #add
                }
            }
            DefKind::Make { parts, .. } => {
                let parts = parts.iter().filter_map(|(suffix, atom)| {
                    let part = p.atom_shadow(atom)?;
                    self.mention(atom);
                    Some(code!(::coenzyme::Tangent::accumulate(&mut #part[l], &#d[l]#suffix);))
                });
                lanes(code!(#(#parts)*))
            }
            DefKind::Version(root) => {
                let root = shadow(&p.roots[*root].name);
                code!(::coenzyme::__private::add(&mut #root, &#d);)
            }
            DefKind::Call(call) => self.call_backwards(call, Some(&d)),
            _ => TokenStream::new(),
        }
    }

    fn undo_declare(&self, root: RootId, init: &Init) -> TokenStream {
        let p = self.program;
        if !p.roots[root].varied {
            return TokenStream::new();
        }
        let d = shadow(&p.roots[root].name);
        match init {
            Init::Value(atom) => match p.atom_shadow(atom) {
                Some(from) => code!(::coenzyme::__private::add(&mut #from, &#d);),
                None => TokenStream::new(),
            },
            Init::Copy { from, .. } if p.base_varied(from.base) => {
                self.require_uses(&from.uses);
                let (lane, suffix) = (p.shadow_lane(from.base, true), &from.suffix);
                lanes(code!(if let ::core::option::Option::Some(m) = #lane {
                    ::coenzyme::__private::accumulate_target(&mut (*m)#suffix, &#d[l]);
                }))
            }
            _ => TokenStream::new(),
        }
    }

    fn undo_assign(&self, place: &Place, op: Assign, value: &Atom) -> TokenStream {
        let p = self.program;
        if !p.base_varied(place.base) {
            return TokenStream::new();
        }
        let into = p.atom_shadow(value);
        if let Base::Root(r) = place.base
            && p.roots[r].kind == RootKind::Scalar
        {
            let d = shadow(&p.roots[r].name);
            return match into {
                Some(into) => code!(::coenzyme::__private::move_into(&mut #into, &mut #d);),
                None => code!(::coenzyme::__private::clear(&mut #d);),
            };
        }
        self.require_uses(&place.uses);
        let (lane, suffix) = (p.shadow_lane(place.base, true), &place.suffix);
        let undo = match (op, into) {
            (Assign::Set, Some(into)) => code! {
                ::coenzyme::Tangent::accumulate(&mut #into[l], &(*m)#suffix);
                ::coenzyme::Tangent::zero_out(&mut (*m)#suffix);
            },
            (Assign::Set, None) => code!(::coenzyme::Tangent::zero_out(&mut (*m)#suffix);),
            (Assign::Add, Some(into)) => {
                code!(::coenzyme::Tangent::accumulate(&mut #into[l], &(*m)#suffix);)
            }
            (Assign::Sub, Some(into)) => {
                code!(::coenzyme::__private::subtract(&mut #into[l], &(*m)#suffix);)
            }
            (_, None) => return TokenStream::new(),
        };
        lanes(code!(if let ::core::option::Option::Some(m) = #lane { #undo }))
    }

    // ---- calls ----

    fn tape_slot(&self, call: &Call) -> Ident {
        slot(&local(&format!("call{}", call.point.order)))
    }

    fn call_config(&self, call: &Call) -> TokenStream {
        let used = call.used;
        let overwritten = call.args.iter().enumerate().filter_map(|(i, arg)| {
            let root = match arg {
                Arg::Whole { root } => *root,
                Arg::Shared(Place {
                    base: Base::Root(root),
                    ..
                })
                | Arg::Exclusive(Place {
                    base: Base::Root(root),
                    ..
                }) => *root,
                _ => return None,
            };
            let here = self.program.changed_after(root, &call.point);
            let outside = match self.program.roots[root].kind {
                RootKind::Param { index, .. } => code!(|| config.overwritten(#index)),
                _ => TokenStream::new(),
            };
            Some(code!(.with_overwritten(#i, #here #outside)))
        });
        code!(config.with_needs_primal(#used).with_none_overwritten()#(#overwritten)*)
    }

    /// The handles of a call, their types, and the statements before it.
    fn arguments(
        &self,
        call: &Call,
        backwards: bool,
    ) -> (Vec<TokenStream>, Vec<TokenStream>, Vec<TokenStream>) {
        let itself =
            matches!(&call.callee, Callee::Path(path) if path.is_ident(&self.function.name));
        let whole = bounds::passes_whole(call) || itself && !call.shares_memory();
        let (mut before, mut args, mut types) = (Vec::new(), Vec::new(), Vec::new());
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
                }
                arg if backwards && call.is_repeated(i) => {
                    let (value, own) = self.handle_apart(arg, i);
                    before.insert(0, own);
                    before.push(code!(let mut #a = #value;));
                    args.push(code!(&mut #a));
                    types.push(code!(::coenzyme::DynArg<_, _, __W>));
                }
                arg => {
                    if let Arg::Whole { root }
                    | Arg::Exclusive(Place {
                        base: Base::Root(root),
                        ..
                    }) = arg
                        && !matches!(
                            self.program.roots[*root].kind,
                            RootKind::Param {
                                passing: Passing::Shared,
                                ..
                            }
                        )
                    {
                        // writable again, also where reads go to a copy
                        before.extend(self.bind_root(*root));
                    }
                    let (value, ty) = self.handle(arg, backwards);
                    before.push(code!(let mut #a = #value;));
                    args.push(code!(&mut #a));
                    types.push(ty);
                }
            }
        }
        (before, args, types)
    }

    /// The place of an argument that shares its memory with one before it, which is read only.
    fn repeated_place(arg: &Arg) -> Option<Place> {
        match arg {
            Arg::Shared(place) | Arg::Exclusive(place) => Some(place.clone()),
            Arg::Whole { root } => Some(Place {
                base: Base::Root(*root),
                suffix: TokenStream::new(),
                uses: Uses::default(),
            }),
            Arg::Const(_) | Arg::Value(_) => None,
        }
    }

    /// In the reverse sweep such an argument has shadows of its own, which are added when the call is done.
    fn handle_apart(&self, arg: &Arg, index: usize) -> (TokenStream, TokenStream) {
        let p = self.program;
        let place = Self::repeated_place(arg).expect("memory");
        // asks for what it reads
        let _ = self.handle(&Arg::Shared(place.clone()), true);
        let (value, own) = (p.place_value(&place), local(&format!("apart{index}")));
        let active = self.is_active(place.base);
        (
            code!(::coenzyme::DynArg::new(&#value, ::coenzyme::__private::lend_apart(&#value, &mut #own))),
            code!(let mut #own = ::coenzyme::__private::apart::<_, __W>(&#value, #active);),
        )
    }

    /// Whether there are shadows.
    fn is_active(&self, base: Base) -> TokenStream {
        let p = self.program;
        match base {
            base if !p.base_varied(base) => code!(false),
            Base::Root(r) if matches!(p.roots[r].kind, RootKind::Param { .. }) => {
                let d = shadow(&p.roots[r].name);
                code!(#d[0].is_some())
            }
            _ => code!(true),
        }
    }

    /// Adds the shadows of arguments that had their own.
    fn add_apart(&self, call: &Call) -> TokenStream {
        let adds = (0..call.args.len())
            .filter(|i| call.is_repeated(*i))
            .map(|i| {
                let place = Self::repeated_place(&call.args[i]).expect("memory");
                if !self.program.base_varied(place.base) {
                    return TokenStream::new();
                }
                let (own, suffix) = (local(&format!("apart{i}")), &place.suffix);
                let lane = self.program.shadow_lane(place.base, true);
                code! {
                    if let ::core::option::Option::Some(own) = &#own {
                        for l in 0..__W {
                            if let ::core::option::Option::Some(m) = #lane {
                                ::coenzyme::__private::accumulate_target(&mut (*m)#suffix, &own[l]);
                            }
                        }
                    }
                }
            });
        adds.collect()
    }

    fn handle(&self, arg: &Arg, backwards: bool) -> (TokenStream, TokenStream) {
        let p = self.program;
        match arg {
            Arg::Const(expr) => {
                let tokens = &expr.tokens;
                if backwards {
                    self.require_uses(&expr.uses);
                }
                (
                    code!(::coenzyme::Const(#tokens)),
                    code!(::coenzyme::Const<_>),
                )
            }
            Arg::Value(atom) => {
                if backwards {
                    self.require_atom(atom);
                }
                let value = p.atom_value(atom);
                (
                    code!(::coenzyme::Active(#value)),
                    code!(::coenzyme::Active<_>),
                )
            }
            Arg::Shared(place) | Arg::Exclusive(place) => {
                let exclusive = matches!(arg, Arg::Exclusive(_));
                let (value, suffix) = (p.place_value(place), &place.suffix);
                let m = if exclusive { code!(&mut) } else { code!(&) };
                let promised = format_ident!(
                    "{}",
                    if exclusive {
                        "promised_mut"
                    } else {
                        "promised"
                    }
                );
                if backwards {
                    self.require_uses(&place.uses);
                    match place.base {
                        Base::Root(r) if p.roots[r].kind == RootKind::Memory => {
                            self.require_contents(r)
                        }
                        Base::Root(_) => {}
                        Base::Def(d) => self.require(d),
                    }
                }
                let handle = match (backwards, p.base_varied(place.base), place.base) {
                    (_, false, _) => code!(::coenzyme::__private::#promised(#m #value, false)),
                    (false, true, base) => {
                        let active = self.is_active(base);
                        code!(::coenzyme::__private::#promised(#m #value, #active))
                    }
                    (true, true, Base::Root(r))
                        if matches!(p.roots[r].kind, RootKind::Param { .. }) =>
                    {
                        let d = shadow(&p.roots[r].name);
                        code!(::coenzyme::DynArg::new(#m #value, ::coenzyme::__private::each_mut(&mut #d, |m| &mut (*m)#suffix)))
                    }
                    (true, true, base) => {
                        let d = self.base_shadow(base);
                        code!(::coenzyme::DynArg::new(#m #value, ::core::option::Option::Some(#d.each_mut().map(|m| &mut (*m)#suffix))))
                    }
                };
                (handle, code!(::coenzyme::DynArg<_, _, __W>))
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
                    } => self.handle(&Arg::Exclusive(whole), backwards),
                    _ => self.handle(&Arg::Shared(whole), backwards),
                }
            }
        }
    }

    fn call_forwards(&self, call: &Call) -> TokenStream {
        let callee = self.program.callee(call);
        let (before, args, types) = self.arguments(call, false);
        let config = self.call_config(call);
        let slot = self.tape_slot(call);
        let question = call.question.then(|| code!(?));
        if call.used {
            code!({
                let callee = #callee;
                #(#before)*
                let (value, callee_tape) = ::coenzyme::__private::call_augmented::<_, ::coenzyme::Active<_>, (#(#types,)*), _, __W>(
                    &callee, &#config, (#(#args,)*),
                )#question;
                #slot.push(tape, callee_tape);
                value
            })
        } else {
            code!({
                let callee = #callee;
                #(#before)*
                let callee_tape = ::coenzyme::__private::call_augmented_unused::<_, ::coenzyme::Const<_>, (#(#types,)*), _, __W>(
                    &callee, &#config, (#(#args,)*),
                )#question;
                #slot.push(tape, callee_tape);
            })
        }
    }

    fn call_backwards(&self, call: &Call, cotangent: Option<&Ident>) -> TokenStream {
        let p = self.program;
        if let Callee::Method { receiver, .. } = &call.callee {
            self.require_uses(&receiver.uses);
            if let Base::Def(d) = receiver.base {
                self.require(d);
            }
        }
        let callee = self.program.callee(call);
        let (before, args, types) = self.arguments(call, true);
        let config = self.call_config(call);
        let slot = self.slot_of(&local(&format!("call{}", call.point.order)));
        let (returns, cotangent) = match cotangent {
            Some(d) => (
                code!(::coenzyme::Active<_>),
                code!(::core::clone::Clone::clone(&#d)),
            ),
            None => (code!(::coenzyme::Const<_>), code!(())),
        };
        let adds = call.args.iter().enumerate().filter_map(|(i, arg)| {
            let Arg::Value(atom) = arg else { return None };
            let (d, i) = (p.atom_shadow(atom)?, syn::Index::from(i));
            Some(code!(::coenzyme::__private::add(&mut #d, &entries.#i);))
        });
        let apart = self.add_apart(call);
        code!({
            let callee_tape = #slot.pop(tape);
            let callee = #callee;
            #(#before)*
            let entries = ::coenzyme::__private::call_reverse::<_, #returns, (#(#types,)*), _, __W>(
                &callee, &#config, #cotangent, callee_tape, (#(#args,)*),
            );
            #(#adds)*
            #apart
        })
    }
}

/// The number of rounds that a loop ran.
fn rounds(block: usize) -> Ident {
    local(&format!("rounds{block}"))
}
