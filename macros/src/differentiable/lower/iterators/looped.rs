//! A chain of iterators as loops and branches.

use quote::{ToTokens, quote};
use syn::{ExprClosure, Stmt};

use super::chain::UNKNOWN;
use super::element::Element;
use super::seq::{Seq, Side, Until};
use crate::differentiable::ir::*;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::syntax::exit_kinds;

/// What is run for each element.
pub(crate) type Body<'b, 'l> = dyn FnMut(&mut Lower<'l>, Element) + 'b;

impl<'l> Lower<'l> {
    /// Runs `body` for each element of a sequence that ends: nested loops and branches.
    pub(crate) fn drive(&mut self, seq: &Seq, at: &dyn ToTokens, body: &mut Body<'_, 'l>) {
        if !seq.ends() {
            return self.errors.at(
                at.to_token_stream(),
                "this iterator does not end: `take` as many elements as are wanted, or `zip` it with one that ends",
            );
        }
        self.drive_until_left(seq, at, body);
    }

    /// As [`drive`](Self::drive), of a sequence that the body may leave before it ends.
    pub(crate) fn drive_until_left(
        &mut self,
        seq: &Seq,
        at: &dyn ToTokens,
        body: &mut Body<'_, 'l>,
    ) {
        let changed = self.changed_by(seq);
        self.changing(changed, |this| this.each(seq, at, body));
    }

    pub(crate) fn each(&mut self, seq: &Seq, at: &dyn ToTokens, body: &mut Body<'_, 'l>) {
        match seq {
            Seq::Chain(a, b) => self.in_turn([a, b], |this, part| this.each(part, at, body)),
            Seq::Filter(inner, condition) => {
                self.each(inner, at, &mut |this: &mut Lower<'l>, element| {
                    let keep = this.apply(condition, vec![element.lent()]);
                    this.when(keep, |this| body(this, element));
                })
            }
            Seq::FilterMap(inner, f, Until::Exhausted) => {
                self.each(inner, at, &mut |this: &mut Lower<'l>, element| {
                    this.if_some(f, vec![element], |this, value| body(this, value), |_| {});
                });
            }
            Seq::FilterMap(inner, f, Until::None) => self.until_up(|this, ended| {
                this.each(inner, at, &mut |this: &mut Lower<'l>, element| {
                    this.if_some(
                        f,
                        vec![element],
                        |this, value| body(this, value),
                        |this| this.raise(ended),
                    );
                });
            }),
            Seq::While(inner, condition, Side::Before) => self.until_up(|this, ended| {
                this.each(inner, at, &mut |this: &mut Lower<'l>, element| {
                    let keep = this.apply(condition, vec![element.lent()]);
                    this.either(keep, |this| body(this, element), |this| this.raise(ended));
                });
            }),
            Seq::While(inner, condition, Side::After) => {
                self.each_after(inner, condition, at, body)
            }
            Seq::Scan(inner, start, f) => self.each_scanned((inner, start, f), at, body),
            Seq::FlatMap(inner, f) => self.each(inner, at, &mut |this: &mut Lower<'l>, element| {
                this.each_of(f, element, at, body);
            }),
            Seq::Successors(first, f) => self.each_successor(first, f, body),
            // a range has its own numbers
            Seq::Range { range, uses, ends } => {
                let tokens = match ends {
                    true => range.clone(),
                    false => quote!(::coenzyme::__private::without_end(#range)),
                };
                let uses = uses.clone();
                let range = Atom::Const(Expr { tokens, uses });
                self.counted(Range::up(range), None, |this, k| {
                    body(this, Element::Atom(Atom::Const(k)));
                });
            }
            Seq::Map(inner, f) => self.each(inner, at, &mut |this: &mut Lower<'l>, element| {
                let value = this.apply(f, vec![element]);
                body(this, Element::Atom(value));
            }),
            Seq::Inspect(inner, f) => self.each(inner, at, &mut |this: &mut Lower<'l>, element| {
                this.apply(f, vec![element.lent()]);
                body(this, element);
            }),
            _ => match self.seq_len(seq) {
                Some(len) => self.each_by_number(seq, len, body),
                None => self.each_while_counting(seq, at, body),
            },
        }
    }

    /// Runs `body` for each element of a sequence by its number.
    fn each_by_number(&mut self, seq: &Seq, len: Expr, body: &mut Body<'_, 'l>) {
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
        let inner = match &*f.body {
            syn::Expr::Block(block) => self.behind_statements(&block.block),
            inner => Some(inner),
        };
        match inner.and_then(|inner| self.seq(inner)) {
            Some(seq) => self.drive(&seq, at, body),
            None => self.errors.at(at.to_token_stream(), UNKNOWN),
        }
        self.scopes.pop();
    }

    /// The value of a block whose statements are run.
    fn behind_statements<'b>(&mut self, block: &'b syn::Block) -> Option<&'b syn::Expr> {
        let (Stmt::Expr(value, None), stmts) = block.stmts.split_last()? else {
            return None;
        };
        // a `return` is one of the closure
        if exit_kinds::block_may_leave(block) {
            return None;
        }
        self.without_target(|this| drop(this.statements(stmts)));
        Some(value)
    }

    /// Runs `body` from the first element on for which a condition does not hold.
    fn each_after(
        &mut self,
        inner: &Seq,
        condition: &ExprClosure,
        at: &dyn ToTokens,
        body: &mut Body<'_, 'l>,
    ) {
        let begun = self.flag("begun");
        self.changing(vec![begun], |this| {
            this.each(inner, at, &mut |this: &mut Lower<'l>, element| {
                let up = Atom::Def(this.version(begun));
                this.either(
                    up,
                    |_| {},
                    |this| {
                        let skip = this.apply(condition, vec![element.lent()]);
                        this.either(skip, |_| {}, |this| this.raise(begun));
                    },
                );
                let begun = Atom::Def(this.version(begun));
                this.when(begun, |this| body(this, element));
            });
        });
    }

    /// Runs `body` for what the closure of `scan` gives, until it gives `None`.
    fn each_scanned(
        &mut self,
        (inner, start, f): (&Seq, &syn::Expr, &ExprClosure),
        at: &dyn ToTokens,
        body: &mut Body<'_, 'l>,
    ) {
        let state = self.state(start);
        let always = super::optional_closures::always(f);
        self.changing(vec![state], |this| match &always {
            Some(f) => this.each(inner, at, &mut |this: &mut Lower<'l>, element| {
                let state = Element::Bind(Binding::Root(state));
                let value = this.apply(f, vec![state, element]);
                body(this, Element::Atom(value));
            }),
            None => this.until_up(|this, ended| {
                this.each(inner, at, &mut |this: &mut Lower<'l>, element| {
                    let state = Element::Bind(Binding::Root(state));
                    this.if_some(
                        f,
                        vec![state, element],
                        |this, value| body(this, value),
                        |this| this.raise(ended),
                    );
                });
            }),
        });
    }

    /// The locals that the closures of a chain change.
    pub(crate) fn changed_by(&mut self, seq: &Seq) -> Vec<RootId> {
        let mut closures = Vec::new();
        seq.closures(&mut closures);
        let bodies = closures.into_iter().map(|f| self.written_by(&f.body));
        let mut changed: Vec<RootId> = bodies.flatten().collect();
        changed.sort_unstable();
        changed.dedup();
        changed
    }
}
