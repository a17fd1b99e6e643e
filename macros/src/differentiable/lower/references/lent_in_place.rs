//! A part of a vector that grows is lent to a call as a copy, for the vector may have another length when the call is reversed. One that
//! has grown to its end by then has not: a part of it that is only read is lent in place.
//!
//! ```text
//! // for l in 0..n { layers.push(layer(&p[l..])) }  for &x in data { total += spline(&layers[i], x) }
//! let apart = layers[i].clone(); call spline(&apart, x)      // becomes
//! call spline(&layers[i], x)
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::differentiable::ir::*;

/// Which copies were made for calls that only read them, and of which parts.
pub(crate) type CopiedParts = BTreeMap<RootId, Place>;

impl Program {
    /// Lends parts in place of their copies where nothing is written from the call to the end of the memory's life.
    pub(crate) fn lend_in_place(&mut self, copies: &CopiedParts) {
        if copies.is_empty() {
            return;
        }
        let mut needless = BTreeSet::new();
        let mut body = std::mem::take(&mut self.body);
        self.lend_in(&mut body, copies, &mut needless);
        drop_copies(&mut body, &needless);
        self.body = body;
    }

    fn lend_in(
        &mut self,
        block: &mut Block,
        copies: &CopiedParts,
        needless: &mut BTreeSet<RootId>,
    ) {
        for item in &mut block.items {
            match item {
                Item::Call(call) => self.lend_to(call, copies, needless),
                Item::Def(d) => {
                    let kind = std::mem::replace(&mut self.defs[*d].kind, DefKind::LoopVariable);
                    self.defs[*d].kind = match kind {
                        DefKind::Call(mut call) => {
                            self.lend_to(&mut call, copies, needless);
                            DefKind::Call(call)
                        }
                        kind => kind,
                    };
                }
                Item::Branch { arms, .. } => arms
                    .iter_mut()
                    .for_each(|arm| self.lend_in(&mut arm.body, copies, needless)),
                Item::Loop { body, .. } => self.lend_in(body, copies, needless),
                _ => {}
            }
        }
    }

    fn lend_to(&self, call: &mut Call, copies: &CopiedParts, needless: &mut BTreeSet<RootId>) {
        for arg in &mut call.args {
            if let Arg::Shared(Place {
                base: Base::Root(copy),
                ..
            }) = arg
                && let Some(part) = copies.get(copy)
                && self.keeps_its_length(part, &call.point)
            {
                needless.insert(*copy);
                *arg = Arg::Shared(part.clone());
            }
        }
    }

    /// Whether the memory of this part is the function's, and the call does not change it, nor what may follow.
    fn keeps_its_length(&self, part: &Place, call: &Point) -> bool {
        let Base::Root(root) = part.base else {
            return false;
        };
        let Root {
            kind,
            loops,
            writes,
            ..
        } = &self.roots[root];
        *kind == RootKind::Memory
            && self.stable(root, call, loops.len())
            && writes.iter().all(|write| write.order != call.order)
    }
}

fn drop_copies(block: &mut Block, needless: &BTreeSet<RootId>) {
    block
        .items
        .retain(|item| !matches!(item, Item::Declare { root, .. } if needless.contains(root)));
    for item in &mut block.items {
        match item {
            Item::Branch { arms, .. } => {
                let bodies = arms.iter_mut().map(|arm| &mut arm.body);
                bodies.for_each(|body| drop_copies(body, needless));
            }
            Item::Loop { body, .. } => drop_copies(body, needless),
            _ => {}
        }
    }
}
