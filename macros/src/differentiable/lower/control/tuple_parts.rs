//! Parts without derivative of a tuple that is made to be matched on: `(m, _) => m` of `match (mode, t)` is `_ => { let m = mode; m }`, and
//! `("sum", Some(x))` of `match (name, x)` is `Some(x) if name == "sum"`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, ExprMatch, Ident, Pat, Stmt};

use super::variant::is_name;
use crate::differentiable::lower::Lower;
use crate::differentiable::resolve::varied::bound_names;
use crate::differentiable::syntax::names::{hidden, simple_name};
use crate::differentiable::tokens::tail::tail;

impl Lower<'_> {
    /// The `match` in which such names are locals, if there are any: the tuple is active as a whole.
    pub(crate) fn names_beside(&self, branch: &ExprMatch) -> Option<ExprMatch> {
        let Expr::Tuple(tuple) = &*branch.expr else {
            return None;
        };
        if !self.is_varied(&branch.expr) {
            return None;
        }
        let mut named = branch.clone();
        let mut found = false;
        for (at, part) in tuple.elems.iter().enumerate() {
            let Some(name) = simple_name(part).filter(|_| !self.is_varied(part)) else {
                continue;
            };
            for arm in &mut named.arms {
                let others = bound_names(&arm.pat);
                let Pat::Tuple(pats) = &mut arm.pat else {
                    continue;
                };
                let rest = pats
                    .elems
                    .iter()
                    .take(at)
                    .any(|p| matches!(p, Pat::Rest(_)));
                let Some(pat) = pats.elems.get_mut(at).filter(|pat| !rest && is_name(pat)) else {
                    continue;
                };
                let [own] = &bound_names(pat)[..] else {
                    continue;
                };
                if others.iter().any(|other| *other == name && other != own) {
                    continue;
                }
                let bound = std::mem::replace(pat, syn::parse_quote!(_));
                let body = tail(&arm.body);
                *arm.body = syn::parse_quote!({ let #bound = #part; #body });
                found = true;
            }
        }
        found.then_some(named)
    }

    /// `match (name.as_str(), x)` as a `match` on the rest of the tuple, with guards that compare the text, to which a statement gives a name.
    pub(crate) fn texts_beside(&self, branch: &ExprMatch) -> Option<(Stmt, Expr)> {
        let Expr::Tuple(tuple) = &*branch.expr else {
            return None;
        };
        let parts_of = |arm: &syn::Arm| match unguarded(&arm.pat) {
            Pat::Tuple(pats) if pats.elems.len() == tuple.elems.len() => {
                pats.elems.iter().cloned().collect()
            }
            Pat::Wild(wild) => vec![Pat::Wild(wild.clone()); tuple.elems.len()],
            _ => Vec::new(),
        };
        let parts: Vec<Vec<Pat>> = branch.arms.iter().map(parts_of).collect();
        let is_text_at = |at: usize| parts.iter().any(|pats| pats.get(at).is_some_and(is_text));
        let at = (0..tuple.elems.len()).find(|at| is_text_at(*at))?;
        let looked_at = |expr: &Expr| matches!(expr, Expr::Path(_) | Expr::Field(_) | Expr::Lit(_));
        let first = tuple.elems.iter().take(at).all(looked_at);
        if !first || !self.takes_a_part(tuple, branch.arms.iter().map(|arm| unguarded(&arm.pat))) {
            return None;
        }
        let text = hidden("text");
        let arms = branch.arms.iter().zip(parts).map(|(arm, mut pats)| {
            let part = (pats.len() > at).then(|| pats.remove(at))?;
            let (rest, guard) = (tuple_of(pats), guard_of(&arm.pat));
            let body = tail(&arm.body);
            Some(match &part {
                Pat::Wild(_) => guarded(&rest, guard, body),
                part if is_text(part) => {
                    let same = same(&text, part)?;
                    let guard = guard.map_or(same.clone(), |guard| quote!(#same && #guard));
                    guarded(&rest, Some(guard), body)
                }
                part if is_name(part) && guard.is_none() => {
                    guarded(&rest, None, quote!(let #part = #text; #body))
                }
                _ => return None,
            })
        });
        let arms = arms.collect::<Option<Vec<syn::Arm>>>()?;
        let mut rest = tuple.elems.iter().cloned().collect::<Vec<_>>();
        let of = rest.remove(at);
        let rest = match &rest[..] {
            [one] => quote!(#one),
            rest => quote!((#(#rest),*)),
        };
        Some((
            syn::parse_quote!(let #text = #of;),
            syn::parse_quote!(match #rest { #(#arms)* }),
        ))
    }
}

/// Whether a pattern is a text, or one of several.
pub(crate) fn is_text(pat: &Pat) -> bool {
    match pat {
        Pat::Lit(literal) => matches!(literal.lit, syn::Lit::Str(_)),
        Pat::Or(either) => either.cases.iter().any(is_text),
        _ => false,
    }
}

/// The comparison with the texts of a pattern.
fn same(name: &Ident, pat: &Pat) -> Option<TokenStream> {
    match pat {
        Pat::Lit(literal) => Some(quote!(#name == #literal)),
        Pat::Or(either) => {
            let each = either.cases.iter().map(|pat| same(name, pat));
            let each = each.collect::<Option<Vec<_>>>()?;
            Some(quote!((#(#each)||*)))
        }
        _ => None,
    }
}

fn tuple_of(mut pats: Vec<Pat>) -> Pat {
    match pats.len() {
        1 => pats.remove(0),
        _ => syn::parse_quote!((#(#pats),*)),
    }
}

fn unguarded(pat: &Pat) -> &Pat {
    match pat {
        Pat::Guard(guarded) => &guarded.pat,
        pat => pat,
    }
}

fn guard_of(pat: &Pat) -> Option<TokenStream> {
    match pat {
        Pat::Guard(guarded) => Some(guarded.guard.to_token_stream()),
        _ => None,
    }
}

fn guarded(pat: &Pat, guard: Option<TokenStream>, body: TokenStream) -> syn::Arm {
    let guard = guard.map(|guard| quote!(if #guard));
    syn::parse_quote!(#pat #guard => { #body })
}
