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
        // what is lent by a list is not kept for the reverse sweep: its number is
        let lent = self.usage.stepped_alone.contains(&text) && self.lends_elements(init);
        let stepped = self.usage.stepped.contains(&text) && is_chain(init);
        if !stepped || !lent && !self.is_varied(init) {
            return false;
        }
        let mut chain = init.clone();
        self.hold_counts(name, &mut chain);
        let scopes = self.scopes.clone();
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

    /// Gives names to the numbers in a chain, which may change before the iterator is advanced: `x.iter().skip(k)`.
    fn hold_counts(&mut self, name: &Ident, chain: &mut Expr) {
        let Expr::MethodCall(call) = chain else {
            return;
        };
        let count = [
            "skip",
            "take",
            "step_by",
            "chunks",
            "chunks_exact",
            "windows",
        ]
        .iter()
        .any(|method| call.method == method);
        let count = call.args.first_mut().filter(|_| count);
        if let Some(count) = count.filter(|count| !matches!(count, Expr::Lit(_))) {
            let held = self.unbound(name, "count");
            let number = self.index(count);
            let number = self.named_def(&held, DefKind::Pure(number), false);
            self.bind(&held.to_string(), Binding::Def(number));
            *count = syn::parse_quote!(#held);
        }
        self.hold_counts(name, &mut call.receiver);
    }

    /// Whether the elements of a chain are references into a list, each time the same, as far as tokens tell.
    fn lends_elements(&self, chain: &Expr) -> bool {
        let Expr::MethodCall(call) = chain else {
            return false;
        };
        match call.method.to_string().as_str() {
            "iter" => {
                let is_place = matches!(
                    &*call.receiver,
                    Expr::Path(_) | Expr::Field(_) | Expr::Index(_)
                );
                is_place && call.args.is_empty() && !self.is_own(&call.receiver)
            }
            "rev" | "enumerate" | "skip" | "take" | "step_by" => {
                self.lends_elements(&call.receiver)
            }
            _ => false,
        }
    }

    /// The chain that a name stands for and the local that says which element comes next, if it is advanced and the chain means what it did.
    pub(crate) fn stepped(&self, name: &Expr) -> Option<(Expr, Ident)> {
        match self.lookup(&simple_name(name)?)? {
            Binding::Chain {
                chain,
                scopes,
                at: Some(at),
            } if self.means_the_same(chain, scopes) => Some((chain.clone(), at.clone())),
            _ => None,
        }
    }

    /// Whether an expression asks an iterator that has a number for its next element.
    pub(crate) fn advances(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::MethodCall(call) if self.stepped(&call.receiver).is_some())
    }

    /// Whether there is a next element, and that element, of `it.next()`, `it.peek()`; `x.iter().next()`, `nth`, `last`, `find`,
    /// `reduce` and the like.
    pub(crate) fn next_of(&self, call: &ExprMethodCall) -> Option<(Expr, Expr)> {
        let (of, name) = (&call.receiver, call.method.to_string());
        if let Some((chain, at)) = self.stepped(of) {
            return self.next_of_stepped(call, &chain, &at);
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

    /// As [`next_of`](Self::next_of), of a chain that has a name and a number.
    fn next_of_stepped(
        &self,
        call: &ExprMethodCall,
        chain: &Expr,
        at: &Ident,
    ) -> Option<(Expr, Expr)> {
        let element = |number: &Expr| -> Expr {
            match self.is_varied(chain) {
                true => element(chain, number),
                false => syn::parse_quote!((#chain).nth(#number).unwrap()),
            }
        };
        let length = length(chain);
        let test: Expr = match self.is_varied(chain) {
            true => syn::parse_quote!((#at < #length)),
            false => syn::parse_quote!((#chain).nth(#at).is_some()),
        };
        let (here, behind): (Expr, Expr) = (syn::parse_quote!(#at), syn::parse_quote!(#at - 1));
        let (here, behind) = (element(&here), element(&behind));
        let next = syn::parse_quote!({ #at += 1; #behind });
        match (call.method.to_string().as_str(), call.args.first()) {
            ("next", None) => Some((test, next)),
            ("peek", None) => Some((test, here)),
            ("next_if", Some(Expr::Closure(f))) if f.inputs.len() == 1 => {
                let (element, body) = (&f.inputs[0], &f.body);
                let is_next = quote!(match &#here { #element => #body });
                Some((syn::parse_quote!((#test && #is_next)), next))
            }
            _ => None,
        }
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
