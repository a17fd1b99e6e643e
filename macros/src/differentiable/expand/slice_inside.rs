//! Patterns of slices inside of `Some(…)`: the slice gets a name, and is matched on by itself.
//!
//! ```text
//! // match rows.next() { Some([a, b]) => e, _ => break }
//! match rows.next() { Some(slice) => match slice { [a, b] => e, _ => break }, _ => break }
//! ```

use syn::{Arm, Expr, ExprMatch, Pat};

use super::slice_pattern::is_of_slice;
use crate::differentiable::syntax::options::is_present;
use crate::differentiable::tokens::head::head;

/// The branch with a `match` inside.
pub(crate) fn apart(expr: &Expr) -> Option<Expr> {
    match expr {
        Expr::Match(branch) => of_match(branch),
        Expr::If(branch) => {
            let Expr::Let(condition) = &*branch.cond else {
                return None;
            };
            let (pat, of) = (slice_in(&condition.pat)?, head(&condition.expr));
            let then = &branch.then_branch;
            let otherwise = match &branch.else_branch {
                Some((_, otherwise)) => (**otherwise).clone(),
                None => syn::parse_quote!({}),
            };
            Some(syn::parse_quote!(
                if let Some(__slice) = #of { match __slice { #pat => #then _ => #otherwise } } else { #otherwise }
            ))
        }
        _ => None,
    }
}

fn of_match(branch: &ExprMatch) -> Option<Expr> {
    let slices: Vec<&Arm> = branch
        .arms
        .iter()
        .take_while(|arm| slice_in(&arm.pat).is_some())
        .collect();
    let rest = &branch.arms[slices.len()..];
    let last = rest
        .last()
        .filter(|last| matches!(last.pat, Pat::Wild(_)))?;
    let plain = rest[..rest.len() - 1]
        .iter()
        .all(|arm| matches!(&arm.pat, Pat::Ident(name) if name.ident == "None"));
    if slices.is_empty() || !plain {
        return None;
    }
    let of = head(&branch.expr);
    let (patterns, bodies): (Vec<&Pat>, Vec<&Expr>) = slices
        .iter()
        .map(|arm| (slice_in(&arm.pat).expect("a slice"), &*arm.body))
        .unzip();
    let otherwise = &last.body;
    Some(syn::parse_quote!(match #of {
        Some(__slice) => match __slice { #(#patterns => { #bodies })* _ => { #otherwise } },
        #(#rest)*
    }))
}

/// The pattern of a slice in `Some(…)`.
fn slice_in(pat: &Pat) -> Option<&Pat> {
    match pat {
        Pat::TupleStruct(some) if is_present(some) => {
            some.elems.first().filter(|pat| is_of_slice(pat))
        }
        _ => None,
    }
}
