//! Memory of a caller that a function lends to several calls, or to each round's: if the caller changes it before the reverse sweep, the function
//! makes one copy for all of them, where each of them would make its own.
//!
//! ```text
//! // fn accelerations(&self) -> Vec<Vec3> { (0..self.n()).map(|i| self.acceleration(i)).collect() }
//! let copied0: bool = true;
//! call_augmented(&callee, &config.with_overwritten(0, config.overwritten(0) && !copied0), …);
//! if config.overwritten(0) && (&self.rule_of_acceleration()).reads_later(0, LEVELS) != Some(false) { push_copy(tape, self) }
//! ```

use std::collections::HashMap;

use proc_macro2::{Ident, TokenStream};
use quote::format_ident;

use super::Reverse;
use crate::differentiable::emit::bounds;
use crate::differentiable::ir::*;

impl Program {
    /// The number of the parameter whose memory this is.
    pub(super) fn param_of(&self, root: RootId) -> Option<usize> {
        match self.roots[root].kind {
            RootKind::Param { index, .. } => Some(index),
            _ => None,
        }
    }
}

impl Reverse<'_> {
    /// Calls `found` for each argument that lends memory, or a part of it: also for what closures capture, with the number of the closure.
    pub(super) fn each_lent(&self, found: &mut dyn FnMut(&Call, usize, &Arg, RootId)) {
        bounds::each_call(self.program, &self.program.body, &mut |call| {
            for (index, arg) in call.args.iter().enumerate() {
                for arg in arg.each() {
                    if let Some(Base::Root(root)) = arg.base() {
                        found(call, index, arg, root);
                    }
                }
            }
        });
    }

    /// Whether calls that read a parameter's memory are worth one copy of it for all.
    fn lends_often(&self, root: RootId) -> bool {
        let mut calls = 0;
        self.each_lent(&mut |call, _, arg, lent| {
            if let Arg::Shared(place) = arg
                && lent == root
                && self.standing(root, &call.point)
            {
                calls += match (call.point.loops.is_empty(), place.suffix.is_empty()) {
                    (false, _) => 2,
                    (true, true) => 1,
                    (true, false) => 0,
                };
            }
        });
        calls >= 2
    }

    /// Whether a parameter's memory is what it was at a point when the function ends.
    pub(super) fn standing(&self, root: RootId, point: &Point) -> bool {
        let still = self.plan.lends_still.contains(&(point.order, root));
        let outside = self.plan.outside(self.program, root);
        still || !self.program.changed_after(root, point, outside)
    }

    /// The parameters of which there is a copy for the calls that read them.
    fn copied_for_calls(&self) -> HashMap<RootId, usize> {
        let params = (0..self.program.roots.len())
            .filter_map(|root| Some((root, self.program.param_of(root)?)));
        params
            .filter(|(root, index)| {
                !self.function.params[*index].constant && !self.plan.is_scratch(*root)
            })
            .filter(|(root, index)| {
                self.saves(*root) || !self.is_borrowed(*index) && self.lends_often(*root)
            })
            .collect()
    }

    /// When a parameter's memory goes to the tape: if the caller changes it, and something reads it.
    pub(super) fn copied_if(&self, root: RootId) -> Option<TokenStream> {
        let index = *self.copied_for_calls().get(&root)?;
        if self.saves(root) {
            return Some(code!(config.overwritten(#index)));
        }
        let p = self.program;
        let mut asked = Some(Vec::new());
        self.each_lent(&mut |call, index, arg, lent| {
            // others are told what the caller of this function changes
            if lent != root || !matches!(arg, Arg::Shared(_)) {
                return;
            }
            let known = match &call.callee {
                Callee::Path(path) => !self.function.names_generics_in(path),
                Callee::Method { receiver, .. } => {
                    receiver.base == Base::Root(root)
                        && receiver.suffix.is_empty()
                        && receiver.uses.defs.is_empty()
                }
                _ => false,
            };
            let known = known && !matches!(call.args[index], Arg::Closure { .. });
            let callee = p.callee(call);
            match (&mut asked, known) {
                (Some(asked), true) => asked.push(code!({
                    let callee = #callee;
                    (&callee).reads_later(#index, ::coenzyme::__private::LEVELS)
                        != ::core::option::Option::Some(false)
                })),
                _ => asked = None,
            }
        });
        Some(match asked {
            None => code!(config.overwritten(#index)),
            Some(asked) => code!(config.overwritten(#index) && {
                use ::coenzyme::__private::{MayReadLater as _, ReadsLater as _};
                #((#asked))||*
            }),
        })
    }

    /// Whether the caller changes memory of which calls have no copy.
    pub(super) fn overwritten_outside(&self, arg: &Arg, root: RootId, index: usize) -> TokenStream {
        match arg {
            Arg::Shared(_) => {
                let copied = copied(root);
                code!(config.overwritten(#index) && !#copied)
            }
            // the callee gets the handle of this function, which knows of no copy
            _ => code!(config.overwritten(#index)),
        }
    }

    /// Which parameters are copied, for the calls: known once the whole reverse sweep is.
    pub(super) fn copies(&self) -> TokenStream {
        let all = self.copied_for_calls();
        let mut lent: Vec<RootId> = Vec::new();
        self.each_lent(&mut |_, _, _, root| {
            if self.program.param_of(root).is_some() && !lent.contains(&root) {
                lent.push(root);
            }
        });
        let names = lent.iter().map(|root| {
            let name = copied(*root);
            let is = match (all.contains_key(root), self.saves(*root)) {
                (true, false) => self.copied(*root, &code!(is_copied())),
                (any, _) => code!(#any),
            };
            code!(let #name: bool = #is;)
        });
        names.collect()
    }
}

/// The name of whether a parameter's memory is copied.
fn copied(root: RootId) -> Ident {
    format_ident!("copied{root}", span = proc_macro2::Span::mixed_site())
}
