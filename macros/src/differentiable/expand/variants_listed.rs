//! Loops over variants that are written down: each round has a copy of its own, which may be moved or passed by value.
//!
//! ```text
//! // for op in [Op::Add, Op::Scale(2.0)] { run(op) }
//! { let held = [Op::Add, Op::Scale(2.0)]; for at in 0..2 { let op = held[at].clone(); run(op) } }
//! ```
//!
//! That the enum derives `Clone` is what the files of the crate say.

use syn::{Expr, ExprForLoop, Ident, Path, Stmt};

use super::desugar::held_name;
use crate::differentiable::syntax::names::hidden;
use crate::files::own_copies;

/// Such a loop, with the copies.
pub(super) fn each_copied(l: &ExprForLoop) -> Option<Expr> {
    let Expr::Array(list) = &*l.expr else {
        return None;
    };
    let of = list.elems.iter().map(enum_of).collect::<Option<Vec<_>>>()?;
    if !own_copies::are_copied(of.first()?) {
        return None;
    }
    let (held, at, pat, count) = (held_name(), hidden("at"), &l.pat, list.elems.len());
    let mut l = l.clone();
    let copy: Stmt = syn::parse_quote!(let #pat = #held[#at].clone(););
    l.body.stmts.insert(0, copy);
    *l.pat = syn::parse_quote!(#at);
    *l.expr = syn::parse_quote!(0..#count);
    Some(syn::parse_quote!({ let #held = #list; #l }))
}

/// The enum of a variant that has literals in it, or nothing.
fn enum_of(variant: &Expr) -> Option<&Ident> {
    match variant {
        Expr::Path(path) => first_of_two(&path.path),
        Expr::Call(call) if call.args.iter().all(|arg| matches!(arg, Expr::Lit(_))) => {
            match &*call.func {
                Expr::Path(path) => first_of_two(&path.path),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `Op` of `Op::Add`.
fn first_of_two(path: &Path) -> Option<&Ident> {
    let mut names = path.segments.iter().rev().map(|segment| &segment.ident);
    let (name, of) = (names.next()?, names.next()?);
    let is_type = |name: &Ident| name.to_string().starts_with(char::is_uppercase);
    (is_type(name) && is_type(of)).then_some(of)
}
