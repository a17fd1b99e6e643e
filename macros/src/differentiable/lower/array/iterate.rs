//! What an array is iterated by: its entries in logical order, their indices, its rows and columns.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, ExprMethodCall};

use super::views::{Part, all};
use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::iterators::element::Element;
use crate::differentiable::lower::iterators::seq::{Seq, Taken};
use crate::differentiable::lower::memory::place;
use crate::differentiable::lower::{Binding, Lower};

/// A sequence that an array gives.
pub(crate) enum ArraySeq {
    /// The entries of a part.
    Entries { part: Part, copied: bool },
    /// The indices of the entries, as `indexed_iter` gives them.
    Indices { shape: DefId, rank: Option<usize> },
    /// Parts along an axis.
    Lines {
        of: Box<Part>,
        axis: ir::Expr,
        by: Lines,
    },
}

/// How an array is cut into lines.
#[derive(Clone)]
pub(crate) enum Lines {
    /// `lanes(axis)`: one-dimensional, along the axis.
    Lanes,
    /// `axis_iter(axis)`: what stands at each position of the axis.
    Positions,
    /// `axis_chunks_iter(axis, n)`: one after the other along the axis, the last one shorter.
    Chunks(ir::Expr),
    /// `axis_windows(axis, n)`: one from every position of the axis.
    Windows(ir::Expr),
}

impl Lower<'_> {
    /// The sequence that `expr` is, if it is one of an array.
    pub(crate) fn array_seq(&mut self, expr: &Expr) -> Option<Seq> {
        match expr {
            Expr::Paren(paren) => self.array_seq(&paren.expr),
            Expr::Reference(reference) => {
                self.entries(&reference.expr, reference.mutability.is_some())
            }
            Expr::Path(_) => self.entries(expr, false),
            Expr::MethodCall(call) => self.array_seq_method(call),
            _ => None,
        }
    }

    fn array_seq_method(&mut self, call: &ExprMethodCall) -> Option<Seq> {
        let (name, receiver) = (call.method.to_string(), &call.receiver);
        if name.starts_with("indexed_iter") {
            let part = self.viewed_part(receiver, name.ends_with("_mut"))?;
            let (shape, rank) = (part.shapes.1, part.rank);
            let copied = false;
            let indices = Seq::Array(ArraySeq::Indices { shape, rank });
            let entries = Seq::Array(ArraySeq::Entries { part, copied });
            return Some(Seq::Zip(Box::new(indices), Box::new(entries)));
        }
        if let Some((axis, by)) = self.lines(call) {
            let of = Box::new(self.viewed_part(receiver, name.ends_with("_mut"))?);
            let axis = self.index(&axis);
            return Some(Seq::Array(ArraySeq::Lines { of, axis, by }));
        }
        match name.as_str() {
            "iter" | "iter_mut" if call.args.is_empty() => {
                self.entries(receiver, name == "iter_mut")
            }
            "into_iter" => self.array_seq(receiver),
            // a view
            _ => self.entries(&Expr::MethodCall(call.clone()), false),
        }
    }

    /// The entries of an array; of one that is known to have one axis they are those of a slice.
    fn entries(&mut self, array: &Expr, exclusive: bool) -> Option<Seq> {
        let kind = self.kind(array);
        if !kind.is_surely() {
            return None;
        }
        if kind.rank() == Some(1)
            && self.part_of(array).is_none()
            && let Some(place) = self.place(array)
        {
            return Some(Seq::Slice {
                place,
                exclusive,
                taken: Taken::Lent,
            });
        }
        let part = self.viewed_part(array, exclusive)?;
        Some(Seq::Array(ArraySeq::Entries {
            part,
            copied: false,
        }))
    }

    /// An array as a part: of itself, or of what it is a view of.
    pub(crate) fn viewed_part(&mut self, array: &Expr, exclusive: bool) -> Option<Part> {
        if let Some(part) = self.part_of(array) {
            return Some(part);
        }
        let rank = self.kind(array).rank();
        let whole = match self.place(array) {
            Some(place) => place,
            None => {
                let value = self.value(array);
                place::whole(self.atom_base(value))
            }
        };
        Some(self.part_within(whole, all(), rank, exclusive))
    }

    /// How many elements.
    pub(crate) fn array_seq_len(&self, seq: &ArraySeq) -> ir::Expr {
        let of = |shape: DefId, len: &dyn Fn(&proc_macro2::Ident) -> TokenStream| {
            let mut uses = Uses::default();
            uses.defs.insert(shape);
            let tokens = len(&self.program.defs[shape].name);
            ir::Expr { tokens, uses }
        };
        let entries = |shape| {
            of(
                shape,
                &|shape| quote!(::coenzyme::ops::array::entries(&#shape)),
            )
        };
        match seq {
            ArraySeq::Entries { part, .. } => entries(part.shapes.1),
            ArraySeq::Indices { shape, .. } => entries(*shape),
            ArraySeq::Lines { of: part, axis, by } => {
                let tokens = &axis.tokens;
                let mut len = of(part.shapes.1, &|shape| match by {
                    Lines::Lanes => {
                        quote!(::coenzyme::ops::array::number_of_lanes(&#shape, #tokens))
                    }
                    Lines::Positions => quote!(#shape[(#tokens).index()]),
                    Lines::Chunks(ir::Expr { tokens: n, .. }) => {
                        quote!(#shape[(#tokens).index()].div_ceil(#n))
                    }
                    Lines::Windows(ir::Expr { tokens: n, .. }) => {
                        quote!((#shape[(#tokens).index()] + 1).saturating_sub(#n))
                    }
                });
                len.uses.extend(&axis.uses);
                if let Lines::Chunks(n) | Lines::Windows(n) = by {
                    len.uses.extend(&n.uses);
                }
                len
            }
        }
    }

    /// Element number `k`.
    pub(crate) fn array_element(&mut self, seq: &ArraySeq, k: ir::Expr) -> Element {
        match seq {
            ArraySeq::Entries { part, copied } => {
                let index = self.nth(part.shapes.1, part.rank, k, &quote!(nth));
                let place = self.entry_of(part, &index);
                match copied {
                    true => Element::Atom(self.read(place)),
                    false => Element::Bind(Binding::Alias {
                        place,
                        exclusive: part.exclusive,
                    }),
                }
            }
            ArraySeq::Indices { shape, rank } => {
                let index = self.nth(*shape, *rank, k, &quote!(nth_index));
                Element::Atom(Atom::Const(index))
            }
            ArraySeq::Lines { of, axis, by } => {
                let (along, i) = (&axis.tokens, &k.tokens);
                let mut uses = k.uses;
                uses.extend(&axis.uses);
                let (tokens, rank) = match by {
                    Lines::Lanes => (quote!(::coenzyme::ops::array::Lane(#along, #i)), Some(1)),
                    Lines::Positions => (
                        quote!(::coenzyme::ops::array::At(#along, #i)),
                        of.rank.and_then(|r| r.checked_sub(1)),
                    ),
                    Lines::Chunks(size) => {
                        uses.extend(&size.uses);
                        uses.defs.insert(of.shapes.1);
                        let (n, shape) = (&size.tokens, &self.program.defs[of.shapes.1].name);
                        let end =
                            quote!(::std::cmp::Ord::min((#i + 1) * #n, #shape[(#along).index()]));
                        (
                            quote!(::coenzyme::ops::array::Within(#along, #i * #n, #end)),
                            of.rank,
                        )
                    }
                    Lines::Windows(size) => {
                        uses.extend(&size.uses);
                        let n = &size.tokens;
                        (
                            quote!(::coenzyme::ops::array::Within(#along, #i, #i + #n)),
                            of.rank,
                        )
                    }
                };
                let line = self.narrowed((**of).clone(), ir::Expr { tokens, uses }, rank);
                Element::Bind(Binding::Part(line))
            }
        }
    }

    /// The index of entry number `k` in logical order.
    fn nth(
        &self,
        shape: DefId,
        rank: Option<usize>,
        k: ir::Expr,
        function: &TokenStream,
    ) -> ir::Expr {
        if rank == Some(1) {
            return k;
        }
        let (name, i, mut uses) = (&self.program.defs[shape].name, &k.tokens, k.uses);
        uses.defs.insert(shape);
        ir::Expr {
            tokens: quote!(::coenzyme::ops::array::#function(&#name, #i)),
            uses,
        }
    }

    /// The axis of `a.rows()`, `a.axis_iter(axis)` and the like, and how they cut.
    fn lines(&mut self, call: &ExprMethodCall) -> Option<(Expr, Lines)> {
        let kind = self.receiver_kind(call);
        if !kind.is_surely() {
            return None;
        }
        let name = call.method.to_string();
        let name = name.strip_suffix("_mut").unwrap_or(&name);
        let mut args = call.args.iter();
        let axis = |n: usize| syn::parse_quote!(::coenzyme::ndarray::Axis(#n));
        Some(match (name, args.next(), args.next()) {
            ("rows", None, None) => (axis(1), Lines::Lanes),
            ("columns", None, None) => (axis(0), Lines::Lanes),
            ("lanes", Some(axis), None) => (axis.clone(), Lines::Lanes),
            ("outer_iter", None, None) => (axis(0), Lines::Positions),
            ("axis_iter", Some(axis), None) => (axis.clone(), Lines::Positions),
            ("axis_chunks_iter", Some(axis), Some(n)) => {
                (axis.clone(), Lines::Chunks(self.index(n)))
            }
            ("axis_windows", Some(axis), Some(n)) => (axis.clone(), Lines::Windows(self.index(n))),
            ("windows", Some(n), None) if kind.rank() == Some(1) => {
                (axis(0), Lines::Windows(self.index(n)))
            }
            _ => return None,
        })
    }
}
