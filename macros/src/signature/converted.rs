//! Parameters that are converted: `p: impl Into<Point>`, `p: P` with `P: Into<Point>`. The rules take what they are converted into, which is
//! converted into itself by what it is.
//!
//! ```text
//! fn scaled(p: impl Into<Point>, k: f64) -> f64
//! fn scaled(p: Point, k: f64) -> f64 // as the rules see it
//! ```

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{
    FnArg, GenericArgument, GenericParam, Ident, Pat, PathArguments, Signature, Token, Type,
    TypeParamBound, WherePredicate,
};

use super::names;
use crate::differentiable::is_inactive_type;

/// A parameter that is converted.
pub(crate) struct Converted {
    pub(crate) name: Ident,
    /// What it is converted into.
    pub(crate) into: Type,
    index: usize,
    /// Its type parameter, if that has a name.
    parameter: Option<Ident>,
}

/// The parameters that are converted, as far as the signature says the type and nothing else depends on theirs.
pub(crate) fn converted(sig: &Signature) -> Vec<Converted> {
    let found = sig.inputs.iter().enumerate().filter_map(|(index, arg)| {
        let FnArg::Typed(arg) = arg else { return None };
        let Pat::Ident(pattern) = &*arg.pat else {
            return None;
        };
        if arg.attrs.iter().any(|a| a.path().is_ident("constant")) {
            return None;
        }
        let (into, parameter) = match &*arg.ty {
            Type::ImplTrait(ty) => (target(&ty.bounds)?, None),
            Type::Path(ty) => {
                let name = ty.path.get_ident()?;
                (target_of(sig, name)?, Some(name.clone()))
            }
            _ => return None,
        };
        if is_inactive_type(&into) {
            return None;
        }
        Some(Converted {
            name: pattern.ident.clone(),
            into,
            index,
            parameter,
        })
    });
    found.collect()
}

/// Writes the types that are meant; at which places of the generic arguments there is now none.
pub(crate) fn write_out(sig: &mut Signature) -> Vec<usize> {
    let converted = converted(sig);
    for Converted { into, index, .. } in &converted {
        if let FnArg::Typed(arg) = &mut sig.inputs[*index] {
            *arg.ty = into.clone();
        }
    }
    let dropped: Vec<&Ident> = converted
        .iter()
        .filter_map(|c| c.parameter.as_ref())
        .collect();
    let is_dropped = |name: &Ident| dropped.contains(&name);
    if let Some(clause) = &mut sig.generics.where_clause {
        let predicates = std::mem::take(&mut clause.predicates).into_iter();
        let others = predicates.filter(|p| {
            !matches!(p, WherePredicate::Type(p) if matches!(&p.bounded_ty, Type::Path(of) if of.path.get_ident().is_some_and(is_dropped)))
        });
        clause.predicates = others.collect();
    }
    let params = std::mem::take(&mut sig.generics.params);
    let arguments = params
        .iter()
        .filter(|p| !matches!(p, GenericParam::Lifetime(_)));
    let is_one = |p: &GenericParam| matches!(p, GenericParam::Type(p) if is_dropped(&p.ident));
    let positions = arguments.enumerate().filter(|(_, p)| is_one(p));
    let positions = positions.map(|(i, _)| i).collect();
    sig.generics.params = params.into_iter().filter(|p| !is_one(p)).collect();
    positions
}

/// What a type parameter is converted into, if nothing but parameters of that type depends on it.
fn target_of(sig: &Signature, name: &Ident) -> Option<Type> {
    let of_param = sig.generics.type_params().find(|p| p.ident == *name)?;
    let predicates = sig.generics.where_clause.iter().flat_map(|w| &w.predicates);
    let (mut into, mut mentions) = (target(&of_param.bounds), 0);
    for predicate in predicates {
        match predicate {
            WherePredicate::Type(p) if is_named(&p.bounded_ty, name) => {
                into = into.or_else(|| target(&p.bounds));
            }
            other => mentions += times(other.to_token_stream(), name),
        }
    }
    for param in sig.generics.type_params().filter(|p| p.ident != *name) {
        mentions += times(param.to_token_stream(), name);
    }
    for arg in &sig.inputs {
        match arg {
            FnArg::Typed(arg) if is_named(&arg.ty, name) => {}
            arg => mentions += times(arg.to_token_stream(), name),
        }
    }
    mentions += times(sig.output.to_token_stream(), name);
    into.filter(|_| mentions == 0)
}

fn is_named(ty: &Type, name: &Ident) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident(name))
}

fn times(tokens: TokenStream, name: &Ident) -> usize {
    let mut found = Vec::new();
    names(tokens, &mut found);
    found.iter().filter(|n| *n == name).count()
}

/// `X` of `Into<X>` among bounds that convert into one type.
fn target(bounds: &Punctuated<TypeParamBound, Token![+]>) -> Option<Type> {
    let mut targets = bounds.iter().filter_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else {
            return None;
        };
        let last = bound.path.segments.last().filter(|s| s.ident == "Into")?;
        let PathArguments::AngleBracketed(args) = &last.arguments else {
            return None;
        };
        match args.args.first()? {
            GenericArgument::Type(ty) => Some(ty.clone()),
            _ => None,
        }
    });
    let first = targets.next()?;
    targets.next().is_none().then_some(first)
}
