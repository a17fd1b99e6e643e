//! Rounds that run again and add nothing to a sum have nothing to undo: no cotangent arrives in them.
//!
//! ```text
//! // for x in xs { let t = f(x); if t > 1.0 { continue; } total += t.ln(); }
//! let mark3 = tape.mark();
//! …; let t5 = !skipped; …                 // forwards
//! if t5 || !tape.rewind(mark3) { … }      // backwards
//! ```

use proc_macro2::{Ident, TokenStream};

use super::super::names::local;
use super::Reverse;
use crate::differentiable::{ir::*, table};

impl Reverse<'_> {
    /// What stands before a round that runs again, and the round undone, if it adds to a sum. A plain loop over arrays has vectors instead.
    pub(super) fn unless_quiet(
        &self,
        body: &Block,
        undone: TokenStream,
    ) -> (TokenStream, TokenStream) {
        if self.has_lent(body) || !self.is_worth_a_branch(body) {
            return (TokenStream::new(), undone);
        }
        let Some(conditions) = self.conditions(body) else {
            return (TokenStream::new(), undone);
        };
        let p = self.program;
        let conditions = conditions.into_iter().map(|(atom, then)| {
            self.require_atom(atom);
            let value = p.atom_value(atom);
            match then {
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

    /// The conditions of which one holds in every round that adds to a sum, each with the arm that does; none if they are not known.
    fn conditions<'b>(&self, body: &'b Block) -> Option<Vec<(&'b Atom, bool)>> {
        let mut conditions = Vec::new();
        for item in &body.items {
            match item {
                Item::Branch {
                    arms,
                    selector: Selector::If(atom),
                } => match &arms[..] {
                    [then, otherwise] => {
                        match (self.adds(&then.body), self.adds(&otherwise.body)) {
                            (true, true) => return None,
                            (false, false) => {}
                            (then, _) => conditions.push((atom, then)),
                        }
                    }
                    _ => return None,
                },
                item if self.item_adds(item) => return None,
                _ => {}
            }
        }
        (!conditions.is_empty()).then_some(conditions)
    }

    /// Whether a block adds to a sum.
    fn adds(&self, block: &Block) -> bool {
        block.items.iter().any(|item| self.item_adds(item))
    }

    fn item_adds(&self, item: &Item) -> bool {
        match item {
            Item::Branch { arms, .. } => arms.iter().any(|a| self.adds(&a.body)),
            Item::Loop { body, .. } => self.adds(body),
            item => self.adds_up(item),
        }
    }

    /// Whether a block calls, loops, or computes what is not done in vectors.
    fn is_worth_a_branch(&self, block: &Block) -> bool {
        block.items.iter().any(|item| match item {
            Item::Branch { arms, .. } => arms.iter().any(|a| self.is_worth_a_branch(&a.body)),
            Item::Loop { .. } | Item::Call(_) => true,
            Item::Def(d) => match &self.program.defs[*d].kind {
                DefKind::Call(_) => true,
                DefKind::Op { op, .. } => table::is_costly(op),
                _ => false,
            },
            _ => false,
        })
    }
}

/// Where the tape is at the beginning of a round.
fn mark(body: &Block) -> Ident {
    local(&format!("mark{}", body.id))
}
