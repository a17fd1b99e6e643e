//! Values that go to the tape in the place of several others that nothing but they are computed from.
//!
//! ```text
//! let t5 = ((((u[i - 1] + u[i + 1]) + …) - 4.0 * u[i]);   // one word, not five
//! v[i] = u[i] + c * t5;
//! ```
//!
//! So does the flag of a comparison: `if d < best { best = d; }`. For trees it is the smallest cut; values that share what they are computed from leave it
//! on the tape.

use std::collections::{BTreeMap, BTreeSet};

use super::Demand;
use crate::differentiable::ir::mentions::Mention;
use crate::differentiable::ir::*;

/// Values that are computed again from two or more on the tape of which nothing else is asked, and flags that are from one.
pub(crate) fn cuts(p: &Program, demand: &Demand) -> BTreeSet<DefId> {
    in_place_of(p, demand).into_values().collect()
}

/// The values that do not go to the tape, each with that in its place.
pub(crate) fn in_place_of(p: &Program, demand: &Demand) -> BTreeMap<DefId, DefId> {
    let mut choices = BTreeSet::new();
    p.body.choices(p, &mut choices);
    // what stands in no loop is replaced by nothing, and is computed from nothing that stands in one
    let in_loops = |d: &DefId| !p.defs[*d].point.loops.is_empty();
    let asked = demand
        .direct
        .iter()
        .filter(|d| !demand.taped.contains(d) && in_loops(d));
    let asked: Vec<_> = asked.map(|d| (*d, taped_below(p, *d, demand))).collect();
    let mut wanted = BTreeMap::new();
    for taped in asked.iter().flat_map(|(_, taped)| taped) {
        *wanted.entry(*taped).or_insert(0) += 1;
    }
    let mut replaced = BTreeMap::new();
    for (id, taped) in asked {
        let def = &p.defs[id];
        let own = taped.into_iter().filter(|t| {
            let only = wanted[t] == 1 && !demand.direct.contains(t) && !p.defs[*t].stored;
            only && p.defs[*t].point.loops == def.point.loops
        });
        let own: Vec<DefId> = own.collect();
        let fewer = match def.kind {
            DefKind::Op { .. } => own.len() > 1,
            _ => choices.contains(&id) && !own.is_empty(),
        };
        if fewer {
            replaced.extend(own.into_iter().map(|t| (t, id)));
        }
    }
    replaced
}

/// The values of loops on the tape from which a value is computed again.
fn taped_below(p: &Program, id: DefId, demand: &Demand) -> BTreeSet<DefId> {
    let (mut taped, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![id]);
    while let Some(d) = open.pop() {
        if p.defs[d].point.loops.is_empty() || !seen.insert(d) {
            continue;
        }
        if demand.taped.contains(&d) {
            taped.insert(d);
            continue;
        }
        p.def_mentions(d, &mut |mention| {
            if let Mention::Def(below) = mention {
                open.push(below);
            }
        });
    }
    taped
}

impl Block {
    /// The flags that decide between arms, and that are computed from other values.
    fn choices(&self, p: &Program, found: &mut BTreeSet<DefId>) {
        for item in &self.items {
            match item {
                Item::Branch { arms, selector } => {
                    if let Selector::If(Atom::Def(d)) = selector
                        && matches!(p.defs[*d].kind, DefKind::Pure(_))
                    {
                        found.insert(*d);
                    }
                    arms.iter().for_each(|a| a.body.choices(p, found));
                }
                Item::Loop { body, .. } => body.choices(p, found),
                _ => {}
            }
        }
    }
}
