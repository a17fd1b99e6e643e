//! Chains of iterators that are bound to a name: written out where the name is used.
//!
//! ```text
//! let pairs = a.chunks_exact(4);
//! for pair in pairs { … }             // for pair in a.chunks_exact(4) { … }
//! for x in pairs.remainder() { … }    // for x in &a[a.len() / 4 * 4..] { … }
//! ```

use quote::quote;
use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall, Pat, Stmt};

use crate::differentiable::expand::desugar::is_vec;
use crate::differentiable::ir::*;
use crate::differentiable::lower::iterators::seq::Seq;
use crate::differentiable::lower::{Binding, Lower, Scopes};
use crate::differentiable::methods::table::{self, Fact};
use crate::differentiable::syntax::chains::is_chain;
use crate::differentiable::syntax::names;
use crate::differentiable::tokens::text;
use crate::signature::Passing;

/// What is said of an iterator that is asked for its elements one by one.
pub(crate) const RUN_THROUGH: &str = "this iterator can only be run through: by a `for` loop, or in a chain that ends in `sum`, `fold`, `collect` and the like";

impl Lower<'_> {
    /// The binding of a name to a chain that is not run yet, if `init` is one of active values, or they come into it where the name is used.
    pub(crate) fn chain(&self, name: &str, init: &Expr) -> Option<Binding> {
        let varied = self.varied.contains(name) || self.is_varied(init);
        (is_chain(init) && varied).then(|| Binding::Chain {
            chain: init.clone(),
            scopes: self.scopes.clone(),
            at: None,
        })
    }

    /// A chain that goes through an array or a vector by value, or through one that has no name, as one through a local of that value.
    pub(crate) fn through_local(&mut self, chain: &Expr) -> Option<Expr> {
        let call = match chain {
            Expr::MethodCall(call) => call,
            Expr::Block(held) => return self.through_local(&with_held(&held.block)?),
            _ => return None,
        };
        let of = &*call.receiver;
        let starts = ["iter", "into_iter"].iter().any(|name| call.method == name);
        if !starts || !call.args.is_empty() {
            let of = table::is(&call.method.to_string(), Fact::Adapts)
                .then(|| self.through_local(of))??;
            let mut call = call.clone();
            *call.receiver = of;
            return Some(Expr::MethodCall(call));
        }
        let by_value = call.method == "into_iter";
        let copied = by_value.then(|| quote!(.cloned()));
        if matches!(of, Expr::Array(_)) || is_vec(of) {
            let local = names::hidden("entries");
            self.usage.memory.insert(local.to_string());
            self.varied.insert(local.to_string());
            self.let_pattern(&syn::parse_quote!(#local), None, of);
            return Some(syn::parse_quote!(#local.iter()#copied));
        }
        // behind a reference the elements are references
        let copied = match self.lookup(&names::simple_name(of)?)? {
            Binding::Def(_) => copied,
            Binding::Root(r) => match self.program.roots[*r].kind {
                RootKind::Param { passing, .. } if passing != Passing::Value => None,
                _ => copied,
            },
            _ => return None,
        };
        by_value.then(|| syn::parse_quote!(#of.iter()#copied))
    }

    /// A chain whose length is not known before, as one through a local that its elements are collected in.
    pub(crate) fn by_number(&mut self, chain: &Expr) -> Option<Seq> {
        let local = names::hidden("entries");
        if self.is_varied(chain) {
            self.varied.insert(local.to_string());
        }
        self.usage.memory.insert(local.to_string());
        let collected: Expr = syn::parse_quote!(#chain.cloned().collect::<::std::vec::Vec<_>>());
        self.let_pattern(&syn::parse_quote!(#local), None, &collected);
        // values are moved, references lead to the values
        match makes_values(chain) {
            true => self.seq(&syn::parse_quote!(#local.into_iter())),
            false => self.seq(&syn::parse_quote!(#local.iter())),
        }
    }

    /// The chain that a name is bound to, if it means the same here as where it was written.
    pub(crate) fn chain_of(&mut self, name: &Expr) -> Option<Expr> {
        let Binding::Chain { chain, scopes, at } = self.lookup(&names::simple_name(name)?)?.clone()
        else {
            return None;
        };
        let mut named = Named::default();
        named.visit_expr(&chain);
        let same = self.means_the_same(&chain, &scopes);
        let moved = named.moves && named.names.iter().any(|name| self.is_mutable(name));
        if !same || moved {
            self.errors.at(
                name,
                "a name in this chain has another value here than where the chain was written: write the chain where it is used",
            );
            // written out it would name itself for ever
            let own = names::simple_name(name);
            if own.is_some_and(|own| named.names.contains(&own)) {
                return None;
            }
        }
        Some(match at {
            Some(at) => syn::parse_quote!(#chain.skip(#at)),
            None => chain,
        })
    }

    /// Whether the names in a chain stand for what they stood for in the scopes that it was written in.
    pub(crate) fn means_the_same(&self, chain: &Expr, scopes: &Scopes) -> bool {
        let mut named = Named::default();
        named.visit_expr(chain);
        named.names.iter().all(|name| {
            let there = scopes.iter().rev().find_map(|s| s.get(name));
            is_same(there, self.lookup(name))
        })
    }

    /// What `chunks_exact` leaves over.
    pub(crate) fn remainder(&mut self, call: &ExprMethodCall) -> Option<Place> {
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
    pub(crate) fn is_chain_name(&self, expr: &Expr) -> bool {
        names::simple_name(expr)
            .and_then(|n| self.lookup(&n))
            .is_some_and(|b| matches!(b, Binding::Chain { .. }))
    }

    fn is_mutable(&self, name: &str) -> bool {
        matches!(self.lookup(name), Some(Binding::Root(r)) if self.program.roots[*r].kind == RootKind::Scalar)
    }
}

/// The chain at the end of `{ let held = vec![x, y]; held.into_iter() }`, with what is held in its place.
fn with_held(block: &syn::Block) -> Option<Expr> {
    let [Stmt::Local(held), Stmt::Expr(chain, None)] = &block.stmts[..] else {
        return None;
    };
    let (Pat::Ident(name), Some(init)) = (&held.pat, &held.init) else {
        return None;
    };
    let mut chain = chain.clone();
    let mut first = &mut chain;
    while let Expr::MethodCall(call) = first {
        first = &mut call.receiver;
    }
    let is_held = names::simple_name(first).is_some_and(|first| name.ident == first);
    if !is_held || !matches!(&*init.expr, Expr::Macro(_) | Expr::Array(_)) {
        return None;
    }
    *first = (*init.expr).clone();
    Some(chain)
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
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.names.extend(text::words(mac.tokens.clone()));
    }
    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.moves |= closure.capture.is_some();
        visit::visit_expr_closure(self, closure);
    }
}

/// Whether the elements of a chain are values, and no references to what it goes through.
fn makes_values(chain: &Expr) -> bool {
    match chain {
        Expr::Paren(paren) => makes_values(&paren.expr),
        Expr::MethodCall(call) => {
            let makes = ["cloned", "copied", "filter_map", "into_iter", "map", "scan"];
            makes.iter().any(|name| call.method == name) || makes_values(&call.receiver)
        }
        chain => matches!(chain, Expr::Call(_) | Expr::Range(_)),
    }
}
