//! Conditions whose calls change something: each such call gets a statement of its own, where it is evaluated.
//!
//! ```text
//! // if step(&mut s, k) && n < 3 { … }
//! { let told = step(&mut s, k); if told && n < 3 { … } }
//! // if n < 3 && step(&mut s, k) { … }
//! { let told = if n < 3 { step(&mut s, k) } else { false }; if told { … } }
//! // while step(&mut s, k) > 0.1 { … }
//! loop { let told = step(&mut s, k); if told > 0.1 { … } else { break } }
//! ```

use std::cell::Cell;

use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, ExprWhile, Stmt, UnOp};

use crate::differentiable::methods::{calls, operations, paths};
use crate::differentiable::syntax::names::hidden;
use crate::differentiable::syntax::patterns::contains_let;
use crate::tried::{TRIED, is_query};

/// Writes out the conditions of a body. `lends` says of an argument whether it is a mutable reference, `changes` of a method's name whether its
/// receiver is changed by a rule.
pub(crate) fn written_out(
    body: &mut syn::Block,
    lends: &dyn Fn(&Expr) -> bool,
    changes: &dyn Fn(&str) -> bool,
) {
    let next = Cell::new(0);
    Conditions {
        lends,
        changes,
        next,
    }
    .visit_block_mut(body);
}

struct Conditions<'a> {
    lends: &'a dyn Fn(&Expr) -> bool,
    changes: &'a dyn Fn(&str) -> bool,
    /// The next number of a name.
    next: Cell<usize>,
}

impl Conditions<'_> {
    /// Whether an expression is a call that changes what it is lent.
    fn is_changing(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Call(call) => {
                let of_std = ["take", "replace"]
                    .iter()
                    .any(|name| paths::is(&call.func, &["mem", name], 1));
                let by_path =
                    matches!(&*call.func, Expr::Path(path) if path.path.leading_colon.is_none());
                by_path && !of_std && call.args.iter().any(self.lends)
            }
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                name.starts_with(TRIED) || !calls::is_std_call(call) && (self.changes)(&name)
            }
            _ => false,
        }
    }

    /// What is evaluated first in a condition.
    fn first<'e>(&self, condition: &'e mut Expr) -> Option<&'e mut Expr> {
        if self.is_changing(condition) {
            return Some(condition);
        }
        match condition {
            Expr::Binary(binary) => self.first(&mut binary.left),
            Expr::Unary(unary) if !matches!(unary.op, UnOp::Deref(_)) => {
                self.first(&mut unary.expr)
            }
            Expr::Paren(paren) => self.first(&mut paren.expr),
            Expr::Field(field) => self.first(&mut field.base),
            Expr::MethodCall(call) if calls::is_std_call(call) || is_query(&call.method) => {
                self.first(&mut call.receiver)
            }
            _ => None,
        }
    }

    /// Statements before a condition, which has no call that changes something then.
    fn before(&self, condition: &mut Expr) -> Vec<Stmt> {
        let told = hidden(&format!("told{}", self.next.get()));
        self.next.set(self.next.get() + 1);
        if let Some(lazy) = self.lazy(condition) {
            *condition = syn::parse_quote!(#told);
            return vec![syn::parse_quote!(let #told = #lazy;)];
        }
        let Some(call) = self.first(condition) else {
            return Vec::new();
        };
        let first = std::mem::replace(call, syn::parse_quote!(#told));
        vec![syn::parse_quote!(let #told = #first;)]
    }

    /// `a && b` and `a || b` in branches, where `b` has such a call.
    fn lazy(&self, condition: &Expr) -> Option<Expr> {
        let Expr::Binary(both) = condition else {
            return None;
        };
        let (mut left, mut right) = ((*both.left).clone(), (*both.right).clone());
        if !matches!(both.op, BinOp::And(_) | BinOp::Or(_)) {
            return None;
        }
        let of_right = self.before(&mut right);
        if of_right.is_empty() {
            return None;
        }
        let of_left = self.before(&mut left);
        let right = quote!({ #(#of_right)* #right });
        Some(match both.op {
            BinOp::And(_) => syn::parse_quote!({ #(#of_left)* if #left #right else { false } }),
            _ => syn::parse_quote!({ #(#of_left)* if #left { true } else #right }),
        })
    }

    /// Whether an expression is a condition, which is true or not.
    fn is_condition(expr: &Expr) -> bool {
        match expr {
            Expr::Binary(binary) => operations::operator(&binary.op).is_none(),
            Expr::Unary(unary) => matches!(unary.op, UnOp::Not(_)),
            Expr::MethodCall(call) => is_query(&call.method),
            Expr::Paren(paren) => Self::is_condition(&paren.expr),
            _ => false,
        }
    }

    /// A loop whose condition changes something.
    fn endless(&self, l: &ExprWhile) -> Option<Expr> {
        let (attrs, label, body, mut condition) = (&l.attrs, &l.label, &l.body, (*l.cond).clone());
        if contains_let(&condition) {
            return None;
        }
        let before = self.before(&mut condition);
        (!before.is_empty()).then(|| {
            syn::parse_quote!(#(#attrs)* #label loop { #(#before)* if #condition #body else { break } })
        })
    }
}

impl VisitMut for Conditions<'_> {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        visit_mut::visit_block_mut(self, block);
        let mut done = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            if let Stmt::Local(local) = &mut stmt
                && let Some(init) = &mut local.init
                && Self::is_condition(&init.expr)
            {
                done.append(&mut self.before(&mut init.expr));
            }
            done.push(stmt);
        }
        block.stmts = done;
    }
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            Expr::While(l) => {
                if let Some(endless) = self.endless(l) {
                    *expr = endless;
                }
            }
            Expr::If(branch) if !contains_let(&branch.cond) => {
                let before = self.before(&mut branch.cond);
                if !before.is_empty() {
                    *expr = syn::parse_quote!({ #(#before)* #branch });
                }
            }
            _ => {}
        }
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
