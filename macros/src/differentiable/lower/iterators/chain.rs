//! Iterator chains: counted loops over elements that are places or values.

use quote::quote;
use syn::{Expr, ExprMethodCall};

use super::seq::{Cut, Seq, Side, Taken, Until};
use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::array::ArraySeq;
use crate::differentiable::lower::memory::place;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::methods::paths;
use crate::differentiable::methods::table::{self, Fact};
use crate::differentiable::syntax::chains::is_chain;
use crate::differentiable::syntax::names::simple_name;
use crate::signature::Passing;

/// What is said of an iterator that is none of those below.
pub(crate) const UNKNOWN: &str = "this iterator is not known: use a range, a slice, or a chain of `iter`, `zip`, `enumerate`, `map`, \
    `inspect`, `filter`, `filter_map`, `scan`, `take_while`, `flatten`, `flat_map`, `rev`, `skip`, `take`, `step_by`, `chain`, `cycle`, `windows`, \
    `chunks`, `chunks_exact`, or write a loop";

impl Lower<'_> {
    /// The chain that `expr` is, if it is one, of which each element is asked for.
    pub(crate) fn seq_to_its_end(&mut self, expr: &Expr) -> Option<Seq> {
        self.to_its_end = true;
        self.seq(expr)
    }

    /// The chain that `expr` is, if it is one.
    pub(crate) fn seq(&mut self, expr: &Expr) -> Option<Seq> {
        let to_its_end = std::mem::take(&mut self.to_its_end);
        if let Some(list) = self.collected_first(expr, to_its_end) {
            return Some(list);
        }
        self.to_its_end = to_its_end && asks_for_each(expr);
        let seq = self.seq_of(expr);
        self.to_its_end = false;
        seq
    }

    fn seq_of(&mut self, expr: &Expr) -> Option<Seq> {
        if let Some(seq) = self.array_seq(expr).or_else(|| self.zip_seq(expr)) {
            return Some(seq);
        }
        match expr {
            Expr::Paren(paren) => self.seq(&paren.expr),
            // `[1, 0]`, by value
            Expr::Array(_) => {
                let value = self.value(expr);
                let place = place::whole(self.atom_base(value));
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
            Expr::Path(_) => self.seq_of_name(expr),
            // what a reference to a reference leads to
            Expr::Unary(of) if matches!(of.op, syn::UnOp::Deref(_)) => {
                simple_name(&of.expr).and_then(|_| self.seq_of_name(&of.expr))
            }
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

    /// What a local is, as a chain.
    fn seq_of_name(&mut self, name: &Expr) -> Option<Seq> {
        let (place, exclusive, taken) = match self.lookup(&simple_name(name)?)?.clone() {
            Binding::Alias { place, exclusive } => (place, exclusive, Taken::Lent),
            Binding::View(view) => (self.viewed(&view), view.is_exclusive(), Taken::Lent),
            Binding::Root(r) => {
                let lent = match self.program.roots[r].kind {
                    RootKind::Param { passing, .. } => passing != Passing::Value,
                    _ => false,
                };
                let taken = if lent { Taken::Lent } else { Taken::Moved };
                (self.place(name)?, false, taken)
            }
            Binding::Def(_) => {
                self.list_returned(name, false);
                (self.place(name)?, false, Taken::Moved)
            }
            Binding::Chain { .. } => {
                let chain = self.chain_of(name)?;
                return self.seq(&chain);
            }
            _ => return None,
        };
        Some(Seq::Slice {
            place,
            exclusive,
            taken,
        })
    }

    fn seq_method(&mut self, call: &ExprMethodCall) -> Option<Seq> {
        let name = call.method.to_string();
        if table::is(&name, Fact::Starts) {
            return self.seq_of_memory(&name, call);
        }
        let arg = call.args.first();
        Some(match (name.as_str(), arg) {
            ("into_iter", None) if paths::is_collected(&call.receiver) => {
                let list = self.under_name("collected", &call.receiver);
                self.seq(&list)?
            }
            ("into_iter" | "peekable", None) => self.seq(&call.receiver)?,
            ("clone" | "to_vec", None) => match self.seq(&call.receiver)? {
                Seq::Slice { place, .. } => Seq::Slice {
                    place,
                    exclusive: false,
                    taken: Taken::Moved,
                },
                // from where the iterator is
                seq if name == "clone" && self.is_chain_name(&call.receiver) => seq,
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
            ("zip", Some(other)) => {
                let (of, mut with) = (self.seq(&call.receiver)?, self.seq(other)?);
                let uncounted = |this: &mut Self, seq: &Seq| this.seq_len(seq).is_none();
                let collects = with.ends() && !self.keeps_state(&with);
                if collects && uncounted(self, &of) && uncounted(self, &with) {
                    with = self.by_number(other)?;
                }
                Seq::Zip(Box::new(of), Box::new(with))
            }
            ("chain", Some(other)) => Seq::Chain(
                Box::new(self.seq(&call.receiver)?),
                Box::new(self.seq(other)?),
            ),
            ("enumerate", None) => Seq::Enumerate(Box::new(self.seq(&call.receiver)?)),
            ("cycle", None) => {
                let seq = self.seq(&call.receiver)?;
                let len = self.length_before(&seq);
                Seq::Cycle(Box::new(seq), len)
            }
            ("rev", None) => {
                let seq = self.seq(&call.receiver)?;
                self.reversed(seq)
            }
            ("skip", Some(n)) => Seq::Skip(Box::new(self.seq(&call.receiver)?), n.clone()),
            ("drain", Some(_)) => return self.drained(call),
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
                let len = self.length_before(&seq);
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
                    .or_else(|| self.returned_place(&call.receiver))
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

    /// What a function returns, under a name: `cross(&a, &b).iter()`.
    fn returned_place(&mut self, call: &Expr) -> Option<Place> {
        if !matches!(call, Expr::Call(_)) || !self.is_varied(call) {
            return None;
        }
        let list = self.under_name("returned", call);
        self.place(&list)
    }

    /// The length of a sequence, computed once, where it may be another when elements are asked for by number: while one of them is
    /// borrowed, or in the reverse sweep, which comes back to memory that has grown.
    fn length_before(&mut self, seq: &Seq) -> Option<DefId> {
        let len = self.seq_len(seq)?;
        let changes = seq.writes() || !len.uses.roots.is_empty();
        changes.then(|| self.def(DefKind::Pure(len), false))
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
                inner if self.has_options(inner) => return None,
                inner => Seq::FlatMap(Box::new(self.seq(inner)?), syn::parse_quote!(|inner| inner)),
            },
            ("flat_map", Some(Expr::Closure(f)))
                if !is_chain(&f.body) && self.flagged(&mut f.body.clone()).is_ok() =>
            {
                return self.seq_by_function("filter_map", call);
            }
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

    /// A sequence without derivative that is not a local: a constant, a field of one, the result of a call.
    pub(crate) fn inactive_place(&mut self, expr: &Expr) -> Option<Place> {
        let value = match expr {
            Expr::Path(path) => {
                let local = simple_name(expr).is_some_and(|n| self.lookup(&n).is_some());
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
        Some(place::whole(self.atom_base(value)))
    }
}

/// Whether an adaptor that is asked for each of its elements asks for each of those behind it.
fn asks_for_each(chain: &Expr) -> bool {
    const STOP: [&str; 6] = ["cycle", "map_while", "scan", "take", "take_while", "zip"];
    match chain {
        Expr::Paren(_) => true,
        Expr::MethodCall(call) => !STOP.iter().any(|name| call.method == name),
        _ => false,
    }
}
