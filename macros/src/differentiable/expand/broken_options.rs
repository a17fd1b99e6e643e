//! Loops that are left with `Some(…)`, `None`, `Ok(…)` or `Err(…)`: what they give is a value here, and does not end the function.
//!
//! ```text
//! // let r = loop { … break Some(x); … break None; };
//! let mut broken = None;
//! loop { … { broken = Some(x); break } … { broken = None; break } }
//! let r = broken;
//! ```
//!
//! At the end of a function they do: `break Some(x)` is `return Some(x)`.

use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Lifetime, Stmt};

use crate::differentiable::syntax::names::hidden;
use crate::differentiable::syntax::options::{is_failure, is_none, is_some, is_success};

/// Returns from the function what the loop or the labelled block at its end is left with.
pub(crate) fn returned(body: &mut syn::Block) {
    let Some(Stmt::Expr(last, None)) = body.stmts.last_mut() else {
        return;
    };
    let (label, of) = match last {
        Expr::Loop(l) => (&l.label, &mut l.body),
        Expr::Block(block) if block.label.is_some() => (&block.label, &mut block.block),
        _ => return,
    };
    let label = label.as_ref().map(|label| label.name.clone());
    let mut values = values(of, label.as_ref()).into_iter();
    // one of them says of which type all are
    if !values.any(|value| is_success(&value) || is_failure(&value)) {
        return;
    }
    replace(of, label.as_ref(), |leave| {
        let value = &leave.expr;
        syn::parse_quote!(return #value)
    });
    if let Expr::Block(block) = last {
        block.label = None;
    }
}

/// A local that gets what a loop is left with, an `Option`.
pub(crate) fn in_a_local(stmt: Stmt) -> Vec<Stmt> {
    let Stmt::Local(mut local) = stmt else {
        return vec![stmt];
    };
    let Some(init) = &mut local.init else {
        return vec![Stmt::Local(local)];
    };
    let Expr::Loop(l) = &mut *init.expr else {
        return vec![Stmt::Local(local)];
    };
    let label = l.label.as_ref().map(|label| label.name.clone());
    let is_option = |value: &Expr| match value {
        Expr::Call(call) => is_some(call),
        value => is_none(value),
    };
    let values = values(&mut l.body, label.as_ref());
    if values.is_empty() || !values.iter().all(is_option) {
        return vec![Stmt::Local(local)];
    }
    let broken = hidden("broken");
    replace(&mut l.body, label.as_ref(), |leave| {
        let (value, label) = (&leave.expr, &leave.label);
        syn::parse_quote!({ #broken = #value; break #label })
    });
    let l = l.clone();
    *init.expr = syn::parse_quote!(#broken);
    vec![
        syn::parse_quote!(let mut #broken = None;),
        Stmt::Expr(Expr::Loop(l), None),
        Stmt::Local(local),
    ]
}

/// The values with which a loop is left.
fn values(body: &mut syn::Block, label: Option<&Lifetime>) -> Vec<Expr> {
    let mut values = Vec::new();
    replace(body, label, |leave| {
        values.extend(leave.expr.as_deref().cloned());
        Expr::Break(leave.clone())
    });
    values
}

/// Puts something else where a loop is left with a value.
fn replace(
    body: &mut syn::Block,
    label: Option<&Lifetime>,
    with: impl FnMut(&syn::ExprBreak) -> Expr,
) {
    struct Leaves<'l, F> {
        label: Option<&'l Lifetime>,
        depth: usize,
        with: F,
    }
    impl<F: FnMut(&syn::ExprBreak) -> Expr> VisitMut for Leaves<'_, F> {
        fn visit_expr_mut(&mut self, expr: &mut Expr) {
            match expr {
                Expr::Closure(_) => return,
                Expr::Loop(_) => self.depth += 1,
                _ => {}
            }
            visit_mut::visit_expr_mut(self, expr);
            match expr {
                Expr::Loop(_) => self.depth -= 1,
                Expr::Break(leave) if leave.expr.is_some() => {
                    let mine = match &leave.label {
                        Some(label) => Some(label) == self.label,
                        None => self.depth == 0,
                    };
                    if mine {
                        *expr = (self.with)(leave);
                    }
                }
                _ => {}
            }
        }
        fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    }
    Leaves {
        label,
        depth: 0,
        with,
    }
    .visit_block_mut(body);
}
