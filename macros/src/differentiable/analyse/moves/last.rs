//! Memory that a statement takes whole and nothing names behind it: the forward sweep moves it, where the reverse sweep reads nothing of it.
//!
//! ```text
//! let h = …; let c = …;
//! State { h, c }                     // moved
//! alpha = next;                      // moved, with a `next` of each round
//! let s = State { h: h.clone(), c }; h.len()      // `h` is copied
//! ```

use std::collections::HashMap;

use super::Wanted;
use crate::differentiable::ir::mentions::Mention;
use crate::differentiable::ir::*;

impl Program {
    /// The statements that take memory for the last time.
    pub(super) fn last_takers(&self, uses: &Wanted) -> LastTakers {
        let mut found = LastTakers::default();
        let mut taken = HashMap::new();
        self.last_takers_in(&self.body, &mut found, &mut taken);
        // statements are told apart by what they take
        found.assigned.retain(|root| taken[root] == 1);
        let moved_once = |d: &DefId| {
            let depth = self.defs[*d].point.loops.len();
            let once = uses.reads_of_values.get(d) == Some(&1);
            once && uses.moved.contains(&(*d, depth)) && !self.defs[*d].stored
        };
        found.reads.retain(moved_once);
        found
    }

    fn last_takers_in(
        &self,
        block: &Block,
        found: &mut LastTakers,
        taken: &mut HashMap<RootId, usize>,
    ) {
        for (at, item) in block.items.iter().enumerate() {
            match item {
                Item::Branch { arms, .. } => {
                    let bodies = arms.iter().map(|arm| &arm.body);
                    bodies.for_each(|body| self.last_takers_in(body, found, taken));
                }
                Item::Loop { body, .. } => self.last_takers_in(body, found, taken),
                _ => {}
            }
            let Some(root) = self.taken_whole(item) else {
                continue;
            };
            if matches!(item, Item::Assign { .. }) {
                *taken.entry(root).or_default() += 1;
            }
            let (before, after) = (&block.items[..at], &block.items[at + 1..]);
            let is_declared =
                |item: &Item| matches!(item, Item::Declare { root: r, .. } if *r == root);
            let is_result = matches!(self.result, Some(Atom::Root(r)) if r == root);
            // what stands there as it was written may name anything
            let again = |item: &Item| self.times_named(item, root) > 0 || has_verbatim(item);
            if is_result
                || !before.iter().any(is_declared)
                || self.times_named(item, root) > 1
                || after.iter().any(again)
            {
                continue;
            }
            match item {
                Item::Def(d) => found.reads.insert(*d),
                _ => found.assigned.insert(root),
            };
        }
    }

    /// The memory of which a statement takes all.
    fn taken_whole(&self, item: &Item) -> Option<RootId> {
        match item {
            Item::Def(d) => match &self.defs[*d].kind {
                DefKind::Read(place) => self.whole_memory(place),
                _ => None,
            },
            Item::Assign {
                op: Assign::Set,
                value: Atom::Root(root),
                ..
            } => (self.roots[*root].kind == RootKind::Memory).then_some(*root),
            _ => None,
        }
    }

    /// The memory that a place is all of.
    pub(crate) fn whole_memory(&self, place: &Place) -> Option<RootId> {
        match place.base {
            Base::Root(r) if place.suffix.is_empty() => {
                (self.roots[r].kind == RootKind::Memory).then_some(r)
            }
            _ => None,
        }
    }

    fn times_named(&self, item: &Item, root: RootId) -> usize {
        let mut times = 0;
        self.item_mentions(item, &mut |mention| {
            times += usize::from(match mention {
                Mention::Root(r) => r == root,
                Mention::Place(place) => place.base == Base::Root(root),
                Mention::Def(_) => false,
            });
        });
        times
    }
}

fn has_verbatim(item: &Item) -> bool {
    let inside = |block: &Block| block.items.iter().any(has_verbatim);
    match item {
        Item::Verbatim(_) => true,
        Item::Branch { arms, .. } => arms.iter().any(|arm| inside(&arm.body)),
        Item::Loop { body, .. } => inside(body),
        _ => false,
    }
}
