//! `ref` and `ref mut` in patterns: references to parts, each bound by itself.
//!
//! ```text
//! // let (ref mut a, b) = t;
//! let a = &mut t.0; let b = t.1;
//! ```

use syn::{Expr, Pat, Stmt};

use super::slice_pattern::is_rest;
use crate::differentiable::resolve::leads::untyped;
use crate::differentiable::syntax::names::hidden;
use crate::differentiable::syntax::patterns::has_reference;
use crate::differentiable::tokens::tail::tail;

/// A `let` with `ref` in its pattern, written out; otherwise the statement.
pub(crate) fn written_out(stmt: Stmt) -> Vec<Stmt> {
    let Stmt::Local(local) = &stmt else {
        return vec![stmt];
    };
    let Some(init) = local.init.as_ref().filter(|init| init.diverge.is_none()) else {
        return vec![stmt];
    };
    if !has_reference(&local.pat) {
        return vec![stmt];
    }
    let mut stmts = Vec::new();
    let place: Expr = match is_place(&init.expr) {
        true => (*init.expr).clone(),
        false => {
            let name = hidden("taken");
            let value = &init.expr;
            stmts.push(match &local.pat {
                Pat::Type(typed) => {
                    let ty = &typed.ty;
                    syn::parse_quote!(let mut #name: #ty = #value;)
                }
                _ => syn::parse_quote!(let mut #name = #value;),
            });
            syn::parse_quote!(#name)
        }
    };
    match bind(untyped(&local.pat), place, &mut stmts) {
        Some(()) => stmts,
        None => vec![stmt],
    }
}

/// `match t { (ref mut a, b) => … }` with one arm, as a block.
pub(crate) fn as_block(branch: &syn::ExprMatch) -> Option<Expr> {
    let [arm] = &branch.arms[..] else { return None };
    let lent = matches!(&*branch.expr, Expr::Reference(r) if r.mutability.is_some());
    if matches!(arm.pat, Pat::Guard(_)) || !has_reference(&arm.pat) && !lent {
        return None;
    }
    let (pat, of, body) = (&arm.pat, &branch.expr, tail(&arm.body));
    Some(syn::parse_quote!({ let #pat = #of; #body }))
}

/// A name, and what can be reached from it without a call.
pub(crate) fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(path) => path.path.get_ident().is_some(),
        Expr::Field(field) => is_place(&field.base),
        Expr::Index(index) => {
            is_place(&index.expr) && matches!(&*index.index, Expr::Lit(_) | Expr::Path(_))
        }
        Expr::Paren(paren) => is_place(&paren.expr),
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)) && is_place(&unary.expr),
        _ => false,
    }
}

/// The bindings of a pattern's names to the parts of a place; `None` if it is not written out.
pub(crate) fn bind(pat: &Pat, place: Expr, stmts: &mut Vec<Stmt>) -> Option<()> {
    let before_rest = |pats: Vec<&Pat>| {
        let rest = pats.iter().position(|p| matches!(p, Pat::Rest(_)));
        match rest {
            Some(at) if at + 1 < pats.len() => None,
            Some(at) => Some(
                pats[..at]
                    .iter()
                    .map(|p| (*p).clone())
                    .collect::<Vec<Pat>>(),
            ),
            None => Some(pats.into_iter().cloned().collect()),
        }
    };
    match pat {
        Pat::Wild(_) | Pat::Rest(_) => {}
        Pat::Paren(paren) => bind(&paren.pat, place, stmts)?,
        Pat::Type(typed) => bind(&typed.pat, place, stmts)?,
        Pat::Ident(name) if name.subpat.is_none() => {
            let (ident, mutability) = (&name.ident, &name.mutability);
            stmts.push(match name.by_ref {
                Some(_) => syn::parse_quote!(let #ident = &#mutability #place;),
                None => syn::parse_quote!(let #mutability #ident = #place;),
            });
        }
        Pat::Tuple(tuple) => {
            for (i, pat) in before_rest(tuple.elems.iter().collect())?
                .iter()
                .enumerate()
            {
                let index = syn::Index::from(i);
                bind(pat, syn::parse_quote!(#place.#index), stmts)?;
            }
        }
        Pat::TupleStruct(made) => {
            for (i, pat) in before_rest(made.elems.iter().collect())?.iter().enumerate() {
                let index = syn::Index::from(i);
                bind(pat, syn::parse_quote!(#place.#index), stmts)?;
            }
        }
        Pat::Slice(slice) => {
            let n = slice.elems.len();
            let rest = slice.elems.iter().position(is_rest).unwrap_or(n);
            for (i, pat) in slice.elems.iter().enumerate() {
                let behind = n - i;
                match pat {
                    Pat::Ident(name) if i == rest => {
                        let (ident, mutability, end) =
                            (&name.ident, &name.mutability, hidden("end"));
                        // by value it is an array of a length that the type tells
                        name.by_ref?;
                        stmts.push(syn::parse_quote!(let #end = #place.len() - (#behind - 1);));
                        stmts.push(syn::parse_quote!(let #ident = &#mutability #place[#i..#end];));
                    }
                    pat if i < rest => bind(pat, syn::parse_quote!(#place[#i]), stmts)?,
                    pat => bind(
                        pat,
                        syn::parse_quote!(#place[#place.len() - #behind]),
                        stmts,
                    )?,
                }
            }
        }
        Pat::Struct(made) => {
            for field in &made.fields {
                let member = &field.member;
                bind(&field.pat, syn::parse_quote!(#place.#member), stmts)?;
            }
        }
        _ => return None,
    }
    Some(())
}
