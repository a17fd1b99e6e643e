//! Values that may be absent: `unwrap_or` of an `Option`, `if let Some(x) = v.get(i)`.

use quote::{ToTokens, quote};
use syn::{Expr, ExprMethodCall, Pat};

use super::Lower;
use crate::differentiable::ir::*;

impl Lower<'_> {
    /// `o.unwrap_or(d)`, `o.map_or(d, f)` of an active `Option`; `v.first().copied().unwrap_or(d)`.
    pub(super) fn or_default(&mut self, call: &ExprMethodCall) -> Option<Atom> {
        let args: Vec<&Expr> = call.args.iter().collect();
        let (option, default): (&Expr, Expr) = match (call.method.to_string().as_str(), &args[..]) {
            ("unwrap_or" | "map_or", [default, ..]) => (&call.receiver, (*default).clone()),
            ("unwrap_or_else" | "map_or_else", [Expr::Closure(default), ..])
                if default.inputs.is_empty() =>
            {
                (&call.receiver, (*default.body).clone())
            }
            ("unwrap_or_default", []) => {
                let scalar = &self.scalar;
                (
                    &call.receiver,
                    syn::parse_quote!(<#scalar as ::coenzyme::__private::Blank>::blank()),
                )
            }
            _ => return None,
        };
        let (pat, value): (Pat, Expr) = match (&args[..], call.method.to_string().as_str()) {
            ([_, Expr::Closure(f)], "map_or" | "map_or_else") => {
                let (pat, body) = (f.inputs.first()?, &f.body);
                (pat.clone(), (**body).clone())
            }
            ([_, f], "map_or" | "map_or_else") => {
                (syn::parse_quote!(__some), syn::parse_quote!(#f(__some)))
            }
            _ => (syn::parse_quote!(__some), syn::parse_quote!(__some)),
        };
        self.varied.insert("__some".to_owned());
        if let Some((test, entry)) = entry_of(option) {
            return Some(self.value(
                &syn::parse_quote!(if #test { let #pat = #entry; #value } else { #default }),
            ));
        }
        self.place(option)?;
        Some(
            self.value(
                &syn::parse_quote!(match #option { Some(#pat) => #value, None => #default }),
            ),
        )
    }

    /// `if let Some(x) = v.get(i)` and the like: whether there is an entry, and the entry.
    pub(super) fn maybe_entry(&mut self, option: &Expr) -> Option<(Expr, Expr)> {
        let (test, entry) = entry_of(option)?;
        self.is_varied(&entry).then_some((test, entry))
    }
}

/// Whether there is such an entry, and the entry, of `v.first()`, `v.last()`, `v.get(i)`.
fn entry_of(option: &Expr) -> Option<(Expr, Expr)> {
    let Expr::MethodCall(call) = option else {
        return None;
    };
    let (vector, pop) = (&call.receiver, &call.method);
    Some(
        match (call.method.to_string().as_str(), call.args.first()) {
            ("copied" | "cloned", None) => match entry_of(vector)? {
                (test, Expr::Reference(entry)) => (test, *entry.expr),
                _ => return None,
            },
            ("first", None) => (
                syn::parse_quote!(!#vector.is_empty()),
                syn::parse_quote!(&#vector[0]),
            ),
            ("last", None) => (
                syn::parse_quote!(!#vector.is_empty()),
                syn::parse_quote!(&#vector[#vector.len() - 1]),
            ),
            ("pop", None) => (
                syn::parse_quote!(!#vector.is_empty()),
                syn::parse_quote!(#vector.#pop().unwrap()),
            ),
            ("get", Some(at)) if !matches!(at, Expr::Reference(_) | Expr::Range(_)) => (
                syn::parse_quote!((#at) < #vector.len()),
                syn::parse_quote!(&#vector[#at]),
            ),
            _ => return None,
        },
    )
}

/// `match o { Some(p) => a, _ => b }` as `if let Some(p) = o a else b`.
pub(super) fn as_if_let(branch: &syn::ExprMatch) -> Option<Expr> {
    let [some, none] = &branch.arms[..] else {
        return None;
    };
    let other = match &none.pat {
        Pat::Wild(_) => true,
        Pat::Ident(name) => name.ident == "None",
        Pat::Path(path) => path.path.is_ident("None"),
        _ => false,
    };
    let Pat::TupleStruct(pat) = &some.pat else {
        return None;
    };
    if !other || !pat.path.is_ident("Some") || entry_of(&branch.expr).is_none() {
        return None;
    }
    let block = |body: &Expr| match body {
        Expr::Block(block) if block.label.is_none() => block.block.to_token_stream(),
        body => quote!({ #body }),
    };
    let (then, otherwise, of) = (block(&some.body), block(&none.body), &branch.expr);
    Some(syn::parse_quote!(if let #pat = #of #then else #otherwise))
}
