//! What a reverse sweep asks of the forward sweep.

use std::collections::{BTreeMap, BTreeSet};

use super::{Fate, Plan};
use crate::differentiable::ir::*;

/// What a draft of the reverse sweep reads, and what goes to the tape for it.
#[derive(Default)]
pub(crate) struct Demand {
    /// Values that are read.
    pub(crate) required: BTreeSet<DefId>,
    /// Those of them that are read for something else than to compute others again.
    pub(crate) direct: BTreeSet<DefId>,
    /// Values that go to the tape.
    pub(crate) taped: BTreeSet<DefId>,
    /// Memory that goes to the tape.
    pub(crate) taped_roots: BTreeSet<RootId>,
    /// What leaves something on the tape.
    pub(crate) leaves: Leaves,
    /// Loops that are gone back through.
    pub(crate) undone: BTreeSet<usize>,
    /// Loops that keep states.
    pub(crate) checkpointed: BTreeSet<usize>,
    /// How each value is had, by its name.
    pub(crate) fates: BTreeMap<String, Fate>,
}

/// What leaves something on the tape.
#[derive(Clone, Default)]
pub(crate) struct Leaves {
    /// Blocks, at their end.
    pub(crate) blocks: BTreeSet<usize>,
    /// Loops that leave memory which does not change in them, by their bodies.
    pub(crate) invariant: BTreeSet<usize>,
    /// Loops that leave the number of their rounds, by their bodies.
    pub(crate) counted: BTreeSet<usize>,
}

impl Leaves {
    /// Whether nothing but calls leaves anything on the tape.
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.invariant.is_empty() && self.counted.is_empty()
    }

    /// Whether a loop with this body leaves anything on the tape.
    pub(crate) fn of_loop(&self, p: &Program, plan: &Plan, body: &Block) -> bool {
        let itself = self.invariant.contains(&body.id) || self.counted.contains(&body.id);
        itself || self.of_block(p, plan, body)
    }

    /// Whether a block, or one inside it, leaves anything on the tape.
    pub(crate) fn of_block(&self, p: &Program, plan: &Plan, block: &Block) -> bool {
        let mut items = block.items.iter();
        self.blocks.contains(&block.id) || items.any(|item| self.of_item(p, plan, item))
    }

    /// Whether the blocks of a statement, or the call that it is, leave anything on the tape.
    pub(crate) fn of_item(&self, p: &Program, plan: &Plan, item: &Item) -> bool {
        match item {
            Item::Branch { arms, .. } => arms.iter().any(|a| self.of_block(p, plan, &a.body)),
            Item::Loop { body, .. } => {
                !plan.recomputed.contains_key(&body.id) && self.of_loop(p, plan, body)
            }
            item => p.call_of(item).is_some(),
        }
    }
}
