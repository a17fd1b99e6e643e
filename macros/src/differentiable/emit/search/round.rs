//! Which loops search, and what of the round that they find is needed.

use std::collections::{BTreeSet, HashSet};

use super::steps::{taken, way};
use crate::differentiable::ir::mentions::Mention;
use crate::differentiable::ir::*;

/// What the rounds of such a loop do, from condition to condition.
#[derive(Default)]
pub(super) struct Round {
    /// The values on the way, in the order of the text.
    pub(super) values: Vec<DefId>,
    /// Memory and scalars that a round declares.
    pub(super) own: HashSet<RootId>,
    /// What stands where all conditions hold, each with its scalar.
    pub(super) set: Vec<(RootId, Atom)>,
    /// How many conditions that takes.
    pub(super) conditions: usize,
}

/// What of a round what is set is computed from.
pub(super) struct Wanted {
    pub(super) values: BTreeSet<DefId>,
    /// Whether it is computed from what a round declares: then all that changes it.
    pub(super) own: bool,
}

impl Round {
    /// Whether this is what the loop searches for.
    pub(super) fn sets(&self, root: RootId) -> bool {
        self.set.iter().any(|(r, _)| *r == root)
    }

    /// Whether a statement changes, or may change, what the round declares.
    pub(super) fn is_of_its_own(&self, item: &Item) -> bool {
        match item {
            Item::Def(_) => false,
            Item::Assign { place, .. } => match place.base {
                Base::Root(root) => self.own.contains(&root),
                Base::Def(_) => false,
            },
            _ => true,
        }
    }
}

impl Program {
    /// The rounds of a loop that searches for something with a derivative.
    pub(super) fn round_of(&self, item: &Item) -> Option<(Round, Wanted)> {
        let Item::Loop {
            iterable: Iterable::Counted { .. },
            body,
            flags,
        } = item
        else {
            return None;
        };
        let mut round = Round::default();
        if !flags.is_empty() || !self.looks(body, &mut round) {
            return None;
        }
        let varied = round.set.iter().any(|(root, _)| self.roots[*root].varied);
        let wanted = self.wanted(body, &round)?;
        varied.then_some((round, wanted))
    }

    /// Whether a block computes values, and then, where a condition holds, sets scalars.
    fn looks(&self, block: &Block, round: &mut Round) -> bool {
        let Some((last, before)) = block.items.split_last() else {
            return false;
        };
        if !before.iter().all(|item| self.is_own(item, round, true)) {
            return false;
        }
        match taken(last) {
            Some(then) if round.set.is_empty() => {
                round.conditions += 1;
                self.looks(then, round)
            }
            _ => self.is_own(last, round, true) && !round.set.is_empty(),
        }
    }

    /// Whether a statement of a round changes nothing but what the round declares; on the way to what is set, also that.
    fn is_own(&self, item: &Item, round: &mut Round, way: bool) -> bool {
        match item {
            Item::Def(d) => {
                if way {
                    round.values.push(*d);
                }
                match &self.defs[*d].kind {
                    DefKind::Opaque(_) => self.questions.contains(d),
                    DefKind::Call(_) => self.primals.contains_key(d),
                    _ => true,
                }
            }
            Item::Declare { root, init } => {
                round.own.insert(*root);
                !matches!(init, Init::Inactive { again: false, .. })
            }
            Item::Assign { place, op, value } => match place.base {
                Base::Root(root) if round.own.contains(&root) => true,
                Base::Root(root) if way && *op == Assign::Set && round.conditions > 0 => {
                    round.set.push((root, value.clone()));
                    let whole = place.suffix.is_empty() && !matches!(value, Atom::Root(_));
                    whole && self.roots[root].kind == RootKind::Scalar
                }
                _ => false,
            },
            Item::Branch { arms, .. } => arms
                .iter()
                .flat_map(|arm| &arm.body.items)
                .all(|item| self.is_own(item, round, false)),
            Item::Loop {
                iterable: Iterable::Counted { .. },
                body,
                flags,
            } => {
                let own = body
                    .items
                    .iter()
                    .all(|item| self.is_own(item, round, false));
                own && flags.iter().all(|flag| round.own.contains(flag))
            }
            _ => false,
        }
    }

    /// What is needed of the round that was found; none if what earlier rounds have set is.
    fn wanted(&self, body: &Block, round: &Round) -> Option<Wanted> {
        let mut wanted = Wanted {
            values: BTreeSet::new(),
            own: false,
        };
        let mut open = Vec::new();
        for (_, value) in &round.set {
            value.mentions(&mut |mention| open.push((mention.value(), mention.root())));
        }
        while let Some((value, root)) = open.pop() {
            if root.is_some_and(|root| round.sets(root)) {
                return None;
            }
            let mut add = |mention: Mention<'_>| open.push((mention.value(), mention.root()));
            if !wanted.own && root.is_some_and(|root| round.own.contains(&root)) {
                wanted.own = true;
                let way = way(body, round.conditions).into_iter();
                way.filter(|item| round.is_of_its_own(item))
                    .for_each(|item| self.item_mentions(item, &mut add));
            }
            if let Some(d) = value.filter(|d| round.values.contains(d))
                && wanted.values.insert(d)
            {
                self.def_mentions(d, &mut add);
            }
        }
        Some(wanted)
    }
}
