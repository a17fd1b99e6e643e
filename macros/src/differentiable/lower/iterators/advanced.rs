//! Iterators that are kept in a local and advanced: a chain, and the number of the element that comes next.
//!
//! ```text
//! // let mut it = x.iter(); let first = it.next().unwrap(); for v in it { … }
//! let mut at = 0; let first = &x[at]; at += 1; for v in x.iter().skip(at) { … }
//! ```

use proc_macro2::Ident;
use quote::quote;
use syn::{Expr, ExprMethodCall};

use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::memory::place;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::methods::table::{self, Fact};
use crate::differentiable::syntax::chains::{closures, is_chain, of_unknown_length};
use crate::differentiable::syntax::names::simple_name;

/// What is said of an iterator that is advanced where only values are computed.
const IN_A_STATEMENT: &str = "this iterator is advanced inside an expression: bind what it gives to a name, or write `if let Some(v) = it.next()`";

impl Lower<'_> {
    /// `let mut it = x.iter();` where it is advanced later. Whether it is.
    pub(crate) fn let_stepped(&mut self, name: &Ident, init: &Expr) -> bool {
        let init = &without_peeking(init);
        let text = name.to_string();
        if !self.usage.stepped.contains(&text) || !is_chain(init) || !self.is_varied(init) {
            return false;
        }
        let Some(Binding::Chain { chain, scopes, .. }) = self.chain(&text, init) else {
            return false;
        };
        if let Some(method) = of_unknown_length(&chain) {
            self.errors.at(
                method,
                "an iterator whose length is not known before is not advanced: `collect` it first, or run through it by a loop",
            );
        }
        let mut closures = closures(&chain).into_iter();
        if let Some(changes) = closures.find(|f| !self.changed_in(&f.body).is_empty()) {
            self.errors.at(
                changes,
                "this closure changes what is around it, and an iterator that is advanced goes through its elements by their numbers: write a loop",
            );
        }
        let at = self.unbound(name, "at");
        let zero = ir::Expr {
            tokens: quote!(0_usize),
            ..Default::default()
        };
        let zero = Atom::Def(self.def(DefKind::Pure(zero), false));
        let root = self.variable(&at.to_string(), zero, false);
        self.bind(&at.to_string(), Binding::Root(root));
        let at = Some(at);
        self.bind(&name.to_string(), Binding::Chain { chain, scopes, at });
        true
    }

    /// The chain that a name stands for and the local that says which element comes next, if it is advanced.
    pub(crate) fn stepped(&self, name: &Expr) -> Option<(Expr, Ident)> {
        match self.lookup(&simple_name(name)?)? {
            Binding::Chain {
                chain,
                at: Some(at),
                ..
            } => Some((chain.clone(), at.clone())),
            _ => None,
        }
    }

    /// Whether there is a next element, and that element, of `it.next()`, `it.peek()`; `x.iter().next()`, `nth`, `last`, `find`,
    /// `reduce` and the like.
    pub(crate) fn next_of(&self, call: &ExprMethodCall) -> Option<(Expr, Expr)> {
        let (of, name) = (&call.receiver, call.method.to_string());
        if let Some((chain, at)) = self.stepped(of) {
            let steps = match name.as_str() {
                "next" => quote!(#at += 1;),
                "peek" => quote!(),
                _ => return None,
            };
            let number: Expr = match steps.is_empty() {
                true => syn::parse_quote!(#at),
                false => syn::parse_quote!(#at - 1),
            };
            let element = element(&chain, &number);
            let length = length(&chain);
            return Some((
                syn::parse_quote!((#at < #length)),
                syn::parse_quote!({ #steps #element }),
            ));
        }
        if !is_chain(of) {
            return None;
        }
        if of_unknown_length(of).is_some() {
            let rest: Expr = match (name.as_str(), call.args.first()) {
                ("next", None) => (**of).clone(),
                ("nth", Some(k)) => syn::parse_quote!(#of.skip(#k)),
                _ => return None,
            };
            return Some((
                syn::parse_quote!(::coenzyme::__private::has_any(#rest)),
                syn::parse_quote!(#call.unwrap()),
            ));
        }
        let length = length(of);
        let (test, number): (Expr, Expr) = match (name.as_str(), call.args.first()) {
            ("next", None) => (syn::parse_quote!((0 < #length)), syn::parse_quote!(0)),
            ("nth", Some(k)) => (syn::parse_quote!(((#k) < #length)), k.clone()),
            ("last", None) => (
                syn::parse_quote!((0 < #length)),
                syn::parse_quote!(#length - 1),
            ),
            ("reduce" | "max_by" | "min_by" | "max_by_key" | "min_by_key", Some(_)) => {
                return Some((
                    syn::parse_quote!((0 < #length)),
                    syn::parse_quote!(#call.unwrap()),
                ));
            }
            ("position" | "rposition", Some(_)) => {
                return Some((
                    syn::parse_quote!(#call.is_some()),
                    syn::parse_quote!(#call.unwrap()),
                ));
            }
            ("find", Some(f)) => {
                let found = quote!(::coenzyme::__private::position_of(#of, #f));
                (
                    syn::parse_quote!(#found.is_some()),
                    syn::parse_quote!(#found.unwrap()),
                )
            }
            _ => return None,
        };
        Some((test, element(of, &number)))
    }

    /// The number of the element that `it.next().unwrap()`, `it.nth(k).unwrap()`, `it.peek().unwrap()` give, after which the iterator
    /// has gone on.
    pub(crate) fn step(&mut self, choice: &ExprMethodCall) -> Option<ir::Expr> {
        let (_, at) = self.stepped(&choice.receiver)?;
        let (number, next): (Expr, Expr) =
            match (choice.method.to_string().as_str(), choice.args.first()) {
                ("next", None) => (syn::parse_quote!(#at), syn::parse_quote!(#at + 1)),
                ("nth", Some(k)) => (
                    syn::parse_quote!(#at + (#k)),
                    syn::parse_quote!(#at + (#k) + 1),
                ),
                ("peek", None) => (syn::parse_quote!(#at), syn::parse_quote!(#at)),
                _ => return None,
            };
        let (number, next) = (self.index(&number), self.index(&next));
        let number = Atom::Def(self.def(DefKind::Pure(number), false));
        if choice.method != "peek"
            && let Some(root) = self.root_of(&at)
        {
            let next = Atom::Def(self.def(DefKind::Pure(next), false));
            self.set(place::whole(Base::Root(root)), next);
        }
        Some(self.atom_expr(&number))
    }

    /// `it.next();` as a statement. Whether it is one.
    pub(crate) fn step_statement(&mut self, call: &ExprMethodCall) -> bool {
        self.stepped(&call.receiver).is_some() && self.step(call).is_some()
    }

    /// `it.peek()` in an expression that only computes.
    pub(crate) fn peeked(&self, call: &ExprMethodCall) -> Option<Expr> {
        let (chain, at) = self.stepped(&call.receiver)?;
        (call.method == "peek").then(|| syn::parse_quote!((#chain).skip(#at).peekable().peek()))
    }

    /// Refuses to advance an iterator inside an expression that only computes.
    pub(crate) fn refused_step(&mut self, call: &ExprMethodCall) {
        let name = call.method.to_string();
        if self.stepped(&call.receiver).is_some() && table::is(&name, Fact::Advances) {
            self.errors.at(&call.method, IN_A_STATEMENT);
        }
    }
}

/// The chain in front of `peekable`, if that ends it.
fn without_peeking(init: &Expr) -> Expr {
    match init {
        Expr::MethodCall(call) if call.method == "peekable" => (*call.receiver).clone(),
        init => init.clone(),
    }
}

/// `v` of `v.iter()`, `v.iter_mut()`: then the elements are places.
fn slice(chain: &Expr) -> Option<(&Expr, bool)> {
    match chain {
        Expr::MethodCall(call) if call.method == "iter" => Some((&call.receiver, false)),
        Expr::MethodCall(call) if call.method == "iter_mut" => Some((&call.receiver, true)),
        _ => None,
    }
}

fn length(chain: &Expr) -> Expr {
    match slice(chain) {
        Some((of, _)) => syn::parse_quote!(#of.len()),
        None => syn::parse_quote!((#chain).len()),
    }
}

fn element(chain: &Expr, number: &Expr) -> Expr {
    match slice(chain) {
        Some((of, false)) => syn::parse_quote!(&#of[#number]),
        Some((of, true)) => syn::parse_quote!(&mut #of[#number]),
        None => syn::parse_quote!((#chain).nth(#number).unwrap()),
    }
}
