//! Values that go to the tape in the place of several others that nothing but they are computed from.
//!
//! ```text
//! let t5 = ((((u[i - 1] + u[i + 1]) + …) - 4.0 * u[i]);   // one word, not five
//! v[i] = u[i] + c * t5;
//! ```
//!
//! So does the flag of a comparison: `if d < best { best = d; }`.

use std::collections::{BTreeMap, BTreeSet};

use super::{Reverse, asks::State};
use crate::differentiable::ir::*;
use crate::differentiable::mentions::Mention;

impl Reverse<'_> {
    /// Finds such values. If there are any, what is asked for is to be found out again.
    pub(super) fn find_cuts(&self) -> bool {
        let cuts = self.cuts();
        let any = !cuts.is_empty();
        if any {
            let mut state = self.state.borrow_mut();
            *state = State {
                cuts,
                ..state.afresh()
            };
        }
        any
    }

    /// Values that are computed again from two or more on the tape of which nothing else is asked, and flags that are from one.
    fn cuts(&self) -> BTreeSet<DefId> {
        let p = self.program;
        let mut choices = BTreeSet::new();
        p.body.choices(p, &mut choices);
        let state = self.state.borrow();
        let asked = state.direct.iter().filter(|d| !state.taped.contains(d));
        let asked: Vec<_> = asked.map(|d| (*d, self.taped_below(*d, &state))).collect();
        let mut wanted = BTreeMap::new();
        for taped in asked.iter().flat_map(|(_, taped)| taped) {
            *wanted.entry(*taped).or_insert(0) += 1;
        }
        let cuts = asked.into_iter().filter(|(id, taped)| {
            let def = &p.defs[*id];
            let own = taped.iter().filter(|t| {
                let only = wanted[t] == 1 && !state.direct.contains(t) && !p.defs[**t].stored;
                only && p.defs[**t].point.loops == def.point.loops
            });
            let fewer = match def.kind {
                DefKind::Op { .. } => own.count() > 1,
                _ => choices.contains(id) && own.count() > 0,
            };
            fewer && !def.point.loops.is_empty()
        });
        cuts.map(|(id, _)| id).collect()
    }

    /// The values on the tape from which a value is computed again.
    fn taped_below(&self, id: DefId, state: &State) -> BTreeSet<DefId> {
        let p = self.program;
        let (mut taped, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![id]);
        while let Some(d) = open.pop() {
            if !seen.insert(d) {
                continue;
            }
            if state.taped.contains(&d) {
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
