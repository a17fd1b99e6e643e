//! The way through the conditions of a round, and what is named on it.

use crate::differentiable::ir::mentions::Mention;
use crate::differentiable::ir::*;

/// The block behind the condition of a branch without alternative.
pub(super) fn taken(item: &Item) -> Option<&Block> {
    let Item::Branch {
        arms,
        selector: Selector::If(_),
    } = item
    else {
        return None;
    };
    match &arms[..] {
        [then, otherwise] if otherwise.body.items.is_empty() => Some(&then.body),
        _ => None,
    }
}

/// The statements of a round up to what is set, without the conditions.
pub(super) fn way(block: &Block, conditions: usize) -> Vec<&Item> {
    let mut items: Vec<&Item> = block.items.iter().collect();
    let last = items.pop_if(|item| conditions > 0 && taken(item).is_some());
    let inside = last.and_then(taken);
    items.extend(
        inside
            .into_iter()
            .flat_map(|block| way(block, conditions - 1)),
    );
    items
}

/// As [`way`], by value; and the number of the innermost block that is not taken.
pub(super) fn steps(block: Block, conditions: usize) -> (Vec<Item>, usize) {
    let (mut items, mut otherwise) = (block.items, block.id);
    if conditions > 0 {
        let Some(Item::Branch { arms, .. }) = items.pop() else {
            unreachable!("a condition")
        };
        let mut arms = arms.into_iter().map(|arm| arm.body);
        let (then, not) = (arms.next(), arms.next());
        let (inside, innermost) = steps(then.expect("an arm"), conditions - 1);
        items.extend(inside);
        otherwise = match conditions {
            1 => not.expect("an arm").id,
            _ => innermost,
        };
    }
    (items, otherwise)
}

/// What the bounds and the step of a range read.
pub(super) fn range_uses(range: &Range) -> Uses {
    let mut uses = Uses::default();
    match &range.range {
        Atom::Const(expr) => uses.extend(&expr.uses),
        Atom::Def(d) => drop(uses.defs.insert(*d)),
        Atom::Root(root) => drop(uses.roots.insert(*root)),
    }
    range.step.iter().for_each(|step| uses.extend(&step.uses));
    uses
}

impl Mention<'_> {
    /// The value that is named.
    pub(super) fn value(&self) -> Option<DefId> {
        match self {
            Mention::Def(d) => Some(*d),
            Mention::Root(_) => None,
            Mention::Place(place) => match place.base {
                Base::Def(d) => Some(d),
                Base::Root(_) => None,
            },
        }
    }

    /// The memory that is named.
    pub(super) fn root(&self) -> Option<RootId> {
        match self {
            Mention::Def(_) => None,
            Mention::Root(root) => Some(*root),
            Mention::Place(place) => match place.base {
                Base::Def(_) => None,
                Base::Root(root) => Some(root),
            },
        }
    }
}
