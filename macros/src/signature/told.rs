//! Type parameters that the arguments of a function tell: a rule is found by the types of its arguments.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{
    GenericArgument, GenericParam, Generics, Ident, PathArguments, TypeParamBound, WherePredicate,
};

use super::{Param, names};
use crate::errors::Errors;

/// The type parameters and constants that arguments of these types do not tell.
pub(crate) fn untold(
    generics: &Generics,
    arguments: impl Iterator<Item = TokenStream>,
) -> Vec<&Ident> {
    let mut told: Vec<Ident> = Vec::new();
    arguments.for_each(|tokens| names(tokens, &mut told));
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
        match &segment.arguments {
            PathArguments::None => {}
            PathArguments::AngleBracketed(arguments) => {
                for argument in &arguments.args {
                    if let GenericArgument::AssocType(ty) = argument {
                        names(ty.ty.to_token_stream(), found);
                    }
                }
            }
            PathArguments::Parenthesized(call) => {
                // what a function takes is not told by what it returns
                let (mut taken, mut returned) = (Vec::new(), Vec::new());
                names(call.inputs.to_token_stream(), &mut taken);
                names(call.output.to_token_stream(), &mut returned);
                found.extend(returned.into_iter().filter(|name| !taken.contains(name)));
            }
        }
    }
}
