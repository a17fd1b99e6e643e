//! Chains that end in one of their elements: `max_by`, `min_by`, `reduce`, unwrapped.
//!
//! ```text
//! // x.iter().max_by(|a, b| a.total_cmp(b)).unwrap()
//! let which = position_of_max(x.iter(), |a, b| a.total_cmp(b)).unwrap(); // in the primal only
//! let t = x[which];
//! ```

use quote::quote;
use syn::{Expr, ExprMethodCall};

use super::element::Element;
use super::seq::Seq;
use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::memory::place;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::methods::calls;
use crate::differentiable::syntax::chains::{self, gives_slices};
use crate::differentiable::syntax::names::hidden;

impl Lower<'_> {
    /// The element that `….max_by(…).unwrap()` and the like give.
    pub(crate) fn chosen_element(&mut self, call: &ExprMethodCall) -> Option<Element> {
        if !calls::unwraps(call) {
            return None;
        }
        let Expr::MethodCall(choice) = &*call.receiver else {
            return None;
        };
        if let Some(element) = self.numbered_element(choice) {
            return Some(element);
        }
        let (chain, f) = (&choice.receiver, choice.args.first()?);
        if super::searched::is_uncounted(chain) {
            return None;
        }
        match choice.method.to_string().as_str() {
            "max_by" => self.at_position(chain, quote!(position_of_max), f, call),
            "min_by" => self.at_position(chain, quote!(position_of_min), f, call),
            "max_by_key" => self.at_position(chain, quote!(position_of_max_by_key), f, call),
            "min_by_key" => self.at_position(chain, quote!(position_of_min_by_key), f, call),
            "find" => self.at_position(chain, quote!(position_of), f, call),
            "reduce" => self.reduced(chain, f, call),
            _ => None,
        }
    }

    /// `….next()`, `….last()`, `….nth(k)` of a chain.
    fn numbered_element(&mut self, choice: &ExprMethodCall) -> Option<Element> {
        let (name, chain) = (choice.method.to_string(), &choice.receiver);
        if !["next", "last", "nth", "peek"].contains(&name.as_str()) {
            return None;
        }
        let named = self.is_chain_name(chain);
        if !named && !chains::is_chain(chain) {
            return None;
        }
        if named && let Some(k) = self.step(choice) {
            let chain = self.stepped(chain)?.0;
            let seq = self.seq(&chain)?;
            return Some(self.seq_element(&seq, k));
        }
        // by a name it would have gone on
        if named && name != "last" {
            self.errors.at(chain, super::named::RUN_THROUGH);
            return Some(Element::Atom(self.nothing()));
        }
        let seq = self.seq(chain)?;
        if self.keeps_state(&seq) || self.seq_len(&seq).is_none() {
            let one = || syn::parse_quote!(1_usize);
            let part = match (name.as_str(), choice.args.first()) {
                ("last", _) => seq,
                ("nth", Some(k)) => Seq::Take(Box::new(Seq::Skip(Box::new(seq), k.clone())), one()),
                _ => Seq::Take(Box::new(seq), one()),
            };
            return Some(Element::Atom(self.last_run_through(&part, choice)));
        }
        let k = match (name.as_str(), choice.args.first()) {
            ("nth", Some(k)) => self.index(k),
            ("last", _) => {
                let len = self.seq_len(&seq)?;
                let tokens = len.tokens;
                ir::Expr {
                    tokens: quote!((#tokens - 1)),
                    uses: len.uses,
                }
            }
            _ => ir::Expr {
                tokens: quote!(0),
                ..Default::default()
            },
        };
        let k = Atom::Def(self.def(DefKind::Pure(k), false));
        let k = self.atom_expr(&k);
        Some(self.seq_element(&seq, k))
    }

    /// The last element of a sequence, by running through it.
    fn last_run_through(&mut self, seq: &Seq, choice: &ExprMethodCall) -> Atom {
        let blank = ir::Expr {
            tokens: quote!(::coenzyme::__private::Blank::blank()),
            ..Default::default()
        };
        let blank = Atom::Def(self.def(DefKind::Pure(blank), false));
        let (found, element) = (self.flag("__found"), self.variable("element", blank, true));
        self.changing(vec![found, element], |this| {
            this.drive(seq, &choice.method, &mut |this: &mut Self, value| {
                let value = this.element_value(value);
                this.set(place::whole(Base::Root(element)), value);
                this.raise(found);
            });
        });
        let name = self.program.roots[found].name.clone();
        self.bind(&name.to_string(), Binding::Root(found));
        self.macro_statement(
            &syn::parse_quote!(assert!(#name, "called `Option::unwrap()` on a `None` value")),
            true,
        );
        Atom::Def(self.version(element))
    }

    /// Where the element is, is found by running the chain as it stands.
    fn at_position(
        &mut self,
        chain: &Expr,
        find: proc_macro2::TokenStream,
        compare: &Expr,
        call: &ExprMethodCall,
    ) -> Option<Element> {
        let seq = self.seq(chain)?;
        let (method, args) = (&call.method, &call.args);
        let which: Expr =
            syn::parse_quote!(::coenzyme::__private::#find(#chain, #compare).#method(#args));
        let which = self.plain(&which).expr;
        let which = Atom::Def(self.def(DefKind::Opaque(which), false));
        let which = self.atom_expr(&which);
        Some(match self.counted_chain(&seq, call) {
            true => self.seq_element(&seq, which),
            false => Element::Atom(self.nothing()),
        })
    }

    /// A fold that starts from the first element.
    fn reduced(&mut self, chain: &Expr, f: &Expr, call: &ExprMethodCall) -> Option<Element> {
        if let Some(drain) = chains::drain(chain) {
            self.errors.at(
                drain,
                "what is drained is gone through once, and `reduce` is two steps here: `collect` it first",
            );
            return Some(Element::Atom(self.nothing()));
        }
        let seq = self.seq(chain)?;
        if !self.counted_chain(&seq, call) {
            return Some(Element::Atom(self.nothing()));
        }
        let zero = ir::Expr {
            tokens: quote!(0),
            ..Default::default()
        };
        let first = self.seq_element(&seq, zero);
        let first = self.element_value(first);
        let Base::Def(first) = self.atom_base(first) else {
            return None;
        };
        let name = hidden("first_element");
        self.scopes.push(Default::default());
        self.bind(&name.to_string(), Binding::Def(first));
        let fold: Expr = syn::parse_quote!(#chain.skip(1).fold(#name, #f));
        let value = self.value(&fold);
        self.scopes.pop();
        Some(Element::Atom(value))
    }

    /// Whether the elements have numbers; an error if not.
    fn counted_chain(&mut self, seq: &Seq, at: &ExprMethodCall) -> bool {
        if self.keeps_state(seq) {
            self.errors.at(
                &at.receiver,
                "a closure in this chain changes what is around it, and runs for other elements than the one that is asked for: write a loop",
            );
            return false;
        }
        let counted = self.seq_len(seq).is_some();
        if !counted {
            self.errors.at(
                &at.receiver,
                "an element of a chain whose length is not known before is not supported: `collect` the chain first, or write a loop",
            );
        }
        counted
    }
}

/// Whether a chain has the element that it ends in, and the element: of `….reduce(f)`, `….max_by(f)`, `….find(f)`, `….last()`.
pub(crate) fn test_and_choice(choice: &ExprMethodCall) -> Option<(Expr, Expr)> {
    let chain = &choice.receiver;
    if !chains::is_chain(chain) || gives_slices(chain) || super::searched::is_uncounted(chain) {
        return None;
    }
    let test = match (choice.method.to_string().as_str(), choice.args.first()) {
        ("reduce" | "max_by" | "min_by" | "max_by_key" | "min_by_key", Some(_))
        | ("last", None) => {
            syn::parse_quote!(::coenzyme::__private::has_any(#chain))
        }
        ("find", Some(f)) => {
            syn::parse_quote!(::coenzyme::__private::position_of(#chain, #f).is_some())
        }
        _ => return None,
    };
    Some((test, syn::parse_quote!(#choice.unwrap())))
}
