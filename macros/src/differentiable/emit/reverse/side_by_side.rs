//! How values of a block get to the tape and back: those that are plain values side by side, with room for all made at once.
//!
//! ```text
//! push_side_by_side(tape, (ShadowedWay(&t9_slot), (InactiveWay(&t2_slot), ())), (t9, (t2, ())));
//! // backwards
//! let (t9, (t2, ())) = pop_side_by_side(tape, (ShadowedWay(&t9_slot), (InactiveWay(&t2_slot), ())));
//! ```

use proc_macro2::{Ident, TokenStream};

use super::Reverse;

/// The way of one value.
pub(super) enum Taped {
    /// Onto the stack of words, or of its type.
    Plain {
        name: Ident,
        slot: Ident,
        shadowed: bool,
    },
    /// Statements of its own: what puts it on the tape, and what takes it off.
    Own(TokenStream, TokenStream),
}

impl Taped {
    /// What puts the value on the tape.
    pub(super) fn push(&self) -> TokenStream {
        match self {
            Taped::Own(push, _) => push.clone(),
            Taped::Plain { name, slot, .. } => match self.is_shadowed() {
                true => code!(#slot.push_active(tape, #name);),
                false => code!(#slot.push(tape, #name);),
            },
        }
    }

    /// What takes it off.
    fn pop(&self) -> TokenStream {
        match self {
            Taped::Own(_, pop) => pop.clone(),
            Taped::Plain { name, slot, .. } => match self.is_shadowed() {
                true => code!(let #name = #slot.pop_active(tape);),
                false => code!(let #name = #slot.pop(tape);),
            },
        }
    }

    fn is_shadowed(&self) -> bool {
        matches!(self, Taped::Plain { shadowed: true, .. })
    }

    fn is_plain(&self) -> bool {
        matches!(self, Taped::Plain { .. })
    }
}

impl Reverse<'_> {
    /// What puts values on the tape in this order, and what takes them off again.
    pub(super) fn side_by_side(&self, values: &[Taped]) -> (Vec<TokenStream>, Vec<TokenStream>) {
        let groups = values.chunk_by(|a, b| a.is_plain() && b.is_plain());
        let (pushes, mut pops): (Vec<_>, Vec<_>) = groups.map(group).unzip();
        pops.reverse();
        (pushes, pops)
    }
}

/// Values that are plain, or one.
fn group(values: &[Taped]) -> (TokenStream, TokenStream) {
    if let [one] = values {
        return (one.push(), one.pop());
    }
    let (mut names, mut ways) = (code!(()), code!(()));
    for value in values.iter().rev() {
        let Taped::Plain { name, slot, .. } = value else {
            continue;
        };
        let way = match value.is_shadowed() {
            true => code!(::coenzyme::__private::ShadowedWay(&#slot)),
            false => code!(::coenzyme::__private::InactiveWay(&#slot)),
        };
        names = code!((#name, #names));
        ways = code!((#way, #ways));
    }
    (
        code!(::coenzyme::__private::push_side_by_side(tape, #ways, #names);),
        code!(let #names = ::coenzyme::__private::pop_side_by_side(tape, #ways);),
    )
}
