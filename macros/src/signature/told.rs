//! Type parameters that the arguments of a function tell: a rule is found by the types of its arguments.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{
    GenericArgument, GenericParam, Generics, Ident, PathArguments, Type, TypeParamBound, TypePath,
    WherePredicate,
};

use super::{Param, names};
use crate::errors::Errors;

/// The type parameters and constants that arguments of these types do not tell.
pub(crate) fn untold(
    generics: &Generics,
    arguments: impl Iterator<Item = TokenStream>,
) -> Vec<&Ident> {
    let mut told: Vec<Ident> = Vec::new();
    arguments.for_each(|tokens| names(without_projections(generics, tokens), &mut told));
    // `I: Iterator<Item = T>` tells `T` where `I` is told
    let of_params = generics.type_params().flat_map(|t| &t.bounds);
    let predicates = generics.where_clause.iter().flat_map(|w| &w.predicates);
    let of_clause = predicates.filter_map(|p| match p {
        WherePredicate::Type(predicate) => Some(&predicate.bounds),
        _ => None,
    });
    of_params
        .chain(of_clause.flatten())
        .for_each(|bound| names_of_associated_types(bound, &mut told));
    let params = generics.params.iter().filter_map(|param| match param {
        GenericParam::Type(param) => Some(&param.ident),
        GenericParam::Const(param) => Some(&param.ident),
        GenericParam::Lifetime(_) => None,
    });
    params.filter(|name| !told.contains(name)).collect()
}

/// A type without the associated types in it, which tell nothing of what they belong to: `N::RealField` of `N`.
fn without_projections(generics: &Generics, ty: TokenStream) -> TokenStream {
    struct Projections<'a>(&'a Generics);
    impl VisitMut for Projections<'_> {
        fn visit_type_mut(&mut self, ty: &mut Type) {
            let is_projection = match ty {
                Type::Path(TypePath { qself: Some(_), .. }) => true,
                Type::Path(TypePath { path, .. }) => {
                    let of = &path.segments[0].ident;
                    path.segments.len() > 1 && self.0.type_params().any(|param| param.ident == *of)
                }
                _ => false,
            };
            match is_projection {
                true => *ty = syn::parse_quote!(_),
                false => visit_mut::visit_type_mut(self, ty),
            }
        }
    }
    let Ok(mut ty) = syn::parse2::<Type>(ty.clone()) else {
        return ty;
    };
    Projections(generics).visit_type_mut(&mut ty);
    ty.into_token_stream()
}

/// Refuses such parameters of a function.
pub(super) fn refuse_untold(generics: &Generics, params: &[Param], errors: &mut Errors) {
    let types = params.iter().map(|p| p.ty.to_token_stream());
    for name in untold(generics, types) {
        errors.at(
            name,
            format!("no argument tells `{name}`, and a rule is found by the types of its arguments: take an argument of a type with `{name}` in it, such as `_: PhantomData<{name}>` marked `#[constant]`, or write the function for one type"),
        );
    }
}

/// The identifiers in what a bound says that the associated types of its trait are.
fn names_of_associated_types(bound: &TypeParamBound, found: &mut Vec<Ident>) {
    let TypeParamBound::Trait(bound) = bound else {
        return;
    };
    for segment in &bound.path.segments {
        // what a trait's arguments name is not told by what its associated types are, as what a function takes is not by what it returns
        let (mut taken, mut given) = (Vec::new(), Vec::new());
        match &segment.arguments {
            PathArguments::None => {}
            PathArguments::AngleBracketed(arguments) => {
                for argument in &arguments.args {
                    match argument {
                        GenericArgument::AssocType(ty) => {
                            names(ty.ty.to_token_stream(), &mut given);
                        }
                        argument => names(argument.to_token_stream(), &mut taken),
                    }
                }
            }
            PathArguments::Parenthesized(call) => {
                names(call.inputs.to_token_stream(), &mut taken);
                names(call.output.to_token_stream(), &mut given);
            }
        }
        found.extend(given.into_iter().filter(|name| !taken.contains(name)));
    }
}
