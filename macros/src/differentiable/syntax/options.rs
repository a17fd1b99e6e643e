//! `Some(…)`, `None`, `Ok(…)` and `Err(…)`, in expressions and patterns.

use syn::Expr;

use super::ends::at_ends;
use crate::differentiable::methods::paths;
use crate::differentiable::syntax::exit_kinds;

/// Whether a pattern is `Err(_)`, which takes nothing of the error.
pub(crate) fn is_any_error(pat: &syn::PatTupleStruct) -> bool {
    let any = |part: &syn::Pat| matches!(part, syn::Pat::Wild(_) | syn::Pat::Rest(_));
    pat.path.is_ident("Err") && pat.elems.iter().all(any)
}

/// `Some(p)`, `Ok(p)`.
pub(crate) fn is_present(pat: &syn::PatTupleStruct) -> bool {
    ["Some", "Ok"].iter().any(|v| pat.path.is_ident(v)) && pat.elems.len() == 1
}

/// `None`, or `Err(e)`, whose error nothing reads: a pattern that binds it is refused.
pub(crate) fn is_none(expr: &Expr) -> bool {
    match expr {
        Expr::Path(path) => path.path.is_ident("None"),
        Expr::Call(call) => matches!(&*call.func, Expr::Path(path) if path.path.is_ident("Err")),
        _ => false,
    }
}

/// `Ok(x)`, `Some(x)`.
pub(crate) fn is_success(expr: &Expr) -> bool {
    matches!(expr, Expr::Call(call) if call.args.len() == 1 && is_named(&call.func, &["Ok", "Some"]))
}

/// `Err(e)`, `None`.
pub(crate) fn is_failure(expr: &Expr) -> bool {
    match expr {
        Expr::Call(call) => is_named(&call.func, &["Err"]),
        Expr::Path(_) => is_named(expr, &["None"]),
        _ => false,
    }
}

/// Whether an expression is one of these variants of `Option` or `Result`, and no variant of another type.
fn is_named(expr: &Expr, names: &[&str]) -> bool {
    let of_option = |name: &&str| paths::is(expr, &["option", "Option", name], 1);
    let of_result = |name: &&str| paths::is(expr, &["result", "Result", name], 1);
    names.iter().any(|name| of_option(name) || of_result(name))
}

pub(crate) fn is_some(call: &syn::ExprCall) -> bool {
    is_called(call, "Some")
}

/// `Ok(x)`
pub(crate) fn is_ok(call: &syn::ExprCall) -> bool {
    is_called(call, "Ok")
}

fn is_called(call: &syn::ExprCall, variant: &str) -> bool {
    matches!(&*call.func, Expr::Path(path) if path.path.is_ident(variant)) && call.args.len() == 1
}

/// Whether an end of a closure is `Some(x)` or `None`.
pub(crate) fn ends_in_option(closure: &syn::ExprClosure) -> bool {
    ends_in(closure, |end| {
        matches!(end, Expr::Path(_)) && is_none(end) || is_written(end, false)
    })
}

/// Whether a closure gives an `Option`, and does not ask by `?`, which would leave the function around it.
pub(crate) fn gives_option(closure: &syn::ExprClosure) -> bool {
    ends_in_option(closure) && !exit_kinds::asks(&closure.body)
}

/// Whether an end of a closure is such a one, and no `?` is in it.
pub(crate) fn gives(closure: &syn::ExprClosure, is: impl Fn(&Expr) -> bool) -> bool {
    ends_in(closure, is) && !exit_kinds::asks(&closure.body)
}

fn ends_in(closure: &syn::ExprClosure, is: impl Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    let _ = at_ends(&mut closure.body.clone(), &mut |end| {
        found |= is(end);
        Ok(())
    });
    found
}

/// `Some(x)`, and `Ok(x)` if it counts.
pub(crate) fn is_written(end: &Expr, results: bool) -> bool {
    matches!(end, Expr::Call(call) if is_some(call) || results && is_ok(call))
}
