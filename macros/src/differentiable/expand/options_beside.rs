//! Entries that may not be there, and calls that may give no value, beside something else: each gets a name before the tuple of them is
//! matched on.
//!
//! ```text
//! // match (v.get(0), k) { (Some(a), 1) => e, … }
//! { let part0 = v.get(0); match (part0, k) { (Some(a), 1) => e, … } }
//! ```

use syn::{Expr, ExprMatch, ExprTuple, Pat, Stmt};

use crate::differentiable::syntax::names::hidden;
use crate::differentiable::syntax::options::{is_any_error, is_present};

/// The block, if an arm takes an entry.
pub(crate) fn named(branch: &ExprMatch) -> Option<Expr> {
    let mut branch = branch.clone();
    let Expr::Tuple(tuple) = &mut *branch.expr else {
        return None;
    };
    let mut patterns: Vec<&mut Pat> = branch.arms.iter_mut().map(|arm| &mut arm.pat).collect();
    // these become conditions, one for each
    if let [Pat::Tuple(all), Pat::Wild(_)] = &patterns[..]
        && all.elems.iter().all(is_some)
    {
        return None;
    }
    let before = name_entries(tuple, &mut patterns);
    (!before.is_empty()).then(|| syn::parse_quote!({ #(#before)* #branch }))
}

/// Names the entries that a pattern looks into; a `Result` whose error no pattern takes becomes an `Option`.
fn name_entries(tuple: &mut ExprTuple, patterns: &mut [&mut Pat]) -> Vec<Stmt> {
    let mut before = Vec::new();
    let in_order = tuple
        .elems
        .iter()
        .all(|part| is_call(part) || is_settled(part));
    for (place, part) in tuple.elems.iter_mut().enumerate() {
        let mut looks = Vec::new();
        let parts = patterns.iter_mut();
        parts.for_each(|pat| at_place(pat, place, &mut |pat| looks.push(look(pat))));
        let may_be_named = is_entry(part) || in_order && is_call(part);
        let looked_into = looks.iter().any(Option::is_some) && !looks.contains(&Some(Looks::Error));
        if !may_be_named || !looked_into {
            continue;
        }
        if looks.contains(&Some(Looks::Present)) {
            let parts = patterns.iter_mut();
            parts.for_each(|pat| at_place(pat, place, &mut as_option));
            *part = syn::parse_quote!(#part.ok());
        }
        let name = hidden(&format!("part{place}"));
        before.push(syn::parse_quote!(let #name = #part;));
        *part = syn::parse_quote!(#name);
    }
    before
}

/// What a pattern looks into.
#[derive(PartialEq)]
enum Looks {
    /// `Some(…)` and `None`.
    Option,
    /// `Ok(…)`.
    Present,
    /// `Err(e)`.
    Error,
}

fn look(pat: &Pat) -> Option<Looks> {
    match pat {
        Pat::TupleStruct(some) if some.path.is_ident("Ok") => Some(Looks::Present),
        Pat::TupleStruct(of) if of.path.is_ident("Err") && !is_any_error(of) => Some(Looks::Error),
        Pat::TupleStruct(some) if is_present(some) => Some(Looks::Option),
        Pat::Ident(name) if name.ident == "None" => Some(Looks::Option),
        _ => None,
    }
}

/// `Some(…)` for `Ok(…)`, `None` for `Err(_)`.
fn as_option(pat: &mut Pat) {
    match pat {
        Pat::TupleStruct(of) if of.path.is_ident("Ok") => of.path = syn::parse_quote!(Some),
        Pat::TupleStruct(of) if of.path.is_ident("Err") => *pat = syn::parse_quote!(None),
        _ => {}
    }
}

/// Does something to the pattern at a place of a tuple, in each case.
fn at_place(pat: &mut Pat, place: usize, each: &mut impl FnMut(&mut Pat)) {
    match pat {
        Pat::Tuple(parts) => {
            let shifted = parts.elems.iter().any(|part| matches!(part, Pat::Rest(_)));
            if let (Some(part), false) = (parts.elems.get_mut(place), shifted) {
                each(part);
            }
        }
        Pat::Or(either) => either
            .cases
            .iter_mut()
            .for_each(|pat| at_place(pat, place, each)),
        Pat::Guard(guarded) => at_place(&mut guarded.pat, place, each),
        _ => {}
    }
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

/// A call of a function by its path, and not the making of an `Option`.
fn is_call(part: &Expr) -> bool {
    match part {
        Expr::Call(call) => matches!(&*call.func, Expr::Path(path)
            if !["Some", "Ok", "Err"].iter().any(|made| path.path.is_ident(made))),
        _ => false,
    }
}

/// What is the same before a call and after it, and an entry, which gets a name too.
fn is_settled(part: &Expr) -> bool {
    match part {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Field(of) => is_settled(&of.base),
        Expr::Reference(of) => is_settled(&of.expr),
        Expr::Unary(of) => is_settled(&of.expr),
        Expr::Binary(of) => is_settled(&of.left) && is_settled(&of.right),
        part => is_entry(part),
    }
}

fn is_some(pat: &Pat) -> bool {
    matches!(pat, Pat::TupleStruct(some) if is_present(some))
}
