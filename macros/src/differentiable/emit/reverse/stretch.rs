//! A loop whose number of rounds is known before the first, and which leaves nothing but values on the tape, gets a stretch of the
//! tape: room is made once, and each round writes at its place.
//!
//! ```text
//! let mut stretch1 = Stretch::begin(tape, rounds(&(0..n)), [t1_slot.words(), t2_slot.words()]);
//! for i in 0..n { …; t1_slot.put(tape, &stretch1, 0, t1); t2_slot.put(tape, &stretch1, 1, t2); stretch1.next(); }
//! // backwards
//! let mut stretch1 = Stretch::end(tape, rounds(&(0..n)), [t1_slot.words(), t2_slot.words()]);
//! for i in (0..n).rev() { stretch1.back(); let t1 = t1_slot.take(tape, &stretch1, 0); … }
//! stretch1.close(tape);
//! ```

use proc_macro2::{Ident, TokenStream};

use super::super::names::{local, slot};
use super::Reverse;
use crate::differentiable::ir::*;

impl Reverse<'_> {
    /// Whether a block is the body of such a loop, as far as the blocks inside it tell.
    pub(super) fn may_have_stretch(&self, block: &Block) -> bool {
        self.state.borrow().bodies.contains(&block.id)
            && !block.items.iter().any(|item| self.item_tapes(item))
    }

    /// How these values get to the stretch and back.
    pub(super) fn stretch(
        &self,
        block: &Block,
        values: &[DefId],
    ) -> (Vec<TokenStream>, Vec<TokenStream>) {
        let name = stretch_of(block);
        let values = values.iter().enumerate().map(|(i, d)| {
            let value = &self.program.defs[*d].name;
            (i, value, slot(value))
        });
        let slots = values.clone().map(|(.., slot)| slot).collect();
        self.state.borrow_mut().stretches.insert(block.id, slots);
        let put =
            |(i, value, slot): (usize, &Ident, Ident)| code!(#slot.put(tape, &#name, #i, #value););
        let take = |(i, value, slot): (usize, &Ident, Ident)| code!(let #value = #slot.take(tape, &#name, #i););
        (
            values.clone().map(put).collect(),
            values.map(take).collect(),
        )
    }

    /// A loop over `run` of the forward sweep around its stretch; `around` makes the loop from the end of its body.
    pub(super) fn stretch_forwards(
        &self,
        body: &Block,
        run: &TokenStream,
        around: impl FnOnce(TokenStream) -> TokenStream,
    ) -> TokenStream {
        let Some(words) = self.words(body) else {
            return around(TokenStream::new());
        };
        let name = stretch_of(body);
        let whole = around(code!(#name.next();));
        code!(let mut #name = ::coenzyme::__private::Stretch::begin(tape, ::coenzyme::__private::rounds(&#run), #words); #whole)
    }

    /// As [`stretch_forwards`](Self::stretch_forwards), of the reverse sweep: what stands before the loop, at the beginning of its
    /// body, and after it.
    pub(super) fn stretch_backwards(&self, body: &Block, run: &TokenStream) -> [TokenStream; 3] {
        let Some(words) = self.words(body) else {
            return Default::default();
        };
        let name = stretch_of(body);
        [
            code!(let mut #name = ::coenzyme::__private::Stretch::end(tape, ::coenzyme::__private::rounds(&#run), #words);),
            code!(#name.back();),
            code!(#name.close(tape);),
        ]
    }

    /// The words of each value.
    fn words(&self, body: &Block) -> Option<TokenStream> {
        let state = self.state.borrow();
        let slots = state.stretches.get(&body.id)?;
        Some(code!([#(#slots.words()),*]))
    }
}

fn stretch_of(body: &Block) -> Ident {
    local(&format!("stretch{}", body.id))
}
