//! What leaves something on the tape.

use super::Reverse;
use crate::differentiable::ir::*;

impl Reverse<'_> {
    /// Whether a loop with this body leaves anything on the tape.
    pub(super) fn tapes_round(&self, body: &Block) -> bool {
        let state = self.state.borrow();
        state.on_tape.of_loop(self.program, &self.plan, body)
    }

    /// Whether a block, or one inside it, leaves anything on the tape.
    pub(super) fn tapes(&self, block: &Block) -> bool {
        let state = self.state.borrow();
        state.on_tape.of_block(self.program, &self.plan, block)
    }

    /// Whether the blocks of a statement, or the call that it is, leave anything on the tape.
    pub(super) fn item_tapes(&self, item: &Item) -> bool {
        let state = self.state.borrow();
        state.on_tape.of_item(self.program, &self.plan, item)
    }
}
