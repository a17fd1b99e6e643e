//! Methods that return their receivers, in one expression: `k.predict(0.5).update(z)` is `{ k.predict(0.5); k.update(z) }`.
//!
//! That a method does so is what the files of the crate tell of its name; `premises` asserts that what it returns is lent.

use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprMethodCall, Lit, Stmt, UnOp};

use crate::differentiable::syntax::names::hidden;

/// Writes them in a body.
pub(crate) fn written_out(body: &mut Block, gives_back: &dyn Fn(&str) -> bool) {
    GivenBack { gives_back }.visit_block_mut(body);
}

/// The call whose result a method or a field is asked of, if it gives its receiver back.
pub(crate) fn lent_back<'e>(
    expr: &'e mut Expr,
    gives_back: &dyn Fn(&str) -> bool,
) -> Option<&'e mut Expr> {
    let of = match expr {
        Expr::MethodCall(call) => &mut *call.receiver,
        Expr::Field(field) => &mut *field.base,
        _ => return None,
    };
    matches!(of, Expr::MethodCall(call) if gives_back(&call.method.to_string())).then_some(of)
}

struct GivenBack<'a> {
    gives_back: &'a dyn Fn(&str) -> bool,
}

impl GivenBack<'_> {
    /// Takes the calls that give their receivers back out from under an expression; the first comes first.
    fn take(&self, expr: &mut Expr) -> Vec<ExprMethodCall> {
        let mut calls = Vec::new();
        while let Some(of) = lent_back(expr, self.gives_back)
            && let Expr::MethodCall(call) = of.clone()
        {
            *of = (*call.receiver).clone();
            calls.insert(0, call);
        }
        calls
    }
}

impl VisitMut for GivenBack<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let mut last = expr.clone();
        let mut calls = self.take(&mut last);
        if let Some(first) = calls.first()
            && let Some((made, of)) = receiver(&first.receiver)
        {
            calls
                .iter_mut()
                .for_each(|call| *call.receiver = of.clone());
            match &mut last {
                Expr::MethodCall(call) => *call.receiver = of,
                Expr::Field(field) => *field.base = of,
                _ => {}
            }
            *expr = syn::parse_quote!({ #made #(#calls;)* #last });
        }
        visit_mut::visit_expr_mut(self, expr);
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// What calls may name again in place of a receiver, and the statement that makes it.
fn receiver(of: &Expr) -> Option<(Option<Stmt>, Expr)> {
    Some(match of {
        of if is_steady(of) => (None, of.clone()),
        Expr::Reference(lent) if is_steady(&lent.expr) => (None, (*lent.expr).clone()),
        Expr::Call(_) | Expr::MethodCall(_) | Expr::Struct(_) => {
            let name = hidden("lent_back");
            let made = syn::parse_quote!(let mut #name = #of;);
            (Some(made), syn::parse_quote!(#name))
        }
        _ => return None,
    })
}

/// Whether an expression is a place that is the same wherever it stands.
fn is_steady(place: &Expr) -> bool {
    match place {
        Expr::Path(_) => true,
        Expr::Lit(literal) => matches!(literal.lit, Lit::Int(_)),
        Expr::Field(field) => is_steady(&field.base),
        Expr::Paren(paren) => is_steady(&paren.expr),
        Expr::Index(index) => is_steady(&index.expr) && is_steady(&index.index),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)) && is_steady(&unary.expr),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::*;

    fn written(text: &str) -> String {
        let mut block: Block = syn::parse_str(text).expect("a block");
        written_out(&mut block, &|method| method == "step");
        block.to_token_stream().to_string()
    }

    #[test]
    fn calls_that_give_their_receiver_back_are_statements() {
        for (chain, long) in [
            (
                "k.step(a).step(b).ask(c)",
                "{ k.step(a); k.step(b); k.ask(c) }",
            ),
            ("v[i].step(a).x", "{ v[i].step(a); v[i].x }"),
            (
                "f(K::new().step(a).ask())",
                "f({ let mut __lent_back = K::new(); __lent_back.step(a); __lent_back.ask() })",
            ),
        ] {
            assert_eq!(
                written(&format!("{{ let y = {chain}; }}")),
                written(&format!("{{ let y = {long}; }}"))
            );
        }
    }

    #[test]
    fn a_receiver_that_may_be_another_the_second_time_stays() {
        for chain in ["v[next()].step(a).ask()", "k.ask(a).step(b)"] {
            let block: Block = syn::parse_str(&format!("{{ {chain} }}")).unwrap();
            assert_eq!(
                written(&format!("{{ {chain} }}")),
                block.to_token_stream().to_string()
            );
        }
    }
}
