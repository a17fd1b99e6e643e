//! The names that the compiler gives a meaning: of methods, functions and macros. The name suite is generated from these.

use crate::differentiable::methods::paths;
use crate::differentiable::methods::table::{self, Fact};

/// What a method's name is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A question whose answer has no derivative, and which changes nothing.
    Query,
    /// A question to an iterator.
    IteratorQuery,
    /// A comparison of the standard library, of which only the answer matters.
    Comparison,
    /// A method of iterators, options, arrays and the like, which a slice has not.
    NotOfSlices,
    /// A method of any type of the standard library, or of `ndarray`.
    Standard,
}

/// What a method of this name and number of arguments is taken for; `None` if its receiver's type decides.
pub(super) fn meaning(name: &str, arguments: usize) -> Option<Meaning> {
    let is = |fact| table::is(name, fact);
    let std = table::is_std_method(name);
    Some(match arguments {
        _ if is(Fact::Searches) && table::has_std_arity(name, arguments) => Meaning::IteratorQuery,
        1 if is(Fact::Compares) => Meaning::Comparison,
        1 if name == "contains" => Meaning::Query,
        _ if table::is_query_of_a_value(name) => Meaning::Query,
        _ if std && !table::has_std_arity(name, arguments) => return None,
        _ if is(Fact::NotOfSlices) => Meaning::NotOfSlices,
        _ if std || table::changes(name) || is(Fact::Meant) => Meaning::Standard,
        _ => return None,
    })
}

/// Functions of the standard library that the compiler knows: their names, how many of these must be written, and their paths.
pub(crate) const FUNCTIONS: &[(&[&str], usize, &str)] = &[
    (&["mem", "swap"], 1, "::core::mem::swap"),
    (&["mem", "replace"], 2, "::core::mem::replace"),
    (&["mem", "take"], 2, "::core::mem::take"),
    (&["boxed", "Box", "new"], 2, "::std::boxed::Box::new"),
    (
        &["option", "Option", "Some"],
        1,
        "::core::option::Option::Some",
    ),
    (&["result", "Result", "Ok"], 1, "::core::result::Result::Ok"),
    (
        &["result", "Result", "Err"],
        1,
        "::core::result::Result::Err",
    ),
    (
        &["vec", "Vec", "with_capacity"],
        2,
        "::std::vec::Vec::with_capacity",
    ),
    (&["array", "from_fn"], 2, "::core::array::from_fn"),
    (&["iter", "once"], 1, "::core::iter::once"),
    (&["iter", "repeat"], 1, "::core::iter::repeat"),
    (&["iter", "repeat_n"], 1, "::core::iter::repeat_n"),
    (&["iter", "repeat_with"], 1, "::core::iter::repeat_with"),
    (&["iter", "successors"], 1, "::core::iter::successors"),
    (&["iter", "from_fn"], 1, "::core::iter::from_fn"),
    (&["iter", "zip"], 1, "::core::iter::zip"),
];

/// Traits whose methods the compiler knows when they are called by a path: `Float::max(a, b)`.
pub(crate) const TRAITS: &[(&str, &str)] = &[
    ("Float", "::coenzyme::__private::Float"),
    ("Real", "::coenzyme::__private::NumReal"),
];

/// Types whose constructor `new` the compiler knows.
pub(crate) const COMPLEX: &[&str] = &["Complex", "Complex32", "Complex64"];

/// Macros of `ndarray` that the compiler knows.
pub(crate) const ARRAY_MACROS: &[&str] = &["array", "azip", "concatenate", "s", "stack"];

/// Macros of the standard library that the compiler knows.
pub(crate) const MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "format",
    "line",
    "matches",
    "panic",
    "print",
    "println",
    "stringify",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// Whether a macro is called like one of the standard library or of `ndarray`.
pub(super) fn is_known_macro(path: &syn::Path) -> bool {
    paths::macro_name(path).is_some_and(|name| {
        MACROS.contains(&name.as_str()) || ARRAY_MACROS.contains(&name.as_str())
    })
}
