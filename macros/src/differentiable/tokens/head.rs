//! Expressions in the head of a loop or a branch, where a brace begins the body.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// The expression, in parentheses if `for _ in S { .. } {}` would be read otherwise.
pub(crate) fn head(expr: &impl ToTokens) -> TokenStream {
    match syn::parse2::<syn::ExprForLoop>(quote!(for _ in #expr {})) {
        Ok(_) => expr.to_token_stream(),
        Err(_) => quote!((#expr)),
    }
}
