//! Iterator chains: counted loops over elements that are places or values.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, ExprClosure, ExprMethodCall};

use super::array::ArraySeq;
use super::{Binding, Lower, plain};
use crate::differentiable::ir::{self, *};
use crate::signature::Passing;

/// What is said of an iterator that is none of those below.
pub(super) const UNKNOWN: &str = "this iterator is not known: use a range, a slice, or a chain of `iter`, `zip`, `enumerate`, `map`, \
    `inspect`, `filter`, `filter_map`, `scan`, `take_while`, `flatten`, `flat_map`, `rev`, `skip`, `take`, `step_by`, `chain`, `cycle`, `windows`, \
    `chunks`, `chunks_exact`, or write a loop";

/// How elements are had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// By reference.
    Lent,
    /// By value, and read at once: `iter().copied()`.
    Copied,
    /// By value, of what is no more: `for x in vector`.
    Moved,
}

/// A chain of iterators, as its elements by number.
pub(super) enum Seq {
    Range {
        range: TokenStream,
        uses: Uses,
        /// `a..b`, not `a..`.
        ends: bool,
    },
    Slice {
        place: Place,
        exclusive: bool,
        taken: Taken,
    },
    /// `chunks_exact(size)`, `windows(size)`, `chunks(size)`.
    Windows {
        place: Place,
        size: TokenStream,
        uses: Uses,
        exclusive: bool,
        cut: Cut,
    },
    /// What an array gives.
    Array(ArraySeq),
    Zip(Box<Seq>, Box<Seq>),
    Enumerate(Box<Seq>),
    /// Backwards; with the length, where the elements are written: it cannot be asked for while one of them is borrowed.
    Rev(Box<Seq>, Option<DefId>),
    Skip(Box<Seq>, Expr),
    Take(Box<Seq>, Expr),
    StepBy(Box<Seq>, Expr),
    /// From the beginning again after the last element.
    Cycle(Box<Seq>),
    Map(Box<Seq>, ExprClosure),
    /// The closure looks at each element.
    Inspect(Box<Seq>, ExprClosure),
    Filter(Box<Seq>, ExprClosure),
    /// `filter_map`, `map_while`: the closure's `Some`s, all or up to the first `None`.
    FilterMap(Box<Seq>, ExprClosure, Until),
    /// Elements as long as a condition holds, or from where it no longer does.
    While(Box<Seq>, ExprClosure, Side),
    /// The closure changes a state that starts as this, and gives `Some`.
    Scan(Box<Seq>, Expr, ExprClosure),
    Chain(Box<Seq>, Box<Seq>),
    /// The elements of the sequences that the function gives for each element.
    FlatMap(Box<Seq>, ExprClosure),
    /// `successors`: the first, and what the closure makes of the one before.
    Successors(Expr, ExprClosure),
}

/// Where the elements of a `FilterMap` end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    Exhausted,
    None,
}

/// Which elements a condition leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// `take_while`
    Before,
    /// `skip_while`
    After,
}

/// How a slice is cut into slices.
#[derive(Clone, Copy)]
pub(super) enum Cut {
    /// One after the other, all of one size.
    Exact,
    /// One after the other, the last one shorter; with the length of the slice.
    Whole(DefId),
    /// One before the other from the end on, the last one shorter; with the length of the slice.
    FromBehind(DefId),
    /// One from every entry.
    Overlapping,
}

impl Seq {
    /// Whether the chain ends.
    pub(super) fn ends(&self) -> bool {
        match self {
            Seq::Cycle(_) => false,
            Seq::Range { ends, .. } => *ends,
            // where, the closure says
            Seq::While(_, _, Side::Before)
            | Seq::FilterMap(_, _, Until::None)
            | Seq::Successors(..) => true,
            Seq::Scan(seq, _, f) => seq.ends() || super::some::always(f).is_none(),
            Seq::Zip(a, b) => a.ends() || b.ends(),
            Seq::Chain(a, b) => a.ends() && b.ends(),
            Seq::Enumerate(seq)
            | Seq::Rev(seq, _)
            | Seq::Skip(seq, _)
            | Seq::StepBy(seq, _)
            | Seq::Map(seq, _)
            | Seq::Inspect(seq, _)
            | Seq::Filter(seq, _)
            | Seq::FilterMap(seq, ..)
            | Seq::While(seq, ..)
            | Seq::FlatMap(seq, _) => seq.ends(),
            Seq::Slice { .. } | Seq::Windows { .. } | Seq::Array(_) | Seq::Take(..) => true,
        }
    }

    /// Whether elements are mutable references.
    fn writes(&self) -> bool {
        match self {
            Seq::Slice { exclusive, .. } | Seq::Windows { exclusive, .. } => *exclusive,
            Seq::Zip(a, b) | Seq::Chain(a, b) => a.writes() || b.writes(),
            Seq::Enumerate(seq)
            | Seq::Rev(seq, _)
            | Seq::Skip(seq, _)
            | Seq::Take(seq, _)
            | Seq::StepBy(seq, _)
            | Seq::Cycle(seq)
            | Seq::Map(seq, _)
            | Seq::Inspect(seq, _)
            | Seq::Filter(seq, _)
            | Seq::FilterMap(seq, ..)
            | Seq::While(seq, ..)
            | Seq::Scan(seq, ..)
            | Seq::FlatMap(seq, _) => seq.writes(),
            Seq::Range { .. } | Seq::Array(_) | Seq::Successors(..) => false,
        }
    }

    /// The closures in the chain.
    pub(super) fn closures<'s>(&'s self, found: &mut Vec<&'s ExprClosure>) {
        match self {
            Seq::Range { .. } | Seq::Slice { .. } | Seq::Windows { .. } | Seq::Array(_) => {}
            Seq::Zip(a, b) | Seq::Chain(a, b) => {
                a.closures(found);
                b.closures(found);
            }
            Seq::Enumerate(seq)
            | Seq::Rev(seq, _)
            | Seq::Skip(seq, _)
            | Seq::Take(seq, _)
            | Seq::StepBy(seq, _)
            | Seq::Cycle(seq) => seq.closures(found),
            Seq::Map(seq, f)
            | Seq::Inspect(seq, f)
            | Seq::Filter(seq, f)
            | Seq::FilterMap(seq, f, _)
            | Seq::While(seq, f, _)
            | Seq::Scan(seq, _, f)
            | Seq::FlatMap(seq, f) => {
                seq.closures(found);
                found.push(f);
            }
            Seq::Successors(_, f) => found.push(f),
        }
    }
}

impl Lower<'_> {
    /// The chain that `expr` is, if it is one.
    pub(super) fn seq(&mut self, expr: &Expr) -> Option<Seq> {
        if let Some(seq) = self.array_seq(expr).or_else(|| self.zip_seq(expr)) {
            return Some(seq);
        }
        match expr {
            Expr::Paren(paren) => self.seq(&paren.expr),
            // `[1, 0]`, by value
            Expr::Array(_) => {
                let value = self.value(expr);
                let place = super::place::whole(self.atom_base(value));
                Some(Seq::Slice {
                    place,
                    exclusive: false,
                    taken: Taken::Copied,
                })
            }
            Expr::Reference(reference) if matches!(&*reference.expr, Expr::Array(_)) => {
                self.seq(&reference.expr)
            }
            Expr::Range(range) => {
                range.start.as_deref()?;
                let ends = range.end.is_some();
                let range = self.index(expr);
                let tokens = range.tokens;
                Some(Seq::Range {
                    range: quote!((#tokens)),
                    uses: range.uses,
                    ends,
                })
            }
            Expr::Reference(reference) => {
                let place = self
                    .place(&reference.expr)
                    .or_else(|| self.inactive_place(&reference.expr))?;
                Some(Seq::Slice {
                    place,
                    exclusive: reference.mutability.is_some(),
                    taken: Taken::Lent,
                })
            }
            // a constant, by value
            Expr::Path(_) if !self.is_local(expr) => Some(Seq::Slice {
                place: self.inactive_place(expr)?,
                exclusive: false,
                taken: Taken::Copied,
            }),
            Expr::Path(_) => match self.lookup(&plain::simple_name(expr)?)?.clone() {
                Binding::Alias { place, exclusive } => Some(Seq::Slice {
                    place,
                    exclusive,
                    taken: Taken::Lent,
                }),
                Binding::View(view) => Some(Seq::Slice {
                    place: self.viewed(&view),
                    exclusive: view.is_exclusive(),
                    taken: Taken::Lent,
                }),
                binding @ (Binding::Root(_) | Binding::Def(_)) => {
                    let place = self.place(expr)?;
                    let lent = match binding {
                        Binding::Root(r) => match self.program.roots[r].kind {
                            RootKind::Param { passing, .. } => passing != Passing::Value,
                            _ => false,
                        },
                        _ => false,
                    };
                    Some(Seq::Slice {
                        place,
                        exclusive: false,
                        taken: if lent { Taken::Lent } else { Taken::Moved },
                    })
                }
                Binding::Chain { .. } => {
                    let chain = self.chain_of(expr)?;
                    self.seq(&chain)
                }
                _ => None,
            },
            // an array in a field, by value
            Expr::Field(_) | Expr::Index(_) => Some(Seq::Slice {
                place: self.place(expr)?,
                exclusive: false,
                taken: Taken::Copied,
            }),
            Expr::MethodCall(call) => self.seq_method(call),
            Expr::Call(call) => self.made(call),
            _ => None,
        }
    }

    fn seq_method(&mut self, call: &ExprMethodCall) -> Option<Seq> {
        const OF_MEMORY: &[&str] = &[
            "chunks",
            "chunks_exact",
            "chunks_exact_mut",
            "chunks_mut",
            "iter",
            "iter_mut",
            "rchunks",
            "windows",
        ];
        let name = call.method.to_string();
        if OF_MEMORY.contains(&name.as_str()) {
            return self.seq_of_memory(&name, call);
        }
        let arg = call.args.first();
        Some(match (name.as_str(), arg) {
            ("into_iter" | "peekable", None) => self.seq(&call.receiver)?,
            ("clone" | "to_vec", None) => match self.seq(&call.receiver)? {
                Seq::Slice { place, .. } => Seq::Slice {
                    place,
                    exclusive: false,
                    taken: Taken::Moved,
                },
                _ => return None,
            },
            ("copied" | "cloned", None) => match self.seq(&call.receiver)? {
                Seq::Slice {
                    place, exclusive, ..
                } => Seq::Slice {
                    place,
                    exclusive,
                    taken: Taken::Copied,
                },
                Seq::Array(ArraySeq::Entries { part, .. }) => {
                    Seq::Array(ArraySeq::Entries { part, copied: true })
                }
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
            ("cycle", None) => Seq::Cycle(Box::new(self.seq(&call.receiver)?)),
            ("rev", None) => {
                let seq = self.seq(&call.receiver)?;
                self.reversed(seq)
            }
            ("skip", Some(n)) => Seq::Skip(Box::new(self.seq(&call.receiver)?), n.clone()),
            ("drain", Some(part)) => return self.drained(&call.receiver, part),
            ("take", Some(n)) => Seq::Take(Box::new(self.seq(&call.receiver)?), n.clone()),
            ("step_by", Some(n)) => Seq::StepBy(Box::new(self.seq(&call.receiver)?), n.clone()),
            (_, Some(_)) | ("flatten", None) => return self.seq_by_function(&name, call),
            _ => return None,
        })
    }

    /// The elements of a sequence backwards.
    fn reversed(&mut self, seq: Seq) -> Seq {
        match seq {
            Seq::Chain(a, b) => {
                let parts = [b, a].map(|part| Box::new(self.reversed(*part)));
                let [first, second] = parts;
                Seq::Chain(first, second)
            }
            Seq::Filter(seq, f) => Seq::Filter(Box::new(self.reversed(*seq)), f),
            Seq::FilterMap(seq, f, Until::Exhausted) => {
                Seq::FilterMap(Box::new(self.reversed(*seq)), f, Until::Exhausted)
            }
            Seq::Map(seq, f) => Seq::Map(Box::new(self.reversed(*seq)), f),
            Seq::Inspect(seq, f) => Seq::Inspect(Box::new(self.reversed(*seq)), f),
            seq => {
                let written = seq.writes().then(|| self.seq_len(&seq)).flatten();
                let len = written.map(|len| self.def(DefKind::Pure(len), false));
                Seq::Rev(Box::new(seq), len)
            }
        }
    }

    /// `x.iter()`, `x.chunks(n)`, …
    fn seq_of_memory(&mut self, name: &str, call: &ExprMethodCall) -> Option<Seq> {
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
        Some(match (name, arg) {
            ("iter" | "iter_mut", None) => {
                let place = self
                    .place(&call.receiver)
                    .or_else(|| self.mapped_place(&call.receiver))
                    .or_else(|| self.inactive_place(&call.receiver))?;
                Seq::Slice {
                    place,
                    exclusive: name == "iter_mut",
                    taken: Taken::Lent,
                }
            }
            ("chunks_exact", _) => windows(self, false, Cut::Exact)?,
            ("chunks_exact_mut", _) => windows(self, true, Cut::Exact)?,
            ("chunks" | "chunks_mut", _) => {
                let len = self.length_of(&call.receiver)?;
                windows(self, name == "chunks_mut", Cut::Whole(len))?
            }
            ("rchunks", _) => {
                let len = self.length_of(&call.receiver)?;
                windows(self, false, Cut::FromBehind(len))?
            }
            ("windows", _) => windows(self, false, Cut::Overlapping)?,
            _ => return None,
        })
    }

    /// The length of a slice, computed once.
    fn length_of(&mut self, slice: &Expr) -> Option<DefId> {
        let place = self.place(slice)?;
        let tokens = self.place_tokens(&place);
        let len = ir::Expr {
            tokens: quote!((#tokens).len()),
            uses: self.place_uses(&place),
        };
        Some(self.def(DefKind::Pure(len), false))
    }

    /// `map(f)`, `filter(f)`, …
    fn seq_by_function(&mut self, name: &str, call: &ExprMethodCall) -> Option<Seq> {
        let arg = call.args.first();
        Some(match (name, arg) {
            ("flatten", None) => match &*call.receiver {
                Expr::MethodCall(map) if self.gives_options(map) => {
                    return self.seq_by_function("filter_map", map);
                }
                inner => Seq::FlatMap(Box::new(self.seq(inner)?), syn::parse_quote!(|inner| inner)),
            },
            ("flat_map", Some(Expr::Closure(f))) => {
                Seq::FlatMap(Box::new(self.seq(&call.receiver)?), f.clone())
            }
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
            ("inspect", Some(Expr::Closure(f))) => {
                Seq::Inspect(Box::new(self.seq(&call.receiver)?), f.clone())
            }
            ("filter", Some(Expr::Closure(f))) => {
                Seq::Filter(Box::new(self.seq(&call.receiver)?), f.clone())
            }
            ("filter_map" | "map_while", Some(Expr::Closure(f))) => {
                let until = match name {
                    "filter_map" => Until::Exhausted,
                    _ => Until::None,
                };
                Seq::FilterMap(Box::new(self.seq(&call.receiver)?), f.clone(), until)
            }
            ("take_while" | "skip_while", Some(Expr::Closure(f))) => {
                let side = match name {
                    "take_while" => Side::Before,
                    _ => Side::After,
                };
                Seq::While(Box::new(self.seq(&call.receiver)?), f.clone(), side)
            }
            ("scan", Some(start)) => match call.args.get(1) {
                Some(Expr::Closure(f)) => Seq::Scan(
                    Box::new(self.seq(&call.receiver)?),
                    start.clone(),
                    f.clone(),
                ),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// How many elements; `None` if that is not known before.
    pub(super) fn seq_len(&mut self, seq: &Seq) -> Option<ir::Expr> {
        let expr = |tokens, uses| ir::Expr { tokens, uses };
        Some(match seq {
            Seq::Range { range, uses, .. } => {
                expr(quote!(::coenzyme::__private::rounds(&#range)), uses.clone())
            }
            Seq::Slice { place, .. } => {
                let tokens = self.place_tokens(place);
                expr(quote!((#tokens).len()), self.place_uses(place))
            }
            Seq::Array(seq) => self.array_seq_len(seq),
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
                    Cut::Whole(_) | Cut::FromBehind(_) => {
                        quote!((#tokens).len().div_ceil(#size))
                    }
                    Cut::Overlapping => quote!((((#tokens).len() + 1).saturating_sub(#size))),
                };
                expr(count, all)
            }
            Seq::Zip(a, b) => {
                let keeps_state = self.keeps_state(a);
                let (a, b) = (self.seq_len(a)?, self.seq_len(b)?);
                let mut uses = a.uses;
                uses.extend(&b.uses);
                let (a, b) = (a.tokens, b.tokens);
                let shorter = match keeps_state {
                    false => quote!(::std::cmp::Ord::min(#a, #b)),
                    true => quote!(::coenzyme::__private::all_of_the_first(#a, #b)),
                };
                expr(shorter, uses)
            }
            Seq::Enumerate(seq) | Seq::Rev(seq, _) | Seq::Map(seq, _) | Seq::Inspect(seq, _) => {
                return self.seq_len(seq);
            }
            Seq::Cycle(seq) => {
                let len = self.seq_len(seq)?;
                let tokens = len.tokens;
                expr(
                    quote!((if #tokens == 0 { 0 } else { usize::MAX })),
                    len.uses,
                )
            }
            // closures run for what is passed over too
            Seq::Skip(seq, _) | Seq::StepBy(seq, _) if self.keeps_state(seq) => return None,
            Seq::Skip(seq, n) => {
                return self.adapted_len(seq, n, |len, n| quote!((#len).saturating_sub(#n)));
            }
            Seq::Take(seq, n) => {
                return self.adapted_len(seq, n, |len, n| quote!(::std::cmp::Ord::min(#len, #n)));
            }
            Seq::StepBy(seq, n) => {
                return self.adapted_len(seq, n, |len, n| quote!((#len).div_ceil(#n)));
            }
            Seq::Filter(..)
            | Seq::FilterMap(..)
            | Seq::Scan(..)
            | Seq::While(..)
            | Seq::Chain(..)
            | Seq::FlatMap(..)
            | Seq::Successors(..) => return None,
        })
    }

    /// Whether closures of a chain change locals: then it matters which elements they run for.
    pub(super) fn keeps_state(&self, seq: &Seq) -> bool {
        let mut closures = Vec::new();
        seq.closures(&mut closures);
        closures
            .iter()
            .any(|f| !self.changed_in(&f.body).is_empty())
    }

    fn adapted_len(
        &mut self,
        seq: &Seq,
        n: &Expr,
        adapt: impl FnOnce(TokenStream, TokenStream) -> TokenStream,
    ) -> Option<ir::Expr> {
        let (len, n) = (self.seq_len(seq)?, self.index(n));
        let mut uses = len.uses;
        uses.extend(&n.uses);
        Some(ir::Expr {
            tokens: adapt(len.tokens, n.tokens),
            uses,
        })
    }

    /// What the length of a place reads: its base, but no contents.
    pub(super) fn place_uses(&self, place: &Place) -> Uses {
        let mut uses = place.uses.clone();
        match place.base {
            Base::Root(r) if self.changes_length(r) => drop(uses.roots.insert(r)),
            Base::Root(r) => drop(uses.lengths.insert(r)),
            Base::Def(d) => drop(uses.defs.insert(d)),
        }
        uses
    }

    /// A sequence without derivative that is not a local: a constant, a field of one, the result of a call.
    pub(super) fn inactive_place(&mut self, expr: &Expr) -> Option<Place> {
        let value = match expr {
            Expr::Path(path) => {
                let local = plain::simple_name(expr).is_some_and(|n| self.lookup(&n).is_some());
                if local {
                    return None;
                }
                let lent = ir::Expr {
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
}
