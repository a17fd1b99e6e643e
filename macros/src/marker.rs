//! The marker of a function that a path names, and one clear error where it has none.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned;

/// An expression for the marker of the function at `path`.
///
/// A marker has the name of its function, in the namespace of types. Where a function has none, `path {}` would be an error about
/// structs; so the name is imported beside one that comes by `*`, which gives way to it if the marker is there, and has no rules.
pub(crate) fn of(path: &Path) -> TokenStream {
    if !imports_see_what_is_near() || !may_be_imported(path) {
        return quote!(#path {});
    }
    let span = path
        .segments
        .last()
        .map_or_else(|| path.span(), |name| name.ident.span());
    quote_spanned!(span=> {
        #[allow(unused_imports)]
        use ::coenzyme::__private::unmarked::*;
        #[allow(unused_imports)]
        use #path as __function;
        <__function as ::coenzyme::__private::Marker>::of_the_function()
    })
}

/// Functions of modules: those of types have markers with names of their own, and operations of `coenzyme` itself have rules.
fn may_be_imported(path: &Path) -> bool {
    let of_a_type = |name: &Ident| name.to_string().starts_with(char::is_uppercase);
    let own = path.leading_colon.is_some() && path.segments[0].ident == "coenzyme";
    !own && !path
        .segments
        .iter()
        .any(|segment| of_a_type(&segment.ident))
}

/// Whether a path in a `use` may begin with what is in scope, which it may not in edition 2015. Seen by `c"…"`, which is one token
/// since edition 2021.
fn imports_see_what_is_near() -> bool {
    let text: Option<TokenStream> = "c\"\"".parse().ok();
    let mut tokens = text.into_iter().flatten();
    matches!(
        (tokens.next(), tokens.next()),
        (Some(TokenTree::Literal(_)), None)
    )
}
