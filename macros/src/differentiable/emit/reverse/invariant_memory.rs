//! Memory that stands still in a loop: it goes to the tape after the loop, and comes back before the loop is undone.

use proc_macro2::TokenStream;

use super::Reverse;
use crate::differentiable::ir::*;
use crate::differentiable::plan::Fate;

impl Reverse<'_> {
    /// What a loop with this body puts on the tape after it, and takes off again before it is undone; the reverse sweep of the loop
    /// has been generated.
    pub(crate) fn restored(&self, body: &Block) -> TokenStream {
        let p = self.program;
        let (mut keeps, mut restores, mut uses) = (Vec::new(), Vec::new(), Uses::default());
        {
            let state = self.state.borrow();
            let standing = self.plan.invariant.get(&body.id).into_iter().flatten();
            for part in standing.filter(|s| !s.reads.is_disjoint(&state.required)) {
                let name = &p.roots[part.root].name;
                let (range, index) = (&part.range.tokens, &part.index.tokens);
                let variable = &p.defs[part.variable].name;
                let first = code!(::coenzyme::__private::first(&(#range), |#variable| #index));
                let count = code!(::coenzyme::__private::rounds(&(#range)));
                keeps.push(code!(::coenzyme::__private::keep(tape, &#name[..], #first, #count);));
                // where it begins may be said by its length
                restores.push(code!({
                    let (first, count) = (#first, #count);
                    ::coenzyme::__private::restore(tape, &mut #name[..], first, count);
                }));
                uses.extend(&part.range.uses);
                uses.extend(&part.index.uses);
            }
        }
        self.require_uses(&uses);
        restores.reverse();
        self.state.borrow_mut().keep(body.id, keeps);
        restores.into_iter().collect()
    }

    /// What [`restored`](Self::restored) takes off the tape.
    pub(crate) fn kept(&self, body: &Block) -> TokenStream {
        let state = self.state.borrow();
        let keeps = state.keeps.get(&body.id).into_iter().flatten();
        keeps.cloned().collect()
    }

    /// Whether a value is read from memory that stands still and comes back; asks for the memory.
    pub(crate) fn is_still(&self, id: DefId, root: RootId) -> bool {
        let still = self.plan.still.contains(&id);
        if still {
            let mut state = self.state.borrow_mut();
            state.room.insert(root);
            state.decide(&self.program.roots[root].name, Fate::Taped);
        }
        still
    }
}
