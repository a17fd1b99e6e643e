//! Rounds in which no cotangent arrives unless a branch was taken: nothing else of them is undone.
//!
//! ```text
//! // for x in xs { let d = (x - a) * (x - a); if d < best { best = d; } }
//! let t3 = …;                              // the flag, off the tape
//! if t3 { …; if t3 { … best_d … } … }
//! ```

use std::collections::{BTreeSet, HashSet};

use proc_macro2::TokenStream;

use super::Reverse;
use super::block::{Backwards, Seed};
use crate::differentiable::analyse::commuting::declared;
use crate::differentiable::ir::mentions::Mention;
use crate::differentiable::ir::*;

/// Operations in a round that are worth a branch around what undoes them: without them the optimizer chooses instead of branching.
const WORTH: usize = 2;

impl Reverse<'_> {
    /// A round undone, or as much of it as there is to undo.
    pub(crate) fn round_unless_idle(&self, body: &Block) -> TokenStream {
        let parts = self.backwards_in_parts(body, Seed::default());
        let again = self.bound_backwards(body);
        let arriving = (!parts.pops_among).then(|| self.arriving(body)).flatten();
        let Backwards {
            pops,
            values,
            arrived,
            undone,
            ..
        } = parts;
        if let Some((arriving, named)) = arriving {
            let named = self.below(body, named);
            let (before, inside): (Vec<_>, Vec<_>) = values
                .into_iter()
                .partition(|(base, _)| named.as_ref().is_none_or(|named| is_among(*base, named)));
            let (before, inside) = (before.iter().map(|(_, v)| v), inside.iter().map(|(_, v)| v));
            return code!(#again #pops #(#before)* #arrived if #arriving { #(#inside)* #undone });
        }
        let undone = code!(#arrived #undone);
        let found = self.choices_of(body);
        let first = found.as_ref().and_then(|choices| {
            let flags = choices.iter().map(|(flag, _)| *flag);
            self.below(body, flags.collect())
        });
        let (Some(choices), Some(first)) = (found, first) else {
            let values = values.iter().map(|(_, value)| value);
            return code!(#again #pops #(#values)* #undone);
        };
        let flags = choices.iter().map(|(flag, then)| {
            let flag = &self.program.defs[*flag].name;
            match then {
                true => code!(#flag),
                false => code!(!#flag),
            }
        });
        let (before, inside): (Vec<_>, Vec<_>) = values
            .into_iter()
            .partition(|(base, _)| is_among(*base, &first));
        let (before, inside) = (before.iter().map(|(_, v)| v), inside.iter().map(|(_, v)| v));
        code!(#again #pops #(#before)* if #(#flags)||* { #(#inside)* #undone })
    }

    /// The flags of which one holds in every round in which a cotangent arrives, each with the arm that it arrives in; none if they
    /// are not known, or not worth a branch: then it is a scalar's, and passes through the rounds one after the other.
    fn choices_of(&self, body: &Block) -> Option<Vec<(DefId, bool)>> {
        let mut inside = HashSet::new();
        declared(body, &mut inside);
        let (mut choices, mut scalar) = (Vec::new(), false);
        for item in &body.items {
            match item {
                Item::Branch {
                    arms,
                    selector: Selector::If(Atom::Def(flag)),
                } => {
                    let [then, otherwise] = &arms[..] else {
                        return None;
                    };
                    // a branch that is not undone
                    let undone = self.state.borrow().required.contains(flag);
                    let arrives =
                        |arm: &Arm| undone && self.arrives(&arm.body, &inside, &mut false);
                    let (arm, other, holds) = match (arrives(then), arrives(otherwise)) {
                        (true, false) => (then, otherwise, true),
                        (false, true) => (otherwise, then, false),
                        (false, false)
                            if !self.tapes(&then.body) && !self.tapes(&otherwise.body) =>
                        {
                            continue;
                        }
                        _ => return None,
                    };
                    if self.tapes(&other.body) {
                        return None;
                    }
                    self.arrives(&arm.body, &inside, &mut scalar);
                    choices.push((*flag, holds));
                }
                item if self.item_tapes(item) || self.item_arrives(item, &inside, &mut false) => {
                    return None;
                }
                _ => {}
            }
        }
        let work = body.items.iter().filter(|item| match item {
            Item::Def(d) => matches!(self.program.defs[*d].kind, DefKind::Op { .. }),
            _ => false,
        });
        (scalar && !choices.is_empty() && work.count() >= WORTH).then_some(choices)
    }

    /// Whether a cotangent from outside arrives in a block that is undone; `scalar`: that of a scalar, which the block sets.
    fn arrives(&self, block: &Block, inside: &HashSet<RootId>, scalar: &mut bool) -> bool {
        let mut any = false;
        for item in &block.items {
            any |= self.item_arrives(item, inside, scalar);
        }
        any
    }

    pub(super) fn item_arrives(
        &self,
        item: &Item,
        inside: &HashSet<RootId>,
        scalar: &mut bool,
    ) -> bool {
        let p = self.program;
        let outside = |place: &Place| match place.base {
            Base::Root(root) => p.roots[root].varied && !inside.contains(&root),
            Base::Def(_) => true,
        };
        match item {
            Item::Verbatim(_) | Item::Declare { .. } => false,
            Item::Def(d) => {
                let state = self.state.borrow();
                p.call_of(item).is_some() || state.carried.contains(d) || state.leaves.contains(d)
            }
            Item::Assign { place, op, .. } => {
                let arrives = outside(place);
                let kind = match place.base {
                    Base::Root(root) => Some(p.roots[root].kind),
                    Base::Def(_) => None,
                };
                *scalar |= arrives && *op == Assign::Set && kind == Some(RootKind::Scalar);
                arrives
            }
            Item::Branch { arms, .. } => {
                let mut any = false;
                for arm in arms {
                    any |= self.arrives(&arm.body, inside, scalar);
                }
                any
            }
            Item::Loop { body, .. } => self.arrives(body, inside, scalar),
            _ => true,
        }
    }

    /// The values of a block that these are computed from, themselves included; none if some are read from memory of the block.
    fn below(&self, body: &Block, mut open: Vec<DefId>) -> Option<BTreeSet<DefId>> {
        let p = self.program;
        let mut inside = HashSet::new();
        declared(body, &mut inside);
        let (mut found, mut fine) = (BTreeSet::new(), true);
        while let Some(d) = open.pop() {
            if !found.insert(d) || self.state.borrow().taped.contains(&d) {
                continue;
            }
            p.def_mentions(d, &mut |mention| match mention {
                Mention::Def(below) => open.push(below),
                Mention::Root(root) => fine &= !inside.contains(&root),
                Mention::Place(place) => match place.base {
                    Base::Root(root) => fine &= !inside.contains(&root),
                    Base::Def(below) => open.push(below),
                },
            });
        }
        fine.then_some(found)
    }
}

fn is_among(base: Option<Base>, values: &BTreeSet<DefId>) -> bool {
    matches!(base, Some(Base::Def(d)) if values.contains(&d))
}
