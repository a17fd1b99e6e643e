//! `enumerate`, `skip`, `take`, `step_by` and `zip` of a chain whose elements have no numbers: they are counted as they come.
//!
//! ```text
//! // for x in xs.iter().filter(f).skip(n) { … }
//! let mut count = 0; for x in xs.iter().filter(f) { if count >= n { … } count += 1; }
//! ```

use quote::{ToTokens, quote};

use super::element::Element;
use super::looped::Body;
use super::seq::Seq;
use crate::differentiable::ir::*;
use crate::differentiable::lower::Lower;
use crate::differentiable::lower::memory::place;

impl<'l> Lower<'l> {
    /// Runs `body` for each element of a sequence whose length is not known before.
    pub(crate) fn each_while_counting(
        &mut self,
        seq: &Seq,
        at: &dyn ToTokens,
        body: &mut Body<'_, 'l>,
    ) {
        match seq {
            Seq::Enumerate(inner) => self.counting(inner, at, &mut |this, number, element| {
                body(
                    this,
                    Element::Tuple(vec![Element::Atom(number), element]),
                );
            }),
            Seq::Skip(inner, n) => {
                let n = self.number(n);
                self.counting(inner, at, &mut |this, number, element| {
                    let there = this.binary_inactive(number, quote!(>=), n.clone());
                    this.when(there, |this| body(this, element));
                });
            }
            Seq::StepBy(inner, n) => {
                let n = self.number(n);
                self.counting(inner, at, &mut |this, number, element| {
                    let after = this.binary_inactive(number, quote!(%), n.clone());
                    let there = this.binary_inactive(after, quote!(==), zero());
                    this.when(there, |this| body(this, element));
                });
            }
            Seq::Take(inner, n) => {
                let n = self.number(n);
                self.first_of(inner, n, at, &mut |this, _, element| body(this, element));
            }
            Seq::Zip(a, b) => self.side_by_side(a, b, at, body),
            _ => self.errors.at(
                at.to_token_stream(),
                "`rev` of this chain is not supported, whose length is not known before: `collect` it first, or write a loop",
            ),
        }
    }

    /// Two sequences, of which one has elements by number.
    fn side_by_side(&mut self, a: &Seq, b: &Seq, at: &dyn ToTokens, body: &mut Body<'_, 'l>) {
        let (numbered, len, counted, numbered_first) = match (self.seq_len(a), self.seq_len(b)) {
            (None, Some(len)) => (b, len, a, false),
            (Some(len), None) => (a, len, b, true),
            _ => {
                return self.errors.at(
                    at.to_token_stream(),
                    "`zip` of two chains whose lengths are not known before is not supported: `collect` one of them first, or write a loop",
                );
            }
        };
        let len = Atom::Def(self.def(DefKind::Pure(len), false));
        self.first_of(counted, len, at, &mut |this, number, element| {
            let number = this.atom_expr(&number);
            let partner = this.seq_element(numbered, number);
            let pair = match numbered_first {
                true => vec![partner, element],
                false => vec![element, partner],
            };
            body(this, Element::Tuple(pair));
        });
    }

    /// Runs `body` for as many elements as are said, with their numbers, and goes no further.
    fn first_of(
        &mut self,
        inner: &Seq,
        n: Atom,
        at: &dyn ToTokens,
        body: &mut dyn FnMut(&mut Self, Atom, Element),
    ) {
        let any = self.binary_inactive(n.clone(), quote!(>), zero());
        self.when(any, |this| {
            this.until_up(|this, ended| {
                this.counting(inner, at, &mut |this, number, element| {
                    body(this, number.clone(), element);
                    let next = this.binary_inactive(number, quote!(+), one());
                    let all = this.binary_inactive(next, quote!(>=), n.clone());
                    this.when(all, |this| this.raise(ended));
                });
            });
        });
    }

    /// Runs `body` for each element with its number.
    fn counting(
        &mut self,
        inner: &Seq,
        at: &dyn ToTokens,
        body: &mut dyn FnMut(&mut Self, Atom, Element),
    ) {
        let start = self.atom_expr(&zero());
        let start = Atom::Def(self.def(DefKind::Pure(start), false));
        let count = self.variable("count", start, false);
        self.changing(vec![count], |this| {
            this.each(inner, at, &mut |this: &mut Lower<'l>, element| {
                let number = Atom::Def(this.version(count));
                body(this, number.clone(), element);
                let next = this.binary_inactive(number, quote!(+), one());
                this.set(place::whole(Base::Root(count)), next);
            });
        });
    }

    /// A number of elements, computed once.
    fn number(&mut self, n: &syn::Expr) -> Atom {
        let n = self.index(n);
        Atom::Def(self.def(DefKind::Pure(n), false))
    }
}

fn zero() -> Atom {
    literal(quote!(0_usize))
}

fn one() -> Atom {
    literal(quote!(1_usize))
}

fn literal(tokens: proc_macro2::TokenStream) -> Atom {
    Atom::Const(Expr {
        tokens,
        ..Default::default()
    })
}
