//! Loops that do nothing but add to sums: the reverse sweep runs each round forwards and then backwards.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;

use super::block::Seed;
use super::{Pass, Reverse};
use crate::differentiable::ir::mentions::Mention;
use crate::differentiable::ir::*;
use crate::differentiable::plan::Fate;

impl Reverse<'_> {
    /// A round forwards and then backwards; the loops inside leave on the tape what they take off it again.
    pub(crate) fn round_again(&self, body: &Block) -> TokenStream {
        let p = self.program;
        let round = &self.plan.recomputed[&body.id];
        let (reads, lent) = (round.reads.clone(), self.own_scratch(body));
        self.require_uses(&reads);
        self.lent.borrow_mut().extend(&lent);
        self.unread.borrow_mut().extend(&round.unread);
        for call in body.items.iter().filter_map(|i| p.call_of(i)) {
            self.state.borrow_mut().held_calls.insert(call.point.order);
        }
        let (arrived, undone) = self.undone(body, Seed::default());
        let (mark, undone) = self.unless_quiet(body, code!(#arrived #undone));
        for item in &body.items {
            match item {
                Item::Def(d) if self.exists(*d) => {
                    self.bind_mentioned(*d);
                    self.decide(&p.defs[*d].name, Fate::Again);
                }
                Item::Def(d) => drop(self.def_backwards(*d)),
                Item::Declare { root, init } if p.roots[*root].kind == RootKind::Scalar => {
                    drop(self.root_backwards(*root, init));
                }
                _ => {}
            }
        }
        let pass = self.pass.replace(Pass::Again);
        let mut forwards: Vec<TokenStream> = Vec::new();
        let mut named = BTreeSet::new();
        // from the end: what nothing names later is left out
        for item in body.items.iter().rev() {
            let idle = self.is_idle(item, &named);
            let added = !self.plan.adds_later(item) && (self.plan.adds_up(item) || idle);
            if added || self.writes_in_vain(item) {
                continue;
            }
            p.item_mentions(item, &mut |mention| {
                if let Mention::Def(d) = mention {
                    named.insert(d);
                }
            });
            let statement = self.held_forwards(item);
            forwards.push(match item {
                Item::Loop { .. } if idle => code!(if __LATER { #statement }),
                _ => statement,
            });
        }
        self.pass.set(pass);
        forwards.reverse();
        let bound = body.bound_again(p, |r| self.bind_root_backwards(r));
        let (restore, scratch) = (self.restore_scratch(&lent), self.bind_scratch(&lent));
        self.unread
            .borrow_mut()
            .retain(|root| !round.unread.contains(root));
        let others = |root: &RootId| !lent.contains(root);
        self.lent.borrow_mut().retain(others);
        let last = self.keep_last(body, &lent);
        code!(#mark #restore #bound #scratch #(#forwards)* #undone #last)
    }

    /// Whether a statement computes nothing that the round needs: neither for what comes later in the text nor for its way back.
    fn is_idle(&self, item: &Item, named: &BTreeSet<DefId>) -> bool {
        match item {
            Item::Def(d) => {
                let calls = matches!(self.program.defs[*d].kind, DefKind::Call(_));
                !calls && !named.contains(d) && !self.exists(*d)
            }
            Item::Loop { body, flags, .. } => {
                let again = self.plan.recomputed.contains_key(&body.id);
                again || flags.is_empty() && !self.tapes_round(body) && self.only_adds(body)
            }
            _ => false,
        }
    }

    /// Whether a block does nothing but add to the sums of a loop that is run again.
    fn only_adds(&self, block: &Block) -> bool {
        block.items.iter().all(|item| match item {
            Item::Def(d) => !matches!(self.program.defs[*d].kind, DefKind::Call(_)),
            Item::Assign { .. } => self.plan.adds_up(item),
            Item::Branch { arms, .. } => arms.iter().all(|a| self.only_adds(&a.body)),
            Item::Loop { body, flags, .. } => flags.is_empty() && self.only_adds(body),
            _ => false,
        })
    }

    /// A statement of a round that is run again. The tapes of its calls are locals.
    fn held_forwards(&self, item: &Item) -> TokenStream {
        match item {
            Item::Call(call) => {
                let (tape, call) = (self.held_tape(call), self.call_forwards(call));
                code!(let (_, #tape) = #call;)
            }
            Item::Def(d) => match &self.program.defs[*d].kind {
                DefKind::Call(call) => {
                    let name = &self.program.defs[*d].name;
                    let (tape, call) = (self.held_tape(call), self.call_forwards(call));
                    code!(let (#name, #tape) = #call;)
                }
                _ => self.item_forwards(item),
            },
            item => self.item_forwards(item),
        }
    }

    /// Whether memory keeps what it holds at a point for as long as it lives.
    pub(crate) fn stable(&self, root: RootId, point: &Point) -> bool {
        !self.program.unkept.contains(&root)
            && self
                .program
                .stable(root, point, self.plan.outside(self.program, root))
    }
}
