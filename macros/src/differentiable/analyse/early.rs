//! Inactive scalars that a loop reads and does not change are read in front of it.
//!
//! The version of a scalar that some loop changes goes to the tape where it is read: in a loop that leaves it alone, once is enough.
//!
//! ```text
//! // while len <= n { … for k in 0..half { … x[start + k] … } start += len; len *= 2; }
//! let start_now = start; for k in 0..half { … x[start_now + k] … }
//! ```

use crate::differentiable::ir::*;

impl Program {
    /// Moves such readings in front of each loop.
    pub(crate) fn read_early(&mut self) {
        let mut body = std::mem::take(&mut self.body);
        self.early_block(&mut body);
        self.body = body;
    }

    fn early_block(&mut self, block: &mut Block) {
        for mut item in std::mem::take(&mut block.items) {
            match &mut item {
                Item::Branch { arms, .. } => {
                    arms.iter_mut().for_each(|a| self.early_block(&mut a.body));
                }
                Item::Loop { body, .. } => {
                    self.early_block(body);
                    block.items.extend(self.early(body));
                }
                _ => {}
            }
            block.items.push(item);
        }
    }

    /// Takes the readings out of the body of a loop.
    fn early(&mut self, body: &mut Block) -> Vec<Item> {
        // its state is known
        if self.checkpoints.contains_key(&body.id) {
            return Vec::new();
        }
        let (out, stay) = std::mem::take(&mut body.items)
            .into_iter()
            .partition(|item| matches!(item, Item::Def(d) if self.may_be_early(*d)));
        body.items = stay;
        for item in &out {
            if let Item::Def(d) = item {
                self.defs[*d].point.loops.pop();
            }
        }
        out
    }

    /// Whether a value is that of a scalar which the innermost loop around leaves alone.
    fn may_be_early(&self, def: DefId) -> bool {
        let def = &self.defs[def];
        let (DefKind::Version(root), Some(number)) = (&def.kind, def.point.loops.last()) else {
            return false;
        };
        let root = &self.roots[*root];
        let inside = |point: &Point| point.loops.contains(number);
        !def.varied && !root.loops.contains(number) && !root.writes.iter().any(inside)
    }
}
