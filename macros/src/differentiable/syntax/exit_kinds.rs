//! Which ways out an expression has.

use syn::Expr;
use syn::visit::{self, Visit};

use crate::differentiable::methods::{macros, paths};
use crate::differentiable::syntax::options;

/// Whether an expression may leave what is around it.
pub(crate) fn may_leave(expr: &Expr) -> bool {
    leaves(|ways| ways.visit_expr(expr))
}

pub(crate) fn block_may_leave(block: &syn::Block) -> bool {
    leaves(|ways| ways.visit_block(block))
}

fn leaves(visit: impl FnOnce(&mut Ways<'_>)) -> bool {
    let mut ways = Ways {
        depth: 0,
        label: None,
        breaks: false,
        continues: false,
        returns: false,
        outer: false,
        inside: Vec::new(),
    };
    visit(&mut ways);
    ways.breaks || ways.continues || ways.returns || ways.outer
}

/// Whether there is a `?` in an expression, outside of closures in it.
pub(crate) fn asks(expr: &Expr) -> bool {
    struct Asks(bool);
    impl<'ast> Visit<'ast> for Asks {
        fn visit_expr_try(&mut self, _: &'ast syn::ExprTry) {
            self.0 = true;
        }
        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
    }
    let mut asks = Asks(false);
    asks.visit_expr(expr);
    asks.0
}

/// The ways out of a loop's body.
pub(crate) struct Ways<'a> {
    depth: usize,
    label: Option<&'a str>,
    pub(crate) breaks: bool,
    pub(crate) continues: bool,
    returns: bool,
    /// By a label that is not this loop's, nor that of a loop inside.
    outer: bool,
    /// The labels of the loops inside.
    inside: Vec<String>,
}

impl<'a> Ways<'a> {
    pub(crate) fn of(body: &syn::Block, label: Option<&'a str>) -> Self {
        let mut ways = Self {
            depth: 0,
            label,
            breaks: false,
            continues: false,
            returns: false,
            outer: false,
            inside: Vec::new(),
        };
        ways.visit_block(body);
        ways
    }

    /// Visits a loop inside.
    fn within(&mut self, label: Option<&syn::Label>, visit: impl FnOnce(&mut Self)) {
        self.inside.extend(label.map(|l| l.name.ident.to_string()));
        self.depth += 1;
        visit(self);
        self.depth -= 1;
        if label.is_some() {
            self.inside.pop();
        }
    }

    fn mine(&mut self, label: Option<&syn::Lifetime>) -> bool {
        match label {
            Some(label) => {
                let label = label.ident.to_string();
                let mine = self.label == Some(&label);
                self.outer |= !mine && !self.inside.contains(&label);
                mine
            }
            None => self.depth == 0,
        }
    }
}

impl<'ast> Visit<'ast> for Ways<'_> {
    fn visit_expr_break(&mut self, leave: &'ast syn::ExprBreak) {
        self.breaks |= self.mine(leave.label.as_ref());
    }
    fn visit_expr_continue(&mut self, skip: &'ast syn::ExprContinue) {
        self.continues |= self.mine(skip.label.as_ref());
    }
    fn visit_expr_return(&mut self, ret: &'ast syn::ExprReturn) {
        self.returns |= !ret.expr.as_deref().is_some_and(options::is_failure);
    }
    fn visit_expr_for_loop(&mut self, l: &'ast syn::ExprForLoop) {
        self.within(l.label.as_ref(), |this| visit::visit_expr_for_loop(this, l));
    }
    fn visit_expr_while(&mut self, l: &'ast syn::ExprWhile) {
        self.within(l.label.as_ref(), |this| visit::visit_expr_while(this, l));
    }
    fn visit_expr_loop(&mut self, l: &'ast syn::ExprLoop) {
        self.within(l.label.as_ref(), |this| visit::visit_expr_loop(this, l));
    }
    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
}

pub(crate) fn is_leaving(expr: &Expr) -> bool {
    match expr {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Macro(mac) => {
            paths::macro_name(&mac.mac.path).is_some_and(|name| macros::is_diverging_macro(&name))
        }
        _ => false,
    }
}
