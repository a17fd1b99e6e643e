//! `match f(x) { … }` for `let r = f(x); match r { … }`: what a call returns is looked into where it is called.

use quote::ToTokens;
use syn::{Expr, Local, Pat, Stmt};

use crate::differentiable::resolve::varied::bound_names;
use crate::differentiable::syntax::names::simple_name;
use crate::differentiable::syntax::options::is_present;
use crate::differentiable::tokens::text;

/// The statements of a block without such names: those that the next statement matches on, and nothing else names.
pub(crate) fn matched(stmts: Vec<Stmt>) -> Vec<Stmt> {
    let mut done: Vec<Stmt> = Vec::with_capacity(stmts.len());
    let mut rest = stmts.into_iter().peekable();
    while let Some(stmt) = rest.next() {
        let call = match (&stmt, rest.peek_mut()) {
            (Stmt::Local(local), Some(next)) => held_call(local, next),
            _ => None,
        };
        let Some((name, call)) = call else {
            done.push(stmt);
            continue;
        };
        match (
            mentions(&name, rest.clone()),
            rest.peek_mut().and_then(scrutinee),
        ) {
            (1, Some(matched_on)) => *matched_on = call,
            _ => done.push(stmt),
        }
    }
    done
}

/// The name and the call of `let r = f(x);`, if the next statement matches on `r`.
fn held_call(local: &Local, next: &mut Stmt) -> Option<(String, Expr)> {
    let pat = match &local.pat {
        Pat::Type(typed) => &*typed.pat,
        pat => pat,
    };
    let Pat::Ident(name) = pat else { return None };
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    let calls = super::desugar::is_called(&init.expr);
    let plain = name.by_ref.is_none() && name.mutability.is_none() && name.subpat.is_none();
    let name = name.ident.to_string();
    let matches = simple_name(scrutinee(next)?).is_some_and(|n| n == name);
    (calls && plain && matches).then(|| (name, (*init.expr).clone()))
}

/// What a statement matches on with patterns of `Option` or `Result`, or takes out by `?`.
fn scrutinee(stmt: &mut Stmt) -> Option<&mut Expr> {
    let expr = match stmt {
        Stmt::Expr(expr, _) => expr,
        Stmt::Local(local) => &mut *local.init.as_mut()?.expr,
        _ => return None,
    };
    let of_outcome = |pat: &Pat| matches!(pat, Pat::TupleStruct(some) if is_present(some));
    match expr {
        Expr::Try(tried) => Some(&mut tried.expr),
        Expr::Match(branch) if branch.arms.iter().any(|a| of_outcome(&a.pat)) => {
            Some(&mut branch.expr)
        }
        Expr::If(branch) => match &mut *branch.cond {
            Expr::Let(condition) if of_outcome(&condition.pat) => Some(&mut condition.expr),
            _ => None,
        },
        _ => None,
    }
}

/// How often statements name what a name stands for before them: up to where it is bound anew.
fn mentions(name: &str, stmts: impl Iterator<Item = Stmt>) -> usize {
    let count = |tokens| text::words(tokens).iter().filter(|w| *w == name).count();
    let mut all = 0;
    for stmt in stmts {
        match &stmt {
            Stmt::Local(local) if bound_names(&local.pat).iter().any(|n| n == name) => {
                return all + count(local.init.as_ref().map(|i| &i.expr).to_token_stream());
            }
            stmt => all += count(stmt.to_token_stream()),
        }
    }
    all
}
