//! What is decided of the reverse sweep before its code is generated.
//!
//! Which values the reverse sweep reads is known when it has been written, and what it reads depends on what is decided here: so a draft of it is
//! asked for its demand, and each decision is made from the demand of a draft that knows the decisions before.
//!
//! ```text
//! plan := nothing
//! loops to recompute   from the demand     → another draft, if there are any
//! loop-invariant memory                    → another draft, if there is any
//! cuts                                     → another draft, if there are any
//! values that are only passed on           → drafts until none of them is read
//! ```

mod conditional;
mod deferred;
mod demand;
mod display;
pub(crate) mod min_cut;
mod passed_on;
mod primal_only;
mod recomputed;
mod sums;
#[cfg(test)]
mod tests;
mod value;

use std::collections::{BTreeMap, BTreeSet};

use super::analyse::invariant_memory::Stands;
use super::analyse::read_around::{Lends, Wanted};
use super::analyse::reduction::Summing;
use super::ir::*;
use crate::signature::Function;
use conditional::Condition;
pub(crate) use demand::{Demand, Leaves};
pub(crate) use passed_on::is_number;
#[cfg(test)]
pub(crate) use recomputed::slices;
pub(crate) use value::{Fate, is_costly};

/// The decisions.
#[derive(Clone, Default)]
pub(crate) struct Plan {
    /// Loops that only add to sums: the reverse sweep runs each of their rounds forwards and then backwards. By their bodies.
    pub(crate) recomputed: BTreeMap<usize, Summing>,
    /// Those of them in which not every round adds to a sum, with the conditions on which one does.
    pub(crate) conditional: BTreeMap<usize, Vec<Condition>>,
    /// Loop-invariant memory that goes to the tape once, by the body of the loop in which it does not change.
    pub(crate) invariant: Stands,
    /// The values that are read from it.
    pub(crate) still: BTreeSet<DefId>,
    /// The calls that find it as it was.
    pub(crate) lends_still: Lends,
    /// Values that go to the tape rather than what they are computed from.
    pub(crate) cuts: BTreeSet<DefId>,
    /// Calls whose value nothing reads but the value of the function, by their order.
    pub(crate) passed_on: BTreeSet<usize>,
    /// The sum that is the value of the function, if the reverse sweep can add it up.
    pub(crate) deferred: Option<RootId>,
    /// The outermost loops that compute nothing but the value, by their bodies.
    pub(crate) primal_only: BTreeSet<usize>,
    /// Costly operations that compute nothing but the value.
    pub(crate) primal_only_values: BTreeSet<DefId>,
    /// How the reverse sweep has each value and what memory holds, by their names.
    pub(crate) fates: BTreeMap<String, Fate>,
    /// Loops that the reverse sweep goes back through, by their bodies.
    pub(crate) undone: BTreeSet<usize>,
    /// Those of them whose rounds are counted on the tape.
    pub(crate) counted: BTreeSet<usize>,
    /// Blocks that leave values on the tape at their end.
    pub(crate) taping: BTreeSet<usize>,
}

/// What a plan is made for.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) function: &'a Function,
    pub(crate) program: &'a Program,
}

/// What a draft begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Draft {
    /// Nothing is asked for.
    Fresh,
    /// What the drafts before asked for; this may be the last.
    Last,
}

/// A draft of the reverse sweep.
type Ask<'f> = &'f mut dyn FnMut(&Plan, Draft) -> Demand;

impl Plan {
    /// The plan for a function: `ask` writes a draft of its reverse sweep by a plan, and says what it reads. The last draft that it writes is that of
    /// the plan.
    pub(crate) fn decide(subject: Subject<'_>, ask: Ask<'_>) -> Self {
        let mut plan = Self::default();
        // what is generated early may depend on what is asked for late
        let mut demand = ask(&plan, Draft::Fresh);
        plan.recomputed = recomputed::loops(subject, &demand);
        plan.conditional = conditional::loops(subject.program, &plan);
        if !plan.recomputed.is_empty() {
            demand = ask(&plan, Draft::Fresh);
        }
        plan.find_invariant(subject.program, &demand);
        if !plan.invariant.is_empty() {
            demand = ask(&plan, Draft::Fresh);
        }
        plan.cuts = min_cut::cuts(subject.program, &demand);
        if !plan.cuts.is_empty() {
            demand = ask(&plan, Draft::Fresh);
        }
        plan.passed_on = passed_on::calls(subject, &plan, &demand);
        plan.deferred = deferred::sum(subject.program, &plan);
        loop {
            demand = ask(&plan, Draft::Last);
            let found = passed_on::calls(subject, &plan, &demand);
            let before = plan.passed_on.len();
            plan.passed_on.retain(|call| found.contains(call));
            if plan.passed_on.len() == before {
                break;
            }
        }
        plan.primal_only = primal_only::loops(subject.program, &plan, &demand);
        plan.primal_only_values = primal_only::values(subject.program, &plan, &demand);
        plan.note(subject.program, demand);
        plan
    }

    fn find_invariant(&mut self, program: &Program, demand: &Demand) {
        let recomputed = &self.recomputed;
        let apart =
            |body| program.checkpoints.contains_key(&body) || recomputed.contains_key(&body);
        self.invariant = program.standing(&demand.taped, &apart);
        let still = |stands: &Stands| -> BTreeSet<DefId> {
            stands
                .values()
                .flatten()
                .flat_map(|s| s.reads.clone())
                .collect()
        };
        let (known, cuts) = (
            still(&self.invariant),
            min_cut::in_place_of(program, demand),
        );
        let (around, lends) = program.read_around(&Wanted {
            taped: &demand.taped.difference(&known).copied().collect(),
            cuts: &cuts,
            apart: &apart,
            outside: &|root| self.outside(program, root),
        });
        for (body, standing) in around {
            self.invariant.entry(body).or_default().extend(standing);
        }
        (self.still, self.lends_still) = (still(&self.invariant), lends);
    }

    /// Notes what the last draft does with each value and each loop.
    fn note(&mut self, program: &Program, demand: Demand) {
        self.fates = value::with_checkpoints(program, demand.fates, &demand.checkpointed);
        self.undone = demand.undone;
        self.counted = demand.leaves.counted;
        self.taping = demand.leaves.blocks;
    }
}
