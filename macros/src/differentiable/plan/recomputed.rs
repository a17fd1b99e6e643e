//! Loops that do nothing but add to sums: the reverse sweep runs each round forwards and then backwards.

use std::collections::{BTreeMap, BTreeSet};

use super::{Demand, Plan, Subject};
use crate::differentiable::analyse::live::Live;
use crate::differentiable::analyse::reduction::Summing;
use crate::differentiable::ir::*;
use crate::signature::Passing;

/// Such loops among those that leave something on the tape, also in rounds of others.
pub(crate) fn loops(subject: Subject<'_>, demand: &Demand) -> BTreeMap<usize, Summing> {
    let mut search = Search {
        subject,
        demand,
        found: BTreeMap::new(),
    };
    search.block(&subject.program.body, &slices(subject));
    search.found
}

/// The slices that the caller hands in for something to be written to: they may be scratch memory.
pub(crate) fn slices(subject: Subject<'_>) -> Vec<RootId> {
    let roots = &subject.program.roots;
    let slice = |root: &RootId| match roots[*root].kind {
        RootKind::Param { index, passing } => {
            let param = &subject.function.params[index];
            let written = passing == Passing::Exclusive && roots[*root].varied;
            written && !param.constant && matches!(param.ty, syn::Type::Slice(_))
        }
        _ => false,
    };
    (0..roots.len()).filter(slice).collect()
}

struct Search<'a> {
    subject: Subject<'a>,
    demand: &'a Demand,
    found: BTreeMap<usize, Summing>,
}

impl Search<'_> {
    fn block(&mut self, block: &Block, slices: &[RootId]) {
        let program = self.subject.program;
        for item in &block.items {
            match item {
                Item::Branch { arms, .. } => {
                    arms.iter().for_each(|a| self.block(&a.body, slices));
                }
                Item::Loop {
                    iterable,
                    body,
                    flags,
                } if !program.checkpoints.contains_key(&body.id) => match iterable {
                    Iterable::Counted { variable, .. } if flags.is_empty() && self.tapes(body) => {
                        let summing = self.summing(*variable, body, slices);
                        self.found.extend(summing.map(|summing| (body.id, summing)));
                        self.block(body, &[]);
                    }
                    _ => self.block(body, &[]),
                },
                _ => {}
            }
        }
    }

    fn tapes(&self, body: &Block) -> bool {
        let (nothing, leaves) = (Plan::default(), &self.demand.leaves);
        leaves.of_block(self.subject.program, &nothing, body)
    }

    /// What a loop adds to, if nothing but the value reads it.
    fn summing(&self, variable: DefId, body: &Block, slices: &[RootId]) -> Option<Summing> {
        let p = self.subject.program;
        let summing = p.summing(variable, body, slices)?;
        if self.costs_more(body, &summing) {
            return None;
        }
        // such a call gets handles, which lead to the memory itself, not to what was kept of it
        if self.calls_itself(body) {
            return None;
        }
        let inside = &p.defs[variable].point.loops;
        let outside = |d: &&DefId| !p.defs[**d].point.loops.starts_with(inside);
        let taped: BTreeSet<_> = self.demand.taped.iter().filter(outside).copied().collect();
        let live = Live::of(p, &taped);
        let read = summing.sums.values().any(|scalar| live.is_read(*scalar));
        (!read).then_some(summing)
    }

    /// Whether rounds that fill memory of the caller, and are run in any case, would run loops again for each value that they leave: a word costs less.
    fn costs_more(&self, body: &Block, summing: &Summing) -> bool {
        let written = |root: &RootId| summing.unread.contains(root);
        let fills = !summing.lent.is_empty() && summing.scratch.iter().all(written);
        let round = Level::of(self, body);
        let loops = round.runs_loops || !round.taping.is_empty();
        summing.sums.is_empty() && fills && loops && self.is_made_by_loops(&round)
    }

    /// Whether what is left on the tape is left beside loops that leave nothing.
    fn is_made_by_loops(&self, level: &Level) -> bool {
        let mut inside = level.taping.iter().map(|body| Level::of(self, body));
        (!level.leaves || level.runs_loops) && inside.all(|level| self.is_made_by_loops(&level))
    }

    fn calls_itself(&self, block: &Block) -> bool {
        let name = &self.subject.function.name;
        block.items.iter().any(|item| match item {
            Item::Branch { arms, .. } => arms.iter().any(|a| self.calls_itself(&a.body)),
            Item::Loop { body, .. } => self.calls_itself(body),
            item => {
                let call = self.subject.program.call_of(item);
                call.is_some_and(|c| matches!(&c.callee, Callee::Path(p) if p.is_ident(name)))
            }
        })
    }
}

/// What a block leaves on the tape, its branches included, but not the loops in it.
#[derive(Default)]
struct Level<'a> {
    leaves: bool,
    /// Whether there are loops that leave nothing.
    runs_loops: bool,
    /// The bodies of the others.
    taping: Vec<&'a Block>,
}

impl<'a> Level<'a> {
    fn of(search: &Search<'_>, block: &'a Block) -> Self {
        let mut level = Self::default();
        level.add(search, block);
        level
    }

    fn add(&mut self, search: &Search<'_>, block: &'a Block) {
        self.leaves |= search.demand.leaves.blocks.contains(&block.id);
        for item in &block.items {
            match item {
                Item::Branch { arms, .. } => arms.iter().for_each(|a| self.add(search, &a.body)),
                Item::Loop { body, .. } if search.tapes(body) => self.taping.push(body),
                Item::Loop { .. } => self.runs_loops = true,
                item => self.leaves |= search.subject.program.call_of(item).is_some(),
            }
        }
    }
}
