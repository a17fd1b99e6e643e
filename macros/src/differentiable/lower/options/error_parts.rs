//! What is read of an error that a pattern binds carries no derivative, which is asserted of its type: `Err(e) => e.code as f64 * x`.

use std::collections::HashSet;

use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Pat, Stmt};

use crate::differentiable::methods::paths;
use crate::differentiable::resolve::varied::{bound_names, is_comparison};

/// Asserts that what `body` reads of the errors of these names is inert, where it is more than compared, printed or returned in an error; all
/// names of errors and their parts.
pub(crate) fn asserted(body: &mut Expr, names: Vec<String>) -> HashSet<String> {
    let names = names.into_iter().collect();
    let mut asserted = Asserted { names };
    asserted.visit_expr_mut(body);
    asserted.names
}

struct Asserted {
    names: HashSet<String>,
}

impl Asserted {
    /// Whether an expression is an error, a part of one, or made of one by a call.
    fn leads(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Path(path) => {
                let name = path.path.get_ident();
                name.is_some_and(|name| self.names.contains(&name.to_string()))
            }
            Expr::Field(field) => self.leads(&field.base),
            Expr::Index(index) => self.leads(&index.expr),
            Expr::Paren(paren) => self.leads(&paren.expr),
            Expr::Reference(lent) => self.leads(&lent.expr),
            Expr::Unary(unary) => {
                matches!(unary.op, syn::UnOp::Deref(_)) && self.leads(&unary.expr)
            }
            Expr::MethodCall(call) => {
                self.leads(&call.receiver) || call.args.iter().any(|arg| self.leads(arg))
            }
            Expr::Call(call) => {
                !is_held(call) && !converts(call) && call.args.iter().any(|arg| self.leads(arg))
            }
            _ => false,
        }
    }

    /// Asserts it of what an expression holds, and not of itself.
    fn inside(&mut self, expr: &mut Expr) {
        if !self.leads(expr) {
            self.visit_expr_mut(expr);
        }
    }

    fn bind(&mut self, pat: &Pat, of: &Expr) {
        if self.leads(of) {
            self.names.extend(bound_names(pat));
        }
    }
}

impl VisitMut for Asserted {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if self.leads(expr) {
            let asked = quote_spanned!(expr.span()=> ::coenzyme::__private::of_error(#expr));
            *expr = syn::parse2(asked).expect("a call");
            return;
        }
        match expr {
            Expr::Binary(binary) if is_comparison(&binary.op) => {
                self.inside(&mut binary.left);
                self.inside(&mut binary.right);
            }
            Expr::Call(call) if is_held(call) => {}
            Expr::Match(branch) => {
                let of = &branch.expr;
                branch.arms.iter().for_each(|arm| self.bind(&arm.pat, of));
                self.inside(&mut branch.expr);
                branch
                    .arms
                    .iter_mut()
                    .for_each(|arm| self.visit_arm_mut(arm));
            }
            Expr::Let(condition) => {
                self.bind(&condition.pat, &condition.expr);
                self.inside(&mut condition.expr);
            }
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Expr(expr, Some(_)) => self.inside(expr),
            Stmt::Local(local) => {
                if let Some(init) = &mut local.init {
                    self.bind(&local.pat, &init.expr);
                    self.inside(&mut init.expr);
                }
            }
            _ => visit_mut::visit_stmt_mut(self, stmt),
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// `Err(e)`, where it is an error still, and `Inactive(e.at)`, which says that it has no derivative.
fn is_held(call: &syn::ExprCall) -> bool {
    paths::is(&call.func, &["Err"], 1) || paths::is(&call.func, &["coenzyme", "Inactive"], 1)
}

/// `f64::from(e.code)`, of which the derivative is that of what is converted.
fn converts(call: &syn::ExprCall) -> bool {
    ["f64", "f32"]
        .iter()
        .any(|float| paths::is(&call.func, &[float, "from"], 2))
}
