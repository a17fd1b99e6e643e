//! A block backwards.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};

use super::Reverse;
use crate::differentiable::emit::names::{shadow, slot};
use crate::differentiable::ir::*;

/// How the cotangents of a block begin.
#[derive(Default)]
pub(super) struct Seed {
    /// What adds to them first.
    pub(super) added: TokenStream,
    /// One that is given as a whole.
    pub(super) received: Option<(Base, TokenStream)>,
}

/// A block backwards, in the order of its parts.
pub(super) struct Backwards {
    /// What comes off the tape.
    pub(super) pops: TokenStream,
    /// What is computed again, each value with its name.
    pub(super) values: Vec<(Option<Base>, TokenStream)>,
    /// The last statements undone, if they only assign.
    pub(super) arrived: TokenStream,
    /// The statements undone.
    pub(super) undone: TokenStream,
    /// Whether something comes off the tape among the values.
    pub(super) pops_among: bool,
}

impl Backwards {
    /// The parts one after the other.
    pub(super) fn in_order(self) -> TokenStream {
        let (pops, arrived, undone) = (self.pops, self.arrived, self.undone);
        let values = self.values.into_iter().map(|(_, value)| value);
        code!(#pops #(#values)* #arrived #undone)
    }
}

impl Reverse<'_> {
    /// A block backwards.
    pub(super) fn backwards(&self, block: &Block, seed: Seed) -> TokenStream {
        self.backwards_in_parts(block, seed).in_order()
    }

    /// As [`backwards`](Self::backwards), in parts.
    pub(super) fn backwards_in_parts(&self, block: &Block, seed: Seed) -> Backwards {
        let (arrived, undone) = self.undone(block, seed);
        // then the values: the later ones ask for the earlier ones
        let p = self.program;
        let mut values = Vec::new();
        let (mut first, mut together) = (Vec::new(), Vec::new());
        for item in block.items.iter().rev() {
            let (value, taped) = match item {
                Item::Def(d) => self.def_backwards(*d),
                Item::Declare { root, init } => self.root_backwards(*root, init),
                _ => continue,
            };
            // what comes off among the values goes on before what comes off in front of them
            let among = !value.is_empty();
            values.push((p.declares(item), value));
            match taped {
                Some(taped) if among => first.push(taped.push()),
                Some(taped) => together.push(taped),
                None => {}
            }
        }
        values.reverse();
        // pushed last first, so that they come off first first
        let (mut pushes, pops) = self.side_by_side(&together);
        let pops_among = !first.is_empty();
        first.append(&mut pushes);
        self.state.borrow_mut().leave(block.id, first);
        Backwards {
            pops: code!(#(#pops)*),
            values,
            arrived,
            undone,
            pops_among,
        }
    }

    /// The statements of a block undone; the last comes first: it asks for values of earlier ones. Those with which the block ends by assigning
    /// are apart.
    pub(super) fn undone(&self, block: &Block, seed: Seed) -> (TokenStream, TokenStream) {
        let p = self.program;
        let last = block.arrivals().len();
        let mut waiting: BTreeSet<_> = block.items.iter().filter_map(|i| p.declares(i)).collect();
        self.state.borrow_mut().wait_again(&waiting);
        let mut arrived = self.with_zeros(seed, &mut waiting);
        let mut undone = TokenStream::new();
        for (behind, item) in block.items.iter().rev().enumerate() {
            let tokens = self.item_backwards(item);
            let received = self.received(item, &waiting);
            let tokens = received.is_none().then_some(tokens);
            let again = item
                .whole_roots(p)
                .into_iter()
                .filter_map(|r| self.bind_root_backwards(r));
            let added = code!(#tokens #(#again)*);
            let tokens = self.with_zeros(Seed { added, received }, &mut waiting);
            match behind < last {
                true => arrived.extend(tokens),
                false => undone.extend(tokens),
            }
        }
        (arrived, undone)
    }

    /// A block inside another.
    pub(super) fn nested_backwards(&self, block: &Block) -> TokenStream {
        let body = self.backwards(block, Seed::default());
        let again = self.bound_backwards(block);
        code!(#again #body)
    }

    /// The parameters that a block inside another lends again.
    pub(super) fn bound_backwards(&self, block: &Block) -> TokenStream {
        block.bound_again(self.program, |r| self.bind_root_backwards(r))
    }

    /// The cotangent of memory that a value is all of, if the statement which took it is the first to be undone that touches it: that of the value.
    fn received(&self, item: &Item, waiting: &BTreeSet<Base>) -> Option<(Base, TokenStream)> {
        let p = self.program;
        let Item::Def(d) = item else { return None };
        let DefKind::Read(place) = &p.defs[*d].kind else {
            return None;
        };
        let root = p.whole_memory(place)?;
        let state = self.state.borrow();
        let alone = !state.carried.contains(d) && !state.leaves.contains(d);
        let touched = state.touched.contains(&Base::Def(*d));
        if !alone || !touched || !state.begins(Base::Root(root), waiting) {
            return None;
        }
        let name = &p.roots[root].name;
        let (of, from) = (shadow(name), p.shadow_name(Base::Def(*d)));
        Some((
            Base::Root(root),
            code!(let mut #of = ::coenzyme::__private::received::<_, __W>(&#name, #from);),
        ))
    }

    /// Statements after the zeros of those of the block's cotangents that they are the first to touch, but for one that is received.
    fn with_zeros(&self, seed: Seed, waiting: &mut BTreeSet<Base>) -> TokenStream {
        let Seed { added, received } = seed;
        let state = &self.state;
        let mut first: Vec<_> = state.borrow_mut().begin(waiting).into_iter().collect();
        let begins = |(base, _): &(Base, TokenStream)| first.contains(base);
        assert!(received.iter().all(begins), "what is received begins there");
        // what is handed over comes out of memory, which may begin here
        first.sort_by_key(|base| self.handed_over(*base).is_some());
        let zeros = first.into_iter().map(|base| {
            state.borrow_mut().shadowed.insert(base);
            match &received {
                Some((of, received)) if *of == base => received.clone(),
                _ => self.zeros(base),
            }
        });
        code!(#(#zeros)* #added)
    }

    /// The memory that a value was given to.
    fn handed_over(&self, base: Base) -> Option<&HandedOver> {
        match base {
            Base::Def(d) => self.program.moves.handed_over.get(&d),
            Base::Root(_) => None,
        }
    }

    /// The cotangent of what was given to memory: that of the memory.
    fn given_back(&self, d: &Ident, into: &HandedOver) -> TokenStream {
        let p = self.program;
        match into {
            HandedOver::Declared(root) => {
                let of = p.shadow_name(Base::Root(*root));
                code!(let mut #d = #of;)
            }
            HandedOver::Assigned(place) => {
                let (shadows, place) = (p.shadows_mut(place.base), p.place_mut(place));
                code!(let mut #d = ::coenzyme::__private::taken_at::<_, _, __W>(#shadows, #place);)
            }
        }
    }

    fn zeros(&self, base: Base) -> TokenStream {
        let p = self.program;
        let (name, exists) = match base {
            Base::Def(d) => (&p.defs[d].name, self.exists(d)),
            Base::Root(r) => (&p.roots[r].name, p.roots[r].kind == RootKind::Memory),
        };
        let (d, slot) = (shadow(name), slot(name));
        if let Some(into) = self.handed_over(base) {
            return self.given_back(&d, into);
        }
        match exists {
            true => code!(let mut #d = ::coenzyme::__private::sums::<_, __W>(&#name);),
            false => code!(let mut #d = #slot.sums::<__W>();),
        }
    }
}

impl Program {
    /// What a statement declares, if its cotangent begins with it.
    fn declares(&self, item: &Item) -> Option<Base> {
        match item {
            Item::Def(d) => match self.defs[*d].kind {
                DefKind::Param(_) | DefKind::LoopVariable => None,
                _ => Some(Base::Def(*d)),
            },
            Item::Declare { root, .. } => Some(Base::Root(*root)),
            _ => None,
        }
    }
}
