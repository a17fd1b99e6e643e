//! The elements of a chain of iterators, by their numbers.

use proc_macro2::TokenStream;
use quote::quote;

use super::listed::Listed;
use super::seq::{Cut, Seq, Taken};
use crate::differentiable::ir::*;
use crate::differentiable::lower::{Binding, Lower};

/// What an iterator yields, or what a pattern is bound to.
#[derive(Clone)]
pub(crate) enum Element {
    Bind(Binding),
    Atom(Atom),
    Tuple(Vec<Element>),
    /// Of what was collected first.
    Listed(Listed),
}

impl Element {
    /// What a closure that only looks at elements has of this one.
    pub(crate) fn lent(&self) -> Self {
        match self {
            Element::Listed(element) => Element::Listed(Listed {
                lent: true,
                ..element.clone()
            }),
            Element::Tuple(parts) => Element::Tuple(parts.iter().map(Self::lent).collect()),
            element => element.clone(),
        }
    }
}

impl Lower<'_> {
    /// Element number `k`.
    pub(crate) fn seq_element(&mut self, seq: &Seq, k: Expr) -> Element {
        let i = &k.tokens;
        match seq {
            Seq::Array(seq) => self.array_element(seq, k),
            Seq::Listed(list) => Element::Listed(Listed {
                list: *list,
                k,
                lent: false,
            }),
            Seq::Range { range, uses, .. } => {
                let nth = quote!(::coenzyme::__private::nth(#range, #i));
                Element::Atom(Atom::Const(renumbered(&k, nth, uses)))
            }
            Seq::Slice {
                place,
                exclusive,
                taken,
            } => self.slice_entry(place.clone(), (*exclusive, *taken), &k),
            Seq::Windows {
                place,
                size,
                uses,
                exclusive,
                cut,
            } => {
                let part = self.cut(cut, i, size);
                let mut place = place.clone();
                place.suffix.extend(part.tokens);
                for uses in [&part.uses, &k.uses, uses] {
                    place.uses.extend(uses);
                }
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
            Seq::Take(seq, _) => self.seq_element(seq, k),
            Seq::Rev(..) | Seq::Skip(..) | Seq::StepBy(..) | Seq::Cycle(..) => {
                self.element_elsewhere(seq, &k)
            }
            Seq::Map(seq, f) => {
                let element = self.seq_element(seq, k);
                Element::Atom(self.apply(f, vec![element]))
            }
            Seq::Inspect(seq, f) => {
                let element = self.seq_element(seq, k);
                self.apply(f, vec![element.lent()]);
                element
            }
            Seq::Filter(..)
            | Seq::FilterMap(..)
            | Seq::While(..)
            | Seq::Scan(..)
            | Seq::Chain(..)
            | Seq::FlatMap(..)
            | Seq::Successors(..) => Element::Atom(self.nothing()),
        }
    }

    /// Element number `k` of an adaptor that numbers elements otherwise than what it adapts.
    fn element_elsewhere(&mut self, seq: &Seq, k: &Expr) -> Element {
        let i = &k.tokens;
        let of_length = |len: Expr, number: fn(&TokenStream, &TokenStream) -> TokenStream| {
            renumbered(k, number(i, &len.tokens), &len.uses)
        };
        let (seq, k) = match seq {
            Seq::Rev(seq, len) => {
                let len = self.length_known(seq, *len);
                let k = len.map(|len| of_length(len, |i, len| quote!((#len - 1 - (#i)))));
                (seq, k)
            }
            Seq::Cycle(seq, len) => {
                let len = self.length_known(seq, *len);
                let k = len.map(|len| of_length(len, |i, len| quote!(((#i) % (#len)))));
                (seq, k)
            }
            Seq::Skip(seq, n) => (
                seq,
                Some(of_length(self.index(n), |i, n| quote!((#i + #n)))),
            ),
            Seq::StepBy(seq, n) => (
                seq,
                Some(of_length(self.index(n), |i, n| quote!((#i * #n)))),
            ),
            _ => return Element::Atom(self.nothing()),
        };
        match k {
            Some(k) => self.seq_element(seq, k),
            None => Element::Atom(self.nothing()),
        }
    }

    /// The length of a sequence, as it was computed before or as it is.
    pub(crate) fn length_known(&mut self, seq: &Seq, before: Option<DefId>) -> Option<Expr> {
        match before {
            Some(len) => Some(self.known(len)),
            None => self.seq_len(seq),
        }
    }

    /// A definition as an expression.
    pub(crate) fn known(&self, d: DefId) -> Expr {
        let name = &self.program.defs[d].name;
        let mut uses = Uses::default();
        uses.defs.insert(d);
        Expr {
            tokens: quote!(#name),
            uses,
        }
    }

    /// The entry of a slice, by reference or by value.
    fn slice_entry(
        &mut self,
        mut place: Place,
        (exclusive, taken): (bool, Taken),
        k: &Expr,
    ) -> Element {
        let i = &k.tokens;
        place.suffix.extend(quote!([#i]));
        place.uses.extend(&k.uses);
        match taken {
            Taken::Copied => return Element::Atom(self.read(place)),
            Taken::Moved => {
                let element = (place.base, place.suffix.to_string());
                self.moved_elements.insert(element);
            }
            Taken::Lent => {}
        }
        Element::Bind(Binding::Alias { place, exclusive })
    }

    /// Whether a place is an element that a loop has by value.
    pub(crate) fn is_moved(&self, place: &Place) -> bool {
        let element = (place.base, place.suffix.to_string());
        self.moved_elements.contains(&element)
    }

    /// The part of a slice that a window or a chunk is.
    fn cut(&self, cut: &Cut, i: &TokenStream, size: &TokenStream) -> Expr {
        let mut uses = Uses::default();
        let tokens = match cut {
            Cut::Exact => quote!([(#i) * (#size)..][..#size]),
            Cut::Overlapping => quote!([(#i)..][..#size]),
            Cut::Whole(len) => {
                uses.defs.insert(*len);
                let len = &self.program.defs[*len].name;
                quote!([::coenzyme::__private::chunk(#i, #size, #len)])
            }
            Cut::FromBehind(len) => {
                uses.defs.insert(*len);
                let len = &self.program.defs[*len].name;
                quote!([::coenzyme::__private::chunk_from_behind(#i, #size, #len)])
            }
        };
        Expr { tokens, uses }
    }

    /// The value of an element.
    pub(crate) fn element_value(&mut self, element: Element) -> Atom {
        match element {
            Element::Atom(atom) => atom,
            Element::Bind(Binding::Alias { place, .. }) => self.read(place),
            Element::Bind(Binding::Def(d)) => Atom::Def(d),
            Element::Bind(Binding::Root(r)) => Atom::Root(r),
            Element::Bind(Binding::Part(part)) => {
                let at = proc_macro2::Ident::new("view", self.at);
                self.viewed_value(&part, &at)
            }
            Element::Bind(_) => self.nothing(),
            Element::Listed(element) => self.value_listed(&element),
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
}

/// Another number in the place of `k`, which reads these besides.
fn renumbered(k: &Expr, tokens: TokenStream, uses: &Uses) -> Expr {
    let mut all = k.uses.clone();
    all.extend(uses);
    Expr { tokens, uses: all }
}
