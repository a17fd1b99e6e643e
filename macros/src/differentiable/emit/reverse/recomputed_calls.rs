//! Calls whose result the reverse sweep reads: computed again from the arguments if the callee is cheap, which is known where types are,
//! otherwise taken off the tape.
//!
//! ```text
//! let mut k_again = false;
//! let k = call_augmented_or_again(&f {}, …, (tape, &mut k_again, true), …);
//! if !k_again { k_slot.push(tape, k); }      // before what else the block leaves
//! // backwards, after what else the block left
//! let k = call_again(&f {}, (true, || k_slot.pop(tape)), |again| again.run(&f {}, …));
//! ```

use proc_macro2::{Ident, TokenStream};
use quote::format_ident;

use super::Reverse;
use crate::differentiable::ir::*;

impl Reverse<'_> {
    /// Whether all that a call reads is at hand when the reverse sweep begins with its block.
    pub(crate) fn may_rerun(&self, call: &Call) -> bool {
        let stable = |root: &RootId| {
            self.program.roots[*root].kind != RootKind::Scalar && self.stable(*root, &call.point)
        };
        let uses = |uses: &Uses| uses.roots.iter().all(stable);
        let place = |place: &Place| {
            uses(&place.uses)
                && match place.base {
                    Base::Root(root) => stable(&root),
                    Base::Def(_) => true,
                }
        };
        let callee = match &call.callee {
            Callee::Path(_) | Callee::Conversion(_) | Callee::Operator(..) | Callee::Value(_) => {
                true
            }
            Callee::Method { receiver, .. } => place(receiver),
            Callee::Part { .. } | Callee::Variant { .. } => false,
        };
        let itself =
            matches!(&call.callee, Callee::Path(path) if path.is_ident(&self.function.name));
        callee
            && !itself
            && matches!(call.unpack, Unpack::Plain)
            && call.args.iter().all(|arg| match arg {
                // what a closure captures may have changed since
                Arg::Const(expr) if self.program.passes_called(expr) => false,
                Arg::Const(expr) | Arg::Value(Atom::Const(expr)) => uses(&expr.uses),
                Arg::Value(Atom::Def(_)) => true,
                Arg::Shared(shared) => place(shared),
                Arg::Whole { root } => stable(root),
                Arg::Value(Atom::Root(_)) | Arg::Exclusive(_) | Arg::Closure { .. } => false,
            })
    }

    /// Asks for what a call reads.
    fn require_arguments(&self, call: &Call) {
        let place = |place: &Place| {
            self.require_uses(&place.uses);
            match place.base {
                Base::Root(root) if self.program.roots[root].kind == RootKind::Memory => {
                    self.require_contents(root);
                }
                Base::Root(_) => {}
                Base::Def(d) => self.require(d),
            }
        };
        match &call.callee {
            Callee::Method { receiver, .. } => place(receiver),
            Callee::Value(d) => self.require(*d),
            Callee::Path(_)
            | Callee::Conversion(_)
            | Callee::Operator(..)
            | Callee::Part { .. }
            | Callee::Variant { .. } => {}
        }
        for arg in &call.args {
            match arg {
                Arg::Const(expr) => self.require_uses(&expr.uses),
                Arg::Value(atom) => self.require_atom(atom),
                Arg::Shared(shared) => place(shared),
                Arg::Whole { .. } | Arg::Exclusive(_) | Arg::Closure { .. } => {}
            }
        }
    }

    /// Whether the parameters that a call reads hold what they held, which the caller of this function knows.
    pub(crate) fn holds(&self, call: &Call) -> TokenStream {
        let params = call.args.iter().filter_map(|arg| match arg.base()? {
            Base::Root(root) => match self.program.roots[root].kind {
                RootKind::Param { index, .. } if !self.plan.is_scratch(root) => Some(index),
                _ => None,
            },
            Base::Def(_) => None,
        });
        code!(true #(&& !config.overwritten(#params))*)
    }

    /// The value of a call in the reverse sweep, and its way over the tape.
    pub(crate) fn rerun(&self, id: DefId, call: &Call) -> (TokenStream, TokenStream) {
        let outer = self.computing.replace(true);
        self.require_arguments(call);
        self.computing.set(outer);
        let p = self.program;
        let name = &p.defs[id].name;
        let (slot, again) = (self.slot_of(name), again(name));
        self.state.borrow_mut().reruns.insert(id);
        let shadowed = self.state.borrow().shadowed.contains(&Base::Def(id));
        let (push, pop) = match shadowed {
            true => (code!(push_active), code!(pop_active)),
            false => (code!(push), code!(pop)),
        };
        let (callee, holds) = (p.callee(call), self.holds(call));
        let (before, args, types) = self.arguments(call, false);
        // the call itself takes them
        let clones = call.args.iter().filter_map(|arg| match arg {
            Arg::Value(Atom::Def(d)) => {
                let value = &p.defs[*d].name;
                Some(code!(let #value = ::coenzyme::__private::copy(&#value);))
            }
            _ => None,
        });
        let config = code!(
            config
                .with_needs_primal(true)
                .with_none_overwritten()
                .with_keeps_costly(false)
        );
        let rebound = Item::Def(id)
            .whole_roots(p)
            .into_iter()
            .filter_map(|r| self.bind_root_backwards(r));
        let value = code! {
            let #name = {
                let callee = #callee;
                ::coenzyme::__private::call_again::<_, ::coenzyme::Active<_>, (#(#types,)*), _, __W>(
                    &callee, (#holds, || #slot.#pop(tape)), |again| {
                        #(#clones)*
                        #(#before)*
                        again.run(&callee, &#config, (#(#args,)*))
                    },
                )
            };
            #(#rebound)*
        };
        (value, code!(if !#again { #slot.#push(tape, #name); }))
    }

    /// Whether a value is that of a call that may be run again.
    pub(crate) fn is_rerun(&self, id: DefId) -> bool {
        self.state.borrow().reruns.contains(&id)
    }
}

/// Whether a call will be run again.
pub(crate) fn again(name: &Ident) -> Ident {
    format_ident!("{name}_again", span = proc_macro2::Span::mixed_site())
}
