//! `#[primitive]`: a function whose derivative is its rules.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemFn;

use crate::errors::Errors;
use crate::signature::Function;

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
    crate::methods::expand(item, |_, _, _| TokenStream::new())
}
