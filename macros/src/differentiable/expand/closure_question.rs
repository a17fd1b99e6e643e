//! `?` and `let … else { return None }` in closures that give an `Option`: the rest of the closure is what runs where the value is there.
//!
//! ```text
//! // |i| { let j = i.checked_sub(2)?; let Some(v) = x.get(j) else { return None }; Some(v * v) }
//! |i| match i.checked_sub(2) { Some(j) => match x.get(j) { Some(v) => Some(v * v), _ => None }, _ => None }
//! ```
//!
//! A closure is expanded where it is called, so that nothing can leave it early.

use syn::{Expr, ExprClosure, ExprMethodCall, Pat, ReturnType, Stmt, Type};

use crate::differentiable::syntax::names::hidden;
use crate::differentiable::syntax::options;
use crate::differentiable::tokens::head::head;

/// Writes out the closures of methods whose closure gives an `Option` in any case.
pub(crate) fn in_argument(call: &mut ExprMethodCall) {
    let optional = ["filter_map", "find_map", "map_while"];
    if optional.iter().any(|name| call.method == name)
        && let Some(Expr::Closure(closure)) = call.args.first_mut()
    {
        in_closure(closure);
    }
}

/// Writes out a closure that says what it gives, or ends in `Some(x)` or `None`.
pub(crate) fn written_out(closure: &mut ExprClosure) {
    let declared = matches!(&closure.output, ReturnType::Type(_, ty) if is_option(ty));
    if declared || options::ends_in_option(closure) {
        in_closure(closure);
    }
}

fn is_option(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Option"))
}

fn in_closure(closure: &mut ExprClosure) {
    let stmts = match &*closure.body {
        Expr::Block(block) if block.label.is_none() => block.block.stmts.clone(),
        body => vec![Stmt::Expr(body.clone(), None)],
    };
    if let Some(whole) = in_stmts(&stmts, 0) {
        *closure.body = syn::parse_quote!({ #whole });
    }
}

/// The statements from the first that may leave on, as one; nothing if none does. `asks`: how many questions are around them.
fn in_stmts(stmts: &[Stmt], asks: usize) -> Option<Stmt> {
    let (at, of, pat, first) = stmts.iter().enumerate().find_map(|(at, stmt)| {
        let (of, pat, first) = asked(stmt, asks)?;
        Some((at, of, pat, first))
    })?;
    let rest: Vec<Stmt> = first.into_iter().chain(stmts[at + 1..].to_vec()).collect();
    let rest = in_stmts(&rest, asks + 1).map_or(rest, |rest| vec![rest]);
    let (before, of) = (&stmts[..at], head(&of));
    let branch: Expr = syn::parse_quote!(match #of { #pat => { #(#rest)* } _ => None });
    let whole: Expr = match before {
        [] => branch,
        before => syn::parse_quote!({ #(#before)* #branch }),
    };
    Some(Stmt::Expr(whole, None))
}

/// What a statement asks for, the pattern of what it goes on with, and what is left of it.
fn asked(stmt: &Stmt, asks: usize) -> Option<(Expr, Pat, Option<Stmt>)> {
    match stmt {
        Stmt::Local(local) => {
            let init = local.init.as_ref()?;
            if let Some((_, otherwise)) = &init.diverge {
                return gives_none(otherwise)
                    .then(|| ((*init.expr).clone(), local.pat.clone(), None));
            }
            if let (Expr::Try(asked), Pat::Ident(name)) = (&*init.expr, &local.pat) {
                let pat = syn::parse_quote!(Some(#name));
                return Some((ungrouped(&asked.expr), pat, None));
            }
            let mut local = local.clone();
            let of = first_question(&mut local.init.as_mut()?.expr, asks)?;
            Some((of.0, of.1, Some(Stmt::Local(local))))
        }
        Stmt::Expr(value, None) => {
            let mut value = value.clone();
            let of = first_question(&mut value, asks)?;
            Some((of.0, of.1, Some(Stmt::Expr(value, None))))
        }
        _ => None,
    }
}

/// `{ return None; }`
fn gives_none(otherwise: &Expr) -> bool {
    let Expr::Block(block) = otherwise else {
        return false;
    };
    match &block.block.stmts[..] {
        [Stmt::Expr(Expr::Return(ret), _)] => ret.expr.as_deref().is_some_and(options::is_none),
        _ => false,
    }
}

/// Takes the `?` that is asked first out of an expression, and gives what it asks and the pattern of the name that stands for it.
fn first_question(expr: &mut Expr, asks: usize) -> Option<(Expr, Pat)> {
    match expr {
        Expr::Try(asked) => {
            if let Some(inner) = first_question(&mut asked.expr, asks) {
                return Some(inner);
            }
            let name = hidden(&format!("present{asks}"));
            let of = ungrouped(&asked.expr);
            *expr = syn::parse_quote!(#name);
            Some((of, syn::parse_quote!(Some(#name))))
        }
        Expr::Paren(of) => first_question(&mut of.expr, asks),
        Expr::Unary(of) => first_question(&mut of.expr, asks),
        Expr::Reference(of) => first_question(&mut of.expr, asks),
        Expr::Cast(of) => first_question(&mut of.expr, asks),
        Expr::Field(of) => first_question(&mut of.base, asks),
        Expr::Index(of) => first_in([&mut *of.expr, &mut *of.index], asks),
        // the right one may not be asked for
        Expr::Binary(of) if matches!(of.op, syn::BinOp::And(_) | syn::BinOp::Or(_)) => {
            first_question(&mut of.left, asks)
        }
        Expr::Binary(of) => first_in([&mut *of.left, &mut *of.right], asks),
        Expr::Call(of) => first_in(&mut of.args, asks),
        Expr::MethodCall(of) => {
            first_in(std::iter::once(&mut *of.receiver).chain(&mut of.args), asks)
        }
        Expr::Tuple(of) => first_in(&mut of.elems, asks),
        Expr::Array(of) => first_in(&mut of.elems, asks),
        _ => None,
    }
}

/// What is asked, without the mark that it is asked in a closure.
fn ungrouped(asked: &Expr) -> Expr {
    match asked {
        Expr::Group(group) => (*group.expr).clone(),
        asked => asked.clone(),
    }
}

/// The `?` that is asked first in these, which are computed one after the other.
fn first_in<'e>(parts: impl IntoIterator<Item = &'e mut Expr>, asks: usize) -> Option<(Expr, Pat)> {
    parts
        .into_iter()
        .find_map(|part| first_question(part, asks))
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::*;

    fn out(closure: &str) -> String {
        let mut closure: ExprClosure = syn::parse_str(closure).expect("a closure");
        written_out(&mut closure);
        closure.into_token_stream().to_string()
    }

    fn same(short: &str, long: &str) {
        let long: ExprClosure = syn::parse_str(long).expect("a closure");
        assert_eq!(out(short), long.into_token_stream().to_string());
    }

    #[test]
    fn the_rest_runs_where_the_value_is_there() {
        same(
            "|i| { let a = 2; let j = f(i)?; let Some(v) = x.get(j) else { return None; }; Some(v * a) }",
            "|i| { { let a = 2; match f(i) { Some(j) => { match x.get(j) { Some(v) => { Some(v * a) } _ => None } } _ => None } } }",
        );
    }

    #[test]
    fn what_is_asked_inside_of_an_expression_gets_a_name() {
        let long = out("|i| { Some(x.get(i)? + h(i)?) }");
        let inside = long.find("x . get (i)").expect("the first");
        assert!(inside < long.find("h (i)").expect("the second"), "{long}");
        assert!(!long.contains('?'), "{long}");
        assert!(long.contains("__present0 + __present1"), "{long}");
    }

    #[test]
    fn another_closure_stays() {
        for closure in [
            "|i| { let a = f(i)?; Ok(a) }",
            "|i| { let a = f(i); Some(a) }",
            "|i| f(i)?",
        ] {
            same(closure, closure);
        }
    }
}
