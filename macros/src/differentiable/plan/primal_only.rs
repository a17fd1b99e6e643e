//! Loops of the forward sweep that compute nothing but the value: they are skipped if nobody asks for it.

use std::collections::BTreeSet;

use super::{Demand, Plan};
use crate::differentiable::analyse::live::Live;
use crate::differentiable::ir::*;

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
