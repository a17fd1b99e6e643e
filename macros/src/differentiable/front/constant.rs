//! Parameters that carry no derivative because of what their types are said to do: `rng: &mut R` with `R: Rng`. They are taken as `Const`, so that an active
//! argument has no rule, whatever the trait of this name is. The same of maps and sets, and of types that
//! the file says nothing of which would give them a tangent space.

use syn::{GenericParam, Generics, Ident, Type, TypeParamBound, WherePredicate};

use crate::differentiable::methods::types;
use crate::files::{own_field, own_tangent};
use crate::signature::{Param, Passing, RECEIVER};

/// The traits of random numbers, in all editions of `rand`.
const GENERATORS: &[&str] = &[
    "CryptoRng",
    "Rng",
    "RngCore",
    "RngExt",
    "SeedableRng",
    "TryCryptoRng",
    "TryRng",
    "TryRngCore",
];

/// The type parameters of a function that are generators of random numbers.
pub(crate) fn generators(generics: &Generics) -> Vec<Ident> {
    let predicates = generics.where_clause.iter().flat_map(|w| &w.predicates);
    let of_clause = predicates.filter_map(|p| match p {
        WherePredicate::Type(p) => match &p.bounded_ty {
            Type::Path(of) if p.bounds.iter().any(is_generator) => of.path.get_ident().cloned(),
            _ => None,
        },
        _ => None,
    });
    let of_params = generics.params.iter().filter_map(|p| match p {
        GenericParam::Type(p) if p.bounds.iter().any(is_generator) => Some(p.ident.clone()),
        _ => None,
    });
    of_params.chain(of_clause).collect()
}

/// Whether a type is one of these parameters, or is said to be a generator itself: `impl Rng`, `dyn RngCore`.
pub(crate) fn is_one_of(generators: &[Ident], ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path
            .path
            .get_ident()
            .is_some_and(|name| generators.contains(name)),
        Type::TraitObject(object) => object.bounds.iter().any(is_generator),
        _ => false,
    }
}

/// Whether a type is a map or a set of the standard library, as its name tells; texts are inactive without being declared so.
pub(crate) fn is_map(ty: &Type) -> bool {
    own_field::is_unnumbered(ty) && !types::is_inactive_type(ty)
}

/// Whether a parameter is of a type that the file says has no tangent space: `ops: &[Op]`, `options: Options`. A receiver is not, whose type
/// may have been forgotten.
pub(crate) fn is_setting(param: &Param, generics: &Generics) -> bool {
    let is_generic = |name: &Ident| generics.type_params().any(|p| p.ident == *name);
    let named =
        matches!(&param.ty, Type::Path(path) if path.path.get_ident().is_some_and(is_generic));
    !matches!(param.passing, Passing::Exclusive)
        && param.name != RECEIVER
        && !named
        && own_tangent::has_none(&param.ty)
}

fn is_generator(bound: &TypeParamBound) -> bool {
    let TypeParamBound::Trait(bound) = bound else {
        return false;
    };
    let last = bound.path.segments.last();
    last.is_some_and(|s| GENERATORS.iter().any(|name| s.ident == name))
}
