//! Chains of iterators, as far as the names of their methods tell: whether types agree is asserted by `premises`.

use syn::Expr;

use crate::differentiable::methods::paths;

/// Methods of memory that give an iterator.
const STARTS: &[&str] = &[
    "iter",
    "iter_mut",
    "chunks",
    "chunks_mut",
    "chunks_exact",
    "chunks_exact_mut",
    "rchunks",
    "windows",
];

/// Methods of iterators that give an iterator.
const GOES_ON: &[&str] = &[
    "chain",
    "cloned",
    "copied",
    "cycle",
    "enumerate",
    "filter",
    "filter_map",
    "flat_map",
    "flatten",
    "inspect",
    "into_iter",
    "map",
    "map_while",
    "peekable",
    "rev",
    "scan",
    "skip",
    "skip_while",
    "step_by",
    "take",
    "take_while",
    "zip",
];

/// Whether a method gives an iterator, as far as its name tells.
pub(crate) fn gives_iterator(name: &str) -> bool {
    STARTS.contains(&name) || GOES_ON.contains(&name)
}

/// Whether an expression is an iterator: methods of iterators on what is one from the start.
pub(crate) fn is_chain(expr: &Expr) -> bool {
    match expr {
        Expr::MethodCall(call) => {
            let name = call.method.to_string();
            STARTS.contains(&name.as_str())
                || GOES_ON.contains(&name.as_str()) && is_chain(&call.receiver)
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
    const LOSES: &[&str] = &[
        "chain",
        "cycle",
        "filter",
        "filter_map",
        "flat_map",
        "flatten",
        "map_while",
        "scan",
        "skip_while",
        "take_while",
    ];
    match chain {
        Expr::MethodCall(call) if LOSES.iter().any(|name| call.method == name) => {
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

/// Whether an expression gives the parts of a text, as far as its name tells. What it is called on has no derivative, and a type of
/// another kind has to end as a text does.
pub(crate) fn gives_a_list(expr: &Expr) -> bool {
    const FINITE: &[&str] = &[
        "bytes",
        "char_indices",
        "chars",
        "lines",
        "split",
        "split_ascii_whitespace",
        "split_terminator",
        "split_whitespace",
    ];
    matches!(expr, Expr::MethodCall(call) if FINITE.iter().any(|name| call.method == name))
}

/// Whether the elements of a chain are slices, or have slices in them.
pub(crate) fn gives_slices(chain: &Expr) -> bool {
    match chain {
        Expr::MethodCall(call) => {
            let slices = ["windows", "chunks", "chunks_exact", "rchunks"];
            let maps = ["map", "filter_map", "flat_map"];
            slices.iter().any(|name| call.method == name)
                || !maps.iter().any(|name| call.method == name) && gives_slices(&call.receiver)
        }
        _ => false,
    }
}

/// Methods after which an iterator goes on from elsewhere.
pub(crate) const STEPS: &[&str] = &["next", "nth", "peek", "by_ref"];
