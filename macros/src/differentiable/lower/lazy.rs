//! Chains of iterators that are bound to a name: written out where the name is used.
//!
//! ```text
//! let pairs = a.chunks_exact(4);
//! for pair in pairs { … }             // for pair in a.chunks_exact(4) { … }
//! for x in pairs.remainder() { … }    // for x in &a[a.len() / 4 * 4..] { … }
//! ```

use std::collections::HashMap;

use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall};

use super::made::makes_iterator;
use super::{Binding, Lower};
use crate::differentiable::ir::*;

/// What is said of an iterator that is asked for its elements one by one.
pub(super) const RUN_THROUGH: &str = "this iterator can only be run through: by a `for` loop, or in a chain that ends in `sum`, `fold`, `collect` and the like";

impl Lower<'_> {
    /// The binding of a name to a chain that is not run yet, if `init` is one of active values.
    pub(super) fn chain(&self, init: &Expr) -> Option<Binding> {
        (is_chain(init) && self.is_varied(init)).then(|| Binding::Chain {
            chain: init.clone(),
            scopes: self.scopes.clone(),
            at: None,
        })
    }

    /// The chain that a name is bound to, if it means the same here as where it was written.
    pub(super) fn chain_of(&mut self, name: &Expr) -> Option<Expr> {
        let Binding::Chain { chain, scopes, at } =
            self.lookup(&super::plain::simple_name(name)?)?.clone()
        else {
            return None;
        };
        let mut named = Named::default();
        named.visit_expr(&chain);
        let same = named.names.iter().all(|name| {
            let there = scopes.iter().rev().find_map(|s| s.get(name));
            is_same(there, self.lookup(name))
        });
        let moved = named.moves && named.names.iter().any(|name| self.is_mutable(name));
        if !same || moved {
            self.errors.at(
                name,
                "a name in this chain has another value here than where the chain was written: write the chain where it is used",
            );
            // written out it would name itself for ever
            let own = super::plain::simple_name(name);
            if own.is_some_and(|own| named.names.contains(&own)) {
                return None;
            }
        }
        Some(match at {
            Some(at) => syn::parse_quote!(#chain.skip(#at)),
            None => chain,
        })
    }

    /// What `chunks_exact` leaves over.
    pub(super) fn remainder(&mut self, call: &ExprMethodCall) -> Option<Place> {
        if !["remainder", "into_remainder"].contains(&call.method.to_string().as_str()) {
            return None;
        }
        let chain = self
            .chain_of(&call.receiver)
            .unwrap_or_else(|| (*call.receiver).clone());
        let Expr::MethodCall(chunks) = &chain else {
            return None;
        };
        if !chunks.method.to_string().starts_with("chunks_exact") {
            return None;
        }
        let (all, size) = (&chunks.receiver, chunks.args.first()?);
        self.place(&syn::parse_quote!(#all[#all.len() / (#size) * (#size)..]))
    }

    /// Whether a name is bound to a chain.
    pub(super) fn is_chain_name(&self, expr: &Expr) -> bool {
        super::plain::simple_name(expr)
            .and_then(|n| self.lookup(&n))
            .is_some_and(|b| matches!(b, Binding::Chain { .. }))
    }

    fn is_mutable(&self, name: &str) -> bool {
        matches!(self.lookup(name), Some(Binding::Root(r)) if self.program.roots[*r].kind == RootKind::Scalar)
    }
}

/// Whether two bindings stand for the same.
fn is_same(a: Option<&Binding>, b: Option<&Binding>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(Binding::Def(a)), Some(Binding::Def(b))) => a == b,
        (Some(Binding::Root(a)), Some(Binding::Root(b))) => a == b,
        (Some(Binding::Alias { place: a, .. }), Some(Binding::Alias { place: b, .. })) => {
            a.base == b.base && a.suffix.to_string() == b.suffix.to_string()
        }
        (Some(Binding::Closure { closure: a, .. }), Some(Binding::Closure { closure: b, .. })) => {
            a == b
        }
        (Some(Binding::Chain { chain: a, .. }), Some(Binding::Chain { chain: b, .. })) => a == b,
        (Some(Binding::Optional { some: a, .. }), Some(Binding::Optional { some: b, .. })) => {
            a == b
        }
        (Some(Binding::View(a)), Some(Binding::View(b))) => a.indices().eq(b.indices()),
        (Some(Binding::Inactive), Some(Binding::Inactive)) => true,
        _ => false,
    }
}

/// The names in an expression, and whether a closure in it moves what it captures.
#[derive(Default)]
struct Named {
    names: Vec<String>,
    moves: bool,
}

impl<'ast> Visit<'ast> for Named {
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        self.names
            .extend(path.path.get_ident().map(ToString::to_string));
    }
    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.moves |= closure.capture.is_some();
        visit::visit_expr_closure(self, closure);
    }
}

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
pub(super) fn gives_iterator(name: &str) -> bool {
    STARTS.contains(&name) || GOES_ON.contains(&name)
}

/// Whether an expression is an iterator: methods of iterators on what is one from the start.
pub(super) fn is_chain(expr: &Expr) -> bool {
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
pub(super) fn drain(chain: &Expr) -> Option<&syn::Ident> {
    match chain {
        Expr::MethodCall(call) if call.method == "drain" => Some(&call.method),
        Expr::MethodCall(call) => drain(&call.receiver),
        Expr::Paren(paren) => drain(&paren.expr),
        _ => None,
    }
}

/// The closures that the methods of a chain take.
pub(super) fn closures(chain: &Expr) -> Vec<&syn::ExprClosure> {
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
pub(super) fn of_unknown_length(chain: &Expr) -> Option<&syn::Ident> {
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

/// The scopes in which a chain was written.
pub(super) type Scopes = Vec<HashMap<String, Binding>>;
