//! Scratch memory: declared in front of a loop, filled by every round before the round reads it, used by nothing else.
//!
//! To the derivative it is as if every round declared it anew: no round reads what another left in it.
//!
//! Of a slice that a caller hands in as scratch memory, whether a round fills all of it is known when the lengths are:
//!
//! ```text
//! // for (t, a) in te.iter_mut().zip(&alphas) { *t = …; }
//! let filled = te.len() <= min(te.len(), alphas.len());
//! ```

use std::cell::RefCell;
use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::length::{self, Lengths};
use crate::differentiable::ir::mentions::Mention;
use crate::differentiable::ir::*;
use crate::differentiable::tokens::index::{is_all, only_index};

impl Program {
    /// The scratch memory of a loop with this body.
    pub(crate) fn scratch(&self, body: &Block) -> HashSet<RootId> {
        let mut inits = Vec::new();
        find_inits(&self.body, body.id, &mut inits);
        let mut elsewhere = HashSet::new();
        self.roots_outside(&self.body, body.id, &mut elsewhere);
        if let Some(Atom::Root(root)) = self.result {
            elsewhere.insert(root);
        }
        let lengths = Lengths::of(self, &inits);
        let scratch = inits.into_iter().filter(|(root, _)| {
            let declared = &self.roots[*root];
            let fill = Fill {
                program: self,
                root: *root,
                lengths: &lengths,
                lent: None,
            };
            declared.varied
                && declared.kind == RootKind::Memory
                && !elsewhere.contains(root)
                && fill.block(body, false).is_some()
        });
        scratch.map(|(root, _)| root).collect()
    }

    /// Those of some slices, which are parameters, that are scratch memory of a loop with this body and variable; and when every round
    /// fills all of them.
    pub(crate) fn lent_scratch(
        &self,
        variable: DefId,
        body: &Block,
        slices: &[RootId],
    ) -> (Vec<RootId>, Expr) {
        let (mut lent, mut filled) = (Vec::new(), Expr::default());
        filled.tokens = quote!(true);
        let mut elsewhere = HashSet::new();
        self.roots_outside(&self.body, body.id, &mut elsewhere);
        let lengths = Lengths::of(self, &[]);
        for root in slices.iter().filter(|r| !elsewhere.contains(r)) {
            let ends = RefCell::new(Vec::new());
            let fill = Fill {
                program: self,
                root: *root,
                lengths: &lengths,
                lent: Some((&self.defs[variable].point.loops, &ends)),
            };
            if !fill.block_names(body) || fill.block(body, false).is_none() {
                continue;
            }
            lent.push(*root);
            let name = &self.roots[*root].name;
            for end in ends.into_inner() {
                let tokens = &end.tokens;
                filled.tokens.extend(quote!(&& #name.len() <= #tokens));
                filled.uses.extend(&end.uses);
            }
        }
        (lent, filled)
    }

    /// Whether a block does no more with memory than to assign to it, and to ask for its length.
    pub(crate) fn only_writes(&self, block: &Block, root: RootId) -> bool {
        let lengths = Lengths::of(self, &[]);
        let names = |item: &Item| {
            let mut count = 0;
            self.item_mentions(item, &mut |mention| match mention {
                Mention::Root(named) => count += usize::from(named == root),
                Mention::Place(place) => count += usize::from(root_of(place) == Some(root)),
                Mention::Def(_) => {}
            });
            count
        };
        block.items.iter().all(|item| match item {
            Item::Branch { arms, .. } => arms.iter().all(|a| self.only_writes(&a.body, root)),
            Item::Loop { body, .. } => self.only_writes(body, root),
            Item::Assign {
                place,
                op: Assign::Set,
                ..
            } if root_of(place) == Some(root) => names(item) == 1,
            Item::Def(d) if lengths.is_length(&self.defs[*d]) => true,
            item => names(item) == 0,
        })
    }

    /// The roots that are named outside block `except`.
    fn roots_outside(&self, block: &Block, except: usize, found: &mut HashSet<RootId>) {
        for item in &block.items {
            match item {
                Item::Loop { body, .. } if body.id == except => {}
                Item::Loop { body, .. } => self.roots_outside(body, except, found),
                Item::Branch { arms, .. } => arms
                    .iter()
                    .for_each(|a| self.roots_outside(&a.body, except, found)),
                item => self.item_mentions(item, &mut |mention| match mention {
                    Mention::Root(root) => drop(found.insert(root)),
                    Mention::Place(place) => found.extend(root_of(place)),
                    Mention::Def(_) => {}
                }),
            }
        }
    }
}

/// Memory that can be had again, declared outside block `except`.
pub(crate) fn find_inits<'a>(block: &'a Block, except: usize, found: &mut Vec<(RootId, &'a Expr)>) {
    for item in &block.items {
        match item {
            Item::Declare {
                root,
                init: Init::Inactive { expr, again: true },
            } => found.push((*root, expr)),
            Item::Loop { body, .. } if body.id != except => find_inits(body, except, found),
            Item::Branch { arms, .. } => {
                arms.iter().for_each(|a| find_inits(&a.body, except, found));
            }
            _ => {}
        }
    }
}

fn root_of(place: &Place) -> Option<RootId> {
    match place.base {
        Base::Root(root) => Some(root),
        Base::Def(_) => None,
    }
}

/// Whether memory is filled before it is read.
struct Fill<'a> {
    program: &'a Program,
    root: RootId,
    lengths: &'a Lengths,
    /// Of memory that is lent: the loops around a round, and the lengths that rounds fill.
    lent: Option<(&'a [usize], &'a RefCell<Vec<Expr>>)>,
}

impl Fill<'_> {
    /// Whether all of the memory is filled after a block, if it was before; `None` if something unfilled is read.
    fn block(&self, block: &Block, mut filled: bool) -> Option<bool> {
        for item in &block.items {
            filled = self.item(item, filled)?;
        }
        Some(filled)
    }

    fn item(&self, item: &Item, filled: bool) -> Option<bool> {
        if filled || !self.named(item) {
            return Some(filled);
        }
        match item {
            // without rounds there are no entries
            Item::Branch { arms, selector } if is_guard(arms, selector) => {
                self.block(&arms[0].body, false)
            }
            Item::Branch { arms, .. } => {
                let arms = arms.iter().map(|a| self.block(&a.body, false));
                arms.collect::<Option<Vec<_>>>()
                    .map(|arms| arms.into_iter().all(|filled| filled))
            }
            // entries that come later are not read
            Item::Loop { .. } if self.fills_by_entries(item) => {
                self.names_own_entries(item).then_some(true)
            }
            Item::Loop { body, .. } => self.block(body, false).map(|_| false),
            Item::Fill { place, .. } | Item::Copy { to: place, .. } => {
                let others = self.names(item).count() > 1;
                (!others).then(|| self.is_whole(place))
            }
            Item::Assign { place, op, .. } => {
                let others = self.names(item).count() > 1;
                (!others && *op == Assign::Set).then(|| self.is_whole(place))
            }
            Item::Def(d) if self.lengths.is_length(&self.program.defs[*d]) => Some(false),
            _ => None,
        }
    }

    fn block_names(&self, block: &Block) -> bool {
        block.items.iter().any(|item| self.named(item))
    }

    /// Each time that an item names the memory.
    fn names(&self, item: &Item) -> impl Iterator<Item = Option<TokenStream>> {
        let mut found = Vec::new();
        self.program
            .item_mentions(item, &mut |mention| match mention {
                Mention::Root(root) if root == self.root => found.push(None),
                Mention::Place(place) if root_of(place) == Some(self.root) => {
                    found.push(Some(place.suffix.clone()));
                }
                _ => {}
            });
        found.into_iter()
    }

    fn named(&self, item: &Item) -> bool {
        self.names(item).next().is_some()
    }

    fn is_whole(&self, place: &Place) -> bool {
        root_of(place) == Some(self.root) && is_all(&place.suffix)
    }

    /// Whether a loop over all of the memory begins with `x[j] = …`, as far as the memory goes.
    fn fills_by_entries(&self, item: &Item) -> bool {
        let Item::Loop {
            iterable: Iterable::Counted { range, variable },
            body,
            flags,
        } = item
        else {
            return false;
        };
        let first = body.items.iter().find(|i| self.named(i));
        let Some(Item::Assign {
            place,
            op: Assign::Set,
            ..
        }) = first
        else {
            return false;
        };
        flags.is_empty()
            && range.step.is_none()
            && self.is_entry(&place.suffix, *variable)
            && first.is_some_and(|i| self.names(i).count() == 1)
            && self.fills_all(range)
    }

    /// Whether a range is that of all entries; notes how many it has, if that is to be seen.
    fn fills_all(&self, range: &Range) -> bool {
        let Some((loops, ends)) = self.lent else {
            return self.lengths.runs_over_all(self.program, range, self.root);
        };
        let end = length::end_outside(self.program, range, loops);
        ends.borrow_mut().extend(end.clone());
        end.is_some()
    }

    /// Whether every place in the loop is the entry of the loop variable.
    fn names_own_entries(&self, item: &Item) -> bool {
        let Item::Loop {
            iterable: Iterable::Counted { variable, .. },
            ..
        } = item
        else {
            return false;
        };
        self.names(item)
            .all(|suffix| suffix.is_some_and(|s| self.is_entry(&s, *variable)))
    }

    fn is_entry(&self, suffix: &TokenStream, variable: DefId) -> bool {
        let index = only_index(suffix).and_then(|index| syn::parse2::<Ident>(index).ok());
        index.is_some_and(|index| index == self.program.defs[variable].name)
    }
}

/// Whether a branch is `if !range.is_empty() { …; for k in range { … } }`, as `analyse/loop_invariant.rs` makes it.
pub(crate) fn is_guard(arms: &[Arm], selector: &Selector) -> bool {
    match (arms, selector) {
        ([then, otherwise], Selector::If(Atom::Const(condition))) => match then.body.items.last() {
            Some(Item::Loop {
                iterable: Iterable::Counted { range, .. },
                ..
            }) => match &range.range {
                Atom::Const(range) => {
                    let range = &range.tokens;
                    let guard = quote::quote!(!#range.is_empty());
                    otherwise.body.items.is_empty() && are_one(&condition.tokens, guard)
                }
                _ => false,
            },
            _ => false,
        },
        _ => false,
    }
}

/// Whether two texts are one expression.
fn are_one(a: &TokenStream, b: TokenStream) -> bool {
    let parsed = |tokens| syn::parse2::<syn::Expr>(tokens).ok();
    parsed(a.clone()).is_some_and(|a| parsed(b) == Some(a))
}
