//! What the macro knows of names: which methods are operations, which are queries. Not a formula among them.

use proc_macro2::{TokenStream, TokenTree};

/// Which values the partial derivatives of an operation read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    /// None: the operation is linear.
    Nothing,
    /// The other factor of each varied operand.
    Others,
    /// The operands, not the result.
    Operands,
    /// The result, not the operand.
    Result,
    /// Operands and result.
    Everything,
}

/// The operation behind an operator, and what its partials read.
pub(crate) fn operator(op: &syn::BinOp) -> Option<(&'static str, Needs)> {
    use syn::BinOp;
    Some(match op {
        BinOp::Add(_) | BinOp::AddAssign(_) => ("add", Needs::Nothing),
        BinOp::Sub(_) | BinOp::SubAssign(_) => ("sub", Needs::Nothing),
        BinOp::Mul(_) | BinOp::MulAssign(_) => ("mul", Needs::Others),
        BinOp::Div(_) | BinOp::DivAssign(_) => ("div", Needs::Operands),
        BinOp::Rem(_) | BinOp::RemAssign(_) => ("rem", Needs::Operands),
        _ => return None,
    })
}

/// The plain operator of a compound assignment.
pub(crate) fn compound(op: &syn::BinOp) -> Option<syn::BinOp> {
    use syn::BinOp;
    Some(match op {
        BinOp::AddAssign(_) => BinOp::Add(Default::default()),
        BinOp::SubAssign(_) => BinOp::Sub(Default::default()),
        BinOp::MulAssign(_) => BinOp::Mul(Default::default()),
        BinOp::DivAssign(_) => BinOp::Div(Default::default()),
        BinOp::RemAssign(_) => BinOp::Rem(Default::default()),
        // on inactive values only
        BinOp::BitXorAssign(_) => BinOp::BitXor(Default::default()),
        BinOp::BitAndAssign(_) => BinOp::BitAnd(Default::default()),
        BinOp::BitOrAssign(_) => BinOp::BitOr(Default::default()),
        BinOp::ShlAssign(_) => BinOp::Shl(Default::default()),
        BinOp::ShrAssign(_) => BinOp::Shr(Default::default()),
        _ => return None,
    })
}

/// The operation behind a method of a number, and what its partials read.
pub(crate) fn method(name: &str, arguments: usize) -> Option<(&'static str, Needs)> {
    const UNARY: &[&str] = &[
        "abs",
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atanh",
        "cbrt",
        "ceil",
        "cos",
        "cosh",
        "exp",
        "exp2",
        "exp_m1",
        "floor",
        "fract",
        "ln",
        "ln_1p",
        "log10",
        "log2",
        "recip",
        "round",
        "round_ties_even",
        "signum",
        "sin",
        "sinh",
        "sqrt",
        "tan",
        "tanh",
        "to_degrees",
        "to_radians",
        "trunc",
    ];
    const BINARY: &[&str] = &[
        "atan2",
        "copysign",
        "div_euclid",
        "hypot",
        "log",
        "max",
        "min",
        "powf",
        "powi",
        "rem_euclid",
    ];
    const TERNARY: &[&str] = &["clamp", "mul_add"];
    let names = match arguments {
        0 => UNARY,
        1 => BINARY,
        2 => TERNARY,
        _ => return None,
    };
    let found = names.iter().find(|n| **n == name)?;
    let needs = match name {
        "to_degrees" | "to_radians" | "div_euclid" | "round_ties_even" => Needs::Nothing,
        "cbrt" | "exp" | "exp2" | "exp_m1" | "recip" | "sqrt" | "tan" | "tanh" => Needs::Result,
        "hypot" | "log" | "powf" | "rem_euclid" => Needs::Everything,
        _ => Needs::Operands,
    };
    Some((found, needs))
}

/// The method that a function of the crate `libm` is: `ln` for `libm::log` and `libm::logf`.
pub(crate) fn of_libm(path: &syn::Path) -> Option<&'static str> {
    const FUNCTIONS: &[(&str, &str)] = &[
        ("acos", "acos"),
        ("acosh", "acosh"),
        ("asin", "asin"),
        ("asinh", "asinh"),
        ("atan", "atan"),
        ("atan2", "atan2"),
        ("atanh", "atanh"),
        ("cbrt", "cbrt"),
        ("ceil", "ceil"),
        ("copysign", "copysign"),
        ("cos", "cos"),
        ("cosh", "cosh"),
        ("exp", "exp"),
        ("exp2", "exp2"),
        ("expm1", "exp_m1"),
        ("fabs", "abs"),
        ("floor", "floor"),
        ("fma", "mul_add"),
        ("fmax", "max"),
        ("fmin", "min"),
        ("hypot", "hypot"),
        ("log", "ln"),
        ("log10", "log10"),
        ("log1p", "ln_1p"),
        ("log2", "log2"),
        ("pow", "powf"),
        ("round", "round"),
        ("sin", "sin"),
        ("sinh", "sinh"),
        ("sqrt", "sqrt"),
        ("tan", "tan"),
        ("tanh", "tanh"),
        ("trunc", "trunc"),
    ];
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let [krate, name] = &names[..] else {
        return None;
    };
    let of = |name: &str| FUNCTIONS.iter().find(|(of, _)| *of == name).map(|f| f.1);
    let found = of(name).or_else(|| of(name.strip_suffix('f')?));
    found.filter(|_| krate == "libm")
}

/// Whether to compute this operation costs more than to keep its result.
pub(crate) fn is_costly(op: &TokenStream) -> bool {
    const COSTLY: &[&str] = &[
        "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "exp",
        "exp2", "exp_m1", "hypot", "ln", "ln_1p", "log", "log10", "log2", "powf", "sin", "sinh",
        "tan", "tanh",
    ];
    match op.clone().into_iter().last() {
        Some(TokenTree::Ident(name)) => COSTLY.iter().any(|c| name == c),
        _ => false,
    }
}

/// The function that gives the partial derivative of this one, at the same operand.
pub(crate) fn beside(op: &TokenStream) -> Option<&'static str> {
    const PAIRS: &[(&str, &str)] = &[
        ("sin", "cos"),
        ("cos", "sin"),
        ("sinh", "cosh"),
        ("cosh", "sinh"),
    ];
    let TokenTree::Ident(name) = op.clone().into_iter().last()? else {
        return None;
    };
    PAIRS
        .iter()
        .find(|(of, _)| name == of)
        .map(|(_, beside)| *beside)
}

/// Whether `math = fast` computes this operation in vectors.
pub(crate) fn has_fast(op: &TokenStream) -> bool {
    const FAST: &[&str] = &["cos", "exp", "exp_m1", "ln", "ln_1p", "sin", "tanh"];
    match op.clone().into_iter().last() {
        Some(TokenTree::Ident(name)) => FAST.iter().any(|f| name == f),
        _ => false,
    }
}

/// Methods whose result carries no derivative, whatever they are called on, and that have no effect.
pub(crate) fn is_query(call: &syn::ExprMethodCall) -> bool {
    let name = call.method.to_string();
    match name.as_str() {
        "all" | "any" | "contains" | "position" | "rposition" => call.args.len() == 1,
        "count" => call.args.is_empty(),
        name => is_query_of_a_value(name),
    }
}

/// Whether a call is called like a query, but asks with a value where the standard library's takes a closure or nothing:
/// `curve.position(t)`, `curve.dim(t)`.
pub(crate) fn asks_by_value(
    call: &syn::ExprMethodCall,
    is_value: impl Fn(&syn::Expr) -> bool,
) -> bool {
    let named = |names: &[&str]| names.iter().any(|name| call.method == name);
    let number = |arg: &_| matches!(arg, syn::Expr::Lit(literal) if matches!(literal.lit, syn::Lit::Float(_)));
    let value = |arg: &_| !matches!(arg, syn::Expr::Closure(_)) && (number(arg) || is_value(arg));
    (named(&["all", "any", "position", "rposition"]) || named(ASK_NOTHING))
        && call.args.first().is_some_and(value)
}

/// Whether a call gives the position of an extreme entry: `x.iter().enumerate().max_by(order).map(|(i, _)| i)`.
pub(crate) fn is_position(call: &syn::ExprMethodCall) -> bool {
    let (Some(syn::Expr::Closure(map)), syn::Expr::MethodCall(chosen)) =
        (call.args.first(), &*call.receiver)
    else {
        return false;
    };
    let numbered = matches!(&*chosen.receiver, syn::Expr::MethodCall(numbered) if numbered.method == "enumerate");
    let chooses = ["max_by", "min_by", "find"].map(|name| chosen.method == name);
    let first = match (map.inputs.first(), &*map.body) {
        (Some(syn::Pat::Tuple(pair)), syn::Expr::Path(body)) => {
            matches!(pair.elems.first(), Some(syn::Pat::Ident(first)) if body.path.is_ident(&first.ident))
        }
        _ => false,
    };
    call.method == "map" && chooses.contains(&true) && numbered && first
}

/// Queries without arguments.
const ASK_NOTHING: &[&str] = &[
    "len",
    "is_empty",
    "is_nan",
    "is_finite",
    "is_infinite",
    "is_sign_positive",
    "is_sign_negative",
    "is_normal",
    "nrows",
    "ncols",
    "shape",
    "dim",
    "ndim",
    "capacity",
    "is_some",
    "is_none",
    "is_ok",
    "is_err",
    "to_bits",
];

/// As [`is_query`], of the methods that take what they ask about by reference.
pub(crate) fn is_query_of_a_value(name: &str) -> bool {
    const QUERIES: &[&str] = &[
        "is_sorted",
        "partition_point",
        "binary_search_by",
        "total_cmp",
        "partial_cmp",
        "cmp",
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "raw_dim",
        "len_of",
    ];
    ASK_NOTHING.contains(&name) || QUERIES.contains(&name)
}

/// Queries that ask for lengths, and read no entries.
pub(crate) fn is_length(name: &str) -> bool {
    [
        "len", "is_empty", "nrows", "ncols", "dim", "raw_dim", "shape",
    ]
    .contains(&name)
}

/// Methods of inactive values without effect, so that they can be run again.
pub(crate) fn is_pure(name: &str) -> bool {
    const PURE: &[&str] = &[
        "pow",
        "wrapping_add",
        "wrapping_sub",
        "wrapping_mul",
        "saturating_add",
        "saturating_sub",
        "checked_add",
        "checked_sub",
        "checked_mul",
        "abs_diff",
        "div_ceil",
        "next_multiple_of",
        "is_power_of_two",
        "count_ones",
        "leading_zeros",
        "trailing_zeros",
        "ilog2",
        "ilog10",
        "isqrt",
        "start",
        "end",
        "contains",
        "clone",
        "to_owned",
        "unwrap_or",
        "as_ref",
        "step_by",
        "rev",
        "not",
        "unsigned_abs",
        "is_positive",
        "is_negative",
        "rem_euclid",
        "div_euclid",
        "first",
        "last",
        "get",
        "copied",
        "cloned",
        "min",
        "max",
        "as_str",
        "as_bytes",
        "as_deref",
        "starts_with",
        "ends_with",
        "is_some_and",
        "eq_ignore_ascii_case",
    ];
    PURE.contains(&name)
        || is_query_of_a_value(name)
        || (0..3).any(|arguments| method(name, arguments).is_some())
}

/// Methods of the standard library's containers and iterators whose derivative is not known: a method of any other name is
/// looked up in its receiver's type.
pub(crate) fn is_std_method(name: &str) -> bool {
    const KNOWN: &[&str] = &[
        "and_then",
        "array_chunks",
        "array_windows",
        "as_chunks",
        "binary_search_by",
        "append",
        "chunks",
        "chunks_mut",
        "copy_within",
        "div_euclid",
        "extend_from_slice",
        "first_mut",
        "last_mut",
        "get_unchecked",
        "into_boxed_slice",
        "into_iter",
        "is_sorted",
        "map_while",
        "next",
        "next_down",
        "next_up",
        "rchunks",
        "rsplit",
        "select_nth_unstable_by",
        "sort_by_key",
        "split",
        "split_at",
        "split_at_mut",
        "split_first_mut",
        "split_last_mut",
        "split_off",
        "split_inclusive",
        "successors",
        "swap_remove",
        "unwrap_or_default",
        "clear",
        "collect",
        "concat",
        "dedup",
        "drain",
        "extend",
        "filter_map",
        "find",
        "first",
        "flat_map",
        "flatten",
        "fold",
        "for_each",
        "get",
        "get_mut",
        "inspect",
        "insert",
        "iter",
        "iter_mut",
        "join",
        "last",
        "map",
        "map_err",
        "max_by",
        "max_by_key",
        "min_by",
        "min_by_key",
        "nth",
        "ok",
        "ok_or",
        "or_else",
        "partition",
        "peekable",
        "pop",
        "product",
        "push",
        "reduce",
        "remove",
        "replace",
        "resize",
        "retain",
        "reverse",
        "rotate_left",
        "rotate_right",
        "scan",
        "skip_while",
        "sort",
        "sort_by",
        "sort_unstable",
        "sort_by_cached_key",
        "sort_unstable_by",
        "sort_unstable_by_key",
        "extend_from_within",
        "fill_with",
        "reserve",
        "reserve_exact",
        "resize_with",
        "shrink_to",
        "shrink_to_fit",
        "split_first",
        "split_last",
        "sum",
        "swap",
        "swap_with_slice",
        "take",
        "take_while",
        "to_string",
        "truncate",
        "try_fold",
        "unwrap",
        "unwrap_or_else",
        "unzip",
        "expect",
        "zip",
    ];
    KNOWN.contains(&name)
}

/// As [`is_std_method`], of a call: one with another number of arguments than the standard library's is a method of the user's own.
pub(crate) fn is_std_call(call: &syn::ExprMethodCall) -> bool {
    let name = call.method.to_string();
    is_std_method(&name) && has_std_arity(&name, call.args.len())
}

/// Whether a call has the name of a method of the standard library, and another number of arguments.
pub(crate) fn is_stranger(call: &syn::ExprMethodCall) -> bool {
    is_std_method(&call.method.to_string()) && !is_std_call(call)
}

/// Whether a method of the standard library of this name takes so many arguments.
pub(crate) fn has_std_arity(name: &str, arguments: usize) -> bool {
    match name {
        "next" | "iter" | "iter_mut" | "into_iter" | "pop" | "sum" | "product" | "clear"
        | "first" | "last" | "collect" | "flatten" | "peekable" | "reverse" | "unwrap" => {
            arguments == 0
        }
        "get" | "map" | "push" | "find" | "filter_map" | "nth" | "remove" | "retain" | "extend"
        | "append" | "split_at" | "truncate" | "chunks" | "for_each" | "reduce" => arguments == 1,
        "fold" | "scan" | "resize" => arguments == 2,
        _ => true,
    }
}

/// Macros that run in the primal only.
pub(crate) fn is_verbatim_macro(name: &str) -> bool {
    const VERBATIM: &[&str] = &[
        "assert",
        "assert_eq",
        "assert_ne",
        "debug_assert",
        "debug_assert_eq",
        "debug_assert_ne",
        "println",
        "print",
        "eprintln",
        "eprint",
        "dbg",
    ];
    VERBATIM.contains(&name)
}

/// Macros whose value, if they have one, carries no derivative, whatever stands in them.
pub(crate) fn is_inactive_macro(name: &str) -> bool {
    let runs = is_verbatim_macro(name) && name != "dbg";
    runs || is_diverging_macro(name) || answers(name)
}

/// Macros that have a value, and one without derivative.
pub(crate) fn answers(name: &str) -> bool {
    const INACTIVE: &[&str] = &[
        "format",
        "matches",
        "s",
        "concat",
        "stringify",
        "line",
        "env",
    ];
    INACTIVE.contains(&name)
}

/// Macros that do not return.
pub(crate) fn is_diverging_macro(name: &str) -> bool {
    ["panic", "unreachable", "todo", "unimplemented"].contains(&name)
}

/// Types of parameters that carry no derivative, as far as tokens tell.
pub(crate) fn is_inactive_type(ty: &syn::Type) -> bool {
    const INACTIVE: &[&str] = &[
        "bool",
        "char",
        "str",
        "String",
        "i8",
        "i16",
        "i32",
        "i64",
        "i128",
        "isize",
        "u8",
        "u16",
        "u32",
        "u64",
        "u128",
        "usize",
        "Inactive",
        "Range",
        "RangeInclusive",
        "Duration",
        "NonZero",
        "NonZeroUsize",
        "NonZeroU8",
        "NonZeroU16",
        "NonZeroU32",
        "NonZeroU64",
    ];
    match ty {
        syn::Type::Path(path) => path.path.segments.last().is_some_and(|s| {
            let name = s.ident.to_string();
            INACTIVE.contains(&name.as_str())
                || (name == "Vec" || name == "Option" || name == "Box")
                    && generic_argument(s).is_some_and(is_inactive_type)
        }),
        syn::Type::Slice(slice) => is_inactive_type(&slice.elem),
        syn::Type::Array(array) => is_inactive_type(&array.elem),
        syn::Type::Reference(reference) => is_inactive_type(&reference.elem),
        syn::Type::Tuple(tuple) => tuple.elems.iter().all(is_inactive_type),
        syn::Type::Paren(paren) => is_inactive_type(&paren.elem),
        _ => false,
    }
}

/// The first type argument of a path segment.
fn generic_argument(segment: &syn::PathSegment) -> Option<&syn::Type> {
    let syn::PathArguments::AngleBracketed(args) = &segment.arguments else {
        return None;
    };
    args.args.iter().find_map(|a| match a {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
