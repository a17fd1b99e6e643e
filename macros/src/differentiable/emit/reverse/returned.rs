//! What a function returns as a whole: its cotangent is the one that comes back, whose shape is told by itself.
//!
//! ```text
//! // fn rhs(p: &[f64], y: &[f64]) -> Vec<f64> { let hidden = …; dense(w, b, &hidden) }
//! t5_slot.push_returned::<__R, __W>(tape, &t5);               // nothing, unless the function is called for its effects alone
//! // backwards
//! let t5 = t5_slot.pop_returned::<__R, __W>(tape);
//! let mut t5_d = received::<_, __W>(&t5, dret);
//! ```

use proc_macro2::{Ident, TokenStream};

use super::Reverse;
use super::side_by_side::Taped;
use crate::differentiable::ir::mentions::Mention;
use crate::differentiable::ir::*;

impl Reverse<'_> {
    /// The base that is returned as a whole, if nothing of its cotangent is there before.
    pub(super) fn returned(&self) -> Option<Base> {
        let p = self.program;
        match p.result.as_ref()? {
            Atom::Root(root) => {
                let declares =
                    |item: &Item| matches!(item, Item::Declare { root: r, .. } if r == root);
                let local = p.roots[*root].kind == RootKind::Memory;
                (local && p.body.items.iter().any(declares)).then_some(Base::Root(*root))
            }
            Atom::Def(d) => {
                let defines = |item: &Item| matches!(item, Item::Def(other) if other == d);
                let DefKind::Call(call) = &p.defs[*d].kind else {
                    return None;
                };
                let mut read = false;
                p.mentions(&p.body, &mut |mention| {
                    read |= matches!(mention, Mention::Def(other) if other == *d);
                });
                let plain = matches!(call.unpack, Unpack::Plain) && !p.defs[*d].stored;
                let alone = plain && !read && self.has_shape(*d);
                (alone && p.body.items.iter().any(defines)).then_some(Base::Def(*d))
            }
            Atom::Const(_) => None,
        }
    }

    /// Whether the reverse sweep has of this what tells the shape of its cotangent, and no more.
    pub(super) fn is_returned_shape(&self, base: Base) -> bool {
        let state = self.state.borrow();
        let more = match base {
            Base::Def(d) => state.required.contains(&d) || state.measured_defs.contains(&d),
            Base::Root(r) => {
                state.contents.contains(&r)
                    || state.measured.contains(&r)
                    || state.room.contains(&r)
            }
        };
        !more && self.returned() == Some(base)
    }

    /// The way of such a shape over the tape.
    pub(super) fn returned_shape(&self, name: &Ident) -> Taped {
        let slot = self.slot_of(name);
        Taped::Own(
            code!(#slot.push_returned::<__R, __W>(tape, &#name);),
            code!(let #name = #slot.pop_returned::<__R, __W>(tape);),
        )
    }

    /// Such a shape, made again.
    pub(super) fn returned_again(&self, name: &Ident, made: &TokenStream) -> TokenStream {
        let slot = self.slot_of(name);
        code!(let #name = #slot.returned::<__R, __W>(|| #made);)
    }
}
