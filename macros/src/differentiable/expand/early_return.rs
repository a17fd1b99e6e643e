//! `return` inside of a closure, which is expanded where it is called: where a branch ends in it, the rest is the other branch; anywhere
//! else it leaves a block with a label.
//!
//! ```text
//! // |a| { if a > 1.0 { return a; } a * a }
//! |a| { if a > 1.0 { a } else { a * a } }
//! // |a| { for v in x { if *v > a { return *v; } } a * a }
//! |a| '__closure: { for v in x { if *v > a { break '__closure *v; } } a * a }
//! ```

use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprBlock, ExprClosure, Stmt};

use crate::differentiable::syntax::options;

/// Writes out the closure. An `Option` has to be seen at the ends, which no `break` is.
pub(crate) fn written_out(closure: &mut ExprClosure) {
    if let Expr::Block(block) = &mut *closure.body
        && block.label.is_none()
    {
        in_branches(&mut block.block);
    }
    let gives_option = matches!(&closure.output, syn::ReturnType::Type(_, ty) if is_option(ty))
        || options::gives_option(closure);
    if gives_option {
        return;
    }
    let mut returns = Returns(false);
    let mut body = (*closure.body).clone();
    returns.visit_expr_mut(&mut body);
    if returns.0 {
        let stmts = match body {
            Expr::Block(block) if block.label.is_none() => block.block.stmts,
            body => vec![Stmt::Expr(body, None)],
        };
        let labelled = Expr::Block(ExprBlock {
            attrs: Vec::new(),
            label: Some(syn::parse_quote!('__closure:)),
            block: block_of(stmts),
        });
        *closure.body = Expr::Block(ExprBlock {
            attrs: Vec::new(),
            label: None,
            block: block_of(vec![Stmt::Expr(labelled, None)]),
        });
    }
}

/// `if c { … e } else { … }` for `if c { … return e; } …`, and `e` for a last `return e`.
fn in_branches(block: &mut Block) {
    for k in 0..block.stmts.len() {
        let rest = block.stmts.len() - k - 1;
        match &mut block.stmts[k] {
            Stmt::Expr(Expr::Return(value), _) if rest == 0 => {
                if let Some(value) = value.expr.take() {
                    block.stmts[k] = Stmt::Expr(*value, None);
                }
                return;
            }
            Stmt::Expr(Expr::If(branch), _) if rest > 0 && branch.else_branch.is_none() => {
                let ends = branch.then_branch.stmts.last();
                let Some(Stmt::Expr(Expr::Return(value), _)) = ends else {
                    continue;
                };
                if value.expr.is_none() {
                    continue;
                }
                let mut branch = branch.clone();
                in_branches(&mut branch.then_branch);
                let stmts = block.stmts.split_off(k + 1);
                let mut otherwise = block_of(stmts);
                in_branches(&mut otherwise);
                let otherwise = Expr::Block(ExprBlock {
                    attrs: Vec::new(),
                    label: None,
                    block: otherwise,
                });
                branch.else_branch = Some((Default::default(), Box::new(otherwise)));
                block.stmts[k] = Stmt::Expr(Expr::If(branch), None);
                return;
            }
            _ => {}
        }
    }
}

fn block_of(stmts: Vec<Stmt>) -> Block {
    Block {
        brace_token: Default::default(),
        stmts,
    }
}

fn is_option(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Option" || last.ident == "Result"))
}

/// Writes a `break` for each `return`, and says whether there was one.
struct Returns(bool);

impl VisitMut for Returns {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        if let Expr::Return(value) = expr {
            let value = &value.expr;
            *expr = syn::parse_quote!(break '__closure #value);
            self.0 = true;
        }
    }

    fn visit_expr_closure_mut(&mut self, _: &mut ExprClosure) {}

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
