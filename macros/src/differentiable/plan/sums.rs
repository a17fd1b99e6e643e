//! What rounds that run again add to, and what they fill.

use super::Plan;
use crate::differentiable::ir::*;

impl Plan {
    /// Whether a statement does nothing but add to the sums of a loop that is run again.
    pub(crate) fn adds_up(&self, item: &Item) -> bool {
        let mut loops = self.recomputed.values();
        match item {
            Item::Def(d) => loops.any(|s| s.sums.contains_key(d)),
            Item::Assign {
                value: Atom::Def(d),
                ..
            } => loops.any(|s| s.sums.contains_key(d)),
            _ => false,
        }
    }

    /// Whether every round of a loop that is run again fills this memory anew.
    pub(crate) fn is_scratch(&self, root: RootId) -> bool {
        let mut rounds = self.recomputed.values();
        rounds.any(|s| s.scratch.contains(&root))
    }

    /// The number of loops in which a root lives: scratch memory lives for a round.
    pub(crate) fn outside(&self, program: &Program, root: RootId) -> usize {
        let mut rounds = self.recomputed.values();
        match rounds.find(|s| s.scratch.contains(&root)) {
            Some(summing) => summing.loops,
            None => program.roots[root].loops.len(),
        }
    }

    /// Whether the reverse sweep adds up what the rounds of a loop with this body add to the value.
    pub(crate) fn is_later(&self, body: &Block) -> bool {
        let Some(total) = self.deferred else {
            return false;
        };
        let round = self.recomputed.get(&body.id);
        round.is_some_and(|s| s.sums.values().any(|s| *s == total))
    }

    /// Whether a statement of a round that runs again adds to the value, itself or in blocks of its own.
    pub(crate) fn adds_later(&self, item: &Item) -> bool {
        let Some(total) = self.deferred else {
            return false;
        };
        let sum = |d: &DefId| {
            let mut rounds = self.recomputed.values();
            rounds.any(|s| s.sums.get(d) == Some(&total))
        };
        match item {
            Item::Def(d)
            | Item::Assign {
                value: Atom::Def(d),
                ..
            } => sum(d),
            Item::Branch { arms, .. } => arms
                .iter()
                .any(|a| a.body.items.iter().any(|i| self.adds_later(i))),
            // the rounds of others run when they are undone
            Item::Loop { body, .. } => {
                let again = self.recomputed.contains_key(&body.id);
                !again && body.items.iter().any(|i| self.adds_later(i))
            }
            _ => false,
        }
    }
}
