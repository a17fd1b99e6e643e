//! What a function returns as a whole: its cotangent is the one that comes back, whose shape is told by itself.
//!
//! ```text
//! // fn rhs(p: &[f64], y: &[f64]) -> Vec<f64> { let hidden = …; dense(w, b, &hidden) }
//! t5_slot.push_returned::<__R, __W>(tape, &t5);               // nothing, unless the function is called for its effects alone
//! // backwards
//! let t5 = t5_slot.pop_returned::<__R, __W>(tape);
//! let mut t5_d = received::<_, __W>(&t5, dret);
//! ```

use proc_macro2::{Ident, TokenStream, TokenTree};

use super::Reverse;
use super::block::Backwards;
use super::side_by_side::Taped;
use crate::differentiable::emit::names::slot;
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

    /// Whether the reverse sweep has of the value of a call what tells the shape of its cotangent, and no more.
    pub(super) fn is_returned_shape(&self, def: DefId) -> bool {
        let state = self.state.borrow();
        let more = state.required.contains(&def) || state.measured_defs.contains(&def);
        !more && self.returned() == Some(Base::Def(def))
    }

    /// The way of such a shape over the tape.
    pub(super) fn returned_shape(&self, name: &Ident) -> Taped {
        let slot = self.slot_of(name);
        Taped::Own(
            code!(#slot.push_returned::<__R, __W>(tape, &#name);),
            code!(let #name = #slot.pop_returned::<__R, __W>(tape);),
        )
    }

    /// Memory that is returned is made again for its shape alone, if nothing else names it: then only if no cotangent comes back.
    pub(super) fn leave_out_returned(&self, body: &mut Backwards) {
        let Some(Base::Root(root)) = self.returned() else {
            return;
        };
        let name = &self.program.roots[root].name;
        let init = self.program.body.items.iter().find_map(|item| match item {
            Item::Declare {
                root: r,
                init: Init::Inactive { expr, again: true },
            } if *r == root => Some(&expr.tokens),
            _ => None,
        });
        let declares = |base: &Option<Base>| *base == Some(Base::Root(root));
        let at = body.values.iter().position(|(base, _)| declares(base));
        let (Some(init), Some(at)) = (init, at) else {
            return;
        };
        let slot = slot(name);
        let again = code!(let mut #name = #slot.same(#init););
        let others = body.values.iter().enumerate().filter(|(i, _)| *i != at);
        let others = others.map(|(_, (_, value))| value);
        let all = others.chain([&body.pops, &body.arrived, &body.undone]);
        // where the cotangent is received
        let named: usize = all.map(|tokens| times(tokens, name)).sum();
        if named == 1 && body.values[at].1.to_string() == again.to_string() {
            body.values[at].1 = code!(let #name = #slot.returned::<__R, __W>(|| #init););
        }
    }
}

/// How often a name stands in tokens.
fn times(tokens: &TokenStream, name: &Ident) -> usize {
    let trees = tokens.clone().into_iter();
    let times = trees.map(|tree| match tree {
        TokenTree::Ident(ident) => usize::from(ident == *name),
        TokenTree::Group(group) => times(&group.stream(), name),
        _ => 0,
    });
    times.sum()
}
