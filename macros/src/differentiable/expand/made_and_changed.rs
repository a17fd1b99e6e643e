//! What is made where a method changes it: `Vm::new(x).run(k)?` is `let mut made = Vm::new(x); made.run(k)?`.
//!
//! That a method changes its receiver is what the files of the crate tell of its name; `split_off` does. The local stands before the statement where what is made is
//! the first that the statement computes, and in a block with what is asked of it otherwise.

use std::cell::Cell;

use syn::visit_mut::{self, VisitMut};
use syn::{Arm, Block, Expr, ExprClosure, Stmt};

use crate::differentiable::syntax::first::{first, first_of};
use crate::differentiable::syntax::names::hidden;
use crate::differentiable::tokens::tail::tail;

/// Gives names to such receivers in a body.
pub(crate) fn written_out(body: &mut Block, changes: &dyn Fn(&str) -> bool) {
    let mut made = MadeAndChanged {
        changes,
        count: Cell::new(0),
    };
    made.visit_block_mut(body);
}

struct MadeAndChanged<'a> {
    changes: &'a dyn Fn(&str) -> bool,
    count: Cell<usize>,
}

impl MadeAndChanged<'_> {
    fn is_changed(&self, expr: &Expr) -> bool {
        match expr {
            Expr::MethodCall(call) if call.method == "split_off" => gives_vector(&call.receiver),
            Expr::MethodCall(call) => {
                is_made(&call.receiver) && (self.changes)(&call.method.to_string())
            }
            _ => false,
        }
    }

    /// The statement that gives a name to the receiver of a call, which the name replaces.
    fn named(&self, call: &mut Expr) -> Option<Stmt> {
        let Expr::MethodCall(call) = call else {
            return None;
        };
        let count = self.count.replace(self.count.get() + 1);
        let name = hidden(&format!("changed{count}"));
        let value = std::mem::replace(&mut *call.receiver, syn::parse_quote!(#name));
        Some(syn::parse_quote!(let mut #name = #value;))
    }

    /// A body without braces gets some, before which nothing stands.
    fn braced(&self, body: &mut Expr) {
        if first(body, &|expr| self.is_changed(expr)).is_some() {
            let inside = tail(body);
            *body = syn::parse_quote!({ #inside });
        }
    }
}

impl VisitMut for MadeAndChanged<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let mut written = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            let call = first_of(&mut stmt, &|expr| self.is_changed(expr));
            written.extend(call.and_then(|call| self.named(call)));
            written.push(stmt);
        }
        block.stmts = written;
        visit_mut::visit_block_mut(self, block);
    }
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if !matches!(expr, Expr::Let(_))
            && let Some(call) = first(expr, &|expr| self.is_changed(expr))
            && let Some(made) = self.named(call)
        {
            *expr = syn::parse_quote!({ #made #expr });
        }
        visit_mut::visit_expr_mut(self, expr);
    }
    fn visit_arm_mut(&mut self, arm: &mut Arm) {
        self.braced(&mut arm.body);
        visit_mut::visit_arm_mut(self, arm);
    }
    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        self.braced(&mut closure.body);
        visit_mut::visit_expr_closure_mut(self, closure);
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether what `split_off` is called on has no place: a call gives it, which lends nothing to be changed.
fn gives_vector(expr: &Expr) -> bool {
    match expr {
        Expr::MethodCall(call) => {
            let lends = call.method.to_string().ends_with("_mut");
            let place = matches!(
                &*call.receiver,
                Expr::Path(_) | Expr::Field(_) | Expr::Index(_)
            );
            !lends && (place || gives_vector(&call.receiver))
        }
        expr => is_made(expr),
    }
}

/// Whether an expression makes a value that has no place yet.
fn is_made(expr: &Expr) -> bool {
    match expr {
        Expr::Struct(_) | Expr::Call(_) => true,
        Expr::Paren(paren) => is_made(&paren.expr),
        Expr::Try(tried) => is_made(&tried.expr),
        Expr::MethodCall(call) if call.method == "clone" => true,
        Expr::MethodCall(call) => {
            ["expect", "unwrap"].iter().any(|name| call.method == name) && is_made(&call.receiver)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::*;

    fn written(text: &str) -> String {
        let mut block: Block = syn::parse_str(text).expect("a block");
        written_out(&mut block, &|method| method == "run");
        block.to_token_stream().to_string()
    }

    #[test]
    fn what_is_computed_first_stands_before_the_statement() {
        for (short, made, rest) in [
            (
                "let y = V::new(x).run(k)?;",
                "V::new(x)",
                "let y = M.run(k)?;",
            ),
            (
                "match (V { x }).run(k) { Ok(v) => v, Err(_) => 0.0 }",
                "(V { x })",
                "match M.run(k) { Ok(v) => v, Err(_) => 0.0 }",
            ),
            (
                "f(made(x)?.run(k) + 1.0, a)",
                "made(x)?",
                "f(M.run(k) + 1.0, a)",
            ),
            (
                "let v = a.column(k).split_off(k);",
                "a.column(k)",
                "let v = M.split_off(k);",
            ),
            (
                "a + V::new(x).run(k).unwrap_or(b)",
                "",
                "a + { let mut M = V::new(x); M.run(k).unwrap_or(b) }",
            ),
        ] {
            let rest = rest.replace('M', "__changed0");
            let made = match made {
                "" => String::new(),
                made => format!("let mut __changed0 = {made};"),
            };
            let long: Block = syn::parse_str(&format!("{{ {made} {rest} }}")).unwrap();
            assert_eq!(
                written(&format!("{{ {short} }}")),
                long.to_token_stream().to_string()
            );
        }
    }

    #[test]
    fn what_has_a_place_stays() {
        for text in [
            "v.run(k)",
            "V::new(x).ask(k)",
            "g.at().run(k)",
            "v.split_off(k)",
            "v.last_mut().unwrap().split_off(k)",
        ] {
            let block: Block = syn::parse_str(&format!("{{ {text} }}")).unwrap();
            assert_eq!(
                written(&format!("{{ {text} }}")),
                block.to_token_stream().to_string()
            );
        }
    }
}
