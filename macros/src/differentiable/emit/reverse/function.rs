//! The function itself: parameters come in by their handles, and leave as gradients.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident};

use super::Reverse;
use super::block::Seed;
use crate::differentiable::emit::bounds::{self, Mode};
use crate::differentiable::emit::names::{handle, shadow, slot};
use crate::differentiable::emit::params;
use crate::differentiable::emit::primal::lanes;
use crate::differentiable::emit::scopes::flattened;
use crate::differentiable::ir::*;
use crate::signature::{Passing, RECEIVER};

impl Reverse<'_> {
    pub(super) fn bind_root(&self, root: RootId) -> Option<TokenStream> {
        let root = &self.program.roots[root];
        params::bind_memory(self.function, root, Mode::Reverse, |name, param, h, tr| {
            let d = shadow(name);
            let split = match param.passing {
                Passing::Exclusive => code!(<_ as #tr>::split_mut_in::<__REVERSE>(&mut *#h)),
                _ => {
                    let entry = entry(&h);
                    code!(<_ as #tr>::split_in::<__REVERSE>(&mut *#h, &mut #entry))
                }
            };
            let cut = matches!(param.ty, syn::Type::Slice(_))
                .then(|| code!(let mut #d = ::coenzyme::__private::cut(&*#name, #d);));
            code!(let (#name, mut #d) = #split; #cut)
        })
    }

    /// The entries of the result for parameters behind shared references: those of handles by value are filled in place.
    fn entries(&self) -> TokenStream {
        let params = self.function.params.iter().enumerate();
        let shared = params.filter(|(_, p)| p.passing == Passing::Shared && !p.constant);
        let entries = shared.map(|(index, param)| {
            let (tr, h) = (bounds::argument_trait(param, Mode::Reverse), handle(index));
            let entry = entry(&h);
            code!(let mut #entry = <_ as #tr>::no_gradient(&mut *#h);)
        });
        entries.collect()
    }

    /// As [`bind_root`](Self::bind_root), in the reverse sweep: reads go to the copy, if one was made.
    pub(super) fn bind_root_backwards(&self, root: RootId) -> Option<TokenStream> {
        let bind = self.bind_root(root)?;
        if self.lent.borrow().contains(&root) {
            let scratch = self.bind_scratch(&[root]);
            return Some(code!(#bind #scratch));
        }
        let saved = self.copied_if(root).map(|_| {
            let (name, saved) = (&self.program.roots[root].name, self.saved_name(root));
            code!(let #name = ::coenzyme::__private::saved_or(&#saved, &*#name);)
        });
        Some(code!(#bind #saved))
    }

    /// Whether a parameter's memory is copied to the tape if the caller overwrites it.
    pub(super) fn saves(&self, root: RootId) -> bool {
        let Some(index) = self.program.param_of(root) else {
            return false;
        };
        let own = self.function.params[index].constant || self.plan.is_scratch(root);
        self.state.borrow().contents.contains(&root) && !own
    }

    pub(super) fn bind_values(&self) -> TokenStream {
        let defs = self.program.defs.iter();
        let values = defs.filter_map(|d| params::bind_value(self.function, d, Mode::Reverse));
        values.collect()
    }

    /// A receiver by value, whose memory the caller lends: its number, and the names of its value and of the copy. Other arguments
    /// by value are the callee's own.
    pub(super) fn lent_value(&self) -> Option<(usize, &Ident, Ident)> {
        let receiver = self.function.params.first()?;
        if receiver.name != RECEIVER || receiver.passing != Passing::Value || receiver.constant {
            return None;
        }
        let mut defs = self.program.defs.iter();
        let def = defs.find(|d| matches!(d.kind, DefKind::Param(0)) && d.varied)?;
        let saved = format_ident!("{}_saved", def.name, span = proc_macro2::Span::mixed_site());
        Some((0, &def.name, saved))
    }

    pub(super) fn function_forwards(&self) -> TokenStream {
        let p = self.program;
        let (lent, save_lent) = self
            .lent_value()
            .map(|(index, name, saved)| {
                let slot = format_ident!("{}", slot(&saved), span = proc_macro2::Span::mixed_site());
                (
                    code!(let #saved = config.overwritten(#index).then(|| ::coenzyme::__private::copy(&#name));),
                    code!(if let ::core::option::Option::Some(copy) = #saved { #slot.push(tape, copy); }),
                )
            })
            .unzip();
        let output = &self.function.output;
        let binds = (0..p.roots.len()).filter_map(|r| self.bind_root(r));
        let values = self.bind_values();
        let body = flattened(self.forwards(&p.body));
        let saves = (0..p.roots.len()).filter_map(|r| {
            let (copied, name) = (self.copied_if(r)?, &p.roots[r].name);
            let push = match self.saves(r) {
                true => code!(push_copy(tape, &*#name)),
                false => code!(push_if_copied(tape, &*#name)),
            };
            let push = self.copied(r, &push);
            Some(code!(if #copied { let _ = #push; }))
        });
        let saves: Vec<_> = saves.collect();
        // a result that is also on the tape is copied; a local goes to the tape as a copy, and is then given away
        let (early, late) = match &p.result {
            None => (code!(()), None),
            Some(Atom::Root(r)) if p.roots[*r].kind == RootKind::Memory => {
                (TokenStream::new(), Some(&p.roots[*r].name))
            }
            Some(Atom::Root(r)) => {
                let name = &p.roots[*r].name;
                (code!(::coenzyme::__private::copy(&#name)), None)
            }
            Some(Atom::Def(d)) if self.is_returned_shape(*d) => {
                (TokenStream::new(), Some(&p.defs[*d].name))
            }
            Some(atom) => {
                let value = p.atom_value(atom);
                let taped = |d: &DefId| match p.defs[*d].kind {
                    DefKind::Call(_) | DefKind::Op { .. } => true,
                    DefKind::Read(_) => self.has_shape(*d) && self.exists(*d),
                    _ => false,
                };
                let value = match atom {
                    Atom::Def(d) if taped(d) => code!(::coenzyme::__private::copy(&#value)),
                    _ => value,
                };
                (value, None)
            }
        };
        let early = late.is_none().then(|| code!(let result = #early;));
        let late = late.map(|name| code!(let result = #name;));
        let pushes = self
            .state
            .borrow()
            .pushes
            .get(&0)
            .cloned()
            .unwrap_or_default();
        let entries = self.entries();
        let sum = self.sum_so_far();
        let lengthened = self.lengthened();
        code! {
            #entries #(#binds)* #values #lent
            #body
            #lengthened
            #early
            #(#pushes)*
            #(#saves)*
            #save_lent
            #sum
            #late
            <#output as ::coenzyme::Outcome>::wrap(::coenzyme::__private::Swept::Value(result))
        }
    }

    /// The cotangent of the result.
    fn seed(&self) -> Seed {
        let p = self.program;
        let result = p.result.as_ref();
        let Some(d) = result.and_then(|atom| self.touch_atom(atom)) else {
            return Seed::default();
        };
        if let Some(base) = self.returned() {
            let name = match base {
                Base::Root(root) => &p.roots[root].name,
                Base::Def(def) => &p.defs[def].name,
            };
            let received =
                code!(let mut #d = ::coenzyme::__private::received::<_, __W>(&#name, dret););
            return Seed {
                received: Some((base, received)),
                ..Seed::default()
            };
        }
        let added = lanes(code! {
            if let ::core::option::Option::Some(c) = ::coenzyme::Lanes::lane_mut(&mut dret, l) {
                ::coenzyme::Tangent::absorb(&mut #d[l], c);
            }
        });
        Seed {
            added,
            ..Seed::default()
        }
    }

    pub(super) fn function_backwards(&self) -> TokenStream {
        let p = self.program;
        let output = &self.function.output;
        self.state.borrow_mut().untouched();
        let mut body = self.backwards_in_parts(&p.body, self.seed());
        self.leave_out_returned(&mut body);
        let body = body.in_order();
        let body = match self.drafting.get() {
            true => body,
            false => flattened(body),
        };
        let params = p
            .defs
            .iter()
            .filter(|d| matches!(d.kind, DefKind::Param(_)) && d.varied);
        let values = self.bind_values();
        let zeros = params.clone().map(|def| {
            let (name, d) = (&def.name, shadow(&def.name));
            code!(let mut #d = ::coenzyme::__private::sums::<_, __W>(&#name);)
        });
        let gradients = self.gradients();
        let (lent, values) = match self.lent_value() {
            Some((index, name, saved)) => {
                let slot = self.slot_of(&saved);
                (
                    code!(let #saved = config.overwritten(#index).then(|| #slot.pop(tape));),
                    code!(#values let #name = #saved.unwrap_or(#name);),
                )
            }
            None => (TokenStream::new(), values),
        };
        // copies went on the tape last, in the order of the parameters
        let saved = (0..p.roots.len()).rev().filter_map(|r| self.saved(r));
        let binds = (0..p.roots.len()).filter_map(|r| self.bind_root_backwards(r));
        let entries = self.entries();
        let (sum, swept) = self.sum_to_end();
        let (own, add_own) = self.own_sums();
        code! {
            let mut dret = dret.expect("the reverse sweep is given a cotangent");
            #sum
            #lent
            #entries #(#saved)* #(#binds)* #values #(#zeros)* #own
            #body
            #add_own
            let swept = (#(#gradients,)*);
            <#output as ::coenzyme::Outcome>::wrap(#swept)
        }
    }

    /// What the reverse sweep returns for each parameter.
    fn gradients(&self) -> Vec<TokenStream> {
        let defs = self.program.defs.iter();
        let varied = defs.filter(|d| matches!(d.kind, DefKind::Param(_)) && d.varied);
        let gradients = self
            .function
            .params
            .iter()
            .enumerate()
            .map(|(index, param)| {
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
                let def = varied
                    .clone()
                    .find(|d| matches!(d.kind, DefKind::Param(i) if i == index));
                match def {
                    Some(def) => {
                        let d = shadow(&def.name);
                        code!(<_ as #tr>::hand_over(&mut *#h, &#d, config.inside()))
                    }
                    None if param.passing == Passing::Shared => entry(&h).to_token_stream(),
                    None => code!(<_ as #tr>::no_gradient(&mut *#h)),
                }
            });
        gradients.collect()
    }

    fn saved_name(&self, root: RootId) -> Ident {
        let name = &self.program.roots[root].name;
        format_ident!("{name}_saved", span = proc_macro2::Span::mixed_site())
    }

    /// The copy of a parameter, off the tape.
    fn saved(&self, root: RootId) -> Option<TokenStream> {
        let (copied, name) = (self.copied_if(root)?, self.saved_name(root));
        if self.saves(root) {
            let pop = self.copied(root, &code!(pop_copy(tape)));
            return Some(code!(let #name = (#copied).then(|| #pop);));
        }
        let pop = self.copied(root, &code!(pop_if_copied(tape)));
        // callees are asked that are found by the memory which they are called on
        let bind = self.bind_root(root);
        Some(code! {
            let #name = {
                #bind
                match #copied { true => #pop, false => ::core::option::Option::None }
            };
        })
    }

    /// Whether a parameter has borrowed parts, which a tape outlives.
    pub(super) fn is_borrowed(&self, index: usize) -> bool {
        let param = &self.function.params[index];
        param.passing == Passing::Shared && borrows(&param.ty)
    }

    /// The way of a copy of a parameter to the tape, or back.
    pub(super) fn copied(&self, root: RootId, method: &TokenStream) -> TokenStream {
        let index = self.program.param_of(root).expect("a parameter");
        let ty = &self.function.params[index].ty;
        if self.is_borrowed(index) {
            return code!(::coenzyme::__private::borrowed_is_not_kept::<#ty>());
        }
        code!({
            use ::coenzyme::__private::{CopiedWhole as _, CopiedWords as _, NotCopied as _};
            (&&::coenzyme::__private::Copied::<#ty>::new()).#method
        })
    }
}

/// Whether a type names a lifetime that ends.
pub(super) fn borrows(ty: &syn::Type) -> bool {
    struct Find(bool);
    impl syn::visit::Visit<'_> for Find {
        fn visit_lifetime(&mut self, lifetime: &syn::Lifetime) {
            self.0 |= lifetime.ident != "static";
        }
    }
    let mut find = Find(false);
    syn::visit::Visit::visit_type(&mut find, ty);
    find.0
}

/// The entry of the result for the parameter with this handle.
pub(super) fn entry(handle: &Ident) -> Ident {
    format_ident!("{handle}_entry", span = handle.span())
}
