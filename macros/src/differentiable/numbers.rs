//! Type parameters that are numbers by their bounds: `T: Float`. Their rules exist for the numbers that derivatives are known of.
//!
//! ```text
//! fn ackley<T: Float>(x: &[T]) -> T
//! impl<T: Float, …> ReverseRule<R, (X,), W> for ackley where T: Real, …
//! ```
//!
//! Nothing is believed of the bound's name: a bound too many on a rule is an error at the call that lacks it, and a method that two
//! traits have is ambiguous.

use syn::{Generics, Ident, Type, TypeParamBound, WherePredicate};

/// Traits of `num_traits` that only numbers have.
const OF_NUMBERS: &[&str] = &[
    "Float",
    "FloatConst",
    "FloatCore",
    "FromPrimitive",
    "Num",
    "NumAssign",
    "NumAssignRef",
    "NumCast",
    "NumRef",
    "Signed",
];

/// Traits with which a type parameter is described already.
const DESCRIBED: &[&str] = &[
    "ComplexField",
    "ComplexFloat",
    "Number",
    "Real",
    "RealField",
    "Tangent",
];

/// Adds the bound `Real` to the parameters that are numbers.
pub(crate) fn bound(generics: &mut Generics) {
    let numbers: Vec<Ident> = generics
        .type_params()
        .map(|param| param.ident.clone())
        .filter(|name| {
            let bounds = bounds(generics, name);
            let one_of =
                |names: &[&str]| bounds.iter().any(|bound| names.iter().any(|n| bound == n));
            one_of(OF_NUMBERS) && !one_of(DESCRIBED)
        })
        .collect();
    for name in numbers {
        let bound: WherePredicate = syn::parse_quote!(#name: ::coenzyme::Real);
        generics.make_where_clause().predicates.push(bound);
    }
}

/// The names of the traits that a type parameter is bound by.
fn bounds(generics: &Generics, name: &Ident) -> Vec<Ident> {
    let own = generics.type_params().filter(|param| param.ident == *name);
    let own = own.flat_map(|param| &param.bounds);
    let clauses = generics.where_clause.iter().flat_map(|w| &w.predicates);
    let clauses = clauses.filter_map(|predicate| match predicate {
        WherePredicate::Type(predicate) => match &predicate.bounded_ty {
            Type::Path(path) if path.path.is_ident(name) => Some(&predicate.bounds),
            _ => None,
        },
        _ => None,
    });
    let all = own.chain(clauses.flatten());
    let names = all.filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => Some(bound.path.segments.last()?.ident.clone()),
        _ => None,
    });
    names.collect()
}
