//! All errors of one expansion, each on its span.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ItemFn;

use crate::signature::Function;

/// Collects errors, so that the user sees all of them at once.
#[derive(Default)]
pub(crate) struct Errors(Vec<syn::Error>);

impl Errors {
    /// An error at `tokens`, with what to write instead.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        self.0.push(syn::Error::new_spanned(tokens, message));
    }

    /// An error from the parser.
    pub(crate) fn push(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    /// Adds those of another step.
    pub(crate) fn append(&mut self, others: &mut Self) {
        self.0.append(&mut others.0);
    }

    /// Whether nothing went wrong.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The errors of a function that was refused, with the function and its bare marker, so that its users compile. A method
    /// has no marker.
    pub(crate) fn into_tokens_with(self, item: &ItemFn, function: &Function) -> TokenStream {
        let method = item.sig.receiver().is_some();
        let marker = (!method).then(|| function.stub());
        let errors = self.into_tokens();
        quote!(#item #marker #errors)
    }

    /// The errors as `compile_error!` calls.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.0.iter().map(syn::Error::to_compile_error).collect()
    }
}
