//! An arm that only returns the error of a call is a `?`.
//!
//! ```text
//! // let v = match step(&mut s) { Ok(v) => v, Err(e) => return Err(e.into()) };
//! let v = step(&mut s)?;
//! // match step(&mut s) { Ok((a, b)) => …, Err(e) => return Err(Failed(e)) }
//! { let (a, b) = step(&mut s).map_err(|e| Failed(e))?; … }
//! // if let Err(e) = step(&mut s) { return Err(e); }
//! step(&mut s)?;
//! ```

use std::collections::HashSet;

use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Pat, Stmt};

use crate::differentiable::tokens::tail::tail;
use crate::differentiable::{bound_names, simple_name, words};
use crate::signature::RECEIVER;

/// Writes out the arms of calls that may change what they are lent, as far as tokens tell, or of which `changes` says it.
pub(crate) fn written_out(body: &mut Block, changes: &dyn Fn(&Expr) -> bool) {
    struct Written<'c>(&'c dyn Fn(&Expr) -> bool);
    impl VisitMut for Written<'_> {
        fn visit_expr_mut(&mut self, expr: &mut Expr) {
            visit_mut::visit_expr_mut(self, expr);
            let changes = |call: &Expr| lends(call) || self.0(call);
            let asked = match expr {
                Expr::Match(branch) if changes(&branch.expr) => of_match(branch),
                Expr::If(branch) => match &*branch.cond {
                    Expr::Let(condition) if changes(&condition.expr) => of_branch(branch),
                    _ => None,
                },
                _ => None,
            };
            if let Some(asked) = asked {
                *expr = asked;
            }
        }
        // what a closure returns is another error
        fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
        fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    }
    Written(changes).visit_block_mut(body);
}

/// Whether a call is lent something that it may change.
fn lends(call: &Expr) -> bool {
    let is_self = |e: &Expr| simple_name(e).is_some_and(|n| n == "self" || n == RECEIVER);
    let (args, of_self) = match call {
        Expr::Call(call) => (&call.args, false),
        Expr::MethodCall(call) => (&call.args, is_self(&call.receiver)),
        _ => return false,
    };
    let is_lent = |arg: &Expr| match arg {
        Expr::Reference(lent) => lent.mutability.is_some(),
        arg => is_self(arg),
    };
    of_self || args.iter().any(is_lent)
}

/// A `match` with one such arm and another for the value, which always fits.
fn of_match(branch: &syn::ExprMatch) -> Option<Expr> {
    let [first, second] = &branch.arms[..] else {
        return None;
    };
    let (present, absent) = match value_of(&first.pat) {
        Some(_) => (first, second),
        None => (second, first),
    };
    let pat = value_of(&present.pat)?;
    let asked = asked(&branch.expr, &absent.pat, &absent.body)?;
    if let (Pat::Ident(name), Some(given)) = (pat, simple_name(&present.body))
        && name.ident == given
    {
        return Some(asked);
    }
    let body = tail(&present.body);
    Some(syn::parse_quote!({ let #pat = #asked; #body }))
}

/// An `if let` without `else`.
fn of_branch(branch: &syn::ExprIf) -> Option<Expr> {
    let (Expr::Let(condition), None) = (&*branch.cond, &branch.else_branch) else {
        return None;
    };
    let then = &branch.then_branch;
    let asked = asked(&condition.expr, &condition.pat, &syn::parse_quote!(#then))?;
    Some(syn::parse_quote!({ let _ = #asked; }))
}

/// `p` of `Ok(p)` and `Some(p)`, if it fits every value.
fn value_of(pat: &Pat) -> Option<&Pat> {
    fn always_fits(pat: &Pat) -> bool {
        match pat {
            Pat::Ident(name) => {
                let small = name.ident.to_string().starts_with(char::is_lowercase);
                small && name.subpat.is_none() && name.by_ref.is_none()
            }
            Pat::Wild(_) => true,
            Pat::Tuple(parts) => parts.elems.iter().all(always_fits),
            _ => false,
        }
    }
    match pat {
        Pat::TupleStruct(of) if of.path.is_ident("Ok") || of.path.is_ident("Some") => {
            of.elems.first().filter(|pat| always_fits(pat))
        }
        _ => None,
    }
}

/// `call?`, where `pat` is that of an error, and `arm` only returns it.
fn asked(call: &Expr, pat: &Pat, arm: &Expr) -> Option<Expr> {
    let returned = returned(arm)?;
    match pat {
        Pat::Ident(none) if none.ident == "None" => {
            let same = simple_name(returned).is_some_and(|name| name == "None");
            same.then(|| syn::parse_quote!(#call?))
        }
        Pat::TupleStruct(error) if error.path.is_ident("Err") => {
            let (Expr::Call(made), Some(pat)) = (returned, error.elems.first()) else {
                return None;
            };
            let error = made
                .args
                .first()
                .filter(|_| simple_name(&made.func).is_some_and(|f| f == "Err"))?;
            let names: HashSet<String> = bound_names(pat).into_iter().collect();
            if names.is_empty() || reads_others(error, &names) {
                return None;
            }
            Some(match is_conversion(error, &names) {
                true => syn::parse_quote!(#call?),
                false => syn::parse_quote!(#call.map_err(|#pat| #error)?),
            })
        }
        _ => None,
    }
}

/// `e` of `return e`, `{ return e; }`.
fn returned(arm: &Expr) -> Option<&Expr> {
    match arm {
        Expr::Return(returned) => returned.expr.as_deref(),
        Expr::Block(block) => match &block.block.stmts[..] {
            [Stmt::Expr(last, _)] => returned(last),
            _ => None,
        },
        _ => None,
    }
}

/// `e`, `e.into()`, `From::from(e)`: what a `?` does.
fn is_conversion(error: &Expr, names: &HashSet<String>) -> bool {
    let is_error = |e: &Expr| simple_name(e).is_some_and(|name| names.contains(&name));
    match error {
        Expr::MethodCall(call) => call.method == "into" && is_error(&call.receiver),
        Expr::Call(call) => {
            let of_trait: syn::ExprPath = syn::parse_quote!(From::from);
            matches!(&*call.func, Expr::Path(path) if *path == of_trait)
                && call.args.iter().all(is_error)
        }
        error => is_error(error),
    }
}

/// Whether an expression may read other locals, which the call may change, or leave the function by itself.
fn reads_others(expr: &Expr, names: &HashSet<String>) -> bool {
    struct Others<'n>(&'n HashSet<String>, bool);
    impl Others<'_> {
        fn name(&mut self, name: &str) {
            let local = name.starts_with(|c: char| c.is_lowercase() || c == '_');
            self.1 |= local && !self.0.contains(name);
        }
    }
    impl<'ast> Visit<'ast> for Others<'_> {
        fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
            if let Some(name) = path.path.get_ident() {
                self.name(&name.to_string());
            }
        }
        fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
            call.args.iter().for_each(|arg| self.visit_expr(arg));
        }
        fn visit_expr_try(&mut self, _: &'ast syn::ExprTry) {
            self.1 = true;
        }
        fn visit_macro(&mut self, mac: &'ast syn::Macro) {
            let words = words(mac.tokens.clone());
            words.iter().for_each(|word| self.name(word));
        }
        fn visit_block(&mut self, _: &'ast Block) {
            self.1 = true;
        }
    }
    let mut others = Others(names, false);
    others.visit_expr(expr);
    others.1
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::*;

    fn written(text: &str) -> Option<String> {
        let expr = match syn::parse_str(text).expect("an expression") {
            Expr::Match(branch) => of_match(&branch),
            Expr::If(branch) => of_branch(&branch),
            _ => None,
        };
        expr.map(|expr| expr.to_token_stream().to_string().replace(' ', ""))
    }

    #[test]
    fn an_arm_that_returns_the_error_is_a_question() {
        for (text, expected) in [
            (
                "match step(&mut s) { Ok(v) => v, Err(e) => return Err(e.into()) }",
                "step(&muts)?",
            ),
            (
                "match step(&mut s) { Err(e) => { return Err(Failed(e)); } Ok((a, _)) => { a * 2.0 } }",
                "{let(a,_)=step(&muts).map_err(|e|Failed(e))?;{a*2.0}}",
            ),
            (
                "if let Err(e) = step(&mut s) { return Err(format!(\"at {e}\")); }",
                "{let_=step(&muts).map_err(|e|format!(\"at{e}\"))?;}",
            ),
            (
                "match s.next() { Some(v) => s.add(v), None => return None }",
                "{letv=s.next()?;s.add(v)}",
            ),
        ] {
            assert_eq!(written(text).as_deref(), Some(expected));
        }
    }

    #[test]
    fn only_calls_that_may_change_something_are_written_out() {
        for (call, is) in [
            ("advance(self, k)", true),
            ("self.step(k)", true),
            ("step(&mut s)", true),
            ("sim.step(k)", true),
            ("root(self.x)", false),
            ("self.items.get(i)", false),
            ("text.parse()", false),
        ] {
            let text = format!("{{ match {call} {{ Ok(v) => v, Err(e) => return Err(e) }} }}");
            let before: Block = syn::parse_str(&text).expect("a block");
            let mut body = before.clone();
            written_out(
                &mut body,
                &|call| matches!(call, Expr::MethodCall(call) if call.method == "step"),
            );
            assert_eq!(body != before, is, "{call}");
        }
    }

    #[test]
    fn an_arm_that_does_more_is_none() {
        for text in [
            "match step(&mut s) { Ok(v) => v, Err(e) => return Err(Failed(e, s)) }",
            "match step(&mut s) { Ok(v) => v, Err(e) => return Err(format!(\"{e} {s}\")) }",
            "match step(&mut s) { Ok(v) => v, Err(e) => { log(e); return Err(e); } }",
            "match step(&mut s) { Ok(Some(v)) => v, Err(e) => return Err(e) }",
            "match step(&mut s) { Ok(v) => v, Err(e) => return Ok(e) }",
            "match step(&mut s) { Ok(v) if v > 0.0 => v, Err(e) => return Err(e) }",
            "if let Err(e) = step(&mut s) { return Err(e); } else { go() }",
        ] {
            assert_eq!(written(text), None);
        }
    }
}
