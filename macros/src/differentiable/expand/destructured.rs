//! Assignments to several places at once, by an array, a struct or a tuple struct on the left.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Expr;

use crate::differentiable::resolve::varied::place_root;

/// `{ let [p, q] = right; a = p; b = q; }` for `[a, b] = right`, and so for structs.
pub(crate) fn destructured(assign: &syn::ExprAssign) -> Option<Expr> {
    let (left, right) = (&*assign.left, &assign.right);
    if !matches!(left, Expr::Array(_) | Expr::Struct(_) | Expr::Call(_)) {
        return None;
    }
    let mut targets = Vec::new();
    let pattern = pattern_of(left, &mut targets)?;
    let assignments = targets.iter().enumerate().map(|(k, target)| {
        let part = part_name(k);
        quote!(#target = #part;)
    });
    Some(syn::parse_quote!({ let #pattern = #right; #(#assignments)* }))
}

fn part_name(k: usize) -> Ident {
    quote::format_ident!("__part{k}", span = Span::mixed_site())
}

/// The pattern that binds the parts which go to targets.
fn pattern_of(left: &Expr, targets: &mut Vec<Expr>) -> Option<syn::Pat> {
    let mut all = |parts: &syn::punctuated::Punctuated<Expr, syn::Token![,]>| {
        let parts = parts.iter().map(|part| pattern_of(part, targets));
        parts.collect::<Option<Vec<_>>>()
    };
    Some(match left {
        Expr::Infer(_) => syn::parse_quote!(_),
        Expr::Tuple(tuple) => {
            let parts = all(&tuple.elems)?;
            syn::parse_quote!((#(#parts,)*))
        }
        Expr::Array(array) => {
            let parts = all(&array.elems)?;
            syn::parse_quote!([#(#parts),*])
        }
        Expr::Call(call) => {
            let (path, parts) = (&call.func, all(&call.args)?);
            as_pattern(quote!(#path(#(#parts),*)))?
        }
        Expr::Struct(structure) if structure.rest.is_none() => {
            let path = &structure.path;
            let fields = structure.fields.iter().map(|field| {
                let (member, part) = (&field.member, pattern_of(&field.expr, targets)?);
                Some(quote!(#member: #part))
            });
            let fields: Vec<_> = fields.collect::<Option<_>>()?;
            let rest = structure.dot2_token.map(|dots| quote!(#dots));
            as_pattern(quote!(#path { #(#fields,)* #rest }))?
        }
        place => {
            // `S { ..rest }` and `if c { }` are no places, nor patterns
            place_root(place)?;
            let part = part_name(targets.len());
            targets.push(place.clone());
            syn::parse_quote!(#part)
        }
    })
}

fn as_pattern(tokens: TokenStream) -> Option<syn::Pat> {
    syn::parse::Parser::parse2(syn::Pat::parse_single, tokens).ok()
}
