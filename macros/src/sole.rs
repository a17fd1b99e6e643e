//! A method of a trait that is found by its name is the one that a call means.
//!
//! `p.area()` means a method of the type's own where there is one, which needs no attribute, and the rule that is found by the name is that of
//! the marked trait. So beside the rule stands that both paths mean one function:
//!
//! ```text
//! use Area as _;
//! fn sole() { sole_of_its_name(<Point>::area, <Point as Area>::area) }
//! ```

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{FnArg, GenericParam, Ident, ImplItemFn, ItemImpl, PathArguments, Type};

/// Names that all types with a tangent space have by traits of ours, and all types by the standard library's: paths with them are ambiguous
/// where these are in scope.
const OF_MANY: &[&str] = &[
    "accumulate",
    "borrow",
    "borrow_mut",
    "clone_into",
    "congruent",
    "empty_sum",
    "flatten_into",
    "inner",
    "into",
    "map_if",
    "map_of",
    "map_value",
    "read_words",
    "scale",
    "target",
    "to_flat",
    "to_owned",
    "try_into",
    "type_id",
    "unflatten",
    "unflatten_from",
    "value",
    "wrap",
    "write_words",
    "zero_like",
    "zero_out",
];

/// The assertion for a method of the trait that a block implements. A method with type parameters has
/// none, since nothing tells them here.
pub(crate) fn assertion(block: &ItemImpl, method: &ImplItemFn) -> Option<TokenStream> {
    let (path, _) = block.trait_.as_ref()?;
    if OF_MANY.iter().any(|name| method.sig.ident == name) {
        return None;
    }
    let is_lifetime = |param: &GenericParam| matches!(param, GenericParam::Lifetime(_));
    let hidden =
        |arg: &FnArg| matches!(arg, FnArg::Typed(arg) if matches!(&*arg.ty, Type::ImplTrait(_)));
    if !method.sig.generics.params.iter().all(is_lifetime) || method.sig.inputs.iter().any(hidden) {
        return None;
    }
    let mut import = crate::marker::imported(path.clone());
    import
        .segments
        .iter_mut()
        .for_each(|s| s.arguments = PathArguments::None);
    let (generics, _, where_clause) = block.generics.split_for_impl();
    let (ty, name) = (&block.self_ty, &method.sig.ident);
    let sole = Ident::new("sole", Span::mixed_site());
    let compared = quote_spanned! {name.span()=>
        ::coenzyme::__private::sole_of_its_name(::coenzyme::__private::Functions(<#ty>::#name, <#ty as #path>::#name));
    };
    Some(quote! {
        #[doc(hidden)]
        const _: () = {
            #[allow(unused_imports)]
            use #import as _;
            #[allow(dead_code, clippy::all, clippy::pedantic)]
            fn #sole #generics () #where_clause {
                #compared
            }
        };
    })
}
