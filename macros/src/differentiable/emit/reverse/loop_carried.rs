//! Reads of neighbours, `x[i]` and `x[i + 1]`: the cotangent of an entry that the next round reads again is carried to it in a
//! register, and added to memory once.
//!
//! ```text
//! // for i in 0..n { … x[i] … x[i + 1] … }
//! let mut t2_carry = …;                     // nothing yet
//! for i in 0..n {
//!     let mut t1_carry = t2_carry; t2_carry = 0;
//!     …                                     // t2_carry += t2_d, and at the lowest: t1_d += t1_carry, x_d[i] += t1_d
//! }
//! if let Some(i) = (0..n).last() { add_at(x_d, &t2_carry, |m| &mut (*m)[i + 1]); }
//! ```

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::format_ident;

use super::Reverse;
use crate::differentiable::ir::*;

/// Reads of consecutive entries, in the order in which the rounds leave them behind.
pub(crate) struct Chain {
    reads: Vec<DefId>,
}

/// What stands before and after a loop, and at the beginning of each round.
#[derive(Default)]
pub(crate) struct Carried {
    pub(crate) before: TokenStream,
    pub(crate) round: TokenStream,
    pub(crate) after: TokenStream,
}

impl Reverse<'_> {
    /// Finds the chains of a loop; `falling`: its variable falls from round to round of the reverse sweep. What is not undone
    /// is in no chain.
    pub(crate) fn find_chains(&self, variable: DefId, body: &Block, falling: bool) -> Vec<Chain> {
        let p = self.program;
        let round = &p.defs[variable].point.loops;
        let mut reads: Vec<(String, i64, DefId)> = Vec::new();
        for item in &body.items {
            let Item::Def(d) = item else { continue };
            let DefKind::Read(place) = &p.defs[*d].kind else {
                continue;
            };
            let Base::Root(root) = place.base else {
                continue;
            };
            let written = p.roots[root]
                .writes
                .iter()
                .any(|w| w.loops.starts_with(round));
            if written || !p.roots[root].varied || !self.state.borrow().undone.contains(d) {
                continue;
            }
            if let Some((rest, offset)) = neighbour(place, &p.defs[variable].name) {
                let key = format!("{root} {rest} {:?}", place.uses.defs);
                if !reads.iter().any(|(k, o, _)| *k == key && *o == offset) {
                    reads.push((key, offset, *d));
                }
            }
        }
        reads.sort();
        if falling {
            reads.reverse();
        }
        let chains = reads.chunk_by(|(a, i, _), (b, j, _)| a == b && (i - j).abs() == 1);
        let chains = chains.filter(|reads| reads.len() > 1);
        let chains = chains.map(|reads| Chain {
            reads: reads.iter().map(|(.., d)| *d).collect(),
        });
        chains.collect()
    }

    /// The statements around a loop with these chains; `last` is the last value of its variable, if there are rounds.
    pub(crate) fn carried(
        &self,
        chains: &[Chain],
        variable: &Ident,
        last: &TokenStream,
    ) -> Carried {
        let mut carried = Carried::default();
        for chain in chains {
            let names: Vec<Ident> = chain.reads.iter().map(|d| self.carry(*d)).collect();
            let (first, rest) = names.split_first().expect("a chain has two entries");
            for (read, name) in chain.reads.iter().zip(&names).skip(1) {
                let slot = self.slot_of(&self.program.defs[*read].name);
                self.state.borrow_mut().bound_defs.insert(*read);
                carried
                    .before
                    .extend(code!(let mut #name = #slot.sums::<__W>();));
                let DefKind::Read(place) = &self.program.defs[*read].kind else {
                    unreachable!("a chain consists of reads")
                };
                let shadows = self.program.shadows_mut(place.base);
                let place = self.program.place_mut(place);
                carried
                    .after
                    .extend(code!(::coenzyme::__private::add_at(#shadows, &#name, #place);));
            }
            let (second, others) = rest.split_first().expect("a chain has two entries");
            carried.round.extend(code! {
                let mut #first = ::coenzyme::__private::sums_like(&#second);
                ::coenzyme::__private::move_into(&mut #first, &mut #second);
            });
            let mut to = second;
            for from in others {
                carried
                    .round
                    .extend(code!(::coenzyme::__private::move_into(&mut #to, &mut #from);));
                to = from;
            }
        }
        let after = &carried.after;
        if !after.is_empty() {
            carried.after =
                code!(if let ::core::option::Option::Some(#variable) = #last { #after });
        }
        carried
    }

    /// Notes which reads belong to chains, while a round is undone.
    pub(crate) fn chained(&self, chains: &[Chain]) {
        let mut state = self.state.borrow_mut();
        for chain in chains {
            let (first, rest) = chain.reads.split_first().expect("a chain has two entries");
            state.leaves.insert(*first);
            state.carried.extend(rest);
        }
    }

    /// Takes back [`chained`](Self::chained).
    pub(crate) fn unchained(&self, chains: &[Chain]) {
        let mut state = self.state.borrow_mut();
        for read in chains.iter().flat_map(|c| &c.reads) {
            state.leaves.remove(read);
            state.carried.remove(read);
        }
    }

    /// What is carried from round to round for the entry that a read names.
    pub(crate) fn carry(&self, read: DefId) -> Ident {
        let name = &self.program.defs[read].name;
        format_ident!("{name}_carry", span = proc_macro2::Span::mixed_site())
    }
}

/// The offset of an index from the loop variable, and the rest of the place: of `[i + 1]`, `[i - 1][0]`, `[i..][..2][1]`.
fn neighbour(place: &Place, variable: &Ident) -> Option<(String, i64)> {
    let mut trees = place.suffix.clone().into_iter();
    let index = inside(trees.next()?)?;
    let rest: Vec<TokenTree> = trees.collect();
    if let Some(start) = before_dots(&index) {
        // a window: `[i..][..n][1]`
        if !is_name(&start, variable) || rest.len() != 2 {
            return None;
        }
        let length = rest[0].to_string();
        let entry = inside(rest[1].clone())?.to_string();
        return Some((format!("window {length}"), entry.parse().ok()?));
    }
    let rest: TokenStream = rest.into_iter().collect();
    Some((rest.to_string(), offset(index, variable)?))
}

/// `1` of `i + 1`.
fn offset(index: TokenStream, variable: &Ident) -> Option<i64> {
    let mut expr: syn::Expr = syn::parse2(index).ok()?;
    while let syn::Expr::Paren(inside) = expr {
        expr = *inside.expr;
    }
    let is_variable = |e: &syn::Expr| is_name(&quote::quote!(#e), variable);
    match &expr {
        e if is_variable(e) => Some(0),
        syn::Expr::Binary(binary) if is_variable(&binary.left) => {
            let syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Int(n),
                ..
            }) = &*binary.right
            else {
                return None;
            };
            let n: i64 = n.base10_parse().ok()?;
            match binary.op {
                syn::BinOp::Add(_) => Some(n),
                syn::BinOp::Sub(_) => Some(-n),
                _ => None,
            }
        }
        _ => None,
    }
}

/// What stands in brackets.
fn inside(tree: TokenTree) -> Option<TokenStream> {
    match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => Some(group.stream()),
        _ => None,
    }
}

/// `i` of `i ..`.
fn before_dots(index: &TokenStream) -> Option<TokenStream> {
    match syn::parse2(index.clone()).ok()? {
        syn::Expr::Range(syn::ExprRange {
            start: Some(start),
            end: None,
            ..
        }) => Some(quote::quote!(#start)),
        _ => None,
    }
}

/// Whether tokens are this name, in parentheses or not.
fn is_name(tokens: &TokenStream, name: &Ident) -> bool {
    let text = tokens.to_string().replace([' ', '(', ')'], "");
    *name == text
}
