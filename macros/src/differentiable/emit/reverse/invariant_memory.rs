//! Memory that stands still in a loop: it goes to the tape after the loop, and comes back before the loop is undone.

use proc_macro2::TokenStream;

use super::Reverse;
use crate::differentiable::analyse::invariant_memory::{Part, Standing};
use crate::differentiable::ir::*;
use crate::differentiable::plan::Fate;

impl Reverse<'_> {
    /// What a loop with this body puts on the tape after it, and takes off again before it is undone; the reverse sweep of the loop
    /// has been generated.
    pub(crate) fn restored(&self, body: &Block) -> TokenStream {
        let (mut keeps, mut restores, mut uses) = (Vec::new(), Vec::new(), Uses::default());
        {
            let required = self.state.borrow().required.clone();
            let standing = self.plan.invariant.get(&body.id).into_iter().flatten();
            for part in standing.filter(|s| s.reads.is_empty() || !s.reads.is_disjoint(&required)) {
                let (keep, restore) = self.kept_part(part, &mut uses);
                keeps.push(keep);
                restores.push(restore);
            }
        }
        self.require_uses(&uses);
        restores.reverse();
        self.state.borrow_mut().keep(body.id, keeps);
        restores.into_iter().collect()
    }

    /// How a part goes to the tape, and comes back.
    fn kept_part(&self, standing: &Standing, uses: &mut Uses) -> (TokenStream, TokenStream) {
        let p = self.program;
        let name = &p.roots[standing.root].name;
        let (range, variable, indices) = match &standing.part {
            Part::Run {
                range,
                variable,
                indices,
            } => (range, variable, indices),
            Part::All => {
                self.state.borrow_mut().room.insert(standing.root);
                return (
                    code!(::coenzyme::__private::keep_all(tape, &#name);),
                    code!(::coenzyme::__private::restore_all(tape, &mut #name);),
                );
            }
        };
        uses.extend(&range.uses);
        indices.iter().for_each(|index| uses.extend(&index.uses));
        let variable = &p.defs[*variable].name;
        let (range, indices) = (&range.tokens, indices.iter().map(|index| &index.tokens));
        let firsts =
            indices.map(|index| code!(::coenzyme::__private::first(&(#range), |#variable| #index)));
        let firsts = code!([#(#firsts),*]);
        let count = code!(::coenzyme::__private::rounds(&(#range)));
        (
            code!(::coenzyme::__private::keep(tape, &#name[..], #firsts, #count);),
            // where it begins may be said by its length
            code!({
                let (firsts, count) = (#firsts, #count);
                ::coenzyme::__private::restore(tape, &mut #name[..], firsts, count);
            }),
        )
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
