//! The search itself: rounds that compute what their conditions ask for.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;

use super::round::Round;
use crate::differentiable::ir::*;

/// The search of a loop: its rounds without what they set, but for the scalars `read` in later rounds.
pub(super) struct Look<'a> {
    pub(super) program: &'a Program,
    pub(super) round: &'a Round,
    pub(super) read: &'a BTreeSet<RootId>,
}

impl Look<'_> {
    /// The statements up to what is set, behind as many conditions.
    pub(super) fn way(&self, block: &Block, conditions: usize) -> TokenStream {
        let last = block.items.len().saturating_sub(1);
        let items = block.items.iter().enumerate().map(|(i, item)| match item {
            Item::Branch { arms, selector } if i == last && conditions > 0 => {
                let inside = self.way(&arms[0].body, conditions - 1);
                let bodies = vec![inside, TokenStream::new()];
                self.program.branch(selector, arms, bodies)
            }
            item => self.item(item),
        });
        let items: TokenStream = items.collect();
        let found = (conditions == 0).then(|| code!(found = round;));
        code!(#items #found)
    }

    fn block(&self, block: &Block) -> TokenStream {
        block.items.iter().map(|item| self.item(item)).collect()
    }

    fn item(&self, item: &Item) -> TokenStream {
        let p = self.program;
        match item {
            Item::Def(d) => {
                let primal = p.primals.get(d).map(|primal| primal.tokens.clone());
                let (name, value) = (&p.defs[*d].name, primal.or_else(|| p.def_value(*d)));
                value.map_or_else(TokenStream::new, |value| code!(let #name = #value;))
            }
            Item::Declare { root, init } => {
                let declared = p.roots[*root].declared();
                let value = p.init_primal(init, p.roots[*root].kind);
                let value = value.map(|value| code!(= #value));
                code!(#declared #value;)
            }
            Item::Assign { place, op, value } => match place.base {
                Base::Root(root) if self.read.contains(&root) => {
                    let (name, value) = (&p.roots[root].name, p.atom_value(value));
                    code!(#name = ::coenzyme::__private::copy(&#value);)
                }
                Base::Root(root) if self.round.sets(root) => TokenStream::new(),
                _ => p.assign_primal(place, *op, value),
            },
            Item::Branch { arms, selector } => {
                let bodies = arms.iter().map(|arm| self.block(&arm.body)).collect();
                p.branch(selector, arms, bodies)
            }
            Item::Loop {
                iterable,
                body,
                flags,
            } => {
                let (inside, leave) = (self.block(body), p.leave_primal(flags));
                p.loop_primal(iterable, code!(#inside #leave))
            }
            _ => unreachable!("a round that searches has no other statements"),
        }
    }
}
