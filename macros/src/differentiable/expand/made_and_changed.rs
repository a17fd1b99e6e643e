//! What is made where a method changes it: `Vm::new(x).run(k)?` is `let mut made = Vm::new(x); made.run(k)?`.
//!
//! That a method changes its receiver is what the files of the crate tell of its name. The local stands before the statement where what is made is
//! the first that the statement computes, and in a block with what is asked of it otherwise.

use syn::visit_mut::{self, VisitMut};
use syn::{Arm, Block, Expr, ExprClosure, ExprMethodCall, Stmt};

use crate::differentiable::syntax::names::hidden;

/// Gives names to such receivers in a body.
pub(crate) fn written_out(body: &mut Block, changes: Changes<'_>) {
    MadeAndChanged { changes, count: 0 }.visit_block_mut(body);
}

struct MadeAndChanged<'a> {
    changes: Changes<'a>,
    count: usize,
}

type Changes<'a> = &'a dyn Fn(&str) -> bool;

impl MadeAndChanged<'_> {
    /// The statement that gives a name to what is made, which the name replaces.
    fn named(&mut self, made: &mut Expr) -> Stmt {
        self.count += 1;
        let name = hidden(&format!("changed{}", self.count));
        let value = std::mem::replace(made, syn::parse_quote!(#name));
        syn::parse_quote!(let mut #name = #value;)
    }

    /// A body without braces gets some, before which nothing stands.
    fn braced(&self, body: &mut Expr) {
        if first(body, self.changes).is_some() {
            *body = syn::parse_quote!({ #body });
        }
    }
}

fn is_changed(call: &ExprMethodCall, changes: Changes<'_>) -> bool {
    is_made(&call.receiver) && changes(&call.method.to_string())
}

/// The receiver, if it is the first that an expression computes.
fn first<'e>(expr: &'e mut Expr, changes: Changes<'_>) -> Option<&'e mut Expr> {
    let before = match expr {
        Expr::MethodCall(call) => match is_changed(call, changes) {
            true => return Some(&mut call.receiver),
            false => &mut call.receiver,
        },
        Expr::Binary(binary) => &mut binary.left,
        Expr::Call(call) if matches!(*call.func, Expr::Path(_)) => call.args.first_mut()?,
        Expr::Cast(cast) => &mut cast.expr,
        Expr::Field(field) => &mut field.base,
        Expr::If(branch) => &mut branch.cond,
        Expr::Let(condition) => &mut condition.expr,
        Expr::Match(branch) => &mut branch.expr,
        Expr::Paren(paren) => &mut paren.expr,
        Expr::Return(returned) => returned.expr.as_deref_mut()?,
        Expr::Try(tried) => &mut tried.expr,
        Expr::Unary(unary) => &mut unary.expr,
        _ => return None,
    };
    first(before, changes)
}

impl VisitMut for MadeAndChanged<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let mut written = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            let expr = match &mut stmt {
                Stmt::Local(local) => local.init.as_mut().map(|init| &mut *init.expr),
                Stmt::Expr(expr, _) => Some(expr),
                _ => None,
            };
            if let Some(made) = expr.and_then(|expr| first(expr, self.changes)) {
                written.push(self.named(made));
            }
            written.push(stmt);
        }
        block.stmts = written;
        visit_mut::visit_block_mut(self, block);
    }
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if !matches!(expr, Expr::Let(_))
            && let Some(made) = first(expr, self.changes)
        {
            let made = self.named(made);
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
                "a + V::new(x).run(k).unwrap_or(b)",
                "",
                "a + { let mut M = V::new(x); M.run(k).unwrap_or(b) }",
            ),
        ] {
            let rest = rest.replace('M', "__changed1");
            let made = match made {
                "" => String::new(),
                made => format!("let mut __changed1 = {made};"),
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
        for text in ["v.run(k)", "V::new(x).ask(k)", "g.at().run(k)"] {
            let block: Block = syn::parse_str(&format!("{{ {text} }}")).unwrap();
            assert_eq!(
                written(&format!("{{ {text} }}")),
                block.to_token_stream().to_string()
            );
        }
    }
}
