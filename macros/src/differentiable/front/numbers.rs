//! Type parameters that are numbers by their bounds: `T: Float`. Their rules exist for the numbers that derivatives are known of.
//!
//! ```text
//! fn ackley<T: Float>(x: &[T]) -> T
//! impl<T: Float, …> ReverseRule<R, (X,), W> for ackley where T: Real, …
//! ```
//!
//! Nothing is believed of the bound's name: a bound too many on a rule is an error at the call that lacks it, and a method that two
//! traits have is ambiguous.

use std::collections::HashSet;

use quote::ToTokens;
use syn::{
    GenericArgument, Generics, Ident, PathArguments, TraitBound, Type, TypeParamBound,
    WherePredicate,
};

use crate::differentiable::tokens::text;
use crate::signature::{Function, Passing};

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
    "Liftable",
    "Number",
    "Real",
    "RealField",
    "Tangent",
];

/// Whether the name of a trait of the user's says that its types are numbers: `Scalar`, `FloatType`, `GeoFloat`, `CoordNum`. A `ScalarField` is none.
fn tells_of_numbers(bound: &Ident) -> bool {
    let name = bound.to_string();
    let name = name.strip_suffix("Type").unwrap_or(&name);
    ["Float", "Num", "Number", "Numeric", "Real", "Scalar"]
        .iter()
        .any(|word| name.ends_with(word))
}

/// Whether this is the name of a type of numbers that is built in.
pub(crate) fn is_primitive(name: &Ident) -> bool {
    const PRIMITIVE: &[&str] = &[
        "f64", "f32", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
        "u128", "usize",
    ];
    PRIMITIVE.iter().any(|primitive| name == primitive)
}

/// Whether a type is one of numbers: that with which a function computes, or one that is built in.
pub(crate) fn is_number(ty: &Type, scalar: &Type) -> bool {
    ty == scalar
        || matches!(ty, Type::Path(path) if path.path.get_ident().is_some_and(is_primitive))
}

/// Adds the bound `Real` to the parameters that are numbers.
pub(crate) fn bound(generics: &mut Generics) {
    for name in numbers(generics) {
        let bound: WherePredicate = syn::parse_quote!(#name: ::coenzyme::Real);
        generics.make_where_clause().predicates.push(bound);
    }
}

/// Adds a bound to the parameters that are numbers, for a function that is never called.
pub(crate) fn bound_values(generics: &mut Generics) {
    for name in numbers(generics) {
        let bound: WherePredicate = syn::parse_quote!(#name: ::coenzyme::__private::form::ForValue<::coenzyme::__private::form::reasons::Parameter>);
        generics.make_where_clause().predicates.push(bound);
    }
}

/// The parameters that are numbers, and are not said to be numbers of ours.
fn numbers(generics: &Generics) -> Vec<Ident> {
    generics
        .type_params()
        .map(|param| param.ident.clone())
        .filter(|name| {
            let bounds = bounds(generics, name);
            let one_of =
                |names: &[&str]| bounds.iter().any(|bound| names.iter().any(|n| bound == n));
            let told = one_of(OF_NUMBERS)
                || bounds.iter().any(tells_of_numbers)
                || is_arithmetic(generics, name);
            told && !one_of(DESCRIBED)
        })
        .collect()
}

/// Adds to the parameters that stand inside of types, as `S` of `Scaled<S>`, that their values may be kept in a struct that has a tangent space:
/// `#[derive(Tangent)]` asks that of its fields, whose types are not seen here. A parameter that is a type by itself has the bounds that it was
/// written with, and so has one of the user's traits behind a reference, whose methods are called in place; one of which nothing tells what it is, and
/// whose values are passed or returned, stands for values with tangents.
pub(crate) fn bound_inside<'a>(
    generics: &mut Generics,
    values: impl Iterator<Item = &'a Type>,
    lent: impl Iterator<Item = &'a Type>,
) {
    let (mut in_values, mut behind, mut by_value) = (HashSet::new(), HashSet::new(), Vec::new());
    let mut in_entries = HashSet::new();
    values.for_each(|ty| {
        names_inside(ty, &mut in_values);
        names_of_entries(ty, &mut in_entries);
        by_value.push(ty);
    });
    lent.for_each(|ty| {
        names_inside(ty, &mut behind);
        names_of_entries(ty, &mut in_entries);
    });
    // entries that are numbers are bound already
    for name in numbers(generics) {
        in_entries.remove(&name.to_string());
    }
    let is_entry =
        |name: &Ident| in_entries.contains(&name.to_string()) && !is_of_own_trait(generics, name);
    let is_inside = |name: &Ident| {
        let text = name.to_string();
        in_values.contains(&text) || behind.contains(&text) && !is_of_own_trait(generics, name)
    };
    let params = generics.type_params().map(|param| param.ident.clone());
    let params =
        params.filter(|name| (is_inside(name) || is_entry(name)) && may_be_kept(generics, name));
    for name in params.collect::<Vec<_>>() {
        let bound: WherePredicate = syn::parse_quote!(#name: ::coenzyme::__private::Inside);
        generics.make_where_clause().predicates.push(bound);
    }
    bound_by_value(generics, &by_value);
}

/// The parameters that stand inside of a type, and may be kept in a struct that has a tangent space.
pub(crate) fn kept_in<'g>(generics: &'g Generics, ty: &Type) -> impl Iterator<Item = &'g Ident> {
    let mut inside = HashSet::new();
    names_inside(ty, &mut inside);
    let params = generics.type_params().map(|param| &param.ident);
    params.filter(move |name| inside.contains(&name.to_string()) && may_be_kept(generics, name))
}

/// Adds to the parameters whose values are passed and returned, `T` of `fn push(&mut self, value: T) -> T`, that they are values with tangents, if
/// nothing tells what they are.
fn bound_by_value(generics: &mut Generics, values: &[&Type]) {
    let numbers = numbers(generics);
    let is_itself = |name: &Ident| {
        let is = |ty: &&&Type| matches!(ty, Type::Path(ty) if ty.path.is_ident(name));
        values.iter().any(|ty| is(&ty))
    };
    let is_open = |name: &Ident| {
        is_itself(name)
            && !numbers.contains(name)
            && may_be_kept(generics, name)
            && !is_lifted(generics, name)
    };
    let params = generics.type_params().map(|param| param.ident.clone());
    for name in params.filter(|name| is_open(name)).collect::<Vec<_>>() {
        let bound: WherePredicate = syn::parse_quote!(#name: ::coenzyme::Value);
        generics.make_where_clause().predicates.push(bound);
    }
}

/// The parameters of which the rules ask that they are values.
pub(crate) fn values(generics: &Generics) -> impl Iterator<Item = &Type> {
    let clause = generics.where_clause.iter();
    let asked: TypeParamBound = syn::parse_quote!(::coenzyme::Value);
    let is_asked = move |bound: &TypeParamBound| *bound == asked;
    let predicates = clause.flat_map(|clause| &clause.predicates);
    predicates.filter_map(move |predicate| match predicate {
        WherePredicate::Type(of) if of.bounds.iter().any(&is_asked) => Some(&of.bounded_ty),
        _ => None,
    })
}

/// Whether a parameter is what stands for `f64` in a function of second order.
fn is_lifted(generics: &Generics, name: &Ident) -> bool {
    let bounds = trait_bounds(generics, name);
    let mut last = bounds.iter().filter_map(|b| b.path.segments.last());
    last.any(|s| s.ident == "Liftable")
}

/// The identifiers in the entries of arrays and the parts of tuples.
fn names_of_entries(ty: &Type, found: &mut HashSet<String>) {
    match ty {
        Type::Array(array) => found.extend(text::words(array.elem.to_token_stream())),
        Type::Tuple(_) => found.extend(text::words(ty.to_token_stream())),
        _ => {}
    }
}

/// The identifiers in the generic arguments of a type.
fn names_inside(ty: &Type, found: &mut HashSet<String>) {
    let Type::Path(path) = ty else {
        return;
    };
    for segment in &path.path.segments {
        if let PathArguments::AngleBracketed(arguments) = &segment.arguments {
            found.extend(text::words(arguments.to_token_stream()));
        }
    }
}

/// Whether nothing tells that a type parameter is a number, a function, or has no size.
fn may_be_kept(generics: &Generics, name: &Ident) -> bool {
    const OTHERS: &[&str] = &[
        "Fn",
        "FnMut",
        "FnOnce",
        "Function",
        "Iterator",
        "IntoIterator",
    ];
    let bounds = bounds(generics, name);
    let is_one_of = |names: &[&str], b: &Ident| names.iter().any(|n| b == n);
    let told = |b: &Ident| is_one_of(OTHERS, b) || is_one_of(DESCRIBED, b) || b == "Sized";
    !bounds.iter().any(told)
}

/// Whether all that is known of a type parameter is that its values are added and multiplied with each other: `T: Mul<Output = T> + Copy`.
fn is_arithmetic(generics: &Generics, name: &Ident) -> bool {
    const OPERATORS: &[&str] = &["Add", "Div", "Mul", "Neg", "Rem", "Sub"];
    let is_one_of = |names: &[&str], b: &Ident| names.iter().any(|n| b == n);
    let is_itself =
        |ty: &Type| matches!(ty, Type::Path(p) if p.path.is_ident(name) || p.path.is_ident("Self"));
    let mut found = false;
    for bound in trait_bounds(generics, name) {
        let Some(last) = bound.path.segments.last() else {
            return false;
        };
        if !is_one_of(OF_THE_LIBRARY, &last.ident) {
            return false;
        }
        if !is_one_of(OPERATORS, &last.ident) {
            continue;
        }
        found = true;
        if let PathArguments::AngleBracketed(arguments) = &last.arguments {
            let of_itself = arguments.args.iter().all(|argument| match argument {
                GenericArgument::Type(ty) => is_itself(ty),
                GenericArgument::AssocType(output) => is_itself(&output.ty),
                _ => false,
            });
            if !of_itself {
                return false;
            }
        }
    }
    found
}

/// Traits of the standard library that tell nothing of a type's methods, or that it may be a number.
const OF_THE_LIBRARY: &[&str] = &[
    "Add",
    "AddAssign",
    "AsMut",
    "AsRef",
    "Borrow",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Deref",
    "DerefMut",
    "Display",
    "Div",
    "DivAssign",
    "DoubleEndedIterator",
    "Eq",
    "ExactSizeIterator",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "Hash",
    "Index",
    "IndexMut",
    "Into",
    "IntoIterator",
    "Iterator",
    "Mul",
    "MulAssign",
    "Neg",
    "One",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Product",
    "Rem",
    "Send",
    "Sized",
    "Sub",
    "SubAssign",
    "Sum",
    "Sync",
    "ToOwned",
    "ToString",
    "Zero",
];

/// Whether nothing that a type parameter is bound by is known to be wanting in `f64`.
pub(crate) fn may_be_float(generics: &Generics, name: &Ident) -> bool {
    const NOT_OF_FLOATS: &[&str] = &[
        "AsMut",
        "AsRef",
        "Deref",
        "DerefMut",
        "DoubleEndedIterator",
        "Eq",
        "ExactSizeIterator",
        "Fn",
        "FnMut",
        "FnOnce",
        "Hash",
        "Index",
        "IndexMut",
        "IntoIterator",
        "Iterator",
        "Ord",
    ];
    let is_one_of = |names: &[&str], b: &Ident| names.iter().any(|n| b == n);
    bounds(generics, name).iter().all(|bound| {
        let of_library = is_one_of(OF_THE_LIBRARY, bound) && !is_one_of(NOT_OF_FLOATS, bound);
        let of_numbers = is_one_of(OF_NUMBERS, bound) || is_one_of(DESCRIBED, bound);
        of_library || of_numbers || tells_of_numbers(bound)
    })
}

/// Whether a type parameter is described by a trait of the user's, and not as a number: then its methods are the user's, whatever
/// they are called.
fn is_of_own_trait(generics: &Generics, name: &Ident) -> bool {
    let bounds = bounds(generics, name);
    let is_one_of = |names: &[&str], b: &Ident| names.iter().any(|n| b == n);
    let number = |b: &Ident| is_one_of(OF_NUMBERS, b) || is_one_of(DESCRIBED, b) && b != "Tangent";
    !bounds.iter().any(number)
        && bounds
            .iter()
            .any(|b| !is_one_of(OF_THE_LIBRARY, b) && b != "Tangent")
}

/// Whether a type parameter is.
pub(crate) fn are_of_own_traits(generics: &Generics) -> bool {
    let mut params = generics.type_params();
    params.any(|param| is_of_own_trait(generics, &param.ident))
}

/// Whether a type parameter stands for an object with methods: one of a trait of the user's, which may as well be a trait of numbers
/// (`trait Scalar: Real`). Numbers come in number, and are returned.
pub(crate) fn is_object(function: &Function, name: &Ident) -> bool {
    let names = |ty: &Type| text::words(ty.to_token_stream()).iter().any(|w| name == w);
    let values = function.params.iter().filter(|p| {
        let many = matches!(p.ty, Type::Slice(_) | Type::Array(_));
        (p.passing == Passing::Value || many) && names(&p.ty)
    });
    is_of_own_trait(&function.generics, name) && !names(&function.output) && values.count() < 2
}

/// The type parameters that do.
pub(crate) fn objects(function: &Function) -> HashSet<Ident> {
    let params = function.generics.type_params().map(|p| p.ident.clone());
    params.filter(|name| is_object(function, name)).collect()
}

/// Whether a copy of what a type stands for can be kept: of type parameters, only what their bounds tell is known.
pub(crate) fn can_be_kept(function: &Function, ty: &Type) -> bool {
    let generics = &function.generics;
    let words = text::words(ty.to_token_stream());
    let mut named = generics
        .type_params()
        .filter(|p| words.iter().any(|w| p.ident == w));
    named.all(|param| {
        let bounds = bounds(generics, &param.ident);
        let one_of = |names: &[&str]| bounds.iter().any(|b| names.iter().any(|n| b == n));
        !is_object(function, &param.ident) || one_of(&["Clone", "Copy"]) && one_of(&["Send"])
    })
}

/// The names of the traits that a type parameter is bound by.
pub(crate) fn bounds(generics: &Generics, name: &Ident) -> Vec<Ident> {
    // what was added here is not the user's
    let is_ours = |bound: &&TraitBound| bound.path.segments.iter().any(|s| s.ident == "__private");
    let bounds = trait_bounds(generics, name).into_iter();
    let names = bounds
        .filter(|b| !is_ours(b))
        .filter_map(|b| b.path.segments.last());
    names.map(|last| last.ident.clone()).collect()
}

/// The traits that a type parameter is bound by.
pub(crate) fn trait_bounds<'g>(generics: &'g Generics, name: &Ident) -> Vec<&'g TraitBound> {
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
    let traits = all.filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => Some(bound),
        _ => None,
    });
    traits.collect()
}
