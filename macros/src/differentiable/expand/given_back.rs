//! Methods that return their receivers, in one expression: `k.predict(0.5).update(z)` is `{ k.predict(0.5); k.update(z) }`.
//!
//! That a method does so is what the files of the crate tell of its name; `premises` asserts that what it returns is lent.

use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprMethodCall, Lit, Stmt, UnOp};

use crate::differentiable::syntax::first::first_of;
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

    /// The statements of such calls, of what is asked of the last one.
    fn apart(&self, last: &mut Expr) -> Option<Vec<Stmt>> {
        let before = last.clone();
        let mut calls = self.take(last);
        let Some((made, of)) = calls.first().and_then(|first| receiver(&first.receiver)) else {
            *last = before;
            return None;
        };
        calls
            .iter_mut()
            .for_each(|call| *call.receiver = of.clone());
        match last {
            Expr::MethodCall(call) => *call.receiver = of,
            Expr::Field(field) => *field.base = of,
            _ => {}
        }
        let calls = calls.into_iter().map(|call| syn::parse_quote!(#call;));
        Some(made.into_iter().chain(calls).collect())
    }
}

impl VisitMut for GivenBack<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let mut written = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            let asks = |expr: &Expr| lent_back(&mut expr.clone(), self.gives_back).is_some();
            let apart = first_of(&mut stmt, &asks).and_then(|last| self.apart(last));
            written.extend(apart.into_iter().flatten());
            written.push(stmt);
        }
        block.stmts = written;
        visit_mut::visit_block_mut(self, block);
    }
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some(calls) = self.apart(expr) {
            *expr = syn::parse_quote!({ #(#calls)* #expr });
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
        for (short, long) in [
            (
                "let y = k.step(a).step(b).ask(c);",
                "k.step(a); k.step(b); let y = k.ask(c);",
            ),
            (
                "if v[i].step(a).x > y { b }",
                "v[i].step(a); if v[i].x > y { b }",
            ),
            ("y + v[i].step(a).x", "y + { v[i].step(a); v[i].x }"),
            (
                "f(K::new().step(a).ask())",
                "let mut __lent_back = K::new(); __lent_back.step(a); f(__lent_back.ask())",
            ),
        ] {
            let long: Block = syn::parse_str(&format!("{{ {long} }}")).unwrap();
            assert_eq!(
                written(&format!("{{ {short} }}")),
                long.to_token_stream().to_string()
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
