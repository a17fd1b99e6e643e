//! `impl From<A> for X` under `#[differentiable]`: `X::from(a)` is found by the type of `a`.
//!
//! ```text
//! struct X_from_A {}                                  // with the rules of `from`
//! impl Convertible<A, X_from_A> for X {}
//! ```

use proc_macro2::TokenStream;
use quote::quote;
use syn::{GenericArgument, ImplItemFn, ItemImpl, PathArguments, Type};

use crate::dispatch::inputs;
use crate::operator::words;
use crate::signature::Function;

/// The type that an implementation of `From` converts.
fn source(block: &ItemImpl) -> Option<&Type> {
    let (path, _) = block.trait_.as_ref()?;
    let last = path.segments.last().filter(|s| s.ident == "From")?;
    let PathArguments::AngleBracketed(args) = &last.arguments else {
        return None;
    };
    args.args.iter().find_map(|arg| match arg {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// What tells the marker of this conversion from those of other types: `f64` of `Celsius_from_f64`.
pub(crate) fn suffix(block: &ItemImpl) -> Option<String> {
    source(block).map(words)
}

/// How a caller finds the conversion, for `impl From<A> for X` and for a function `from` of the type's own.
pub(crate) fn finder(
    block: &ItemImpl,
    method: &ImplItemFn,
    function: &Function,
) -> Option<TokenStream> {
    if method.sig.ident != "from" || method.sig.receiver().is_some() {
        return None;
    }
    let [from] = &inputs(function)[..] else {
        return None;
    };
    let (of, marker) = (&block.self_ty, &function.name);
    let (impl_generics, _, where_clause) = function.generics.split_for_impl();
    Some(quote! {
        #[doc(hidden)]
        impl #impl_generics ::coenzyme::__private::Convertible<#from, #marker> for #of #where_clause {}
    })
}
