//! Loops whose rounds all add to one cotangent, `c[i] += a * b[i]`: a sum that the optimizer may not reorder, and so one entry at
//! a time for all that the loop does. In blocks of eight rounds, each round has a sum of its own, and the loop is vectors.
//!
//! ```text
//! let blocks = if asked { blocks(&a_d, rounds) } else { 0 };     // of an inactive parameter nobody asks the sum
//! let mut a_d_sums = block_sums(&a_d);
//! let (b_blocks, b) = in_blocks(b, blocks);
//! let (mut b_d_blocks, mut b_d) = shadows_in_blocks(&mut b_d, blocks);
//! let (mut c_d_blocks, mut c_d) = shadows_in_blocks(&mut c_d, blocks);
//! for block in 0..blocks {
//!     let mut b_room = block_room(&b_d_blocks, block);     // what is added in this block: written when all of it has been read
//!     let mut b_d = block_lanes(&mut b_room);
//!     let (b, mut c_d) = (&b_blocks[block], block_of(&mut c_d_blocks, block));
//!     for round in 0..BLOCK {
//!         let mut a_d = replace(&mut a_d_sums[round], …);
//!         …                                             // a round, as it was
//!         a_d_sums[round] = a_d;
//!     }
//!     block_add(&mut b_d_blocks, block, &b_room);
//! }
//! block_total(&mut a_d, &a_d_sums);
//! for round in 0..left(rounds, blocks) { … }                // its windows begin behind the blocks
//! ```

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, TokenStream};
use quote::format_ident;

use super::names::local;
use crate::differentiable::ir::*;
use crate::differentiable::methods::operations;

/// What a loop in blocks does in the reverse sweep.
pub(super) struct Blocks {
    /// The cotangents that every round adds to.
    sums: Vec<Ident>,
    /// The shadows that they go to, of parameters, which may have none.
    shadows: Vec<Ident>,
    /// The memory whose shadow is added to: no round reads it.
    added: HashSet<RootId>,
    /// The value of the function, if the rounds add to it.
    total: Option<Ident>,
}

/// The bodies of loops and branches after which loops run without blocks: two more loops for each cost the borrow checker a time that grows with
/// their square and more.
const MOST: usize = 64;

/// What rounds that run again may do besides.
#[derive(Clone, Copy)]
pub(super) struct Again<'a> {
    /// The values of sums that they add to.
    pub(super) sums: &'a HashMap<DefId, RootId>,
    /// That which is the value of the function.
    pub(super) total: Option<RootId>,
    /// Elementary functions, and calls of small functions with such: the optimizer has vectors of them.
    pub(super) fast: bool,
}

impl Program {
    /// The blocks of a loop that reads and adds to entries of its windows, those after the first `windows`, and does nothing else.
    /// `sum`: the cotangent of a value from outside of the loop, if it has one, and the shadow of a parameter that it goes to.
    pub(super) fn blocks(
        &self,
        variable: DefId,
        body: &Block,
        windows: usize,
        again: Option<Again<'_>>,
        sum: &dyn Fn(DefId) -> Option<(Ident, Option<Ident>)>,
    ) -> Option<Blocks> {
        if body.id > MOST {
            return None;
        }
        let fast = again.is_some_and(|a| a.fast);
        let is_sum = |d: &DefId| again.is_some_and(|a| a.fast && a.sums.contains_key(d));
        let mut total = None;
        let own = |id: DefId| {
            id == variable
                || body
                    .items
                    .iter()
                    .any(|i| matches!(i, Item::Def(d) if *d == id))
        };
        let (mut sums, mut added, mut read) = (Vec::new(), HashSet::new(), HashSet::new());
        let mut operand = |atom: &Atom| match atom {
            Atom::Def(d) if !own(*d) => {
                sums.extend(sum(*d));
                true
            }
            Atom::Def(_) | Atom::Const(_) => true,
            Atom::Root(_) => false,
        };
        for item in &body.items {
            let fine = match item {
                Item::Def(d) => match &self.defs[*d].kind {
                    DefKind::Pure(_) => true,
                    DefKind::Read(place) => self.entry_of(place, windows).is_some_and(|root| {
                        added.insert(root);
                        true
                    }),
                    DefKind::Op { op, args, .. } => {
                        let cheap = !operations::is_costly(op) || fast && operations::has_fast(op);
                        cheap && args.iter().all(&mut operand)
                    }
                    DefKind::Version(_) => is_sum(d),
                    DefKind::Call(call) => fast && is_of_values(call, &mut operand),
                    _ => false,
                },
                Item::Assign {
                    value: Atom::Def(d),
                    place,
                    op: Assign::Set,
                } if is_sum(d) => {
                    let root = again.and_then(|a| a.total);
                    total = root.filter(|r| place.base == Base::Root(*r));
                    true
                }
                Item::Assign { place, op, value } if *op != Assign::Set => {
                    operand(value)
                        && self.entry_of(place, windows).is_some_and(|root| {
                            read.insert(root);
                            true
                        })
                }
                _ => false,
            };
            if !fine {
                return None;
            }
        }
        sums.sort();
        sums.dedup();
        // one that goes elsewhere may go anywhere
        let shadows: Option<Vec<Ident>> = sums.iter().map(|(_, shadow)| shadow.clone()).collect();
        let sums: Vec<Ident> = sums.into_iter().map(|(sum, _)| sum).collect();
        (!sums.is_empty() && added.is_disjoint(&read)).then_some(Blocks {
            sums,
            shadows: shadows.unwrap_or_default(),
            added,
            total: total.map(|root| self.roots[root].name.clone()),
        })
    }

    /// The memory of a place that is an entry of an open window.
    fn entry_of(&self, place: &Place, windows: usize) -> Option<RootId> {
        let Base::Root(root) = place.base else {
            return None;
        };
        let count = |tokens: &TokenStream| tokens.clone().into_iter().count();
        let open = self.windows.borrow();
        let window = open[windows..].iter().find(|w| w.root == root)?;
        (count(&place.suffix) == count(&window.prefix) + 1).then_some(root)
    }
}

/// Whether a function is called with numbers, and returns one for sure.
fn is_of_values(call: &Call, operand: &mut dyn FnMut(&Atom) -> bool) -> bool {
    let path = matches!(call.callee, Callee::Path(_)) && matches!(call.unpack, Unpack::Plain);
    path && call.args.iter().all(|arg| match arg {
        Arg::Value(atom) => operand(atom),
        _ => false,
    })
}

impl Blocks {
    /// Stands before the windows: whether the sums are asked for.
    pub(super) fn asked(&self) -> TokenStream {
        let (asked, shadows) = (local("asked"), &self.shadows);
        match shadows.is_empty() {
            true => code!(let #asked = true;),
            false => code!(let #asked = #(::coenzyme::__private::has_shadow(&#shadows))||*;),
        }
    }

    /// The rounds in blocks, and then those that are left.
    pub(super) fn rounds(
        &self,
        windows: &[Window],
        (round, count): (&Ident, &Ident),
        variable: &dyn Fn(TokenStream) -> TokenStream,
        inside: &TokenStream,
    ) -> TokenStream {
        let (blocks, block, asked) = (local("blocks"), local("block"), local("asked"));
        let size = code!(::coenzyme::__private::BLOCK);
        let (sums, any) = (&self.sums, &self.sums[0]);
        let lanes: Vec<_> = sums.iter().map(|s| of(s, "sums")).collect();
        let [open, begin, end] = self.block(windows, &blocks, &block);
        // the value too: the sum of each round by itself
        let [sums_of_value, value, keep, total] = self.value(round);
        let here = variable(code!(#block * #size + #round));
        let behind = variable(code!(#blocks * #size + #round));
        code! {
            let #blocks = if #asked { ::coenzyme::__private::blocks(&#any, #count) } else { 0 };
            #sums_of_value
            #(let mut #lanes = ::coenzyme::__private::block_sums(&#sums);)*
            #open
            for #block in 0..#blocks {
                #begin
                for #round in 0..#size {
                    #(let mut #sums = ::core::mem::replace(&mut #lanes[#round], ::coenzyme::__private::sums_like(&#sums));)*
                    #value
                    #here #inside
                    #keep
                    #(#lanes[#round] = #sums;)*
                }
                #end
            }
            #total
            #(::coenzyme::__private::block_total(&mut #sums, &#lanes);)*
            for #round in 0..::coenzyme::__private::left(#count, #blocks) {
                #behind #inside
            }
        }
    }

    /// In front of the blocks, where windows are cut into blocks and what is left; at the beginning of one; at its end.
    fn block(&self, windows: &[Window], blocks: &Ident, block: &Ident) -> [TokenStream; 3] {
        let [mut open, mut begin, mut end] = <[TokenStream; 3]>::default();
        for window in windows {
            let name = &window.name;
            let (d, in_blocks) = (of(name, "d"), of(name, "blocks"));
            let (d_blocks, room) = (of(&d, "blocks"), of(name, "room"));
            if window.read {
                open.extend(code!(let (#in_blocks, #name) = ::coenzyme::__private::in_blocks(#name, #blocks);));
                begin.extend(code!(let #name = &#in_blocks[#block];));
            }
            if !window.shadowed {
                continue;
            }
            open.extend(code!(let (mut #d_blocks, mut #d) = ::coenzyme::__private::shadows_in_blocks(&mut #d, #blocks);));
            match self.added.contains(&window.root) {
                true => {
                    begin.extend(code! {
                        let mut #room = ::coenzyme::__private::block_room(&#d_blocks, #block);
                        let mut #d = ::coenzyme::__private::block_lanes(&mut #room);
                    });
                    end.extend(
                        code!(::coenzyme::__private::block_add(&mut #d_blocks, #block, &#room);),
                    );
                }
                false => begin.extend(
                    code!(let mut #d = ::coenzyme::__private::block_of(&mut #d_blocks, #block);),
                ),
            }
        }
        [open, begin, end]
    }
}

fn of(name: &Ident, what: &str) -> Ident {
    format_ident!("{name}_{what}", span = proc_macro2::Span::mixed_site())
}

impl Blocks {
    /// Before the blocks, at the beginning and at the end of a round, and after the blocks.
    fn value(&self, round: &Ident) -> [TokenStream; 4] {
        let Some(total) = &self.total else {
            return Default::default();
        };
        let sums = of(total, "sums");
        [
            code!(let mut #sums = ::coenzyme::__private::value_sums(&#total);),
            code!(let mut #total = ::coenzyme::__private::copy(&#sums[#round]);),
            code!(#sums[#round] = #total;),
            code!(::coenzyme::__private::value_total(&mut #total, &#sums);),
        ]
    }
}
