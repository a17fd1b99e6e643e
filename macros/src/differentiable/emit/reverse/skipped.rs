//! Loops of the forward sweep that compute nothing but the value.

use super::{Reverse, asks::State};
use crate::differentiable::ir::*;
use crate::differentiable::live::Live;

impl Reverse<'_> {
    /// The outermost loops that compute nothing but the value.
    pub(super) fn find_dead(&self, block: &Block, live: &Live<'_>) {
        for item in &block.items {
            match item {
                Item::Branch { arms, .. } => {
                    arms.iter().for_each(|a| self.find_dead(&a.body, live));
                }
                Item::Loop { body, flags, .. } => {
                    let adds = self.state.borrow().again.get(&body.id).map(|summing| {
                        let mut scalars = summing.sums.values();
                        summing.lent.is_empty() && !scalars.any(|s| live.is_read(*s))
                    });
                    let dead = adds.unwrap_or_else(|| {
                        flags.is_empty() && live.is_dead(body) && !self.tapes_round(body)
                    });
                    if dead {
                        self.state.borrow_mut().dead.insert(body.id);
                    } else {
                        self.find_dead(body, live);
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether a loop with this body leaves anything on the tape.
    pub(super) fn tapes_round(&self, body: &Block) -> bool {
        let state = self.state.borrow();
        let keeps = state.keeps.get(&body.id).is_some_and(|k| !k.is_empty());
        keeps || state.counted.contains(&body.id) || self.tapes(body)
    }

    /// Whether a block, or one inside it, leaves anything on the tape.
    pub(super) fn tapes(&self, block: &Block) -> bool {
        let pushes = |state: &State| state.pushes.get(&block.id).is_some_and(|p| !p.is_empty());
        pushes(&self.state.borrow()) || block.items.iter().any(|item| self.item_tapes(item))
    }

    /// Whether the blocks of a statement, or the call that it is, leave anything on the tape.
    pub(super) fn item_tapes(&self, item: &Item) -> bool {
        match item {
            Item::Branch { arms, .. } => arms.iter().any(|a| self.tapes(&a.body)),
            Item::Loop { body, .. } => {
                !self.state.borrow().again.contains_key(&body.id) && self.tapes_round(body)
            }
            item => self.program.call_of(item).is_some(),
        }
    }
}
