//! Chains of iterators, as far as the names of their methods tell: whether types agree is asserted by `premises`.

use syn::Expr;

use crate::differentiable::methods::paths;
use crate::differentiable::methods::table::{self, Fact};

/// Whether a method gives an iterator, as far as its name tells.
pub(crate) fn gives_iterator(name: &str) -> bool {
    table::is(name, Fact::Starts) || table::is(name, Fact::Adapts)
}

/// Whether an expression is an iterator: methods of iterators on what is one from the start.
pub(crate) fn is_chain(expr: &Expr) -> bool {
    match expr {
        Expr::MethodCall(call) => {
            let name = call.method.to_string();
            table::is(&name, Fact::Starts)
                || table::is(&name, Fact::Adapts) && is_chain(&call.receiver)
        }
        Expr::Paren(paren) => matches!(&*paren.expr, Expr::Range(_)) || is_chain(&paren.expr),
        Expr::Call(call) => makes_iterator(&call.func),
        _ => false,
    }
}

/// The `drain` that a chain begins with.
pub(crate) fn drain(chain: &Expr) -> Option<&syn::Ident> {
    match chain {
        Expr::MethodCall(call) if call.method == "drain" => Some(&call.method),
        Expr::MethodCall(call) => drain(&call.receiver),
        Expr::Paren(paren) => drain(&paren.expr),
        _ => None,
    }
}

/// The closures that the methods of a chain take.
pub(crate) fn closures(chain: &Expr) -> Vec<&syn::ExprClosure> {
    let Expr::MethodCall(call) = chain else {
        return Vec::new();
    };
    let mut all = closures(&call.receiver);
    all.extend(call.args.iter().filter_map(|arg| match arg {
        Expr::Closure(f) => Some(f),
        _ => None,
    }));
    all
}

/// The method after which the number of elements is not known, or the function that says no number.
pub(crate) fn of_unknown_length(chain: &Expr) -> Option<&syn::Ident> {
    match chain {
        Expr::MethodCall(call) if table::is(&call.method.to_string(), Fact::LosesCount) => {
            Some(&call.method)
        }
        Expr::MethodCall(call) => of_unknown_length(&call.receiver),
        Expr::Paren(paren) => of_unknown_length(&paren.expr),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) if makes_iterator(&call.func) => {
                Some(&path.path.segments.last()?.ident)
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether a function of the standard library makes an iterator.
pub(crate) fn makes_iterator(func: &Expr) -> bool {
    [
        "once",
        "repeat",
        "repeat_n",
        "repeat_with",
        "from_fn",
        "successors",
        "zip",
        "empty",
    ]
    .iter()
    .any(|name| paths::is(func, &["iter", name], 1))
}

/// Whether an expression gives the parts of a text or a map, as far as its name tells. What it is called on has no derivative, and a type of
/// another kind has to end as a text does.
pub(crate) fn gives_a_list(expr: &Expr) -> bool {
    const FINITE: &[&str] = &[
        "bytes",
        "char_indices",
        "chars",
        "into_keys",
        "into_values",
        "keys",
        "lines",
        "split",
        "split_ascii_whitespace",
        "split_terminator",
        "split_whitespace",
        "values",
    ];
    matches!(expr, Expr::MethodCall(call) if FINITE.iter().any(|name| call.method == name))
}

/// Whether a chain goes through such a list, whose elements are not written through.
pub(crate) fn begins_with_a_list(chain: &Expr) -> bool {
    match chain {
        Expr::Paren(paren) => begins_with_a_list(&paren.expr),
        Expr::MethodCall(call) => {
            gives_a_list(chain)
                || table::is(&call.method.to_string(), Fact::Adapts)
                    && begins_with_a_list(&call.receiver)
        }
        _ => false,
    }
}

/// Whether the elements of a chain are slices, or have slices in them.
pub(crate) fn gives_slices(chain: &Expr) -> bool {
    match chain {
        Expr::MethodCall(call) => {
            let maps = ["map", "filter_map", "flat_map"];
            table::is(&call.method.to_string(), Fact::GivesSlices)
                || !maps.iter().any(|name| call.method == name) && gives_slices(&call.receiver)
        }
        _ => false,
    }
}
