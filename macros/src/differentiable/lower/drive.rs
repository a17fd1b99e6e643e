//! A chain of iterators as loops and branches.

use quote::{ToTokens, quote};
use syn::ExprClosure;

use super::Lower;
use super::element::Element;
use super::iter::{Seq, Side, UNKNOWN, Until};
use crate::differentiable::ir::*;

/// What is run for each element.
type Body<'b, 'l> = dyn FnMut(&mut Lower<'l>, Element) + 'b;

impl<'l> Lower<'l> {
    /// Runs `body` for each element: nested loops and branches.
    pub(super) fn drive(&mut self, seq: &Seq, at: &dyn ToTokens, body: &mut Body<'_, 'l>) {
        if !seq.ends() {
            return self.errors.at(
                at.to_token_stream(),
                "this iterator does not end: `take` as many elements as are wanted, or `zip` it with one that ends",
            );
        }
        let changed = self.changed_by(seq);
        self.changing(changed, |this| this.each(seq, at, body));
    }

    fn each(&mut self, seq: &Seq, at: &dyn ToTokens, body: &mut Body<'_, 'l>) {
        match seq {
            Seq::Chain(a, b) => {
                self.each(a, at, body);
                self.each(b, at, body);
            }
            Seq::Filter(inner, condition) => {
                self.each(inner, at, &mut |this: &mut Lower<'l>, element| {
                    let keep = this.apply(condition, vec![element.clone()]);
                    this.when(keep, |this| body(this, element));
                })
            }
            Seq::FilterMap(inner, f, Until::Exhausted) => {
                self.each(inner, at, &mut |this: &mut Lower<'l>, element| {
                    this.if_some(f, element, |this, value| body(this, value), |_| {});
                });
            }
            Seq::FilterMap(inner, f, Until::None) => self.until_up(|this, ended| {
                this.each(inner, at, &mut |this: &mut Lower<'l>, element| {
                    this.unless(ended, |this| {
                        this.if_some(
                            f,
                            element,
                            |this, value| body(this, value),
                            |this| this.raise(ended),
                        );
                    });
                });
            }),
            Seq::While(inner, condition, Side::Before) => self.until_up(|this, ended| {
                this.each(inner, at, &mut |this: &mut Lower<'l>, element| {
                    this.unless(ended, |this| {
                        let keep = this.apply(condition, vec![element.clone()]);
                        this.either(keep, |this| body(this, element), |this| this.raise(ended));
                    });
                });
            }),
            Seq::While(inner, condition, Side::After) => self.until_up(|this, begun| {
                this.each(inner, at, &mut |this: &mut Lower<'l>, element| {
                    this.unless(begun, |this| {
                        let skip = this.apply(condition, vec![element.clone()]);
                        this.either(skip, |_| {}, |this| this.raise(begun));
                    });
                    let begun = Atom::Def(this.version(begun));
                    this.when(begun, |this| body(this, element));
                });
            }),
            Seq::Scan(inner, start, f) => {
                let state = self.state(start);
                self.changing(vec![state], |this| {
                    this.each(inner, at, &mut |this: &mut Lower<'l>, element| {
                        let value = this.scanned(state, f, element);
                        body(this, value);
                    });
                });
            }
            Seq::FlatMap(inner, f) => self.each(inner, at, &mut |this: &mut Lower<'l>, element| {
                this.each_of(f, element, at, body);
            }),
            // a range has its own numbers
            Seq::Range { range, uses } => {
                let range = Atom::Const(Expr {
                    tokens: range.clone(),
                    uses: uses.clone(),
                });
                self.counted(Range::up(range), None, |this, k| {
                    body(this, Element::Atom(Atom::Const(k)));
                });
            }
            Seq::Map(inner, f) => self.each(inner, at, &mut |this: &mut Lower<'l>, element| {
                let value = this.apply(f, vec![element]);
                body(this, Element::Atom(value));
            }),
            Seq::Enumerate(inner) if self.seq_len(inner).is_none() => {
                self.numbered(inner, at, body)
            }
            _ => self.each_counted(seq, at, body),
        }
    }

    /// Runs `body` for each element of a sequence by its number.
    fn each_counted(&mut self, seq: &Seq, at: &dyn ToTokens, body: &mut Body<'_, 'l>) {
        let Some(len) = self.seq_len(seq) else {
            return self.errors.at(
                at.to_token_stream(),
                "`zip`, `rev`, `skip` or `take` of a chain whose length is not known before is not supported: `collect` it first, or write a loop",
            );
        };
        let n = Atom::Def(self.def(DefKind::Pure(len), false));
        let Expr { tokens, uses } = self.atom_expr(&n);
        let range = Atom::Const(Expr {
            tokens: quote!((0..#tokens)),
            uses,
        });
        self.counted(Range::up(range), None, |this, k| {
            let element = this.seq_element(seq, k);
            body(this, element);
        });
    }

    /// Runs `body` for each element of the sequence that `f` gives for `element`.
    fn each_of(
        &mut self,
        f: &ExprClosure,
        element: Element,
        at: &dyn ToTokens,
        body: &mut Body<'_, 'l>,
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

    /// `enumerate` after a filter: the elements are counted.
    fn numbered(&mut self, inner: &Seq, at: &dyn ToTokens, body: &mut Body<'_, 'l>) {
        let zero = Expr {
            tokens: quote!(0_usize),
            ..Default::default()
        };
        let zero = Atom::Def(self.def(DefKind::Pure(zero), false));
        let count = self.variable("count", zero, false);
        self.changing(vec![count], |this| {
            this.each(inner, at, &mut |this: &mut Lower<'l>, element| {
                let number = Atom::Def(this.version(count));
                body(
                    this,
                    Element::Tuple(vec![Element::Atom(number.clone()), element]),
                );
                let one = Atom::Const(Expr {
                    tokens: quote!(1_usize),
                    ..Default::default()
                });
                let now = Atom::Def(this.version(count));
                let next = this.binary_inactive(now, quote!(+), one);
                this.set(super::place::whole(Base::Root(count)), next);
            });
        });
    }

    /// Runs `inside`, in whose rounds a flag may go up.
    fn until_up(&mut self, inside: impl FnOnce(&mut Self, RootId)) {
        let flag = self.flag("up");
        self.changing(vec![flag], |this| inside(this, flag));
    }

    /// Runs `inside` if a flag is not up.
    fn unless(&mut self, flag: RootId, inside: impl FnOnce(&mut Self)) {
        let up = Atom::Def(self.version(flag));
        self.either(up, |_| {}, inside);
    }

    /// The locals that the closures of a chain change.
    pub(super) fn changed_by(&mut self, seq: &Seq) -> Vec<RootId> {
        let mut closures = Vec::new();
        seq.closures(&mut closures);
        let bodies = closures.into_iter().map(|f| self.written_by(&f.body));
        let mut changed: Vec<RootId> = bodies.flatten().collect();
        changed.sort_unstable();
        changed.dedup();
        changed
    }
}
