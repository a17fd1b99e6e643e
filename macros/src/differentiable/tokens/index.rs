//! Indices, as text.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Expr as Syntax;

use super::text::names;

/// What stands in front of the first index that names the variable, and that index.
pub(crate) fn split(suffix: &TokenStream, variable: &Ident) -> Option<(TokenStream, TokenStream)> {
    let mut prefix = TokenStream::new();
    for tree in suffix.clone() {
        match &tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                if names(group.stream(), variable) {
                    return Some((prefix, group.stream()));
                }
            }
            // a field: its type is not known
            _ => return None,
        }
        prefix.extend([tree]);
    }
    None
}

/// As [`split`], of memory or of a field: `.entries` and `i * n + j` of `.entries[i * n + j]`, `.rows[i]` and `j` of `.rows[i][j]`.
pub(crate) fn split_behind_fields(
    suffix: &TokenStream,
    variable: &Ident,
) -> Option<(TokenStream, TokenStream)> {
    let is_index = |tree: &TokenTree| matches!(tree, TokenTree::Group(_));
    let mut fields: TokenStream = (suffix.clone().into_iter())
        .take_while(|tree| !is_index(tree))
        .collect();
    if fields.is_empty() {
        return split(suffix, variable);
    }
    let rest = suffix.clone().into_iter().skip_while(|t| !is_index(t));
    let (prefix, index) = split(&rest.collect(), variable)?;
    fields.extend(prefix);
    Some((fields, index))
}

/// By how much an index grows with the variable, if that is the same everywhere.
pub(crate) fn slope(index: &Syntax, variable: &Ident) -> Option<i32> {
    match index {
        Syntax::Paren(inside) => slope(&inside.expr, variable),
        Syntax::Path(path) if path.path.is_ident(variable) => Some(1),
        Syntax::Binary(binary) => {
            let (left, right) = (
                slope(&binary.left, variable)?,
                slope(&binary.right, variable)?,
            );
            match binary.op {
                syn::BinOp::Add(_) => Some(left + right),
                syn::BinOp::Sub(_) => Some(left - right),
                _ => (left == 0 && right == 0).then_some(0),
            }
        }
        other => (!names(other.to_token_stream(), variable)).then_some(0),
    }
}

/// Whether a part of a place is `[a..b]`.
pub(crate) fn is_range(tree: TokenTree) -> bool {
    match tree {
        TokenTree::Group(group) => {
            matches!(syn::parse2::<Syntax>(group.stream()), Ok(Syntax::Range(_)))
        }
        _ => false,
    }
}

/// The index of a place that is one entry of its memory: `i` of `[i]`.
pub(crate) fn only_index(suffix: &TokenStream) -> Option<TokenStream> {
    let mut trees = suffix.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(tree @ TokenTree::Group(_)), None) if is_range(tree.clone()) => None,
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::Bracket => {
            Some(group.stream())
        }
        _ => None,
    }
}

/// Whether what stands behind memory leaves all of it: nothing, or `[..]`.
pub(crate) fn is_all(suffix: &TokenStream) -> bool {
    let mut trees = suffix.clone().into_iter();
    match (trees.next(), trees.next()) {
        (None, _) => true,
        (Some(TokenTree::Group(group)), None) => match syn::parse2::<Syntax>(group.stream()) {
            Ok(Syntax::Range(range)) => range.start.is_none() && range.end.is_none(),
            _ => false,
        },
        _ => false,
    }
}

/// Whether a place in a value of this type is a slice, an array or a vector.
pub(crate) fn is_slice(ty: &syn::Type, prefix: TokenStream) -> bool {
    let element = |ty: &syn::Type| -> Option<syn::Type> {
        match ty {
            syn::Type::Slice(slice) => Some((*slice.elem).clone()),
            syn::Type::Array(array) => Some((*array.elem).clone()),
            syn::Type::Path(path) => {
                let last = path.path.segments.last()?;
                match &last.arguments {
                    syn::PathArguments::AngleBracketed(args) if last.ident == "Vec" => {
                        match args.args.first()? {
                            syn::GenericArgument::Type(ty) => Some(ty.clone()),
                            _ => None,
                        }
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    };
    let mut ty = ty.clone();
    for tree in prefix {
        let Some(inside) = element(&ty) else {
            return false;
        };
        if !is_range(tree) {
            ty = inside;
        }
    }
    element(&ty).is_some()
}
