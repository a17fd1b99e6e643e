//! The macros of `coenzyme`: use them through that crate, which documents them.

mod differentiable;
mod easy;
mod errors;
mod general;
mod inactive;
mod primitive;
mod signature;
mod tangent;

use proc_macro::TokenStream;

/// Declares a function whose derivative is its rules: see `coenzyme::primitive`.
#[proc_macro_attribute]
pub fn primitive(options: TokenStream, item: TokenStream) -> TokenStream {
    syn::parse_macro_input!(options as syn::parse::Nothing);
    let item = syn::parse_macro_input!(item as syn::ItemFn);
    primitive::expand(item).into()
}

/// Generates the derivative of a function: see `coenzyme::differentiable`.
#[proc_macro_attribute]
pub fn differentiable(_: TokenStream, item: TokenStream) -> TokenStream {
    let item = syn::parse_macro_input!(item as syn::ItemFn);
    differentiable::expand(item).into()
}

/// Declares a function without derivative: see `coenzyme::inactive`.
#[proc_macro_attribute]
pub fn inactive(options: TokenStream, item: TokenStream) -> TokenStream {
    syn::parse_macro_input!(options as syn::parse::Nothing);
    let item = syn::parse_macro_input!(item as syn::ItemFn);
    inactive::expand(item).into()
}

/// Gives a struct or an enum its tangent space: see `coenzyme::Tangent`.
#[proc_macro_derive(Tangent, attributes(tangent))]
pub fn tangent(item: TokenStream) -> TokenStream {
    let item = syn::parse_macro_input!(item as syn::DeriveInput);
    tangent::expand(item).into()
}

/// Both rules of a function from its partial derivatives: see `coenzyme::easy_rule`.
#[proc_macro]
pub fn easy_rule(input: TokenStream) -> TokenStream {
    let written = syn::parse_macro_input!(input as easy::Written);
    easy::expand(written).into()
}
