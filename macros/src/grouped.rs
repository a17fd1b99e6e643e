//! What another macro passes on as one expression (`$x:expr`) stays one.
//!
//! It arrives in a group without delimiters, which the compiler forgets when an attribute hands the tokens back: `$x * 2.0` with `a + b` for
//! `$x` would become `a + b * 2.0`. Where an operator takes such a group, it gets parentheses; in the tokens of a macro, whose operators are
//! not known, wherever it is an operation.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprParen, Item, Macro};

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

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        mac.tokens = parenthesized(std::mem::take(&mut mac.tokens));
    }
}

/// The tokens, with parentheses for the groups that are operations.
fn parenthesized(tokens: TokenStream) -> TokenStream {
    let trees = tokens.into_iter().map(|tree| match tree {
        TokenTree::Group(group) => {
            let inside = parenthesized(group.stream());
            let delimiter = match group.delimiter() {
                Delimiter::None if is_operation(&inside) => Delimiter::Parenthesis,
                delimiter => delimiter,
            };
            let mut made = Group::new(delimiter, inside);
            made.set_span(group.span());
            TokenTree::Group(made)
        }
        tree => tree,
    });
    trees.collect()
}

fn is_operation(tokens: &TokenStream) -> bool {
    matches!(
        syn::parse2(tokens.clone()),
        Ok(Expr::Binary(_) | Expr::Cast(_) | Expr::Range(_) | Expr::Unary(_))
    )
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
