//! Methods of numbers that the device has, by the number of their arguments.

/// Methods without arguments.
const UNARY: &[&str] = &[
    "recip",
    "sqrt",
    "cbrt",
    "exp",
    "exp2",
    "exp_m1",
    "ln",
    "ln_1p",
    "log2",
    "log10",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "abs",
    "signum",
    "fract",
    "floor",
    "ceil",
    "round",
    "trunc",
    "to_radians",
    "to_degrees",
    "is_nan",
];

/// Methods of one argument.
const BINARY: &[&str] = &[
    "hypot", "atan2", "max", "min", "powf", "powi", "copysign", "pow",
];

/// Methods of two.
const TERNARY: &[&str] = &["mul_add", "clamp"];

/// Whether the device has a method of this name with as many arguments besides the receiver.
pub(super) fn has(name: &str, arguments: usize) -> bool {
    let of = match arguments {
        0 => UNARY,
        1 => BINARY,
        2 => TERNARY,
        _ => return false,
    };
    of.contains(&name)
}

/// Words that mean something else in C++ or in the prelude.
const RESERVED: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "array",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "compl",
    "co_await",
    "co_return",
    "co_yield",
    "concept",
    "coenzyme",
    "const_cast",
    "constexpr",
    "consteval",
    "constinit",
    "decltype",
    "default",
    "delete",
    "double",
    "blockDim",
    "blockIdx",
    "dynamic_cast",
    "errno",
    "explicit",
    "export",
    "filled",
    "float",
    "friend",
    "goto",
    "gridDim",
    "inline",
    "int",
    "lift",
    "long",
    "machine",
    "math",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "short",
    "signed",
    "sizeof",
    "signbit",
    "static_assert",
    "static_cast",
    "switch",
    "template",
    "this",
    "threadIdx",
    "thread_local",
    "throw",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unsigned",
    "using",
    "value",
    "void",
    "volatile",
    "wchar_t",
    "xor",
    "xor_eq",
    "Array",
    "Dual",
    "Int",
    "Lanes",
    "N",
    "Number",
    "R",
    "T",
];

/// A name of the function as C++ has it.
pub(super) fn name(name: &str) -> String {
    let name = name.trim_start_matches("r#");
    let cpp = match name.is_ascii() {
        true => name.to_owned(),
        // C++ compilers disagree on letters beyond ASCII
        false => name
            .chars()
            .map(|c| match c.is_ascii() {
                true => c.to_string(),
                false => format!("u{:x}", c as u32),
            })
            .collect(),
    };
    match RESERVED.contains(&&*cpp) {
        true => format!("{cpp}_"),
        false => cpp,
    }
}
