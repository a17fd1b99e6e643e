//! Loops backwards.

use proc_macro2::TokenStream;

use super::{Reverse, rounds};
use crate::differentiable::ir::*;

impl Reverse<'_> {
    pub(super) fn undo_loop(
        &self,
        iterable: &Iterable,
        body: &Block,
        flags: &[RootId],
    ) -> TokenStream {
        let inside = self.nested_backwards(body);
        if inside.is_empty() {
            return TokenStream::new();
        }
        match iterable {
            Iterable::While { .. } => {
                let (rounds, count) = self.count(body);
                code!(#count for _ in 0..#rounds { #inside })
            }
            Iterable::Counted { range, variable } => {
                self.require_atom(&range.range);
                range.step.iter().for_each(|s| self.require_uses(&s.uses));
                if let Some(kept) = self.checkpoint_backwards(iterable, body, &inside) {
                    return kept;
                }
                self.counted_backwards(range, *variable, body, flags, inside)
            }
        }
    }

    /// The last rounds first; only a plain range can be turned round whatever its type.
    fn counted_backwards(
        &self,
        range: &Range,
        variable: DefId,
        body: &Block,
        flags: &[RootId],
        inside: TokenStream,
    ) -> TokenStream {
        let p = self.program;
        let (run, variable) = (p.range(range), &p.defs[variable].name);
        if !flags.is_empty() {
            let (rounds, count) = self.count(body);
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

    /// The number of rounds comes off the tape.
    fn count(&self, body: &Block) -> (proc_macro2::Ident, TokenStream) {
        let rounds = rounds(body.id);
        self.state.borrow_mut().counted.insert(body.id);
        let slot = self.slot_of(&rounds);
        let count = code!(let #rounds: usize = #slot.pop(tape););
        (rounds, count)
    }
}
