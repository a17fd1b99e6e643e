//! The signature: `f64` becomes a type parameter.

use std::collections::HashSet;

use quote::quote;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{FnArg, GenericArgument, Pat, PathArguments, ReturnType, Signature, Type};

use super::body::Types;
use super::number;
use crate::differentiable::methods::types::is_inactive_type;
use crate::errors::Errors;

/// What is written at a parameter or a result that may hold numbers which stay `f64`.
const HOLDS_NUMBERS: &str = "this type may hold `f64`, of which `order = 2` makes no other number: pass the numbers themselves (`f64`, slices, vectors, arrays, tuples), make the type generic over its number (`Own<f64>`), or write `#[constant]` before a parameter that no derivative is taken with respect to";

/// Writes the type parameter into a signature. Returns the names of the parameters whose type stays what it is.
pub(super) fn lift(
    sig: &mut Signature,
    order: &syn::LitInt,
    errors: &mut Errors,
) -> HashSet<String> {
    let mut outside = HashSet::new();
    let generics: Vec<_> = sig
        .generics
        .type_params()
        .map(|p| p.ident.clone())
        .collect();
    let stays = |ty: &Type| stays(ty, &generics);
    if !sig.inputs.iter().any(mentions_f64) {
        errors.at(
            order,
            "`order = 2` is for functions of `f64`, and no parameter of this one is: a function that is generic over `T: Real` has all orders without it",
        );
        return outside;
    }
    for arg in &mut sig.inputs {
        let FnArg::Typed(arg) = arg else { continue };
        if stays(&arg.ty) {
            match (
                &*arg.pat,
                arg.attrs.iter().any(|a| a.path().is_ident("constant")),
            ) {
                (Pat::Ident(name), true) => {
                    outside.insert(name.ident.to_string());
                }
                _ => errors.at(&arg.ty, HOLDS_NUMBERS),
            }
            continue;
        }
        Types { errors }.visit_type_mut(&mut arg.ty);
    }
    if let ReturnType::Type(_, ty) = &mut sig.output {
        match stays(ty) {
            true => errors.at(ty, HOLDS_NUMBERS),
            false => Types { errors }.visit_type_mut(ty),
        }
    }
    Types { errors }.visit_generics_mut(&mut sig.generics);
    let number = number();
    let generics = &mut sig.generics;
    generics
        .params
        .push(syn::parse_quote!(#number: ::coenzyme::__private::Liftable));
    let by_reference = syn::parse2(quote!(
        for<'r> &'r #number: ::coenzyme::__private::BorrowedNumber<#number>
    ));
    let clause = generics.make_where_clause();
    clause.predicates.push(by_reference.expect("a predicate"));
    outside
}

fn mentions_f64(arg: &FnArg) -> bool {
    struct Mentions(bool);
    impl<'ast> Visit<'ast> for Mentions {
        fn visit_type_path(&mut self, path: &'ast syn::TypePath) {
            self.0 |= path.path.is_ident("f64");
            syn::visit::visit_type_path(self, path);
        }
    }
    let mut mentions = Mentions(false);
    mentions.visit_fn_arg(arg);
    mentions.0
}

/// Whether a type is somebody's own, so that nobody knows what numbers it holds.
fn stays(ty: &Type, generics: &[syn::Ident]) -> bool {
    let stays_inside = |ty: &Type| stays(ty, generics);
    match ty {
        _ if is_inactive_type(ty) => false,
        Type::Reference(reference) => stays_inside(&reference.elem),
        Type::Slice(slice) => stays_inside(&slice.elem),
        Type::Array(array) => stays_inside(&array.elem),
        Type::Paren(inside) => stays_inside(&inside.elem),
        Type::Tuple(tuple) => tuple.elems.iter().any(stays_inside),
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else {
                return true;
            };
            let PathArguments::AngleBracketed(arguments) = &last.arguments else {
                let named = |name: &str| path.path.is_ident(name);
                return !(named("f64")
                    || named("f32")
                    || generics.iter().any(|g| named(&g.to_string())));
            };
            let mut types = arguments.args.iter().filter_map(|a| match a {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            });
            // the error of a `Result` and the dimension of an array hold no numbers
            types.next().is_none_or(stays_inside)
        }
        _ => false,
    }
}
