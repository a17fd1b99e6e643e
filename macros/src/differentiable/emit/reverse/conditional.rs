//! Rounds that run again and add nothing to a sum: see `plan/conditional.rs`.
//!
//! ```text
//! let mark3 = tape.mark();
//! …; let t5 = !skipped; …                 // forwards
//! if t5 || !rewind(tape, mark3) { … }      // backwards
//! ```

use proc_macro2::{Ident, TokenStream};

use super::Reverse;
use crate::differentiable::emit::names::local;
use crate::differentiable::ir::*;

impl Reverse<'_> {
    /// What stands before a round that runs again, and the round undone, if it adds to a sum.
    pub(crate) fn unless_quiet(
        &self,
        body: &Block,
        undone: TokenStream,
    ) -> (TokenStream, TokenStream) {
        let Some(conditions) = self.plan.conditional.get(&body.id) else {
            return (TokenStream::new(), undone);
        };
        let conditions = conditions.iter().map(|(atom, holds)| {
            self.require_atom(atom);
            let value = self.program.atom_value(atom);
            match holds {
                true => code!(#value),
                false => code!(!#value),
            }
        });
        let conditions: Vec<_> = conditions.collect();
        let mark = mark(body);
        (
            code!(let #mark = ::coenzyme::__private::mark(tape);),
            code!(if #(#conditions ||)* !::coenzyme::__private::rewind(tape, #mark) { #undone }),
        )
    }
}

/// Where the tape is at the beginning of a round.
fn mark(body: &Block) -> Ident {
    local(&format!("mark{}", body.id))
}
