//! What is read, made plain for the analyses: which part of memory, and which value it was given just before.
//!
//! ```text
//! // x[i] without a derivative is a reading of x at [i], not just any expression
//! y[j] = t1; let t2 = y[j];        // let t2 = t1;
//! ```

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use crate::differentiable::ir::mentions::Mention;
use crate::differentiable::ir::*;

impl Program {
    /// Makes plain what is read.
    pub(crate) fn settle_reads(&mut self) {
        for id in 0..self.defs.len() {
            if let DefKind::Pure(expr) = &self.defs[id].kind
                && let Some(place) = self.entry(expr)
            {
                self.defs[id].kind = DefKind::Read(place);
            }
        }
        let body = std::mem::take(&mut self.body);
        self.read_back(&body);
        self.body = body;
    }

    /// The place that an expression is, if it is `x[…]…[…]` and reads no other memory.
    fn entry(&self, expr: &Expr) -> Option<Place> {
        let mut uses = expr.uses.clone();
        let root = uses.roots.pop_first().filter(|_| uses.roots.is_empty())?;
        let suffix = indices(&expr.tokens, &self.roots[root].name)?;
        Some(Place {
            base: Base::Root(root),
            suffix,
            uses,
        })
    }

    /// Entries of a local's memory that are read in the block that gave them a value are that value.
    fn read_back(&mut self, block: &Block) {
        // what entries hold, by their memory and text
        let mut held: BTreeMap<RootId, (String, DefId)> = BTreeMap::new();
        for item in &block.items {
            match item {
                Item::Def(d) => match &self.defs[*d].kind {
                    DefKind::Read(Place {
                        base: Base::Root(root),
                        suffix,
                        uses,
                    }) => {
                        if let Some((entry, value)) = held.get(root)
                            && *entry == key(suffix, uses)
                            && !self.defs[*d].stored
                        {
                            self.defs[*d].kind = DefKind::Read(Place {
                                base: Base::Def(*value),
                                suffix: TokenStream::new(),
                                uses: Uses::default(),
                            });
                        }
                    }
                    DefKind::Call(_) | DefKind::Opaque(_) => self.forget(item, &mut held),
                    _ => {}
                },
                Item::Assign {
                    place:
                        Place {
                            base: Base::Root(root),
                            suffix,
                            uses,
                        },
                    op,
                    value,
                } => {
                    // another entry may be the same one
                    held.remove(root);
                    if let Atom::Def(value) = value
                        && *op == Assign::Set
                        && !suffix.is_empty()
                        && uses.roots.is_empty()
                        && self.roots[*root].kind == RootKind::Memory
                        && self.defs[*value].varied
                    {
                        held.insert(*root, (key(suffix, uses), *value));
                    }
                }
                Item::Branch { arms, .. } => {
                    arms.iter().for_each(|a| self.read_back(&a.body));
                    self.forget(item, &mut held);
                }
                Item::Loop { body, .. } => {
                    self.read_back(body);
                    self.forget(item, &mut held);
                }
                Item::Verbatim(_) => held.clear(),
                item => self.forget(item, &mut held),
            }
        }
    }

    /// Forgets what memory holds that a statement may change.
    fn forget(&self, item: &Item, held: &mut BTreeMap<RootId, (String, DefId)>) {
        self.item_mentions(item, &mut |mention| match mention {
            Mention::Root(root) => drop(held.remove(&root)),
            Mention::Place(place) => {
                if let Base::Root(root) = place.base {
                    held.remove(&root);
                }
            }
            Mention::Def(_) => {}
        });
    }
}

/// Equal for equal entries: the names of values may be equal by hygiene, their numbers are not.
fn key(suffix: &TokenStream, uses: &Uses) -> String {
    format!("{suffix} {:?}", uses.defs)
}

/// The indices that stand after `name` or `(*name)`, if nothing else does.
fn indices(tokens: &TokenStream, name: &Ident) -> Option<TokenStream> {
    let mut trees = tokens.clone().into_iter();
    let is_base = match trees.next()? {
        TokenTree::Ident(base) => base == *name,
        TokenTree::Group(lent) => match &lent.stream().into_iter().collect::<Vec<_>>()[..] {
            [TokenTree::Punct(star), TokenTree::Ident(base)] => {
                star.as_char() == '*' && base == name
            }
            _ => false,
        },
        _ => false,
    };
    let suffix: Vec<TokenTree> = trees.collect();
    let is_index = |tree: &TokenTree| matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket);
    let fine = is_base && !suffix.is_empty() && suffix.iter().all(is_index);
    fine.then(|| suffix.into_iter().collect())
}

#[cfg(test)]
mod tests;
