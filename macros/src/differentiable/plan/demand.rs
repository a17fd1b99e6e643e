//! What a reverse sweep asks of the forward sweep.

use std::collections::{BTreeMap, BTreeSet};

use super::{Fate, Plan};
use crate::differentiable::ir::*;

/// What a draft of the reverse sweep reads, and what goes to the tape for it.
#[derive(Default)]
pub(in crate::differentiable) struct Demand {
    /// Values that are read.
    pub(in crate::differentiable) required: BTreeSet<DefId>,
    /// Those of them that are read for something else than to compute others again.
    pub(in crate::differentiable) direct: BTreeSet<DefId>,
    /// Values that go to the tape.
    pub(in crate::differentiable) taped: BTreeSet<DefId>,
    /// Memory that goes to the tape.
    pub(in crate::differentiable) taped_roots: BTreeSet<RootId>,
    /// What leaves something on the tape.
    pub(in crate::differentiable) leaves: Leaves,
    /// Loops that are gone back through.
    pub(in crate::differentiable) undone: BTreeSet<usize>,
    /// Loops that keep states.
    pub(in crate::differentiable) checkpointed: BTreeSet<usize>,
    /// How each value is had, by its name.
    pub(in crate::differentiable) fates: BTreeMap<String, Fate>,
}

/// What leaves something on the tape.
#[derive(Clone, Default)]
pub(in crate::differentiable) struct Leaves {
    /// Blocks, at their end.
    pub(in crate::differentiable) blocks: BTreeSet<usize>,
    /// Loops that leave memory which does not change in them, by their bodies.
    pub(in crate::differentiable) invariant: BTreeSet<usize>,
    /// Loops that leave the number of their rounds, by their bodies.
    pub(in crate::differentiable) counted: BTreeSet<usize>,
}

impl Leaves {
    /// Whether a loop with this body leaves anything on the tape.
    pub(in crate::differentiable) fn of_loop(
        &self,
        p: &Program,
        plan: &Plan,
        body: &Block,
    ) -> bool {
        let itself = self.invariant.contains(&body.id) || self.counted.contains(&body.id);
        itself || self.of_block(p, plan, body)
    }

    /// Whether a block, or one inside it, leaves anything on the tape.
    pub(in crate::differentiable) fn of_block(
        &self,
        p: &Program,
        plan: &Plan,
        block: &Block,
    ) -> bool {
        let mut items = block.items.iter();
        self.blocks.contains(&block.id) || items.any(|item| self.of_item(p, plan, item))
    }

    /// Whether the blocks of a statement, or the call that it is, leave anything on the tape.
    pub(in crate::differentiable) fn of_item(&self, p: &Program, plan: &Plan, item: &Item) -> bool {
        match item {
            Item::Branch { arms, .. } => arms.iter().any(|a| self.of_block(p, plan, &a.body)),
            Item::Loop { body, .. } => {
                !plan.recomputed.contains_key(&body.id) && self.of_loop(p, plan, body)
            }
            item => p.call_of(item).is_some(),
        }
    }
}
