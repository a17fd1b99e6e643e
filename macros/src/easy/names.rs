//! Which names occur in code.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;

/// Whether `name` occurs in `code`: it may then need its value. Also inside macros, where tokens are all there is.
pub(super) fn mentions(code: impl ToTokens, name: &Ident) -> bool {
    occurs(code.to_token_stream(), name)
}

fn occurs(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => occurs(group.stream(), name),
        // A format string names variables in braces: `"{x}"`, `"{x:?}"`.
        TokenTree::Literal(literal) => literal.to_string().contains(&format!("{{{name}")),
        TokenTree::Punct(_) => false,
    })
}
