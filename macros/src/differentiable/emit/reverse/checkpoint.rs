//! Loops under `#[checkpoint]`, in both sweeps.
//!
//! ```text
//! // forwards
//! let (kept, state) = run_rounds(8, rounds(&range), (x, s), |(mut x, mut s), k, tape| { …; (x, s) });
//! // backwards
//! undo_rounds(kept, |what, k, tape| match what { Round::Run((mut x, mut s)) => { …; Some((x, s)) } Round::Undo => { …; None } });
//! ```

use proc_macro2::{Ident, TokenStream};

use super::super::names::{local, slot};
use super::Reverse;
use crate::differentiable::ir::*;

fn kept(body: &Block) -> Ident {
    local(&format!("kept{}", body.id))
}

impl Reverse<'_> {
    /// A loop in the forward sweep, if it keeps states: `inside` is a round.
    pub(super) fn checkpoint_forwards(
        &self,
        iterable: &Iterable,
        body: &Block,
        inside: &TokenStream,
    ) -> Option<TokenStream> {
        if !self.state.borrow().checkpointed.contains(&body.id) {
            return None;
        }
        let (checkpoint, run, variable) = self.checkpointed(iterable, body)?;
        let snapshots = &checkpoint.snapshots;
        let state: Vec<_> = self.state_names(checkpoint).collect();
        let kept_slot = slot(&kept(body));
        Some(code! {
            let (kept, state) = ::coenzyme::__private::run_rounds(
                #snapshots, ::coenzyme::__private::rounds(&#run), (#(#state,)*),
                |(#(mut #state,)*), k, tape| {
                    let #variable = ::coenzyme::__private::nth(#run, k);
                    #inside
                    (#(#state,)*)
                },
            );
            (#(#state,)*) = state;
            #kept_slot.push(tape, kept);
        })
    }

    /// A loop in the reverse sweep, if it keeps states: `inside` is a round backwards.
    pub(super) fn checkpoint_backwards(
        &self,
        iterable: &Iterable,
        body: &Block,
        inside: &TokenStream,
    ) -> Option<TokenStream> {
        let (checkpoint, run, variable) = self.checkpointed(iterable, body)?;
        if !self.tapes_round(body) {
            self.state.borrow_mut().checkpointed.remove(&body.id);
            return None;
        }
        self.state.borrow_mut().checkpointed.insert(body.id);
        self.require_uses(&checkpoint.reads);
        let outer = self.replaying.replace(true);
        let forwards = self.nested_forwards(body);
        self.replaying.set(outer);
        let state: Vec<_> = self.state_names(checkpoint).collect();
        let kept_slot = self.slot_of(&kept(body));
        Some(code! {
            let kept = #kept_slot.pop(tape);
            ::coenzyme::__private::undo_rounds(kept, |what, k, tape| {
                let #variable = ::coenzyme::__private::nth(#run, k);
                match what {
                    ::coenzyme::__private::Round::Run((#(mut #state,)*)) => {
                        #forwards
                        ::core::option::Option::Some((#(#state,)*))
                    }
                    ::coenzyme::__private::Round::Undo => {
                        #inside
                        ::core::option::Option::None
                    }
                }
            });
        })
    }

    /// What is kept of a loop under `#[checkpoint]`, its range and its variable.
    fn checkpointed(
        &self,
        iterable: &Iterable,
        body: &Block,
    ) -> Option<(&Checkpoint, TokenStream, &Ident)> {
        let checkpoint = self.program.checkpoints.get(&body.id)?;
        let Iterable::Counted { range, variable } = iterable else {
            return None;
        };
        let variable = &self.program.defs[*variable].name;
        Some((checkpoint, self.program.range(range), variable))
    }

    fn state_names<'c>(&'c self, checkpoint: &'c Checkpoint) -> impl Iterator<Item = &'c Ident> {
        checkpoint
            .state
            .iter()
            .map(|r| &self.program.roots[*r].name)
    }
}
