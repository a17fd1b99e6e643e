//! The operations on numbers: operators, methods, the functions of `libm`. Not a formula among them.

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

/// A method of numbers that is an operation.
struct Operation {
    name: &'static str,
    /// The number of operands beside the receiver.
    arguments: usize,
    needs: Needs,
    /// The function of `libm`, in double precision.
    libm: Option<&'static str>,
    facts: u8,
}

/// To compute it costs more than to keep its result.
const COSTLY: u8 = 1;
/// `math = fast` computes it in vectors.
const FAST: u8 = 2;

macro_rules! operations {
    (@libm _) => { None };
    (@libm $libm:literal) => { Some($libm) };
    ($($name:literal ($arguments:literal) $needs:ident, $libm:tt $(: $($fact:ident)|+)?;)*) => {
        const OPERATIONS: &[Operation] = &[$(Operation {
            name: $name,
            arguments: $arguments,
            needs: Needs::$needs,
            libm: operations!(@libm $libm),
            facts: 0 $($(| $fact)+)?,
        }),*];
    };
}

operations! {
    // the method, its arguments, what its partials read, its name in `libm`, and what else is known
    "abs"             (0) Operands,   "fabs";
    "acos"            (0) Operands,   "acos":      COSTLY;
    "acosh"           (0) Operands,   "acosh":     COSTLY;
    "asin"            (0) Operands,   "asin":      COSTLY;
    "asinh"           (0) Operands,   "asinh":     COSTLY;
    "atan"            (0) Operands,   "atan":      COSTLY;
    "atan2"           (1) Operands,   "atan2":     COSTLY;
    "atanh"           (0) Operands,   "atanh":     COSTLY;
    "cbrt"            (0) Result,     "cbrt":      COSTLY;
    "ceil"            (0) Operands,   "ceil";
    "clamp"           (2) Operands,   _;
    "copysign"        (1) Operands,   "copysign";
    "cos"             (0) Operands,   "cos":       COSTLY | FAST;
    "cosh"            (0) Operands,   "cosh":      COSTLY;
    "div_euclid"      (1) Nothing,    _;
    "exp"             (0) Result,     "exp":       COSTLY | FAST;
    "exp2"            (0) Result,     "exp2":      COSTLY;
    "exp_m1"          (0) Result,     "expm1":     COSTLY | FAST;
    "floor"           (0) Operands,   "floor";
    "fract"           (0) Operands,   _;
    "hypot"           (1) Everything, "hypot":     COSTLY;
    "ln"              (0) Operands,   "log":       COSTLY | FAST;
    "ln_1p"           (0) Operands,   "log1p":     COSTLY | FAST;
    "log"             (1) Everything, _:           COSTLY;
    "log10"           (0) Operands,   "log10":     COSTLY;
    "log2"            (0) Operands,   "log2":      COSTLY;
    "max"             (1) Operands,   "fmax";
    "min"             (1) Operands,   "fmin";
    "mul_add"         (2) Operands,   "fma";
    "powf"            (1) Everything, "pow":       COSTLY;
    "powi"            (1) Operands,   _;
    "recip"           (0) Result,     _;
    "rem_euclid"      (1) Everything, _;
    "round"           (0) Operands,   "round";
    "round_ties_even" (0) Nothing,    _;
    "signum"          (0) Operands,   _;
    "sin"             (0) Operands,   "sin":       COSTLY | FAST;
    "sinh"            (0) Operands,   "sinh":      COSTLY;
    "sqrt"            (0) Result,     "sqrt";
    "tan"             (0) Result,     "tan":       COSTLY;
    "tanh"            (0) Result,     "tanh":      COSTLY | FAST;
    "to_degrees"      (0) Nothing,    _;
    "to_radians"      (0) Nothing,    _;
    "trunc"           (0) Operands,   "trunc";
}

/// The operation behind a method of a number, and what its partials read.
pub(crate) fn method(name: &str, arguments: usize) -> Option<(&'static str, Needs)> {
    let named = |operation: &&Operation| operation.name == name && operation.arguments == arguments;
    OPERATIONS
        .iter()
        .find(named)
        .map(|operation| (operation.name, operation.needs))
}

/// Whether a method of this name is an operation, with whatever number of arguments.
pub(crate) fn is_operation(name: &str) -> bool {
    OPERATIONS.iter().any(|operation| operation.name == name)
}

/// The method that a function of the crate `libm` is: `ln` for `libm::log` and `libm::logf`.
pub(crate) fn of_libm(path: &syn::Path) -> Option<&'static str> {
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let [krate, name] = &names[..] else {
        return None;
    };
    let of = |name: &str| {
        let called = |operation: &&Operation| operation.libm == Some(name);
        OPERATIONS.iter().find(called).map(|found| found.name)
    };
    let found = of(name).or_else(|| of(name.strip_suffix('f')?));
    found.filter(|_| krate == "libm")
}

/// Whether to compute this operation costs more than to keep its result.
pub(crate) fn is_costly(op: &TokenStream) -> bool {
    is(op, COSTLY)
}

/// Whether `math = fast` computes this operation in vectors.
pub(crate) fn has_fast(op: &TokenStream) -> bool {
    is(op, FAST)
}

/// Whether the operation that a path ends with is such.
fn is(op: &TokenStream, fact: u8) -> bool {
    match op.clone().into_iter().last() {
        Some(TokenTree::Ident(name)) => OPERATIONS
            .iter()
            .any(|operation| name == operation.name && operation.facts & fact != 0),
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
