//! Calls in tail position of a function that returns `Result` or `Option`: `g(x)` is `g(x)?` there, since what is returned is taken
//! out of its container once, where it comes from.
//!
//! ```text
//! // if x > 0.0 { Ok(x.ln()) } else { g(x) }
//! if x > 0.0 { x.ln() } else { g(x)? }
//! ```

use std::collections::HashSet;

use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Stmt};

use super::{expr, plain, some};
use crate::differentiable::table;

/// Writes a `?` behind the calls whose `Result` or `Option` is what the function returns.
pub(super) fn tails_unpacked(body: &mut syn::Block) {
    let mut locals = Locals::default();
    locals.visit_block(body);
    let mut unpack = Unpack { locals: locals.0 };
    unpack.visit_block_mut(body);
    if let Some(Stmt::Expr(tail, None)) = body.stmts.last_mut() {
        unpack.tail(tail);
    }
}

/// The names that the body binds: what is called by one of them is a closure, and stands here already.
#[derive(Default)]
struct Locals(HashSet<String>);

impl<'ast> Visit<'ast> for Locals {
    fn visit_pat_ident(&mut self, name: &'ast syn::PatIdent) {
        self.0.insert(name.ident.to_string());
        visit::visit_pat_ident(self, name);
    }
    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

struct Unpack {
    locals: HashSet<String>,
}

impl Unpack {
    /// An expression whose value the function returns.
    fn tail(&self, expr: &mut Expr) {
        if let Expr::Loop(l) = expr {
            return Breaks::of(self, l);
        }
        let done = some::at_ends(expr, &mut |end| {
            match end {
                Expr::Loop(l) => Breaks::of(self, l),
                end if self.is_outcome(end) => *end = syn::parse_quote!(#end?),
                _ => {}
            }
            Ok(())
        });
        debug_assert!(done.is_ok(), "no end is refused");
    }

    /// Whether an expression is the call of a function or of a method that is none of the standard library's.
    fn is_outcome(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Call(call) => {
                let local =
                    plain::simple_name(&call.func).is_some_and(|n| self.locals.contains(&n));
                let path = matches!(&*call.func, Expr::Path(_));
                path && !local && !expr::is_success(expr) && !expr::is_failure(expr)
            }
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                !table::is_std_method(&name) && !table::is_pure(&name)
            }
            _ => false,
        }
    }
}

impl VisitMut for Unpack {
    fn visit_expr_return_mut(&mut self, ret: &mut syn::ExprReturn) {
        visit_mut::visit_expr_return_mut(self, ret);
        if let Some(value) = &mut ret.expr {
            self.tail(value);
        }
    }
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The ways out of a loop whose value the function returns.
struct Breaks<'a> {
    unpack: &'a Unpack,
    label: Option<syn::Lifetime>,
    depth: usize,
}

impl<'a> Breaks<'a> {
    fn of(unpack: &'a Unpack, l: &mut syn::ExprLoop) {
        let label = l.label.as_ref().map(|label| label.name.clone());
        let mut breaks = Breaks {
            unpack,
            label,
            depth: 0,
        };
        breaks.visit_block_mut(&mut l.body);
    }

    fn within(&mut self, inside: impl FnOnce(&mut Self)) {
        self.depth += 1;
        inside(self);
        self.depth -= 1;
    }
}

impl VisitMut for Breaks<'_> {
    fn visit_expr_break_mut(&mut self, leave: &mut syn::ExprBreak) {
        let mine = match &leave.label {
            Some(label) => self.label.as_ref() == Some(label),
            None => self.depth == 0,
        };
        if let (true, Some(value)) = (mine, &mut leave.expr) {
            self.unpack.tail(value);
        }
    }
    fn visit_expr_loop_mut(&mut self, l: &mut syn::ExprLoop) {
        self.within(|this| visit_mut::visit_expr_loop_mut(this, l));
    }
    fn visit_expr_while_mut(&mut self, l: &mut syn::ExprWhile) {
        self.within(|this| visit_mut::visit_expr_while_mut(this, l));
    }
    fn visit_expr_for_loop_mut(&mut self, l: &mut syn::ExprForLoop) {
        self.within(|this| visit_mut::visit_expr_for_loop_mut(this, l));
    }
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
