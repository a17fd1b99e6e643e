//! Structs that are wanted again after they have been moved: their type may not be `Copy`, and a copy is moved instead.
//!
//! ```text
//! let t = S { x, d: 0.0 };
//! let mut s = t.clone();      // t.x is read below
//! if b { s = S { x: t.x * 2.0, d: x * x } }
//! ```

mod last;
mod own_parts;

use std::collections::{HashMap, HashSet};

use crate::differentiable::ir::mentions::Mention;
use crate::differentiable::ir::*;

impl Program {
    /// Notes which values and locals are wanted again.
    pub(crate) fn settle_moves(&mut self) {
        let mut uses = Wanted::default();
        uses.block(self, &self.body);
        let mut found = |mention: Mention<'_>| uses.read(mention);
        self.result.iter().for_each(|r| r.mentions(&mut found));

        let own = self.own_parts();
        let (structs, mut locals) = self.structs(&uses, &own);
        let mut parts = self.struct_parts(&uses, &structs, &locals);
        parts.extend(own);
        let wanted_again = |(d, depth): &&(DefId, usize)| match &self.defs[*d].kind {
            DefKind::Make { .. } => {
                uses.reads_of_values[d] > 1 || *depth > self.defs[*d].point.loops.len()
            }
            DefKind::Param(index) => {
                let again = uses.reads_of_values[d] > 1 || *depth > 0;
                let number = self.numbers.get(*index) == Some(&true);
                uses.bases.contains(d) || again && !number
            }
            // which may be kept for the reverse sweep
            _ => structs.contains(d) || self.is_exchanged(*d),
        };
        let handed_over = self.handed_over(&uses);
        let last = self.last_takers(&uses);
        let named = uses.reads_of_values.iter();
        let inactive = named.filter(|(d, reads)| **reads > 1 && !self.defs[**d].varied);
        let inactive = inactive.map(|(d, _)| *d).collect();
        let moved = uses.moved.iter().filter(wanted_again).map(|(d, _)| *d);
        let values = moved.filter(|d| !handed_over.contains_key(d)).collect();
        locals.retain(|root| {
            let reads = uses.reads_of_locals.get(root).copied();
            reads.is_some_and(|r| r.count > 1 || r.depth > self.roots[*root].loops.len())
        });
        self.moves = Moves {
            structs,
            values,
            locals,
            parts,
            inactive,
            handed_over,
            last,
        };
    }

    /// What calls give that becomes memory, or a part of it, in the block of the call, and has no other use.
    fn handed_over(&self, uses: &Wanted) -> HashMap<DefId, HandedOver> {
        let mut found = HashMap::new();
        self.handed_over_in(&self.body, &mut found);
        found.retain(|d, _| uses.reads_of_values.get(d) == Some(&1) && !self.defs[*d].stored);
        found
    }

    fn handed_over_in(&self, block: &Block, found: &mut HashMap<DefId, HandedOver>) {
        let is_memory = |base: Base| {
            let root = |r: RootId| self.roots[r].varied && self.roots[r].kind == RootKind::Memory;
            matches!(base, Base::Root(r) if root(r))
        };
        let mut calls = HashSet::new();
        for item in &block.items {
            let into = match item {
                Item::Def(d) if matches!(self.defs[*d].kind, DefKind::Call(_)) => {
                    calls.insert(*d);
                    continue;
                }
                Item::Declare {
                    root,
                    init: Init::Value(Atom::Def(d)),
                } => (Base::Root(*root), d, HandedOver::Declared(*root)),
                Item::Assign {
                    place,
                    op: Assign::Set,
                    value: Atom::Def(d),
                } => (place.base, d, HandedOver::Assigned(place.clone())),
                Item::Branch { arms, .. } => {
                    arms.iter()
                        .for_each(|arm| self.handed_over_in(&arm.body, found));
                    continue;
                }
                Item::Loop { body, .. } => {
                    self.handed_over_in(body, found);
                    continue;
                }
                _ => continue,
            };
            let (base, call, into) = into;
            if is_memory(base) && calls.contains(call) {
                found.insert(*call, into);
            }
        }
    }

    /// The operands of an operation that may be structs, and would be moved.
    pub(crate) fn moved_operands(&self, args: &[Atom], needs: Needs) -> Vec<&Def> {
        // what is read is a number more often, but for an operator that is known to be the user's
        let is_struct = |d: &DefId| match self.defs[*d].kind {
            _ if needs == Needs::Everything => true,
            DefKind::Read(_) => false,
            _ => self.moves.structs.contains(d),
        };
        let of = |atom: &Atom| match atom {
            Atom::Def(d) if is_struct(d) => Some(&self.defs[*d]),
            _ => None,
        };
        args.iter().filter_map(of).collect()
    }

    /// Whether a value is read of a place that is something else by then, or is a part of such a value.
    pub(crate) fn is_exchanged(&self, id: DefId) -> bool {
        let of_exchanged = |place: &Place| match place.base {
            Base::Def(whole) => self.is_exchanged(whole),
            Base::Root(_) => false,
        };
        self.exchanged.contains(&id)
            || matches!(&self.defs[id].kind, DefKind::Read(place) if of_exchanged(place))
    }

    /// The reads that take a struct out of another one, or out of an array: what is read is looked into, or put elsewhere.
    fn struct_parts(
        &self,
        uses: &Wanted,
        values: &HashSet<DefId>,
        locals: &HashSet<RootId>,
    ) -> HashSet<DefId> {
        let of_structs = |d: &DefId, params: bool| match &self.defs[*d].kind {
            DefKind::Read(place) if !place.suffix.is_empty() => match place.base {
                Base::Def(base) => values.contains(&base) || self.is_exchanged(base),
                Base::Root(root) => match self.roots[root].kind {
                    RootKind::Scalar => locals.contains(&root),
                    RootKind::Memory => true,
                    RootKind::Param { .. } => params,
                },
            },
            _ => false,
        };
        let given = uses.given.iter().map(|(_, d)| d);
        let taken = uses.bases.iter().chain(given).chain(&self.exchanged);
        // what a function returns may be a vector, and its memory is read again for its shape
        let returned = self.result.as_ref().and_then(Atom::def);
        let taken = taken.chain(&returned);
        let taken = taken.map(|d| (d, true));
        // of what is passed in, numbers are put into structs more often
        let taken = taken.chain(uses.moved.iter().map(|(d, _)| (d, false)));
        taken
            .filter(|(d, params)| of_structs(d, *params))
            .map(|(d, _)| *d)
            .collect()
    }

    /// The values and locals that may be structs, by what they are made of; those that are `own` are.
    fn structs(&self, uses: &Wanted, own: &HashSet<DefId>) -> (HashSet<DefId>, HashSet<RootId>) {
        let mut values = own.clone();
        let mut locals = uses.given_memory.clone();
        locals.retain(|root| self.roots[*root].kind == RootKind::Scalar);
        loop {
            let before = values.len() + locals.len();
            for (id, def) in self.defs.iter().enumerate() {
                let is_struct = match &def.kind {
                    DefKind::Make { .. } | DefKind::Call(_) => true,
                    DefKind::Version(root) => locals.contains(root),
                    DefKind::Read(place) => match place.base {
                        Base::Def(d) => values.contains(&d),
                        Base::Root(root) => locals.contains(&root),
                    },
                    // what an own operator gives; a call and a part give numbers more often
                    // an operator of the user's
                    DefKind::Op {
                        needs: Needs::Everything,
                        ..
                    } => true,
                    DefKind::Op { args, .. } => args.iter().any(|atom| match atom {
                        Atom::Def(d) => {
                            let number =
                                matches!(self.defs[*d].kind, DefKind::Call(_) | DefKind::Read(_));
                            !number && values.contains(d)
                        }
                        _ => false,
                    }),
                    _ => false,
                };
                if is_struct {
                    values.insert(id);
                }
            }
            let holds = |(root, value): &&(RootId, DefId)| {
                self.roots[*root].kind == RootKind::Scalar && values.contains(value)
            };
            locals.extend(uses.given.iter().filter(holds).map(|(root, _)| *root));
            if values.len() + locals.len() == before {
                return (values, locals);
            }
        }
    }
}

/// Reads of a local, and in how many loops the innermost stands.
#[derive(Clone, Copy, Default)]
struct Reads {
    count: usize,
    depth: usize,
}

#[derive(Default)]
struct Wanted {
    /// How many loops are around.
    depth: usize,
    /// Values that are moved, and in how many loops.
    moved: Vec<(DefId, usize)>,
    /// Which local is given which value.
    given: Vec<(RootId, DefId)>,
    /// Locals that are given all of some memory.
    given_memory: HashSet<RootId>,
    /// Values that are looked into.
    bases: HashSet<DefId>,
    reads_of_values: HashMap<DefId, usize>,
    reads_of_locals: HashMap<RootId, Reads>,
}

impl Wanted {
    fn block(&mut self, program: &Program, block: &Block) {
        for (at, item) in block.items.iter().enumerate() {
            // what is only measured before it goes into memory is not read
            let next = block.items.get(at + 1);
            match (item, next) {
                (Item::Def(id), Some(Item::Reshape { shape, .. })) if *shape == Some(*id) => {}
                _ => self.item(program, item),
            }
        }
    }

    fn item(&mut self, program: &Program, item: &Item) {
        match item {
            Item::Branch { arms, selector } => {
                let (Selector::If(atom) | Selector::Match(atom)) = selector;
                atom.mentions(&mut |mention| self.read(mention));
                arms.iter().for_each(|arm| self.block(program, &arm.body));
                return;
            }
            Item::Loop { body, .. } => {
                self.depth += 1;
                self.block(program, body);
                self.depth -= 1;
                return;
            }
            Item::Declare {
                root,
                init: Init::Value(Atom::Def(d)),
            } => self.gives(*root, *d),
            Item::Declare {
                init: Init::Copy { from, .. },
                ..
            } => self.looked_into(from),
            Item::Declare {
                root,
                init: Init::Value(Atom::Root(_)),
            } => drop(self.given_memory.insert(*root)),
            Item::Assign {
                place,
                op: Assign::Set,
                value: Atom::Root(_),
            } => {
                let base = match place.base {
                    Base::Root(root) if place.suffix.is_empty() => Some(root),
                    _ => None,
                };
                self.given_memory.extend(base);
            }
            Item::Assign {
                place,
                op: Assign::Set,
                value: Atom::Def(d),
            } => {
                match place.base {
                    Base::Root(root) if place.suffix.is_empty() => {
                        self.gives(root, *d);
                        // which is not read
                        *self.reads_of_values.entry(*d).or_default() += 1;
                        return;
                    }
                    _ => self.moved.push((*d, self.depth)),
                }
            }
            Item::Def(id) => match &program.defs[*id].kind {
                DefKind::Make { parts, .. } => {
                    let parts = parts.iter().filter_map(|(_, atom)| match atom {
                        Atom::Def(d) => Some((*d, self.depth)),
                        _ => None,
                    });
                    self.moved.extend(parts);
                }
                DefKind::Read(place) => self.looked_into(place),
                DefKind::Call(call) => self.call(call),
                _ => {}
            },
            Item::Call(call) => self.call(call),
            Item::Push {
                value: Atom::Def(d),
                ..
            } => self.moved.push((*d, self.depth)),
            _ => {}
        }
        program.item_mentions(item, &mut |mention| self.read(mention));
    }

    fn call(&mut self, call: &Call) {
        if let Callee::Method { receiver, .. } = &call.callee {
            self.looked_into(receiver);
        }
        for arg in &call.args {
            if let Arg::Shared(place) | Arg::Exclusive(place) = arg {
                self.looked_into(place);
            }
        }
    }

    fn looked_into(&mut self, place: &Place) {
        if let Base::Def(d) = place.base {
            self.bases.insert(d);
        }
    }

    fn gives(&mut self, root: RootId, def: DefId) {
        self.given.push((root, def));
        self.moved.push((def, self.depth));
    }

    fn read(&mut self, mention: Mention<'_>) {
        let root = match mention {
            Mention::Def(d) => {
                *self.reads_of_values.entry(d).or_default() += 1;
                return;
            }
            Mention::Root(root) => root,
            Mention::Place(place) => match place.base {
                Base::Root(root) => root,
                Base::Def(_) => return,
            },
        };
        let depth = self.depth;
        let reads = self.reads_of_locals.entry(root).or_default();
        reads.count += 1;
        reads.depth = reads.depth.max(depth);
    }
}

#[cfg(test)]
mod tests;
