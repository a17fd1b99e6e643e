//! What another macro passes on as one expression (`$x:expr`) stays one.
//!
//! It arrives in a group without delimiters, which the compiler forgets when an attribute hands the tokens back: `$x * 2.0` with `a + b` for
//! `$x` would become `a + b * 2.0`. Where an operator takes such a group, it gets parentheses.

use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprParen, Item};

/// Puts parentheses around the groups that operators take.
pub(crate) fn parenthesize(item: &mut Item) {
    Operands.visit_item_mut(item);
}

struct Operands;

impl VisitMut for Operands {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            Expr::Binary(e) => [&mut e.left, &mut e.right]
                .into_iter()
                .for_each(|e| keep(e)),
            Expr::Unary(e) => keep(&mut e.expr),
            Expr::Reference(e) => keep(&mut e.expr),
            Expr::Cast(e) => keep(&mut e.expr),
            Expr::Try(e) => keep(&mut e.expr),
            Expr::Field(e) => keep(&mut e.base),
            Expr::Index(e) => keep(&mut e.expr),
            Expr::Call(e) => keep(&mut e.func),
            Expr::MethodCall(e) => keep(&mut e.receiver),
            Expr::Range(e) => [&mut e.start, &mut e.end]
                .into_iter()
                .flatten()
                .for_each(|e| keep(e)),
            _ => {}
        }
    }
}

/// A group that would fall apart becomes one with parentheses.
fn keep(expr: &mut Expr) {
    let Expr::Group(group) = &*expr else { return };
    let inner = peeled(&group.expr);
    let whole = matches!(
        inner,
        Expr::Lit(_)
            | Expr::Path(_)
            | Expr::Paren(_)
            | Expr::Call(_)
            | Expr::MethodCall(_)
            | Expr::Macro(_)
            | Expr::Index(_)
            | Expr::Field(_)
            | Expr::Array(_)
            | Expr::Repeat(_)
            | Expr::Tuple(_)
    );
    if !whole {
        *expr = Expr::Paren(ExprParen {
            attrs: Vec::new(),
            paren_token: syn::token::Paren(group.group_token.span),
            expr: Box::new(inner.clone()),
        });
    }
}

fn peeled(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => peeled(&group.expr),
        other => other,
    }
}
