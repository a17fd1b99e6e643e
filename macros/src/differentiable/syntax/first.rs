//! What an expression computes first.

use syn::{Expr, Stmt};

/// The first part of an expression to be computed, of those that `is` asks for: before it the expression does nothing.
pub(crate) fn first<'e>(expr: &'e mut Expr, is: &dyn Fn(&Expr) -> bool) -> Option<&'e mut Expr> {
    if is(expr) {
        return Some(expr);
    }
    let before = match expr {
        Expr::Binary(binary) => &mut binary.left,
        Expr::Call(call) if matches!(*call.func, Expr::Path(_)) => call.args.first_mut()?,
        Expr::Cast(cast) => &mut cast.expr,
        Expr::Field(field) => &mut field.base,
        Expr::If(branch) => &mut branch.cond,
        Expr::Let(condition) => &mut condition.expr,
        Expr::Match(branch) => &mut branch.expr,
        Expr::MethodCall(call) => &mut call.receiver,
        Expr::Paren(paren) => &mut paren.expr,
        Expr::Return(returned) => returned.expr.as_deref_mut()?,
        Expr::Try(tried) => &mut tried.expr,
        Expr::Unary(unary) => &mut unary.expr,
        _ => return None,
    };
    first(before, is)
}

/// As [`first`], of a statement.
pub(crate) fn first_of<'s>(stmt: &'s mut Stmt, is: &dyn Fn(&Expr) -> bool) -> Option<&'s mut Expr> {
    match stmt {
        Stmt::Local(local) => first(&mut local.init.as_mut()?.expr, is),
        Stmt::Expr(expr, _) => first(expr, is),
        _ => None,
    }
}
