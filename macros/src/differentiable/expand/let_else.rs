//! `let … else`: the rest of the block is what runs where the pattern fits.
//!
//! ```text
//! let Some((a, rest)) = e else { return 0.0 }; …      // match e { Some((a, rest)) => { … } _ => { return 0.0 } }
//! let Some(a) = e else { return 0.0 }; …              // let a = match e { Some(a) => a, _ => { return 0.0 } }; …
//! ```

use proc_macro2::{Ident, Span};
use quote::quote;
use syn::{Expr, Local, Stmt};

use super::slice_pattern::SlicePattern;
use crate::differentiable::resolve::leads::untyped;
use crate::differentiable::resolve::varied::bound_names;
use crate::differentiable::syntax::chains;
use crate::differentiable::tokens::head::head;

/// The statements of a block without `let … else`.
pub(crate) fn written_out(stmts: Vec<Stmt>) -> Vec<Stmt> {
    let mut done = Vec::with_capacity(stmts.len());
    let mut rest = stmts.into_iter();
    while let Some(stmt) = rest.next() {
        let Stmt::Local(mut local) = stmt else {
            done.push(stmt);
            continue;
        };
        let diverge = local.init.as_mut().and_then(|init| init.diverge.take());
        let Some((_, otherwise)) = diverge else {
            done.push(Stmt::Local(local));
            continue;
        };
        let one = bound_names(&local.pat).len() == 1;
        // an attribute is about the names
        let chosen_at_once = one || !local.attrs.is_empty();
        let lent = local
            .init
            .as_ref()
            .is_some_and(|init| may_give_slice(&init.expr) || lends_an_entry(&init.expr));
        if chosen_at_once && !lent && SlicePattern::of(untyped(&local.pat)).is_none() {
            done.push(chosen(local, &otherwise));
            continue;
        }
        let rest = written_out(rest.collect());
        done.push(around(&local, &otherwise, &rest));
        return done;
    }
    done
}

/// Whether an `Option` may be one of a slice, which no local holds by value: `x.chunks(2).next()`, `x.get(1..)`.
fn may_give_slice(option: &Expr) -> bool {
    match option {
        Expr::MethodCall(call) => {
            let part = call.method == "get" && matches!(call.args.first(), Some(Expr::Range(_)));
            part || chains::gives_slices(&call.receiver)
        }
        _ => false,
    }
}

/// `x.get(i)` and the like, whose `Option` has a reference to what may be anything.
pub(crate) fn lends_an_entry(option: &Expr) -> bool {
    match option {
        Expr::MethodCall(call) => match call.args.len() {
            0 => call.method == "first" || call.method == "last",
            1 => call.method == "get",
            _ => false,
        },
        _ => false,
    }
}

/// Names whose values are chosen.
fn chosen(mut local: Local, otherwise: &Expr) -> Stmt {
    let pat = untyped(&local.pat).clone();
    let names: Vec<Ident> = bound_names(&pat)
        .iter()
        .map(|name| Ident::new(name, Span::call_site()))
        .collect();
    let value = match &names[..] {
        [name] => quote!(#name),
        names => quote!((#(#names,)*)),
    };
    if let Some(init) = &mut local.init {
        let of = head(&init.expr);
        *init.expr = syn::parse_quote!(match #of { #pat => #value, _ => #otherwise });
    }
    local.pat = syn::parse_quote!(#value);
    Stmt::Local(local)
}

/// No name, several, or parts of a slice: what follows stands in the arm.
fn around(local: &Local, otherwise: &Expr, rest: &[Stmt]) -> Stmt {
    let of = local.init.as_ref().map(|init| head(&init.expr));
    let pat = untyped(&local.pat);
    let arm = quote!({ #(#rest)* });
    Stmt::Expr(
        syn::parse_quote!(match #of { #pat => #arm _ => #otherwise }),
        None,
    )
}
