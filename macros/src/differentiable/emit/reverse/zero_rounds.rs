//! Rounds that end by writing entries of memory, from which all cotangents arrive: if these are zero, as where a maximum or a path chose
//! others, nothing else of the round is undone.
//!
//! ```text
//! // for j in 1..=m { let best = min3(t[i - 1][j], t[i][j - 1], t[i - 1][j - 1]); t[i][j] = cost(x[i], y[j]) + best; }
//! move_from(&mut t12_d, &mut t_d, |m| &mut (*m)[i][j]);
//! if Arriving(&t12_d).any() && (&min3 {}).is_tapeless(LEVELS) && … { … }
//! ```
//!
//! Only in rounds with loops or calls: others are a few operations, which the optimizer turns to vectors if there is no branch. The memory that is read
//! and the tape are as they are without the round, since nothing of it is on the tape but what came off in front.

use std::collections::HashSet;

use proc_macro2::TokenStream;

use super::Reverse;
use crate::differentiable::analyse::commuting::declared;
use crate::differentiable::emit::bounds;
use crate::differentiable::emit::names::shadow;
use crate::differentiable::ir::*;
use crate::signature::Passing;

impl Block {
    /// The statements with which a block ends, if they write values to entries of memory, or add them.
    pub(super) fn arrivals(&self) -> &[Item] {
        let writes = |item: &Item| matches!(item, Item::Assign { place, value: Atom::Def(_), .. } if !place.suffix.is_empty());
        let others = self.items.iter().rposition(|item| !writes(item));
        &self.items[others.map_or(0, |last| last + 1)..]
    }
}

impl Reverse<'_> {
    /// Whether a cotangent arrives in a round, if it is worth a question, and the values that are named where it arrives.
    pub(super) fn arriving(&self, body: &Block) -> Option<(TokenStream, Vec<DefId>)> {
        let p = self.program;
        let (rest, arrivals) = body
            .items
            .split_at(body.items.len() - body.arrivals().len());
        let mut inside = HashSet::new();
        declared(body, &mut inside);
        let (mut worth, mut calls, mut named) = (false, Vec::new(), Vec::new());
        for item in rest {
            match p.call_of(item) {
                Some(call) => calls.push(self.leaves_nothing(item, call)?),
                None if self.item_arrives(item, &inside, &mut false) || self.item_tapes(item) => {
                    return None;
                }
                None => worth |= matches!(item, Item::Loop { .. }),
            }
        }
        let arrivals = arrivals.iter().map(|item| match item {
            Item::Assign { place, value, .. } => match (place.base, value) {
                (Base::Root(root), Atom::Def(d))
                    if !inside.contains(&root)
                        && place.uses.roots.is_empty()
                        && self.is_touched(Base::Def(*d)) =>
                {
                    named.extend(&place.uses.defs);
                    named.extend(self.exists(*d).then_some(*d));
                    let d = shadow(&p.defs[*d].name);
                    Some(code!((&::coenzyme::__private::Arriving(&#d)).any()))
                }
                _ => None,
            },
            _ => None,
        });
        let arrivals = arrivals.collect::<Option<Vec<_>>>()?;
        let asked = !arrivals.is_empty() && (worth || !calls.is_empty());
        asked.then(|| {
            let question = code!({
                use ::coenzyme::__private::{
                    Arrives as _, MayArrive as _, MayReadLater as _, ReadsLater as _,
                };
                #(#arrivals)||* #(|| !#calls)*
            });
            (question, named)
        })
    }

    /// Whether a call leaves nothing on the tape, where its value alone has a cotangent.
    fn leaves_nothing(&self, item: &Item, call: &Call) -> Option<TokenStream> {
        let Item::Def(_) = item else { return None };
        let writes = |arg: &Arg| match arg {
            Arg::Exclusive(_) | Arg::Closure { .. } => true,
            Arg::Whole { root } => {
                let exclusive = Passing::Exclusive;
                let kind = self.program.roots[*root].kind;
                matches!(kind, RootKind::Param { passing, .. } if passing == exclusive)
            }
            _ => false,
        };
        let reads = !call.args.iter().any(writes);
        reads.then(|| self.tapeless(call, &code!(::coenzyme::__private::LEVELS)))?
    }

    /// Whether a call leaves nothing on the tape, as its callee says.
    fn tapeless(&self, call: &Call, levels: &TokenStream) -> Option<TokenStream> {
        let (Callee::Path(path), Unpack::Plain) = (&call.callee, &call.unpack) else {
            return None;
        };
        let keeps = (0..call.args.len()).any(|i| self.keeps(call, i).is_some());
        let callee = self.program.marker_told(path);
        (!keeps && !self.function.names_generics_in(path))
            .then(|| code!((&#callee).is_tapeless(#levels)))
    }

    /// What the marker says of itself to [`tapeless`](Self::tapeless).
    pub(super) fn is_tapeless(&self) -> Option<TokenStream> {
        let p = self.program;
        let nothing = self.plan.recomputed.is_empty()
            && self.state.borrow().on_tape.is_empty()
            && self.state.borrow().checkpointed.is_empty()
            && self.lent_value().is_none()
            && !(0..p.roots.len()).any(|root| self.saves(root));
        let mut calls = Vec::new();
        bounds::each_call(p, &p.body, &mut |call| {
            calls.push(self.tapeless(call, &code!(levels)));
        });
        let calls: Vec<_> = calls.into_iter().collect::<Option<_>>()?;
        if !nothing {
            return None;
        }
        let deeper = (!calls.is_empty()).then(|| {
            code! {
                use ::coenzyme::__private::{MayReadLater as _, ReadsLater as _};
                let ::core::option::Option::Some(levels) = levels.checked_sub(1) else { return false };
            }
        });
        Some(code! {
            #[inline]
            fn is_tapeless(&self, levels: u32) -> bool {
                #deeper
                true #(&& #calls)*
            }
        })
    }
}
