//! Loops under `#[checkpoint]`, in both sweeps.
//!
//! ```text
//! // forwards
//! let (kept, state) = run_rounds(8, rounds(&range), (x, s), |(mut x, mut s), k, tape| { …; (x, s) });
//! // or, if it may end early or fail
//! let mut keeper = Keeper::new(8);
//! while condition { keeper.begin(|| (x.clone(), s.clone())); let tape = &mut Tape::new(); …; if left { break; } }
//! // backwards
//! undo_rounds(kept, |what, k, tape| match what { Round::Run((mut x, mut s)) => { …; Some((x, s)) } Round::Undo => { …; None } });
//! ```

use proc_macro2::{Ident, TokenStream};

use super::{Reverse, rounds};
use crate::differentiable::emit::names::{local, slot};
use crate::differentiable::ir::*;

fn kept(body: &Block) -> Ident {
    local(&format!("kept{}", body.id))
}

impl Reverse<'_> {
    /// A loop in the forward sweep, if it keeps states: `inside` is a round, and `leave` ends the loop after one.
    pub(super) fn checkpoint_forwards(
        &self,
        iterable: &Iterable,
        body: &Block,
        inside: &TokenStream,
        leave: &TokenStream,
    ) -> Option<TokenStream> {
        if !self.state.borrow().checkpointed.contains(&body.id) {
            return None;
        }
        let checkpoint = self.program.checkpoints.get(&body.id)?;
        let snapshots = &checkpoint.snapshots;
        let state: Vec<_> = self.state_names(checkpoint).collect();
        let kept_slot = slot(&kept(body));
        if !checkpoint.known {
            let round = code! {
                keeper.begin(|| (#(::coenzyme::__private::copy(&#state),)*));
                // what a round tapes is forgotten
                let tape = &mut ::coenzyme::Tape::new();
                #inside
                #leave
            };
            let rounds = self.program.loop_primal(iterable, round);
            return Some(code! {{
                let mut keeper = ::coenzyme::__private::Keeper::new(#snapshots);
                #rounds
                #kept_slot.push(tape, keeper.finish());
            }});
        }
        let numbered = self.numbered(iterable);
        let Iterable::Counted { range, .. } = iterable else {
            return None;
        };
        let run = self.program.range(range);
        Some(code! {
            let (kept, state) = ::coenzyme::__private::run_rounds(
                #snapshots, ::coenzyme::__private::rounds(&#run), (#(#state,)*),
                |(#(mut #state,)*), k, tape| {
                    #numbered
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
        let checkpoint = self.program.checkpoints.get(&body.id)?;
        let numbered = self.numbered(iterable);
        if !self.tapes_round(body) {
            self.state.borrow_mut().checkpointed.remove(&body.id);
            return None;
        }
        {
            let mut state = self.state.borrow_mut();
            state.checkpointed.insert(body.id);
            // a draft may have counted the rounds
            state.on_tape.counted.remove(&body.id);
            state.slots.remove(&slot(&rounds(body.id)).to_string());
        }
        self.require_uses(&checkpoint.reads);
        let outer = self.replaying.replace(true);
        let forwards = self.nested_forwards(body);
        self.replaying.set(outer);
        let state: Vec<_> = self.state_names(checkpoint).collect();
        let kept_slot = self.slot_of(&kept(body));
        Some(code! {
            let kept = #kept_slot.pop(tape);
            ::coenzyme::__private::undo_rounds(kept, |what, k, tape| {
                #numbered
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

    /// The loop variable of round `k`, if the loop has one.
    fn numbered(&self, iterable: &Iterable) -> TokenStream {
        match iterable {
            Iterable::Counted { range, variable } => {
                let run = self.program.range(range);
                let variable = &self.program.defs[*variable].name;
                code!(let #variable = ::coenzyme::__private::nth(#run, k);)
            }
            Iterable::While { .. } => TokenStream::new(),
        }
    }

    fn state_names<'c>(&'c self, checkpoint: &'c Checkpoint) -> impl Iterator<Item = &'c Ident> {
        checkpoint
            .state
            .iter()
            .map(|r| &self.program.roots[*r].name)
    }
}
