//! `#[primitive]`: a function whose derivative is its rules.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{ForeignItemFn, ItemFn, Path, Token};

use crate::errors::Errors;
use crate::signature::Function;

/// `#[primitive(path = other_crate::function)]`
pub(crate) struct Options {
    /// The function of another crate.
    pub(crate) path: Option<Path>,
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.is_empty() {
            return Ok(Self { path: None });
        }
        let name: syn::Ident = input.parse()?;
        if name != "path" {
            return Err(syn::Error::new(
                name.span(),
                "the option of `primitive` is `path = other_crate::function`",
            ));
        }
        input.parse::<Token![=]>()?;
        let path = Some(input.parse()?);
        input.parse::<Option<Token![,]>>()?;
        Ok(Self { path })
    }
}

/// The signature of a function of another crate, without a body.
pub(crate) struct Carrier(ForeignItemFn);

impl Parse for Carrier {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let fork = input.fork();
        if fork.parse::<ItemFn>().is_ok() {
            return Err(fork.error(
                "the body is in the other crate: end the signature with `;`, or leave out `path`",
            ));
        }
        input.parse().map(Self)
    }
}

/// Expands to a function of this crate that calls the other one, and its marker:
///
/// ```text
/// pub fn ln_gamma(x: f64) -> f64 { statrs::function::gamma::ln_gamma(x) }
/// pub struct ln_gamma {}
/// ```
pub(crate) fn expand_carrier(path: &Path, Carrier(item): Carrier) -> TokenStream {
    let ForeignItemFn {
        attrs, vis, sig, ..
    } = item;
    let mut errors = Errors::default();
    let mut arguments = Vec::new();
    for input in &sig.inputs {
        match input {
            syn::FnArg::Typed(argument) => match &*argument.pat {
                syn::Pat::Ident(name) => arguments.push(name.ident.clone()),
                other => errors.at(other, "give the argument a name"),
            },
            syn::FnArg::Receiver(receiver) => errors.at(
                receiver,
                "a method of another crate's type gets its rule by a trait with `rule_of_…`: see the book",
            ),
        }
    }
    if !errors.is_empty() {
        return errors.into_tokens();
    }
    let body = syn::parse_quote!({ #path(#(#arguments),*) });
    let attrs = attrs.into_iter().chain([syn::parse_quote!(#[inline])]);
    expand(ItemFn {
        attrs: attrs.collect(),
        vis,
        sig,
        block: Box::new(body),
        ..syn::parse_quote!(
            fn carrier() {}
        )
    })
}

/// Expands to the function, and its marker:
///
/// ```text
/// pub fn f(y: &mut [f64], x: &[f64]) -> f64 { … }
/// pub struct f {}
/// impl<P0: HoldsMut<[f64]>, P1: Holds<[f64]>> Function<(P0, P1)> for f { … }
/// ```
pub(crate) fn expand(mut item: ItemFn) -> TokenStream {
    let mut errors = Errors::default();
    let function = Function::parse(&item.vis, &mut item.sig, &mut errors);
    if !errors.is_empty() {
        return errors.into_tokens_with(&item, &function);
    }
    let marker = function.marker();
    quote! {
        #item
        #marker
    }
}

/// Expands to the block, and the markers of its methods.
pub(crate) fn expand_impl(item: syn::ItemImpl) -> TokenStream {
    crate::methods::expand(item, crate::differentiable::read_views, |_, _, _| {
        TokenStream::new()
    })
}
