//! Loops of the forward sweep that compute nothing but the value, and costly operations that do: they are skipped if nobody asks for it.
//!
//! ```text
//! // for r in returns { loglik += var.ln() + r * r / var; var = …; }
//! let t = if config.needs_primal() { var.ln() } else { blank };
//! ```

use std::collections::BTreeSet;

use super::{Demand, Fate, Plan, is_costly};
use crate::differentiable::analyse::live::Live;
use crate::differentiable::ir::*;

/// The costly operations, outside of those loops, that compute nothing but the value.
pub(crate) fn values(p: &Program, plan: &Plan, demand: &Demand) -> BTreeSet<DefId> {
    let scalar = |root: &RootId| p.roots[*root].kind == RootKind::Scalar;
    // where states are kept, a value may be part of one
    if p.result.is_none() || !p.checkpoints.is_empty() || demand.taped_roots.iter().any(scalar) {
        return BTreeSet::new();
    }
    let rounds = plan.recomputed.values().flat_map(|round| &round.reads.defs);
    let live = Live::of(p, &demand.taped.iter().chain(rounds).copied().collect());
    // the reverse sweep has a blank of the type of what is not read
    let unread = |d: &DefId| demand.fates.get(&p.defs[*d].name.to_string()) == Some(&Fate::Unread);
    (0..p.defs.len())
        .filter(|d| is_costly(&p.defs[*d]) && unread(d) && !live.is_live(*d))
        .collect()
}

/// The bodies of the outermost loops that compute nothing but the value.
pub(crate) fn loops(program: &Program, plan: &Plan, demand: &Demand) -> BTreeSet<usize> {
    let mut search = Search {
        program,
        plan,
        demand,
        live: Live::of(program, &demand.taped),
        found: BTreeSet::new(),
    };
    search.block(&program.body);
    search.found
}

struct Search<'a> {
    program: &'a Program,
    plan: &'a Plan,
    demand: &'a Demand,
    live: Live<'a>,
    found: BTreeSet<usize>,
}

impl Search<'_> {
    fn block(&mut self, block: &Block) {
        for item in &block.items {
            match item {
                Item::Branch { arms, .. } => arms.iter().for_each(|a| self.block(&a.body)),
                Item::Loop { body, flags, .. } => match self.is_primal_only(body, flags) {
                    true => drop(self.found.insert(body.id)),
                    false => self.block(body),
                },
                _ => {}
            }
        }
    }

    fn is_primal_only(&self, body: &Block, flags: &[RootId]) -> bool {
        match self.plan.recomputed.get(&body.id) {
            Some(summing) => {
                let mut scalars = summing.sums.values();
                summing.lent.is_empty() && !scalars.any(|s| self.live.is_read(*s))
            }
            None => {
                let leaves = &self.demand.leaves;
                let tapes = leaves.of_loop(self.program, self.plan, body);
                flags.is_empty() && self.live.is_dead(body) && !tapes
            }
        }
    }
}
