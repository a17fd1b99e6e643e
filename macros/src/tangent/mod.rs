//! `#[derive(Tangent)]`: the tangent space of a struct or an enum, field by field.

mod blank;
mod model;
mod place;
mod space;

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::errors::Errors;
use crate::files::{own_clone, own_index};
use model::Data;

/// Expands to the tangent space, and to what a type needs to be an argument and a returned value:
///
/// ```text
/// impl Tangent for Model where Vec<f64>: Tangent<Owned = Vec<f64>>, … { … }
/// impl Holds<Model> for Model { … }
/// impl GradientArg for Model { … }
/// …
/// ```
pub(crate) fn expand(input: DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let data = Data::parse(&input, &mut errors);
    if !errors.is_empty() {
        return errors.into_tokens();
    }
    if own_clone::computes(&input.ident) {
        errors.at(&input.ident, "the `Clone` of this type computes, and generated code clones where a copy is meant: derive `Clone`, and compute in a method of another name");
    }
    let errors = errors.into_tokens();
    let by_numbers = own_index::reads_numbers(&input.ident).then(|| {
        let (name, (generics, of, where_clause)) = (&input.ident, input.generics.split_for_impl());
        quote! {
            #[doc(hidden)]
            impl #generics ::coenzyme::__private::indexed::ReadsNumbers for #name #of #where_clause {}
        }
    });
    let (space, place, blank) = (
        space::expand(&data),
        place::expand(&data),
        blank::expand(&data),
    );
    quote!(#space #place #blank #by_numbers #errors)
}
