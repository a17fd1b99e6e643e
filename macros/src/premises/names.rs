//! The names that the compiler gives a meaning: of methods, functions and macros. The name suite is generated from these.

use crate::differentiable::methods::paths;
use crate::differentiable::{
    changes_memory, grows, has_std_arity, is_query_of_a_value, is_std_method,
};

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
    Some(match (name, arguments) {
        ("all" | "any" | "position" | "rposition", 1) | ("count", 0) => Meaning::IteratorQuery,
        ("cmp" | "partial_cmp" | "total_cmp" | "eq" | "ne" | "lt" | "le" | "gt" | "ge", 1) => {
            Meaning::Comparison
        }
        ("contains", 1) => Meaning::Query,
        _ if is_query_of_a_value(name) => Meaning::Query,
        _ if is_std_method(name) && !has_std_arity(name, arguments) => return None,
        _ if NOT_OF_SLICES.contains(&name) => Meaning::NotOfSlices,
        _ if is_std_method(name) || grows(name) || changes_memory(name) || MORE.contains(&name) => {
            Meaning::Standard
        }
        _ => return None,
    })
}

/// Methods that no slice, vector or fixed array has; those of `ndarray` are such, too.
pub(crate) const NOT_OF_SLICES: &[&str] = &[
    "and_then",
    "chain",
    "collect",
    "copied",
    "cloned",
    "cycle",
    "dot",
    "enumerate",
    "filter",
    "filter_map",
    "find",
    "flat_map",
    "flatten",
    "fold",
    "for_each",
    "inspect",
    "into_owned",
    "map_while",
    "mapv",
    "max_by",
    "max_by_key",
    "mean",
    "min_by",
    "min_by_key",
    "next",
    "nth",
    "partition",
    "peekable",
    "product",
    "product_axis",
    "reborrow",
    "reduce",
    "rev",
    "scan",
    "select",
    "skip",
    "skip_while",
    "std",
    "step_by",
    "sum",
    "sum_axis",
    "mean_axis",
    "take_while",
    "try_fold",
    "unwrap",
    "unwrap_or",
    "unwrap_or_else",
    "unwrap_or_default",
    "unzip",
    "var",
    "view",
    "view_mut",
    "zip",
    "row",
    "column",
    "diag",
    "scaled_add",
    "t",
    "by_ref",
    "next_back",
    "next_if",
    "peek",
];

/// More methods that the compiler has a meaning for.
pub(crate) const MORE: &[&str] = &[
    "as_chunks",
    "as_deref",
    "as_mut",
    "as_mut_slice",
    "as_ref",
    "as_slice",
    "assign",
    "broadcast",
    "chunks_exact",
    "chunks_exact_mut",
    "columns",
    "concat",
    "entry",
    "expect",
    "fill",
    "first_chunk",
    "iter",
    "iter_mut",
    "last_chunk",
    "map",
    "map_or",
    "map_or_else",
    "ok_or_else",
    "rows",
    "slice",
    "slice_mut",
    "swap_axes",
    "take",
    "then",
    "then_some",
    "to_owned",
    "to_vec",
    "try_into",
    "windows",
    "map_inplace",
    "mapv_inplace",
    "zip_mut_with",
    "accumulate_axis_inplace",
];

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

/// Methods that a slice has, and a vector only because it is one.
pub(crate) const OF_SLICES: &[&str] = &[
    "chunks",
    "chunks_exact",
    "chunks_exact_mut",
    "chunks_mut",
    "clone_from_slice",
    "concat",
    "contains",
    "copy_from_slice",
    "copy_within",
    "fill",
    "first",
    "first_chunk",
    "first_mut",
    "get",
    "get_mut",
    "is_sorted",
    "iter",
    "iter_mut",
    "join",
    "last",
    "last_chunk",
    "last_mut",
    "reverse",
    "rotate_left",
    "rotate_right",
    "select_nth_unstable_by",
    "sort",
    "sort_by",
    "sort_by_key",
    "sort_unstable",
    "sort_unstable_by",
    "split_at",
    "split_at_mut",
    "split_first",
    "split_first_mut",
    "split_last",
    "split_last_mut",
    "swap",
    "swap_with_slice",
    "to_vec",
    "windows",
];

/// Methods that leave their receiver as it is, but take it by value.
pub(crate) const CONSUMING: &[&str] = &[
    "cloned",
    "copied",
    "rev",
    "step_by",
    "to_owned",
    "unwrap_or",
];

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
