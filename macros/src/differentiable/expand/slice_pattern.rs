//! Patterns of slices: a test of the length, and names for entries and for the rest.
//!
//! ```text
//! // [a, rest @ .., &b] of x
//! x.len() >= 2        let a = &x[0]; let rest = &x[1..x.len() - 1]; let &b = &x[x.len() - 1];
//! ```

use proc_macro2::TokenStream;
use syn::{Expr, Pat, PatSlice, Stmt};

use crate::differentiable::syntax::names::hidden;

/// A pattern of a slice, or of a reference to one.
pub(crate) struct SlicePattern<'p> {
    slice: &'p PatSlice,
    /// Where `..` or `rest @ ..` stands.
    rest: Option<usize>,
    /// `&[a, b]`: the names are bound to values.
    by_value: bool,
}

impl<'p> SlicePattern<'p> {
    pub(crate) fn of(pat: &'p Pat) -> Option<Self> {
        let (slice, by_value) = match pat {
            Pat::Slice(slice) => (slice, false),
            Pat::Reference(reference) => match &*reference.pat {
                Pat::Slice(slice) => (slice, true),
                _ => return None,
            },
            _ => return None,
        };
        let rest = slice.elems.iter().position(is_rest);
        Some(SlicePattern {
            slice,
            rest,
            by_value,
        })
    }

    /// Whether `of` is long enough; `None` if the pattern fits slices of every length.
    pub(crate) fn test(&self, of: &Expr) -> Option<Expr> {
        let of = behind(of);
        let n = self.slice.elems.len();
        match self.rest {
            Some(_) if n == 1 => None,
            Some(_) => {
                let least = n - 1;
                Some(syn::parse_quote!((#of).len() >= #least))
            }
            None => Some(syn::parse_quote!((#of).len() == #n)),
        }
    }

    /// What binds the names, to references of the kind of `borrow`; `None` if the pattern of an entry may not fit.
    pub(crate) fn bindings(&self, of: &Expr, borrow: &TokenStream) -> Option<Vec<Stmt>> {
        let of = behind(of);
        let n = self.slice.elems.len();
        let mut bindings = Vec::new();
        for (i, pat) in self.slice.elems.iter().enumerate() {
            let after = n - i;
            let is_rest = self.rest == Some(i);
            let entry: Expr = match self.rest {
                Some(r) if i > r => syn::parse_quote!(#of[(#of).len() - #after]),
                _ => syn::parse_quote!(#of[#i]),
            };
            match pat {
                Pat::Wild(_) | Pat::Rest(_) => {}
                Pat::Ident(name) if is_rest && name.by_ref.is_none() => {
                    let (name, after) = (&name.ident, after - 1);
                    let end = hidden("end");
                    bindings.push(syn::parse_quote!(let #end = (#of).len() - #after;));
                    bindings.push(syn::parse_quote!(let #name = #borrow #of[#i..#end];));
                }
                Pat::Ident(name) if name.subpat.is_some() => return None,
                Pat::Ident(name) if self.by_value && name.by_ref.is_none() => {
                    bindings.push(syn::parse_quote!(let #pat = #entry;));
                }
                Pat::Ident(_) if is_plain(pat) => {
                    bindings.push(syn::parse_quote!(let #pat = #borrow #entry;));
                }
                Pat::Tuple(tuple) if tuple.elems.iter().all(is_plain) => {
                    bindings.push(syn::parse_quote!(let #pat = &#entry;));
                }
                Pat::Reference(inner) if !self.by_value => match &*inner.pat {
                    Pat::Wild(_) => {}
                    value @ Pat::Ident(_) => {
                        bindings.push(syn::parse_quote!(let #value = #entry;));
                    }
                    _ => return None,
                },
                _ => return None,
            }
        }
        Some(bindings)
    }
}

/// The memory that a reference leads to.
fn behind(of: &Expr) -> &Expr {
    match of {
        Expr::Reference(reference) => &reference.expr,
        of => of,
    }
}

/// Whether a pattern is of a slice, or has such an alternative.
pub(crate) fn is_of_slice(pat: &Pat) -> bool {
    match pat {
        Pat::Or(either) => either.cases.iter().any(is_of_slice),
        Pat::Guard(guarded) => is_of_slice(&guarded.pat),
        pat => SlicePattern::of(pat).is_some(),
    }
}

/// A branch on a slice that a call gives, or a place of no known size is, with a name for a reference to it.
pub(crate) fn named(branch: &Expr) -> Option<Expr> {
    let mut branch = branch.clone();
    let (of, is_slice) = match &mut branch {
        Expr::Match(m) => {
            let is_slice = m.arms.iter().any(|arm| is_of_slice(&arm.pat));
            (&mut *m.expr, is_slice)
        }
        Expr::If(i) => match &mut *i.cond {
            Expr::Let(condition) => (&mut *condition.expr, is_of_slice(&condition.pat)),
            _ => return None,
        },
        _ => return None,
    };
    let taken: Expr = match &*of {
        call @ (Expr::Call(_) | Expr::MethodCall(_)) => call.clone(),
        place @ Expr::Index(_) => syn::parse_quote!(&#place),
        _ => return None,
    };
    if !is_slice {
        return None;
    }
    let name = hidden("taken");
    *of = syn::parse_quote!(#name);
    Some(syn::parse_quote!({ let #name = #taken; #branch }))
}

/// `..` or `rest @ ..`.
pub(crate) fn is_rest(pat: &Pat) -> bool {
    match pat {
        Pat::Rest(_) => true,
        Pat::Ident(name) => matches!(&name.subpat, Some((_, pat)) if matches!(**pat, Pat::Rest(_))),
        _ => false,
    }
}

/// A name that is bound as a whole, or nothing.
fn is_plain(pat: &Pat) -> bool {
    match pat {
        Pat::Wild(_) => true,
        Pat::Ident(name) => {
            name.by_ref.is_none() && name.mutability.is_none() && name.subpat.is_none()
        }
        _ => false,
    }
}
