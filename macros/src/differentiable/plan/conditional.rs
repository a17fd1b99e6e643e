//! Rounds that run again and add nothing to a sum have nothing to undo: no cotangent arrives in them.
//!
//! ```text
//! // for x in xs { let t = f(x); if t > 1.0 { continue; } total += t.ln(); }
//! ```
//!
//! A round is undone if one of these conditions holds, here that nothing was skipped.

use std::collections::BTreeMap;

use super::Plan;
use crate::differentiable::ir::*;
use crate::differentiable::methods::operations;

/// A condition, and whether it is that it holds.
pub(crate) type Condition = (Atom, bool);

/// The conditions of which one holds in every round that adds to a sum, by the bodies of loops whose rounds run again: where such are known, and a branch
/// is worth it. A plain loop over arrays has vectors instead.
pub(crate) fn loops(program: &Program, plan: &Plan) -> BTreeMap<usize, Vec<Condition>> {
    let mut found = BTreeMap::new();
    let search = Search { program, plan };
    search.block(&program.body, &mut found);
    found
}

struct Search<'a> {
    program: &'a Program,
    plan: &'a Plan,
}

impl Search<'_> {
    fn block(&self, block: &Block, found: &mut BTreeMap<usize, Vec<Condition>>) {
        for item in &block.items {
            match item {
                Item::Branch { arms, .. } => arms.iter().for_each(|a| self.block(&a.body, found)),
                Item::Loop { body, .. } => {
                    let round = self.plan.recomputed.get(&body.id);
                    let own = round.filter(|round| round.lent.is_empty());
                    let worth = own.filter(|_| self.is_worth_a_branch(body));
                    let conditions = worth.and_then(|_| self.conditions(body));
                    found.extend(conditions.map(|conditions| (body.id, conditions)));
                    self.block(body, found);
                }
                _ => {}
            }
        }
    }

    /// The conditions of which one holds in every round that adds to a sum, each with the arm that does; none if they are not known.
    fn conditions(&self, body: &Block) -> Option<Vec<Condition>> {
        let mut conditions = Vec::new();
        for item in &body.items {
            match item {
                Item::Branch {
                    arms,
                    selector: Selector::If(atom),
                } => match &arms[..] {
                    [then, otherwise] => {
                        match (self.adds(&then.body), self.adds(&otherwise.body)) {
                            (true, true) => return None,
                            (false, false) => {}
                            (then, _) => conditions.push((atom.clone(), then)),
                        }
                    }
                    _ => return None,
                },
                item if self.item_adds(item) => return None,
                _ => {}
            }
        }
        (!conditions.is_empty()).then_some(conditions)
    }

    /// Whether a block adds to a sum.
    fn adds(&self, block: &Block) -> bool {
        block.items.iter().any(|item| self.item_adds(item))
    }

    fn item_adds(&self, item: &Item) -> bool {
        match item {
            Item::Branch { arms, .. } => arms.iter().any(|a| self.adds(&a.body)),
            Item::Loop { body, .. } => self.adds(body),
            item => self.plan.adds_up(item),
        }
    }

    /// Whether a block calls, loops, or computes what is not done in vectors.
    fn is_worth_a_branch(&self, block: &Block) -> bool {
        block.items.iter().any(|item| match item {
            Item::Branch { arms, .. } => arms.iter().any(|a| self.is_worth_a_branch(&a.body)),
            Item::Loop { .. } | Item::Call(_) => true,
            Item::Def(d) => match &self.program.defs[*d].kind {
                DefKind::Call(_) => true,
                DefKind::Op { op, .. } => operations::is_costly(op),
                _ => false,
            },
            _ => false,
        })
    }
}
