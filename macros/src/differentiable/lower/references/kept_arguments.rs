//! What has no derivative is lent to a rule, and changes afterwards: the rule gets a copy, which the reverse sweep finds as it was.
//!
//! ```text
//! // run(&config, &mut x); config.order += 1; run(&config, &mut x);
//! let kept = config.to_owned(); run(&kept, &mut x); config.order += 1; run(&config, &mut x);
//! ```

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;

use crate::differentiable::ir::*;

impl Program {
    /// Gives calls copies of what changes after them.
    pub(crate) fn keep_arguments(&mut self) {
        let mut body = std::mem::take(&mut self.body);
        self.keep_in(&mut body);
        self.body = body;
    }

    fn keep_in(&mut self, block: &mut Block) {
        for mut item in std::mem::take(&mut block.items) {
            let copies = match &mut item {
                Item::Call(call) => self.copies_for(call),
                Item::Def(d) => self.copies_for_value(*d),
                Item::Branch { arms, .. } => {
                    arms.iter_mut().for_each(|arm| self.keep_in(&mut arm.body));
                    Vec::new()
                }
                Item::Loop { body, .. } => {
                    self.keep_in(body);
                    Vec::new()
                }
                _ => Vec::new(),
            };
            block.items.extend(copies.into_iter().map(Item::Def));
            block.items.push(item);
        }
    }

    fn copies_for_value(&mut self, value: DefId) -> Vec<DefId> {
        let mut kind = std::mem::replace(&mut self.defs[value].kind, DefKind::LoopVariable);
        let copies = match &mut kind {
            DefKind::Call(call) => self.copies_for(call),
            _ => Vec::new(),
        };
        self.defs[value].kind = kind;
        copies
    }

    fn copies_for(&mut self, call: &mut Call) -> Vec<DefId> {
        let mut copies = Vec::new();
        for arg in &mut call.args {
            let each = match arg {
                Arg::Closure { captured, .. } => captured.iter_mut().collect(),
                arg => vec![arg],
            };
            for arg in each {
                if let Arg::Const(given) = arg
                    && self.changes_after(&given.uses, &call.point)
                {
                    let copy = self.kept(given, &call.point);
                    copies.push(copy);
                }
            }
        }
        copies
    }

    /// Whether memory is written between a call and the reverse sweep of it.
    fn changes_after(&self, uses: &Uses, call: &Point) -> bool {
        let changes = |root: &RootId| !self.stable(*root, call, self.roots[*root].loops.len());
        uses.roots.iter().any(changes)
    }

    /// A value for what a call is given, which it is given instead.
    fn kept(&mut self, given: &mut Expr, point: &Point) -> DefId {
        let copy = self.defs.len();
        let name = Ident::new(&format!("kept{copy}"), Span::mixed_site());
        let lent = behind(&given.tokens);
        let (value, instead) = match &lent {
            Some(lent) => (
                quote!(::std::borrow::ToOwned::to_owned(&#lent)),
                quote!(&#name),
            ),
            None => (
                given.tokens.clone(),
                quote!(::core::clone::Clone::clone(&#name)),
            ),
        };
        given.tokens = instead;
        let uses = std::mem::take(&mut given.uses);
        given.uses.defs.insert(copy);
        self.defs.push(Def {
            name,
            kind: DefKind::Opaque(Expr {
                tokens: value,
                uses,
            }),
            varied: false,
            stored: false,
            point: point.clone(),
        });
        copy
    }
}

/// `x` of `&x`.
fn behind(lent: &TokenStream) -> Option<TokenStream> {
    let mut tokens = lent.clone().into_iter();
    let reference = matches!(tokens.next(), Some(TokenTree::Punct(and)) if and.as_char() == '&');
    reference.then(|| tokens.collect())
}
