//! Loops that do nothing but add to sums. If nobody asks for the sums, the forward sweep skips such a loop, and the reverse
//! sweep runs each round forwards and then backwards: what the round leaves for its way back stays in the cache.

use std::collections::{HashMap, HashSet};

use super::commuting::declared;
use crate::differentiable::ir::mentions::Mention;
use crate::differentiable::ir::*;
use crate::signature::Passing;

/// A loop that does nothing but add to sums.
#[derive(Clone)]
pub(crate) struct Summing {
    /// Memory that every round fills anew.
    pub(crate) scratch: HashSet<RootId>,
    /// That of it that the caller handed in, and when it is so.
    pub(crate) lent: Vec<RootId>,
    pub(crate) filled: Expr,
    /// That of it which rounds only write: where a round runs again, nothing reads it.
    pub(crate) unread: Vec<RootId>,
    /// The values of the sums, each with its scalar.
    pub(crate) sums: HashMap<DefId, RootId>,
    /// What the rounds read from outside.
    pub(crate) reads: Uses,
    /// The number of loops around a round, its own included.
    pub(crate) loops: usize,
}

impl Program {
    /// What a loop with this body and variable adds to, if it does nothing else, and nothing that cannot be run twice.
    /// Of the parameters `slices`, some may be scratch memory.
    pub(crate) fn summing(
        &self,
        variable: DefId,
        body: &Block,
        slices: &[RootId],
    ) -> Option<Summing> {
        let mut inside = HashSet::new();
        declared(body, &mut inside);
        let (lent, filled) = self.lent_scratch(variable, body, slices);
        let mut scratch = self.scratch(body);
        scratch.extend(&lent);
        let round = &self.defs[variable].point.loops;
        let mut sums = self.running_sums(body, &inside);
        sums.retain(|d, _| self.defs[*d].point.loops.starts_with(round));
        inside.extend(&scratch);
        let mut rounds = Rounds {
            program: self,
            begin: &self.defs[variable].point,
            inside,
            lent: &lent,
            sums: &sums,
            reads: Uses::default(),
        };
        rounds.block(body)?;
        let reads = rounds.reads;
        let mut unread = lent.clone();
        unread.retain(|root| self.only_writes(body, *root));
        Some(Summing {
            unread,
            scratch,
            lent,
            filled,
            sums,
            reads,
            loops: round.len(),
        })
    }
}

impl Program {
    /// Whether an expression hands on a parameter that is called.
    pub(crate) fn passes_called(&self, expr: &Expr) -> bool {
        expr.uses.defs.iter().any(|d| self.called.contains(d))
    }
}

struct Rounds<'a> {
    program: &'a Program,
    begin: &'a Point,
    /// Memory that belongs to a round.
    inside: HashSet<RootId>,
    lent: &'a [RootId],
    sums: &'a HashMap<DefId, RootId>,
    reads: Uses,
}

impl Rounds<'_> {
    fn block(&mut self, block: &Block) -> Option<()> {
        block.items.iter().try_for_each(|item| self.item(item))
    }

    /// `None` if the statement does something else than to add to sums.
    fn item(&mut self, item: &Item) -> Option<()> {
        match item {
            Item::Branch { arms, selector } => {
                let (Selector::If(atom) | Selector::Match(atom)) = selector;
                self.operand(atom)?;
                return arms.iter().try_for_each(|a| self.block(&a.body));
            }
            Item::Loop { iterable, body, .. } => {
                let Iterable::Counted { range, .. } = iterable else {
                    return None;
                };
                if self.program.checkpoints.contains_key(&body.id) {
                    return None;
                }
                self.operand(&range.range)?;
                let steps = range.step.iter();
                steps
                    .map(|s| Atom::Const(s.clone()))
                    .try_for_each(|s| self.operand(&s))?;
                return self.block(body);
            }
            Item::Verbatim(_) => return None,
            Item::Reshape { place, .. } => self.own(place)?,
            Item::Declare {
                init: Init::Inactive { again: false, .. },
                ..
            } => return None,
            Item::Declare { .. } => {}
            Item::Assign { place, op, value } => match (place.base, value) {
                (Base::Root(root), _) if self.inside.contains(&root) => {}
                (Base::Root(root), Atom::Def(d))
                    if *op == Assign::Set && self.sums.get(d) == Some(&root) =>
                {
                    return Some(());
                }
                _ => return None,
            },
            Item::Copy { to: place, .. }
            | Item::Fill { place, .. }
            | Item::Push { place, .. }
            | Item::Pop { place }
            | Item::Swap { place, .. } => self.own(place)?,
            Item::Exchange { a, b } => {
                self.own(a)?;
                self.own(b)?;
            }
            Item::Call(call) => self.call(call)?,
            Item::Def(d) => match &self.program.defs[*d].kind {
                DefKind::Opaque(_) if !self.program.questions.contains(d) => return None,
                DefKind::Call(call) => self.call(call)?,
                DefKind::Version(root) if self.sums.contains_key(d) => {
                    debug_assert!(!self.inside.contains(root));
                    return Some(());
                }
                DefKind::Op { args, .. } if self.sums.contains_key(d) => {
                    return args[1..].iter().try_for_each(|a| self.operand(a));
                }
                _ => {}
            },
        }
        let program = self.program;
        let mut fine = Some(());
        program.item_mentions(item, &mut |mention| fine = fine.and(self.mention(mention)));
        fine
    }

    fn own(&self, place: &Place) -> Option<()> {
        match place.base {
            Base::Root(root) if self.inside.contains(&root) => Some(()),
            _ => None,
        }
    }

    /// A call that changes nothing outside, as far as its arguments tell.
    fn call(&self, call: &Call) -> Option<()> {
        // what a closure captures may change before the round runs again
        if let Callee::Value(_) = call.callee {
            return None;
        }
        let own = |arg: &Arg| matches!(arg, Arg::Whole { root } if self.lent.contains(root));
        let handles = call.passes_whole() && !call.args.iter().any(own);
        let fine = |arg: &Arg| match arg {
            Arg::Const(value) => !self.program.passes_called(value),
            Arg::Value(_) | Arg::Shared(_) => true,
            Arg::Exclusive(place) => self.own(place).is_some(),
            arg if own(arg) => true,
            // a handle leads to the memory itself, not to what was kept of it
            Arg::Whole { root } => {
                let shared = Passing::Shared;
                let kind = self.program.roots[*root].kind;
                !handles && matches!(kind, RootKind::Param { passing, .. } if passing == shared)
            }
            Arg::Closure { .. } => false,
        };
        (!call.unpack.leaves() && call.args.iter().all(fine)).then_some(())
    }

    fn operand(&mut self, atom: &Atom) -> Option<()> {
        let mut fine = Some(());
        atom.mentions(&mut |mention| fine = fine.and(self.mention(mention)));
        fine
    }

    /// Values from outside hold for good; memory from outside must hold until the round runs again. Nothing but a sum reads a sum.
    fn mention(&mut self, mention: Mention<'_>) -> Option<()> {
        let root = match &mention {
            Mention::Def(d) if self.sums.contains_key(d) => return None,
            Mention::Def(d) => {
                if !self.program.defs[*d]
                    .point
                    .loops
                    .starts_with(&self.begin.loops)
                {
                    self.reads.defs.insert(*d);
                }
                return Some(());
            }
            Mention::Place(Place {
                base: Base::Root(root),
                ..
            })
            | Mention::Root(root) => *root,
            Mention::Place(_) => return Some(()),
        };
        if self.inside.contains(&root) {
            return Some(());
        }
        let declared = &self.program.roots[root];
        let holds = self.program.stable(root, self.begin, declared.loops.len());
        if declared.kind == RootKind::Scalar || !holds || self.program.unkept.contains(&root) {
            return None;
        }
        self.reads.roots.insert(root);
        Some(())
    }
}

#[cfg(test)]
mod tests;
