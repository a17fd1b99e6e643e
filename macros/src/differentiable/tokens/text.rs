//! Names in tokens.

use proc_macro2::{Ident, TokenStream, TokenTree};

/// Whether tokens contain a name.
pub(crate) fn names(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => names(group.stream(), name),
        _ => false,
    })
}

/// The identifiers in tokens.
pub(crate) fn idents(tokens: TokenStream) -> Vec<String> {
    tokens
        .into_iter()
        .flat_map(|tree| match tree {
            TokenTree::Ident(ident) => vec![ident.to_string()],
            TokenTree::Group(group) => idents(group.stream()),
            _ => Vec::new(),
        })
        .collect()
}

/// The identifiers in tokens, and the names in braces in the texts among them, which macros print.
pub(crate) fn words(tokens: TokenStream) -> Vec<String> {
    tokens
        .into_iter()
        .flat_map(|tree| match tree {
            TokenTree::Ident(ident) => vec![ident.to_string()],
            TokenTree::Group(group) => words(group.stream()),
            TokenTree::Literal(text) => {
                let text = text.to_string();
                let mut parts = text.split('{');
                parts.next();
                let name = |part: &str| {
                    let end = part.find(|c: char| !c.is_alphanumeric() && c != '_');
                    part[..end.unwrap_or(part.len())].to_owned()
                };
                parts.map(name).filter(|name| !name.is_empty()).collect()
            }
            TokenTree::Punct(_) => Vec::new(),
        })
        .collect()
}
