//! Values that are the same in every round of a loop are moved in front of it.
//!
//! The primal does not need this: the optimizer moves them. The derivative does: a value in front of the loop goes to the tape
//! once, and its cotangent is a sum in a register, added to memory once. Since a loop may have no rounds, in which an index
//! may be out of bounds, what is moved stands with the loop in a branch.
//!
//! ```text
//! // for j in 0..n { y[j] += x[i] * w[j]; }
//! if !(0..n).is_empty() { let t = x[i]; for j in 0..n { y[j] += t * w[j]; } }
//! ```

use std::collections::BTreeSet;

use quote::quote;

use crate::differentiable::ir::*;

impl Program {
    /// Moves what does not change in a loop in front of it, in every loop.
    pub(crate) fn hoist(&mut self) {
        let mut body = std::mem::take(&mut self.body);
        let mut next = 1 + last_block(&body);
        self.hoist_block(&mut body, &mut next);
        self.body = body;
    }

    fn hoist_block(&mut self, block: &mut Block, next: &mut usize) {
        for item in &mut block.items {
            match item {
                Item::Branch { arms, .. } => {
                    arms.iter_mut()
                        .for_each(|a| self.hoist_block(&mut a.body, next));
                }
                Item::Loop { body, .. } => {
                    self.hoist_block(body, next);
                    self.hoist_loop(item, next);
                }
                _ => {}
            }
        }
    }

    /// A loop becomes a branch around the loop and what was moved.
    fn hoist_loop(&mut self, item: &mut Item, next: &mut usize) {
        let Item::Loop {
            iterable: Iterable::Counted { range, variable },
            body,
            flags,
        } = item
        else {
            return;
        };
        let constant = match &range.range {
            Atom::Const(range) if flags.is_empty() && !self.may_leave(body) => range,
            _ => return,
        };
        // its state is known
        if self.checkpoints.contains_key(&body.id) {
            return;
        }
        let number = *self.defs[*variable].point.loops.last().expect("the loop");
        let moved = self.unchanging(body, number);
        if moved.is_empty() {
            return;
        }
        let tokens = &constant.tokens;
        let condition = Atom::Const(Expr {
            tokens: quote!(!#tokens.is_empty()),
            uses: constant.uses.clone(),
        });
        body.items
            .retain(|i| !matches!(i, Item::Def(d) if moved.contains(d)));
        for def in &moved {
            self.defs[*def].point.loops.pop();
        }
        let mut block = |items| {
            *next += 1;
            let (id, pattern) = (*next - 1, Default::default());
            let body = Block { id, items };
            Arm { pattern, body }
        };
        let empty = block(Vec::new());
        let whole = std::mem::replace(item, Item::Verbatim(Default::default()));
        let items = moved.into_iter().map(Item::Def).chain([whole]).collect();
        *item = Item::Branch {
            arms: vec![block(items), empty],
            selector: Selector::If(condition),
        };
    }

    /// Whether a block may leave the function, or does what cannot be looked into.
    fn may_leave(&self, block: &Block) -> bool {
        block.items.iter().any(|item| match item {
            Item::Verbatim(_) => true,
            Item::Branch { arms, .. } => arms.iter().any(|a| self.may_leave(&a.body)),
            Item::Loop { body, .. } => self.may_leave(body),
            item => self.call_of(item).is_some_and(|call| call.unpack.leaves()),
        })
    }

    /// What can be moved out of loop `number`: active values, and what they are computed from.
    fn unchanging(&self, body: &Block, number: usize) -> Vec<DefId> {
        let inside = |loops: &[usize]| loops.contains(&number);
        let mut moved = BTreeSet::new();
        let same_root = |root: &RootId| {
            let root = &self.roots[*root];
            !inside(&root.loops) && !root.writes.iter().any(|w| inside(&w.loops))
        };
        for item in &body.items {
            let Item::Def(d) = item else { continue };
            let same = |d: &DefId| moved.contains(d) || !inside(&self.defs[*d].point.loops);
            let same_uses = |uses: &Uses| {
                uses.defs.iter().all(same)
                    && uses.roots.iter().all(same_root)
                    && uses.lengths.iter().all(|r| !inside(&self.roots[*r].loops))
            };
            let same_atom = |atom: &Atom| match atom {
                Atom::Def(d) => same(d),
                Atom::Const(expr) => same_uses(&expr.uses),
                Atom::Root(_) => false,
            };
            let moves = match &self.defs[*d].kind {
                DefKind::Pure(expr) => same_uses(&expr.uses),
                DefKind::Read(place) => {
                    same_uses(&place.uses)
                        && match place.base {
                            Base::Root(root) => same_root(&root),
                            Base::Def(d) => same(&d),
                        }
                }
                DefKind::Op { args, .. } => args.iter().all(same_atom),
                _ => false,
            };
            if moves {
                moved.insert(*d);
            }
        }
        // what nothing active is computed from stays
        let mut needed = BTreeSet::new();
        for d in moved.iter().rev() {
            let def = &self.defs[*d];
            if !def.varied && !needed.contains(d) {
                continue;
            }
            needed.insert(*d);
            match &def.kind {
                DefKind::Pure(expr) => needed.extend(&expr.uses.defs),
                DefKind::Read(place) => {
                    needed.extend(&place.uses.defs);
                    needed.extend(match place.base {
                        Base::Def(d) => Some(d),
                        Base::Root(_) => None,
                    });
                }
                DefKind::Op { args, .. } => needed.extend(args.iter().flat_map(defs_of)),
                _ => {}
            }
        }
        let items = body.items.iter().filter_map(|item| match item {
            Item::Def(d) if moved.contains(d) && needed.contains(d) => Some(*d),
            _ => None,
        });
        items.collect()
    }
}

/// The definitions that an operand reads.
fn defs_of(atom: &Atom) -> Vec<DefId> {
    match atom {
        Atom::Def(d) => vec![*d],
        Atom::Const(expr) => expr.uses.defs.iter().copied().collect(),
        Atom::Root(_) => Vec::new(),
    }
}

/// The largest number of a block.
fn last_block(block: &Block) -> usize {
    let inside = block.items.iter().map(|item| match item {
        Item::Branch { arms, .. } => {
            let arms = arms.iter().map(|a| last_block(&a.body));
            arms.max().unwrap_or(0)
        }
        Item::Loop { body, .. } => last_block(body),
        _ => 0,
    });
    // the number of an empty block is no number
    let own = if block.id == usize::MAX { 0 } else { block.id };
    inside.max().unwrap_or(0).max(own)
}

#[cfg(test)]
mod tests;
