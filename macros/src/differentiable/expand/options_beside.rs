//! Entries that may not be there, beside something else: each gets a name before the tuple of them is matched on.
//!
//! ```text
//! // match (v.get(0), k) { (Some(a), 1) => e, … }
//! { let part0 = v.get(0); match (part0, k) { (Some(a), 1) => e, … } }
//! ```

use syn::{Expr, ExprMatch, ExprTuple, Pat, Stmt};

use crate::differentiable::syntax::names::hidden;
use crate::differentiable::syntax::options::is_present;

/// The block, if an arm takes an entry.
pub(crate) fn named(branch: &ExprMatch) -> Option<Expr> {
    let mut branch = branch.clone();
    let Expr::Tuple(tuple) = &mut *branch.expr else {
        return None;
    };
    let patterns: Vec<&Pat> = branch.arms.iter().map(|arm| &arm.pat).collect();
    // these become conditions, one for each
    if let [Pat::Tuple(all), Pat::Wild(_)] = patterns[..]
        && all.elems.iter().all(is_some)
    {
        return None;
    }
    let before = name_entries(tuple, &patterns);
    (!before.is_empty()).then(|| syn::parse_quote!({ #(#before)* #branch }))
}

/// Names the entries that a pattern looks into.
fn name_entries(tuple: &mut ExprTuple, patterns: &[&Pat]) -> Vec<Stmt> {
    let mut before = Vec::new();
    for (place, part) in tuple.elems.iter_mut().enumerate() {
        if is_entry(part) && patterns.iter().any(|pat| looks_into(pat, place)) {
            let name = hidden(&format!("part{place}"));
            before.push(syn::parse_quote!(let #name = #part;));
            *part = syn::parse_quote!(#name);
        }
    }
    before
}

/// `v.get(i)`, `v.first()`, `v.last()` of a place: nothing changes when it is read earlier.
fn is_entry(part: &Expr) -> bool {
    let Expr::MethodCall(call) = part else {
        return false;
    };
    let of_place = matches!(*call.receiver, Expr::Path(_) | Expr::Field(_));
    let plain = match call.args.first() {
        None => call.method == "first" || call.method == "last",
        Some(Expr::Range(_)) => false,
        Some(_) => call.method == "get" && call.args.len() == 1,
    };
    of_place && plain
}

/// Whether a pattern of a tuple is `Some(…)` or `None` at a place of it.
fn looks_into(pat: &Pat, place: usize) -> bool {
    match pat {
        Pat::Tuple(parts) => match parts.elems.get(place) {
            Some(Pat::TupleStruct(some)) => is_present(some),
            Some(Pat::Ident(name)) => name.ident == "None",
            _ => false,
        },
        Pat::Or(either) => either.cases.iter().any(|pat| looks_into(pat, place)),
        Pat::Guard(guarded) => looks_into(&guarded.pat, place),
        _ => false,
    }
}

fn is_some(pat: &Pat) -> bool {
    matches!(pat, Pat::TupleStruct(some) if is_present(some))
}
