//! How many elements a chain of iterators has, where that is known before it runs.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Expr;

use super::seq::{Cut, Seq};
use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::Lower;

impl Lower<'_> {
    /// How many elements; `None` if that is not known before.
    pub(crate) fn seq_len(&mut self, seq: &Seq) -> Option<ir::Expr> {
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
            Seq::Listed(list) => self.count_listed(*list),
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
            Seq::Cycle(seq, len) => {
                let len = self.length_known(seq, *len)?;
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
    pub(crate) fn keeps_state(&self, seq: &Seq) -> bool {
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
    pub(crate) fn place_uses(&self, place: &Place) -> Uses {
        let mut uses = place.uses.clone();
        match place.base {
            Base::Root(r) if self.place_changes_length(place) => drop(uses.roots.insert(r)),
            Base::Root(r) => drop(uses.lengths.insert(r)),
            Base::Def(d) => drop(uses.defs.insert(d)),
        }
        uses
    }
}
