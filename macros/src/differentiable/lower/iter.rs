//! Iterator chains: counted loops over elements that are places or values.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, ExprClosure, ExprMethodCall, Pat};

use super::{Binding, Lower, plain};
use crate::differentiable::ir::*;

/// What is said of an iterator that is none of those below.
pub(super) const UNKNOWN: &str = "this iterator is not known: use a range, a slice, or a chain of `iter`, `zip`, `enumerate`, `map`, \
    `filter`, `flatten`, `flat_map`, `rev`, `skip`, `take`, `step_by`, `chain`, `windows`, `chunks`, `chunks_exact`, or write a loop";

/// What an iterator yields, or what a pattern is bound to.
#[derive(Clone)]
pub(super) enum Element {
    Bind(Binding),
    Atom(Atom),
    Tuple(Vec<Element>),
}

/// A chain of iterators, as its elements by number.
pub(super) enum Seq {
    Range {
        range: TokenStream,
        uses: Uses,
    },
    Slice {
        place: Place,
        exclusive: bool,
        copied: bool,
    },
    /// `chunks_exact(size)`, `windows(size)`, `chunks(size)`.
    Windows {
        place: Place,
        size: TokenStream,
        uses: Uses,
        exclusive: bool,
        cut: Cut,
    },
    Zip(Box<Seq>, Box<Seq>),
    Enumerate(Box<Seq>),
    Rev(Box<Seq>),
    Skip(Box<Seq>, Expr),
    Take(Box<Seq>, Expr),
    StepBy(Box<Seq>, Expr),
    Map(Box<Seq>, ExprClosure),
    Filter(Box<Seq>, ExprClosure),
    Chain(Box<Seq>, Box<Seq>),
    /// The elements of the sequences that the function gives for each element.
    FlatMap(Box<Seq>, ExprClosure),
}

/// How a slice is cut into slices.
#[derive(Clone, Copy)]
pub(super) enum Cut {
    /// One after the other, all of one size.
    Exact,
    /// One after the other, the last one shorter; with the length of the slice.
    Whole(DefId),
    /// One from every entry.
    Overlapping,
}

impl Lower<'_> {
    /// The chain that `expr` is, if it is one.
    pub(super) fn seq(&mut self, expr: &Expr) -> Option<Seq> {
        match expr {
            Expr::Paren(paren) => self.seq(&paren.expr),
            // `[1, 0]`, by value
            Expr::Array(_) => {
                let value = self.value(expr);
                let place = super::place::whole(self.atom_base(value));
                Some(Seq::Slice {
                    place,
                    exclusive: false,
                    copied: true,
                })
            }
            Expr::Reference(reference) if matches!(&*reference.expr, Expr::Array(_)) => {
                self.seq(&reference.expr)
            }
            Expr::Range(range) => {
                range.start.as_deref()?;
                let range = self.index(expr);
                let tokens = range.tokens;
                Some(Seq::Range {
                    range: quote!((#tokens)),
                    uses: range.uses,
                })
            }
            Expr::Reference(reference) => {
                let place = self
                    .place(&reference.expr)
                    .or_else(|| self.inactive_place(&reference.expr))?;
                Some(Seq::Slice {
                    place,
                    exclusive: reference.mutability.is_some(),
                    copied: false,
                })
            }
            Expr::Path(_) => match self.lookup(&plain::simple_name(expr)?)?.clone() {
                Binding::Alias { place, exclusive } => Some(Seq::Slice {
                    place,
                    exclusive,
                    copied: false,
                }),
                Binding::Root(_) | Binding::Def(_) => {
                    let place = self.place(expr)?;
                    Some(Seq::Slice {
                        place,
                        exclusive: false,
                        copied: false,
                    })
                }
                _ => None,
            },
            Expr::MethodCall(call) => self.seq_method(call),
            _ => None,
        }
    }

    fn seq_method(&mut self, call: &ExprMethodCall) -> Option<Seq> {
        let name = call.method.to_string();
        let arg = call.args.first();
        let windows = |this: &mut Self, exclusive, cut| {
            let place = this.place(&call.receiver)?;
            let size = this.index(arg?);
            Some(Seq::Windows {
                place,
                size: size.tokens,
                uses: size.uses,
                exclusive,
                cut,
            })
        };
        Some(match (name.as_str(), arg) {
            ("iter" | "iter_mut", None) => {
                let place = self
                    .place(&call.receiver)
                    .or_else(|| self.inactive_place(&call.receiver))?;
                Seq::Slice {
                    place,
                    exclusive: name == "iter_mut",
                    copied: false,
                }
            }
            ("chunks_exact", _) => windows(self, false, Cut::Exact)?,
            ("chunks_exact_mut", _) => windows(self, true, Cut::Exact)?,
            ("chunks" | "chunks_mut", _) => {
                let place = self.place(&call.receiver)?;
                let tokens = self.place_tokens(&place);
                let len = super::super::ir::Expr {
                    tokens: quote!((#tokens).len()),
                    uses: self.place_uses(&place),
                };
                let len = self.def(DefKind::Pure(len), false);
                windows(self, name == "chunks_mut", Cut::Whole(len))?
            }
            ("windows", _) => windows(self, false, Cut::Overlapping)?,
            ("flatten", None) => Seq::FlatMap(
                Box::new(self.seq(&call.receiver)?),
                syn::parse_quote!(|inner| inner),
            ),
            ("flat_map", Some(Expr::Closure(f))) => {
                Seq::FlatMap(Box::new(self.seq(&call.receiver)?), f.clone())
            }
            ("into_iter", None) => self.seq(&call.receiver)?,
            ("copied" | "cloned", None) => match self.seq(&call.receiver)? {
                Seq::Slice {
                    place, exclusive, ..
                } => Seq::Slice {
                    place,
                    exclusive,
                    copied: true,
                },
                seq => seq,
            },
            ("zip", Some(other)) => Seq::Zip(
                Box::new(self.seq(&call.receiver)?),
                Box::new(self.seq(other)?),
            ),
            ("chain", Some(other)) => Seq::Chain(
                Box::new(self.seq(&call.receiver)?),
                Box::new(self.seq(other)?),
            ),
            ("enumerate", None) => Seq::Enumerate(Box::new(self.seq(&call.receiver)?)),
            ("rev", None) => Seq::Rev(Box::new(self.seq(&call.receiver)?)),
            ("skip", Some(n)) => Seq::Skip(Box::new(self.seq(&call.receiver)?), n.clone()),
            ("take", Some(n)) => Seq::Take(Box::new(self.seq(&call.receiver)?), n.clone()),
            ("step_by", Some(n)) => Seq::StepBy(Box::new(self.seq(&call.receiver)?), n.clone()),
            ("map", Some(Expr::Closure(f))) => {
                Seq::Map(Box::new(self.seq(&call.receiver)?), f.clone())
            }
            ("map", Some(Expr::Reference(f))) if matches!(&*f.expr, Expr::Path(_)) => {
                let f = &f.expr;
                Seq::Map(
                    Box::new(self.seq(&call.receiver)?),
                    syn::parse_quote!(|element| #f(element)),
                )
            }
            ("map", Some(Expr::Path(path))) => Seq::Map(
                Box::new(self.seq(&call.receiver)?),
                syn::parse_quote!(|element| #path(element)),
            ),
            ("filter", Some(Expr::Closure(f))) => {
                Seq::Filter(Box::new(self.seq(&call.receiver)?), f.clone())
            }
            _ => return None,
        })
    }

    /// How many elements; `None` if that is not known before.
    pub(super) fn seq_len(&mut self, seq: &Seq) -> Option<super::super::ir::Expr> {
        let expr = |tokens, uses| super::super::ir::Expr { tokens, uses };
        Some(match seq {
            Seq::Range { range, uses } => {
                expr(quote!(::coenzyme::__private::rounds(&#range)), uses.clone())
            }
            Seq::Slice { place, .. } => {
                let tokens = self.place_tokens(place);
                expr(quote!((#tokens).len()), self.place_uses(place))
            }
            Seq::Windows {
                place,
                size,
                uses,
                cut,
                ..
            } => {
                let tokens = self.place_tokens(place);
                let mut all = self.place_uses(place);
                all.extend(uses);
                let count = match cut {
                    Cut::Exact => quote!(((#tokens).len() / (#size))),
                    Cut::Whole(_) => quote!((#tokens).len().div_ceil(#size)),
                    Cut::Overlapping => quote!((((#tokens).len() + 1).saturating_sub(#size))),
                };
                expr(count, all)
            }
            Seq::Zip(a, b) => {
                let (a, b) = (self.seq_len(a)?, self.seq_len(b)?);
                let mut uses = a.uses;
                uses.extend(&b.uses);
                let (a, b) = (a.tokens, b.tokens);
                expr(quote!(::std::cmp::Ord::min(#a, #b)), uses)
            }
            Seq::Enumerate(seq) | Seq::Rev(seq) | Seq::Map(seq, _) => return self.seq_len(seq),
            Seq::Skip(seq, n) => {
                return self.adapted_len(seq, n, |len, n| quote!((#len).saturating_sub(#n)));
            }
            Seq::Take(seq, n) => {
                return self.adapted_len(seq, n, |len, n| quote!(::std::cmp::Ord::min(#len, #n)));
            }
            Seq::StepBy(seq, n) => {
                return self.adapted_len(seq, n, |len, n| quote!((#len).div_ceil(#n)));
            }
            Seq::Filter(..) | Seq::Chain(..) | Seq::FlatMap(..) => return None,
        })
    }

    fn adapted_len(
        &mut self,
        seq: &Seq,
        n: &Expr,
        adapt: impl FnOnce(TokenStream, TokenStream) -> TokenStream,
    ) -> Option<super::super::ir::Expr> {
        let (len, n) = (self.seq_len(seq)?, self.index(n));
        let mut uses = len.uses;
        uses.extend(&n.uses);
        Some(super::super::ir::Expr {
            tokens: adapt(len.tokens, n.tokens),
            uses,
        })
    }

    /// What the length of a place reads: its base, but no contents.
    fn place_uses(&self, place: &Place) -> Uses {
        let mut uses = place.uses.clone();
        if let Base::Root(r) = place.base
            && self.grown.contains(&r)
        {
            uses.roots.insert(r);
        }
        if let Base::Def(d) = place.base {
            uses.defs.insert(d);
        }
        uses
    }

    /// Element number `k`.
    pub(super) fn seq_element(&mut self, seq: &Seq, k: super::super::ir::Expr) -> Element {
        let index = |k: &super::super::ir::Expr, tokens: TokenStream, uses: &Uses| {
            let mut all = k.uses.clone();
            all.extend(uses);
            super::super::ir::Expr { tokens, uses: all }
        };
        let i = &k.tokens;
        match seq {
            Seq::Range { range, uses } => {
                let nth = quote!(::coenzyme::__private::nth(#range, #i));
                Element::Atom(Atom::Const(index(&k, nth, uses)))
            }
            Seq::Slice {
                place,
                exclusive,
                copied,
            } => {
                let mut place = place.clone();
                place.suffix.extend(quote!([#i]));
                place.uses.extend(&k.uses);
                match copied {
                    true => Element::Atom(self.read(place)),
                    false => Element::Bind(Binding::Alias {
                        place,
                        exclusive: *exclusive,
                    }),
                }
            }
            Seq::Windows {
                place,
                size,
                uses,
                exclusive,
                cut,
            } => {
                let mut place = place.clone();
                place.suffix.extend(match cut {
                    Cut::Exact => quote!([(#i) * (#size)..][..#size]),
                    Cut::Overlapping => quote!([(#i)..][..#size]),
                    Cut::Whole(len) => {
                        place.uses.defs.insert(*len);
                        let len = &self.program.defs[*len].name;
                        quote!([::coenzyme::__private::chunk(#i, #size, #len)])
                    }
                });
                place.uses.extend(&k.uses);
                place.uses.extend(uses);
                Element::Bind(Binding::Alias {
                    place,
                    exclusive: *exclusive,
                })
            }
            Seq::Zip(a, b) => {
                Element::Tuple(vec![self.seq_element(a, k.clone()), self.seq_element(b, k)])
            }
            Seq::Enumerate(seq) => {
                let number = Element::Atom(Atom::Const(k.clone()));
                Element::Tuple(vec![number, self.seq_element(seq, k)])
            }
            Seq::Rev(seq) => match self.seq_len(seq) {
                Some(len) => {
                    let tokens = len.tokens;
                    let k = index(&k, quote!((#tokens - 1 - (#i))), &len.uses);
                    self.seq_element(seq, k)
                }
                None => Element::Atom(self.nothing()),
            },
            Seq::Skip(seq, n) => {
                let n = self.index(n);
                let tokens = n.tokens;
                self.seq_element(seq, index(&k, quote!((#i + #tokens)), &n.uses))
            }
            Seq::StepBy(seq, n) => {
                let n = self.index(n);
                let tokens = n.tokens;
                self.seq_element(seq, index(&k, quote!((#i * #tokens)), &n.uses))
            }
            Seq::Take(seq, _) => self.seq_element(seq, k),
            Seq::Map(seq, f) => {
                let element = self.seq_element(seq, k);
                Element::Atom(self.apply(f, vec![element]))
            }
            Seq::Filter(..) | Seq::Chain(..) | Seq::FlatMap(..) => Element::Atom(self.nothing()),
        }
    }

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
                let range = Atom::Const(super::super::ir::Expr { tokens: range.clone(), uses: uses.clone() });
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
                    let range = Atom::Const(super::super::ir::Expr { tokens: quote!((0..#tokens)), uses });
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

    /// A sequence without derivative that is not a local: a constant, a field of one, the result of a call.
    fn inactive_place(&mut self, expr: &Expr) -> Option<Place> {
        let value = match expr {
            Expr::Path(path) => {
                let local = plain::simple_name(expr).is_some_and(|n| self.lookup(&n).is_some());
                if local {
                    return None;
                }
                let lent = super::super::ir::Expr {
                    tokens: quote!(&#path),
                    ..Default::default()
                };
                Atom::Def(self.def(DefKind::Pure(lent), false))
            }
            _ if self.is_varied(expr) => return None,
            _ => self.inactive(expr),
        };
        Some(super::place::whole(self.atom_base(value)))
    }

    /// The value of an element.
    pub(super) fn element_value(&mut self, element: Element) -> Atom {
        match element {
            Element::Atom(atom) => atom,
            Element::Bind(Binding::Alias { place, .. }) => self.read(place),
            Element::Bind(Binding::Def(d)) => Atom::Def(d),
            Element::Bind(Binding::Root(r)) => Atom::Root(r),
            Element::Bind(_) => self.nothing(),
            Element::Tuple(parts) => {
                let parts: Vec<_> = parts
                    .into_iter()
                    .enumerate()
                    .map(|(i, p)| {
                        let i = syn::Index::from(i);
                        (quote!(.#i), self.element_value(p))
                    })
                    .collect();
                self.make(parts, |values| quote!((#(#values,)*)))
            }
        }
    }

    /// The value of a chain that ends in a reduction.
    pub(super) fn iterator_value(&mut self, call: &ExprMethodCall) -> Option<Atom> {
        let name = call.method.to_string();
        let scalar = match &call.turbofish {
            Some(generics) => generics.args.to_token_stream(),
            None => self.scalar.to_token_stream(),
        };
        let (start, op): (TokenStream, syn::BinOp) = match name.as_str() {
            "sum" => (
                quote!(<#scalar as ::coenzyme::__private::Blank>::blank()),
                syn::parse_quote!(+),
            ),
            "product" => (
                quote!(::coenzyme::__private::one::<#scalar>()),
                syn::parse_quote!(*),
            ),
            "fold" if call.args.len() == 2 => return self.fold(call),
            _ => return None,
        };
        let seq = self.seq(&call.receiver)?;
        let start = super::super::ir::Expr {
            tokens: start,
            ..Default::default()
        };
        let start = Atom::Def(self.def(DefKind::Pure(start), false));
        let total = self.accumulator(start);
        self.changing(vec![total], |this| {
            this.drive(&seq, &call.method, &mut |this: &mut Self, element| {
                let value = this.element_value(element);
                this.update(super::place::whole(Base::Root(total)), &op, value);
            });
        });
        Some(Atom::Def(self.version(total)))
    }

    fn fold(&mut self, call: &ExprMethodCall) -> Option<Atom> {
        let seq = self.seq(&call.receiver)?;
        let start = self.value(&call.args[0]);
        let start = match start {
            Atom::Const(expr) => {
                // the function tells the type of the number: `f64::max`, `|s: f64, x| …`
                let ty = match &call.args[1] {
                    Expr::Path(_) => Some(self.scalar.clone()),
                    Expr::Closure(f) => match f.inputs.first() {
                        Some(Pat::Type(typed)) => Some((*typed.ty).clone()),
                        _ => None,
                    },
                    _ => None,
                };
                let expr = super::binding::annotated(ty.as_ref(), expr);
                Atom::Def(self.def(DefKind::Pure(expr), false))
            }
            start => start,
        };
        let total = self.accumulator(start);
        let f = call.args[1].clone();
        self.changing(vec![total], |this| {
            this.drive(&seq, &call.method, &mut |this: &mut Self, element| {
                let now = Atom::Def(this.version(total));
                let value = match &f {
                    Expr::Closure(f) => this.apply(f, vec![Element::Atom(now), element]),
                    Expr::Path(path) => {
                        let f: ExprClosure = syn::parse_quote!(|a, b| #path(a, b));
                        this.apply(&f, vec![Element::Atom(now), element])
                    }
                    other => {
                        this.errors.at(other, "fold with a closure or a function");
                        this.nothing()
                    }
                };
                this.set(super::place::whole(Base::Root(total)), value);
            });
        });
        Some(Atom::Def(self.version(total)))
    }

    pub(super) fn accumulator(&mut self, start: Atom) -> RootId {
        let name = self.fresh("total");
        let root = self.root(&name, RootKind::Scalar, true);
        if let Atom::Def(d) = &start {
            self.versions.insert(root, *d);
        }
        self.push(Item::Declare {
            root,
            init: Init::Value(start),
        });
        root
    }

    /// `….for_each(|…| …)` as a statement.
    pub(super) fn for_each(&mut self, call: &ExprMethodCall) -> bool {
        if call.method != "for_each" {
            return false;
        }
        let (Some(Expr::Closure(f)), Some(seq)) = (call.args.first(), self.seq(&call.receiver))
        else {
            return false;
        };
        let written = self.written_by(&f.body);
        self.changing(written, |this| {
            this.drive(&seq, &call.method, &mut |this: &mut Self, element| {
                drop(this.apply(f, vec![element]))
            });
        });
        true
    }

    /// Binds the pattern of a `for` loop.
    pub(super) fn bind_loop_pattern(&mut self, pat: &Pat, element: Element) {
        self.bind_element(pat, element);
    }
}
