//! A value that is a sum, where rounds that run again add to it: a driver knows its cotangent before the value, so the forward sweep skips
//! such loops, and the reverse sweep adds up what it computes anyway.

use std::collections::HashSet;

use super::Plan;
use crate::differentiable::ir::mentions::Mention;
use crate::differentiable::ir::*;

/// The sum, if rounds that run again add to it, and all that such rounds add to is this: nor do they write what the caller finds.
pub(crate) fn sum(program: &Program, plan: &Plan) -> Option<RootId> {
    let total = program.result_sum()?;
    let mut adding = (plan.recomputed.values()).filter(|s| s.sums.values().any(|s| *s == total));
    let mut any = false;
    let alone = adding.all(|summing| {
        any = true;
        summing.unread.is_empty() && summing.sums.values().all(|s| *s == total)
    });
    (any && alone).then_some(total)
}

impl Program {
    /// The scalar that the function returns, if all that happens to it is that something is added or taken away.
    fn result_sum(&self) -> Option<RootId> {
        let Some(Atom::Def(result)) = self.result else {
            return None;
        };
        let DefKind::Version(total) = self.defs[result].kind else {
            return None;
        };
        let running = self.running_sums(&self.body, &HashSet::new());
        let of_total = |d: DefId| running.get(&d) == Some(&total);
        let found = self.checkpoints.is_empty() && self.only_sums(&self.body, total, &of_total);
        found.then_some(total)
    }

    fn only_sums(&self, block: &Block, total: RootId, of_total: &dyn Fn(DefId) -> bool) -> bool {
        let apart = |mention: Mention<'_>| match mention {
            Mention::Def(d) => !of_total(d),
            Mention::Root(root) => root != total,
            Mention::Place(place) => place.base != Base::Root(total),
        };
        let atom_apart = |atom: &Atom| {
            let mut fine = true;
            atom.mentions(&mut |mention| fine &= apart(mention));
            fine
        };
        block.items.iter().all(|item| match item {
            Item::Verbatim(_) => false,
            Item::Def(d) if of_total(*d) => match &self.defs[*d].kind {
                DefKind::Op { args, .. } => args[1..].iter().all(atom_apart),
                _ => true,
            },
            Item::Assign {
                place,
                op: Assign::Set,
                value: Atom::Def(d),
            } if place.base == Base::Root(total) => of_total(*d),
            Item::Branch { arms, selector } => {
                let (Selector::If(atom) | Selector::Match(atom)) = selector;
                let mut arms = arms.iter().map(|a| &a.body);
                atom_apart(atom) && arms.all(|body| self.only_sums(body, total, of_total))
            }
            Item::Loop { iterable, body, .. } => match iterable {
                Iterable::Counted { range, .. } => {
                    let steps = range.step.iter().map(|s| Atom::Const(s.clone()));
                    atom_apart(&range.range)
                        && steps.into_iter().all(|step| atom_apart(&step))
                        && self.only_sums(body, total, of_total)
                }
                Iterable::While { .. } => false,
            },
            item => {
                let mut fine = true;
                self.item_mentions(item, &mut |mention| fine &= apart(mention));
                fine
            }
        })
    }
}
