//! Methods that are others: `rfind(f)` of a chain is `rev().find(f)`, `get(a..b).unwrap()` is `&x[a..b]`.

use syn::{Expr, ExprMethodCall};

use crate::differentiable::syntax::chains;

/// The call in other words.
pub(crate) fn of(call: &ExprMethodCall) -> Option<Expr> {
    if let Some(written) = part(call).or_else(|| in_range(call)) {
        return Some(written);
    }
    let (chain, args) = (&call.receiver, &call.args);
    if !chains::is_chain(chain) {
        return None;
    }
    Some(match (call.method.to_string().as_str(), args.len()) {
        ("fuse", 0) => (**chain).clone(),
        ("rfind", 1) => syn::parse_quote!(#chain.rev().find(#args)),
        ("rfold", 2) => syn::parse_quote!(#chain.rev().fold(#args)),
        ("nth_back", 1) => syn::parse_quote!(#chain.rev().nth(#args)),
        ("next_back", 0) => syn::parse_quote!(#chain.rev().next()),
        _ => return None,
    })
}

/// `(a..b).contains(&*v)` for `(a..b).contains(v)`, so that a name that stands for a value is a reference.
fn in_range(call: &ExprMethodCall) -> Option<Expr> {
    let range = matches!(&*call.receiver, Expr::Paren(of) if matches!(&*of.expr, Expr::Range(_)));
    let value = call.args.first().filter(|_| call.args.len() == 1)?;
    if !range || call.method != "contains" || matches!(value, Expr::Reference(_)) {
        return None;
    }
    let range = &call.receiver;
    Some(match value {
        Expr::Path(_) | Expr::Unary(_) => syn::parse_quote!(#range.contains(&*#value)),
        value => syn::parse_quote!(#range.contains(&*(#value))),
    })
}

/// `&x[a..b]` for `x.get(a..b).unwrap()`.
fn part(call: &ExprMethodCall) -> Option<Expr> {
    let unwraps = call.method == "unwrap" || call.method == "expect";
    match &*call.receiver {
        Expr::MethodCall(got) if unwraps => {
            let (of, range) = (&got.receiver, got.args.first()?);
            match (got.method.to_string().as_str(), range) {
                ("get", Expr::Range(_)) => Some(syn::parse_quote!(&#of[#range])),
                ("get_mut", Expr::Range(_)) => Some(syn::parse_quote!(&mut #of[#range])),
                _ => None,
            }
        }
        _ => None,
    }
}
