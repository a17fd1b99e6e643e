//! A loop whose number of rounds is known before the first, and which leaves nothing but values on the tape, has a column of the
//! tape for each name: room is made once, and each round, in whatever order, writes and reads at its place.
//!
//! ```text
//! let words1 = rounds_of1 * (0 + t1_slot.width() + t2_slot.width());
//! let rest = columns(tape, words1);
//! let (mut t1_column, rest) = t1_slot.column(rest, rounds_of1);
//! let (mut t2_column, rest) = t2_slot.column(rest, rounds_of1);
//! for round1 in 0..rounds_of1 { …; t1_column.put(round1, t1); t2_column.put(round1, t2); }
//! // backwards
//! let rest = last_columns(tape, words1);
//! let (mut t1_column, rest) = t1_slot.filled(rest, rounds_of1, …);
//! let (mut t2_column, rest) = t2_slot.filled(rest, rounds_of1, …);
//! for round1 in 0..rounds_of1 { let t1 = t1_column.get(round1); let t2 = t2_column.get(round1); … }
//! cut_columns(tape, words1);
//! ```

use proc_macro2::{Ident, TokenStream};
use quote::format_ident;

use super::Reverse;
use super::side_by_side::Taped;
use crate::differentiable::emit::names::{local, slot};
use crate::differentiable::emit::window::{Around, round_of, rounds_of};
use crate::differentiable::ir::*;

impl Reverse<'_> {
    /// Whether the values of a loop with this body have columns, as far as the blocks inside it tell.
    pub(crate) fn has_columns(&self, body: &Block) -> bool {
        let may = {
            let state = self.state.borrow();
            state.bodies.contains(&body.id) && !self.plan.recomputed.contains_key(&body.id)
        };
        may && !self.tapes_more(body)
    }

    /// Whether a block leaves more on the tape than values of its own and of the branches in it.
    fn tapes_more(&self, block: &Block) -> bool {
        block.items.iter().any(|item| match item {
            Item::Branch { arms, .. } => arms.iter().any(|a| self.tapes_more(&a.body)),
            Item::Declare { root, .. } => self.state.borrow().taped_roots.contains(root),
            item => self.item_tapes(item),
        })
    }

    /// How a value, which may have a shadow, gets to the tape and back: to its column, if the loop around it has columns.
    pub(super) fn way(&self, name: &Ident, shadowed: bool) -> Taped {
        let slot = self.slot_of(name);
        let Some(body) = self.columns_of.get() else {
            let name = name.clone();
            return Taped::Plain {
                name,
                slot,
                shadowed,
            };
        };
        let mut state = self.state.borrow_mut();
        state.columns.entry(body).or_default().push(name.clone());
        let (column, round) = (column(name), round_of(body));
        Taped::Own(
            // by the path: a trait in scope may have a method of that name for all types
            code!(::coenzyme::__private::Column::put(&mut #column, #round, #name);),
            code!(let #name = ::coenzyme::__private::Column::get(&mut #column, #round);),
        )
    }

    /// The columns of a loop in the forward sweep.
    pub(crate) fn columns_forwards(&self, body: &Block) -> Around {
        let Some(names) = self.columns(body) else {
            return Around::default();
        };
        let (rounds, words, count) = room(body, &names);
        let makes = names.iter().map(|name| {
            let (column, others, slot) = (column(name), others(name), slot(name));
            code! {
                let mut #others = #slot.others(#rounds);
                let (mut #column, rest) = #slot.column(rest, #rounds, &mut #others);
            }
        });
        let (others, slots): (Vec<_>, Vec<_>) = names.iter().map(|n| (others(n), slot(n))).unzip();
        Around {
            before: code!(#count let rest = ::coenzyme::__private::columns(tape, #words); #(#makes)*),
            after: code!(#(#slots.keep(tape, #others);)*),
        }
    }

    /// The columns of a loop in the reverse sweep.
    pub(crate) fn columns_backwards(&self, body: &Block) -> Around {
        let Some(names) = self.columns(body) else {
            return Around::default();
        };
        let (rounds, words, count) = room(body, &names);
        let kept = names.iter().rev().map(|name| {
            let (others, slot) = (others(name), slot(name));
            code!(let mut #others = #slot.kept(tape);)
        });
        let makes = names.iter().map(|name| {
            let (column, others, slot) = (column(name), others(name), slot(name));
            code!(let (mut #column, rest) = #slot.filled(rest, #rounds, &mut #others);)
        });
        Around {
            before: code! {
                #count
                #(#kept)*
                let rest = ::coenzyme::__private::last_columns(tape, #words);
                #(#makes)*
            },
            after: code!(::coenzyme::__private::cut_columns(tape, #words);),
        }
    }

    /// The names that have columns.
    fn columns(&self, body: &Block) -> Option<Vec<Ident>> {
        let state = self.state.borrow();
        let names = state.columns.get(&body.id)?;
        (!names.is_empty()).then(|| names.clone())
    }
}

/// The number of rounds, and that of words with the statement that finds it out.
fn room(body: &Block, names: &[Ident]) -> (Ident, Ident, TokenStream) {
    let (rounds, words) = (rounds_of(body.id), local(&format!("words{}", body.id)));
    let slots = names.iter().map(slot);
    let count = code!(let #words = #rounds * (0 #(+ #slots.width())*););
    (rounds, words, count)
}

fn column(name: &Ident) -> Ident {
    format_ident!("{name}_column", span = proc_macro2::Span::mixed_site())
}

fn others(name: &Ident) -> Ident {
    format_ident!("{name}_others", span = proc_macro2::Span::mixed_site())
}
