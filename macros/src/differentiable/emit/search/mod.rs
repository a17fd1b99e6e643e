//! Loops that search: of their rounds only the last one that was taken matters, so only that one is differentiated.
//!
//! ```text
//! // for k in 0..n { let d = (x - a[k]).abs(); if d < best { best = d; which = k; } }
//! let found = {
//!     let (mut best, mut found, mut round) = (best, 0, 0);
//!     for k in 0..n { round += 1; let d = …; if d < best { best = d; found = round; } }
//!     found
//! };
//! if found > 0 { let k = nth(0..n, found - 1); let d = …; best = d; which = k; }
//! ```

mod extremum;
mod look;
mod round;
mod steps;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::names::local;
use crate::differentiable::ir::*;
use look::Look;
use round::{Round, Wanted};
use steps::{range_uses, steps};

impl Program {
    /// Writes such loops as a search that has no derivative, and a branch with the round that it found.
    pub(in crate::differentiable) fn settle_searches(&mut self) {
        // the state of a round that is run again is known
        if !self.checkpoints.is_empty() {
            return;
        }
        let mut body = std::mem::take(&mut self.body);
        let mut next_block = body.last_id() + 1;
        let any = self.searches_in(&mut body, &mut next_block);
        self.body = body;
        if any {
            self.settle_moves();
        }
    }

    fn searches_in(&mut self, block: &mut Block, next_block: &mut usize) -> bool {
        let mut any = false;
        for mut item in std::mem::take(&mut block.items) {
            match &mut item {
                Item::Branch { arms, .. } => {
                    for arm in arms {
                        any |= self.searches_in(&mut arm.body, next_block);
                    }
                }
                Item::Loop { body, .. } => any |= self.searches_in(body, next_block),
                _ => {}
            }
            self.compare(&mut item, next_block);
            match self.round_of(&item) {
                Some((round, wanted)) => {
                    any = true;
                    block.items.extend(self.searched(item, &round, &wanted));
                }
                None => block.items.push(item),
            }
        }
        any
    }

    /// The search, and the branch with the round that it found.
    fn searched(&mut self, item: Item, round: &Round, wanted: &Wanted) -> Vec<Item> {
        let search = self.search(&item, round);
        let Item::Loop {
            iterable: Iterable::Counted { range, variable },
            body,
            ..
        } = item
        else {
            unreachable!("a counted loop")
        };
        let (found, name) = (self.defs.len(), local(&format!("found{}", body.id)));
        let mut point = self.defs[variable].point.clone();
        let number = point.loops.pop().expect("the loop");
        self.defs.push(Def {
            name: name.clone(),
            kind: DefKind::Opaque(search),
            varied: false,
            stored: false,
            point,
        });
        self.questions.insert(found);
        let (run, mut uses) = (self.range(&range), range_uses(&range));
        uses.defs.insert(found);
        self.defs[variable].kind = DefKind::Pure(Expr {
            tokens: quote!(::coenzyme::__private::nth(::coenzyme::__private::copy(&(#run)), #name - 1)),
            uses,
        });
        self.leave_loop(number);
        let id = body.id;
        let (steps, otherwise) = steps(body, round.conditions);
        let steps = steps.into_iter().filter(|item| match item {
            Item::Def(d) => wanted.values.contains(d),
            item => wanted.own || !round.is_of_its_own(item),
        });
        let items = std::iter::once(Item::Def(variable)).chain(steps).collect();
        let arm = |id, items| Arm {
            pattern: TokenStream::new(),
            body: Block { id, items },
        };
        let condition = Expr {
            tokens: quote!((#name > 0)),
            uses: Uses {
                defs: [found].into(),
                ..Uses::default()
            },
        };
        let branch = Item::Branch {
            arms: vec![arm(id, items), arm(otherwise, Vec::new())],
            selector: Selector::If(Atom::Const(condition)),
        };
        vec![Item::Def(found), branch]
    }

    /// What stands in loop `number` stands there no longer.
    fn leave_loop(&mut self, number: usize) {
        let leave = |point: &mut Point| point.loops.retain(|l| *l != number);
        for def in &mut self.defs {
            leave(&mut def.point);
            if let DefKind::Call(call) = &mut def.kind {
                leave(&mut call.point);
            }
        }
        for root in &mut self.roots {
            root.loops.retain(|l| *l != number);
            root.writes.iter_mut().for_each(leave);
        }
    }

    /// The number of the round that was taken last, from one; zero if none was.
    fn search(&self, item: &Item, round: &Round) -> Expr {
        let Item::Loop {
            iterable: iterable @ Iterable::Counted { range, variable },
            body,
            ..
        } = item
        else {
            unreachable!("a counted loop")
        };
        let mut uses = range_uses(range);
        self.item_mentions(item, &mut |mention| {
            uses.defs.extend(mention.value());
            uses.roots.extend(mention.root());
        });
        let number = self.defs[*variable].point.loops.last();
        let number = number.expect("the loop");
        let inside = |d: &DefId| self.defs[*d].point.loops.contains(number);
        // what the conditions read of earlier rounds
        let mut read = BTreeSet::new();
        for d in (0..self.defs.len()).filter(inside) {
            match &self.defs[d].kind {
                DefKind::Pure(expr) | DefKind::Opaque(expr) => uses.extend(&expr.uses),
                DefKind::Read(place) => uses.extend(&place.uses),
                DefKind::Call(_) => uses.extend(&self.primals[&d].uses),
                DefKind::Version(root) if round.sets(*root) => drop(read.insert(*root)),
                _ => {}
            }
        }
        uses.defs.retain(|d| !inside(d));
        uses.roots.retain(|root| {
            !round.own.contains(root) && (!round.sets(*root) || read.contains(root))
        });
        let names = read.iter().map(|root| &self.roots[*root].name);
        let look = Look {
            program: self,
            round,
            read: &read,
        };
        let inside = look.way(body, round.conditions);
        let whole = self.loop_primal(iterable, code!(round += 1; #inside));
        let tokens = code!({
            #(let mut #names = ::coenzyme::__private::copy(&#names);)*
            let (mut found, mut round) = (0_usize, 0_usize);
            #whole
            found
        });
        Expr { tokens, uses }
    }
}
