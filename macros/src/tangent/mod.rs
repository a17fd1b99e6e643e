//! `#[derive(Tangent)]`: the tangent space of a struct or an enum, field by field.

mod blank;
mod model;
mod place;
mod space;

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::errors::Errors;
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
    let (space, place, blank) = (
        space::expand(&data),
        place::expand(&data),
        blank::expand(&data),
    );
    quote!(#space #place #blank)
}
