//! Whether the rounds of a loop can be undone in any order: then the reverse sweep runs them forwards, as memory likes it.
//!
//! They can if no round reads a cotangent that another round changes. Cotangents of memory are only added to (by reads) or only
//! read (by `+=` and `-=`), and scalars are running sums, whose cotangent every round passes on as it is. That nothing comes
//! off the tape is for the caller to see.

use std::collections::{HashMap, HashSet};

use proc_macro2::{TokenStream, TokenTree};

use crate::differentiable::ir::*;

impl Program {
    /// Whether the order of the rounds of a loop with this body matters to nothing but rounding. Of the memory `apart` each round
    /// has an entry of its own.
    pub(crate) fn rounds_commute(&self, body: &Block, apart: &[RootId]) -> bool {
        let mut rounds = Rounds {
            program: self,
            inside: HashSet::new(),
            added_to: HashSet::new(),
            read: HashSet::new(),
            running: HashMap::new(),
            fine: true,
        };
        declared(body, &mut rounds.inside);
        rounds.running = self.running_sums(body, &rounds.inside);
        rounds.inside.extend(apart);
        rounds.block(body);
        rounds.fine && rounds.added_to.is_disjoint(&rounds.read)
    }

    /// The sums that begin with a scalar that a loop with this body assigns, and these scalars' values. `inside` is declared in it.
    pub(crate) fn running_sums(
        &self,
        body: &Block,
        inside: &HashSet<RootId>,
    ) -> HashMap<DefId, RootId> {
        let mut assigned = HashSet::new();
        assigned_scalars(self, body, &mut assigned);
        assigned.retain(|r| !inside.contains(r));
        let mut running = HashMap::new();
        if assigned.is_empty() {
            return running;
        }
        // they come in the order of the text
        for (id, def) in self.defs.iter().enumerate() {
            let sum = match &def.kind {
                DefKind::Version(root) if assigned.contains(root) => Some(*root),
                DefKind::Op { op, args, .. } => match args.first() {
                    Some(Atom::Def(d)) => running.get(d).copied().filter(|_| is_sum(op)),
                    _ => None,
                },
                _ => None,
            };
            running.extend(sum.map(|root| (id, root)));
        }
        running
    }
}

struct Rounds<'a> {
    program: &'a Program,
    /// Roots that every round declares anew, or of which it has its own entry.
    inside: HashSet<RootId>,
    /// Roots whose cotangents are added to.
    added_to: HashSet<RootId>,
    /// Roots whose cotangents are read.
    read: HashSet<RootId>,
    /// Values of running sums, each with its scalar: what the scalar holds, and that with something added.
    running: HashMap<DefId, RootId>,
    fine: bool,
}

impl Rounds<'_> {
    fn block(&mut self, block: &Block) {
        for item in &block.items {
            self.item(item);
        }
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Verbatim(_) => {}
            Item::Def(d) => self.def(*d),
            Item::Declare { init, .. } => match init {
                Init::Value(atom) => self.used(atom),
                Init::Copy { from, .. } => self.adds_to(from),
                Init::Later | Init::Inactive { .. } => {}
            },
            Item::Assign { place, op, value } => {
                let Base::Root(root) = place.base else {
                    return self.fine = false;
                };
                if self.inside.contains(&root) || !self.program.roots[root].varied {
                    return self.used(value);
                }
                let scalar = self.program.roots[root].kind == RootKind::Scalar;
                match (scalar, op, value) {
                    // a running sum
                    (true, Assign::Set, Atom::Def(d)) => {
                        self.fine &= self.running.get(d) == Some(&root);
                    }
                    (false, Assign::Add | Assign::Sub, _) => {
                        self.used(value);
                        self.read.insert(root);
                    }
                    _ => self.fine = false,
                }
            }
            Item::Branch { arms, selector } => {
                let (Selector::If(atom) | Selector::Match(atom)) = selector;
                self.used(atom);
                arms.iter().for_each(|a| self.block(&a.body));
            }
            Item::Loop { body, flags, .. } => {
                self.fine &= flags.is_empty();
                self.block(body);
            }
            Item::Call(_) | Item::Copy { .. } | Item::Fill { .. } => self.fine = false,
            Item::Exchange { .. } | Item::Swap { .. } | Item::Reshape { .. } => self.fine = false,
            Item::Push { .. } | Item::Pop { .. } => self.fine = false,
        }
    }

    fn def(&mut self, id: DefId) {
        match &self.program.defs[id].kind {
            DefKind::Read(place) => self.adds_to(place),
            DefKind::Op { args, .. } => {
                let rest = if self.running.contains_key(&id) { 1 } else { 0 };
                args[rest..].iter().for_each(|a| self.used(a));
            }
            DefKind::Make { parts, .. } => parts.iter().for_each(|(_, a)| self.used(a)),
            DefKind::Pure(expr) => self.used(&Atom::Const(expr.clone())),
            DefKind::Version(root) => {
                self.fine &= self.running.contains_key(&id)
                    || self.inside.contains(root)
                    || !self.program.roots[*root].varied;
            }
            DefKind::Call(_) | DefKind::Opaque(_) => self.fine = false,
            DefKind::Param(_) | DefKind::LoopVariable => {}
        }
    }

    /// A value that is used for something else than a running sum.
    fn used(&mut self, atom: &Atom) {
        match atom {
            Atom::Def(d) => self.fine &= !self.running.contains_key(d),
            Atom::Const(expr) => {
                self.fine &= !expr.uses.defs.iter().any(|d| self.running.contains_key(d));
            }
            Atom::Root(root) => self.fine &= self.inside.contains(root),
        }
    }

    fn adds_to(&mut self, place: &Place) {
        match place.base {
            Base::Root(root) if self.inside.contains(&root) => {}
            Base::Root(root) if self.program.roots[root].kind == RootKind::Scalar => {
                self.fine &= !self.program.roots[root].varied;
            }
            Base::Root(root) => drop(self.added_to.insert(root)),
            Base::Def(d) => self.fine &= !self.running.contains_key(&d),
        }
    }
}

/// Roots that are declared in a block or inside it.
pub(crate) fn declared(block: &Block, found: &mut HashSet<RootId>) {
    for item in &block.items {
        match item {
            Item::Declare { root, .. } => drop(found.insert(*root)),
            Item::Branch { arms, .. } => arms.iter().for_each(|a| declared(&a.body, found)),
            Item::Loop { body, .. } => declared(body, found),
            _ => {}
        }
    }
}

/// Scalars that are assigned in a block or inside it.
fn assigned_scalars(program: &Program, block: &Block, found: &mut HashSet<RootId>) {
    for item in &block.items {
        match item {
            Item::Assign { place, .. } => {
                if let Base::Root(root) = place.base
                    && program.roots[root].kind == RootKind::Scalar
                    && program.roots[root].varied
                {
                    found.insert(root);
                }
            }
            Item::Branch { arms, .. } => arms
                .iter()
                .for_each(|a| assigned_scalars(program, &a.body, found)),
            Item::Loop { body, .. } => assigned_scalars(program, body, found),
            _ => {}
        }
    }
}

/// Whether an operation is `a + b` or `a − b`.
fn is_sum(op: &TokenStream) -> bool {
    match op.clone().into_iter().last() {
        Some(TokenTree::Ident(name)) => name == "add" || name == "sub",
        _ => false,
    }
}

#[cfg(test)]
mod tests;
