//! The zero of a struct whose shape is in its type: what a local of generated code starts from.

use proc_macro2::TokenStream;
use quote::quote;

use super::model::Data;

/// For `struct Point { x: f64, #[tangent(inactive)] tag: u8 }`:
///
/// ```text
/// impl Blank for Point where for<'blank> f64: Blank, for<'blank> u8: Default {
///     fn blank() -> Self { Self { x: Blank::blank(), tag: Default::default() } }
/// }
/// ```
///
/// The lifetime puts off the question whether the bound holds to where a blank is wanted: a struct with a vector has none.
pub(super) fn expand(data: &Data) -> TokenStream {
    let [variant] = &data.variants[..] else {
        return TokenStream::new();
    };
    // not for an enum of one variant
    if variant.path.segments.len() > 1 {
        return TokenStream::new();
    }
    let name = &data.name;
    let (impl_generics, type_generics, _) = data.generics.split_for_impl();
    let mut generics = data.generics.clone();
    let predicates = &mut generics.make_where_clause().predicates;
    for field in &variant.fields {
        let ty = &field.ty;
        predicates.push(match field.inactive {
            true => syn::parse_quote!(for<'__blank> #ty: ::core::default::Default),
            false => syn::parse_quote!(for<'__blank> #ty: ::coenzyme::__private::Blank),
        });
    }
    let (_, _, where_clause) = generics.split_for_impl();
    let fields = variant.fields.iter().map(|field| {
        let member = &field.member;
        match field.inactive {
            true => quote!(#member: ::core::default::Default::default()),
            false => quote!(#member: ::coenzyme::__private::Blank::blank()),
        }
    });
    quote! {
        #[automatically_derived]
        impl #impl_generics ::coenzyme::__private::Blank for #name #type_generics #where_clause {
            #[inline]
            fn blank() -> Self {
                Self { #(#fields),* }
            }
        }
    }
}
