//! Types that are taken for inactive because of what they are called.

use proc_macro2::TokenStream;
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{FnArg, Ident, Signature, Type};

use crate::differentiable::is_inactive_type;
use crate::files::crate_names;

/// The types of parameters that carry no derivative by their names.
pub(super) fn of_signature(signature: &Signature) -> Vec<Type> {
    let mut types = Vec::new();
    for arg in &signature.inputs {
        let FnArg::Typed(arg) = arg else { continue };
        if !arg.attrs.iter().any(|a| a.path().is_ident("constant")) {
            note(&mut types, &arg.ty);
        }
    }
    if let syn::ReturnType::Type(_, ty) = &signature.output {
        note(&mut types, ty);
    }
    types
}

/// Notes a type that must be what its name says.
pub(super) fn note(types: &mut Vec<Type>, ty: &Type) {
    let ty = behind_references(ty);
    if is_taken_for_inactive(ty) && !types.contains(ty) {
        types.push(ty.clone());
    }
}

/// Asserts that a type is what its name says: one of the standard library's, or of names alone.
pub(super) fn asserted(ty: &Type) -> TokenStream {
    let mut ty = ty.clone();
    let mut names = Names::default();
    names.visit_type_mut(&mut ty);
    let names = names.0;
    quote! {
        ::coenzyme::__private::inert_type::<#ty>();
        #(#names)*
    }
}

/// Takes types of names alone out of a type, with what asserts that they are such.
#[derive(Default)]
struct Names(Vec<TokenStream>);

impl VisitMut for Names {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        let Some(variants) = crate_names::variants_of(ty) else {
            return visit_mut::visit_type_mut(self, ty);
        };
        let variants = variants
            .iter()
            .filter_map(|name| syn::parse_str::<Ident>(name).ok());
        self.0.push(quote! {
            const _: fn(&#ty) = |name| match name {
                #(<#ty>::#variants => {})*
            };
        });
        *ty = syn::parse_quote!(());
    }
}

/// Whether a type is taken for inactive because of a name that could be another type's.
pub(super) fn is_taken_for_inactive(ty: &Type) -> bool {
    is_inactive_type(ty) && !is_of_the_language(ty)
}

/// Whether a type is made of numbers, characters and truths alone, whose names nobody takes for types of their own.
fn is_of_the_language(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path
            .path
            .get_ident()
            .is_some_and(|name| name.to_string().starts_with(char::is_lowercase)),
        Type::Slice(slice) => is_of_the_language(&slice.elem),
        Type::Array(array) => is_of_the_language(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_of_the_language),
        ty => behind_references(ty) != ty && is_of_the_language(behind_references(ty)),
    }
}

fn behind_references(ty: &Type) -> &Type {
    match ty {
        Type::Reference(reference) => behind_references(&reference.elem),
        Type::Paren(paren) => behind_references(&paren.elem),
        ty => ty,
    }
}
