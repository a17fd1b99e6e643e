//! Swaps that are written otherwise: by moves through a third name, or as all of an arm.

use std::collections::HashSet;

use quote::format_ident;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Pat, Stmt};

use super::find::{mentions, swap_of};
use crate::differentiable::syntax::names::simple_name;

/// Writes `let held = a; a = b; b = held;` as swaps.
pub(crate) struct Moves<'k> {
    pub(crate) known: &'k HashSet<String>,
}

impl Moves<'_> {
    /// The names that a sequence of moves at the beginning of some statements turns round.
    fn round(&self, stmts: &[Stmt]) -> Option<Vec<String>> {
        let Some(Stmt::Local(held)) = stmts.first() else {
            return None;
        };
        let (Pat::Ident(pat), Some(init)) = (&held.pat, &held.init) else {
            return None;
        };
        let first = simple_name(&init.expr).filter(|name| self.known.contains(name))?;
        let (held, mut names) = (pat.ident.to_string(), vec![first]);
        for stmt in &stmts[1..] {
            let Stmt::Expr(Expr::Assign(assign), _) = stmt else {
                return None;
            };
            let (to, from) = (simple_name(&assign.left)?, simple_name(&assign.right)?);
            if names.last() != Some(&to) {
                return None;
            }
            if from == held {
                let after = &stmts[names.len() + 1..];
                return (names.len() > 1 && !mentions(after, &[held])).then_some(names);
            }
            names.push(from);
        }
        None
    }
}

impl VisitMut for Moves<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let mut i = 0;
        while i < block.stmts.len() {
            if let Some(names) = self.round(&block.stmts[i..]) {
                let swaps = names.windows(2).map(|pair| -> Stmt {
                    let [a, b] = [0, 1].map(|i| format_ident!("{}", pair[i]));
                    syn::parse_quote!(::std::mem::swap(&mut #a, &mut #b);)
                });
                let swaps: Vec<Stmt> = swaps.collect();
                block.stmts.splice(i..i + names.len() + 1, swaps);
            }
            i += 1;
        }
        visit_mut::visit_block_mut(self, block);
    }
    /// A swap that is all of an arm becomes a statement.
    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        let body = &arm.body;
        if swap_of(&Stmt::Expr((**body).clone(), None)).is_some() {
            *arm.body = syn::parse_quote!({ #body; });
        }
        visit_mut::visit_arm_mut(self, arm);
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
