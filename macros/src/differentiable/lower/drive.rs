//! A chain of iterators as loops and branches.

use quote::{ToTokens, quote};
use syn::ExprClosure;

use super::Lower;
use super::element::Element;
use super::iter::{Seq, UNKNOWN};
use crate::differentiable::ir::*;

impl Lower<'_> {
    /// Runs `body` for each element: nested loops and branches.
    pub(super) fn drive(
        &mut self,
        seq: &Seq,
        at: &dyn ToTokens,
        body: &mut dyn FnMut(&mut Self, Element),
    ) {
        match seq {
            Seq::Chain(a, b) => {
                self.drive(a, at, body);
                self.drive(b, at, body);
            }
            Seq::Filter(inner, condition) => self.drive(inner, at, &mut |this: &mut Self, element| {
                let keep = this.apply(condition, vec![element.clone()]);
                this.when(keep, |this| body(this, element));
            }),
            Seq::FlatMap(inner, f) => self.drive(inner, at, &mut |this: &mut Self, element| {
                this.each_of(f, element, at, body);
            }),
            // a range has its own numbers
            Seq::Range { range, uses } => {
                let range = Atom::Const(Expr { tokens: range.clone(), uses: uses.clone() });
                self.counted(Range::up(range), None, |this, k| {
                    body(this, Element::Atom(Atom::Const(k)));
                });
            }
            Seq::Map(inner, f) => self.drive(inner, at, &mut |this: &mut Self, element| {
                let value = this.apply(f, vec![element]);
                body(this, Element::Atom(value));
            }),
            _ => match self.seq_len(seq) {
                Some(len) => {
                    let n = Atom::Def(self.def(DefKind::Pure(len), false));
                    let n = self.atom_expr(&n);
                    let (tokens, uses) = (n.tokens, n.uses);
                    let range = Atom::Const(Expr { tokens: quote!((0..#tokens)), uses });
                    self.counted(Range::up(range), None, |this, k| {
                        let element = this.seq_element(seq, k);
                        body(this, element);
                    });
                }
                None => self.errors.at(at.to_token_stream(), "`enumerate`, `zip`, `rev` or `take` after `filter` or `chain` is not supported: write a loop"),
            },
        }
    }

    /// Runs `body` for each element of the sequence that `f` gives for `element`.
    fn each_of(
        &mut self,
        f: &ExprClosure,
        element: Element,
        at: &dyn ToTokens,
        body: &mut dyn FnMut(&mut Self, Element),
    ) {
        self.scopes.push(Default::default());
        match f.inputs.first() {
            Some(pat) if f.inputs.len() == 1 => self.bind_element(pat, element),
            _ => self.errors.at(f, "this closure takes 1 argument here"),
        }
        match self.seq(&f.body) {
            Some(seq) => self.drive(&seq, at, body),
            None => self.errors.at(at.to_token_stream(), UNKNOWN),
        }
        self.scopes.pop();
    }
}
