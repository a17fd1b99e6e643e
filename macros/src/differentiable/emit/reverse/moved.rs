//! Memory that the forward sweep moves where the text moves it: nothing is read of it later, in this sweep or in the other.

use super::{Pass, Reverse};
use crate::differentiable::ir::*;

impl Reverse<'_> {
    /// Whether the read of all of some memory takes it out of there.
    pub(super) fn moves_into(&self, id: DefId) -> bool {
        let p = self.program;
        let DefKind::Read(place) = &p.defs[id].kind else {
            return false;
        };
        let is_last = p.moves.last.reads.contains(&id) && !self.state.borrow().taped.contains(&id);
        is_last && p.whole_memory(place).is_some_and(|r| self.leaves(r))
    }

    /// Whether a value that is assigned is memory that is moved.
    pub(super) fn moves_memory(&self, value: &Atom) -> bool {
        matches!(value, Atom::Root(r) if self.program.moves.last.assigned.contains(r) && self.leaves(*r))
    }

    /// Whether memory is neither kept nor read by a round that runs again and is undone then.
    fn leaves(&self, root: RootId) -> bool {
        let state = self.state.borrow();
        let kept = state.contents.contains(&root) || state.taped_roots.contains(&root);
        let undone_after = self.pass.get() == Pass::Again || self.replaying.get();
        !kept && !undone_after && !self.plan.is_scratch(root)
    }
}
