//! What the reverse sweep asks of the forward sweep: values, the contents of memory, and names.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use proc_macro2::{Ident, TokenStream};

use super::Reverse;
use crate::differentiable::emit::names::slot;
use crate::differentiable::ir::*;
use crate::differentiable::plan::{Demand, Fate, Leaves};

/// How many slots one `let` makes.
const AT_ONCE: usize = 32;

/// What the reverse sweep asks of the forward sweep. The reverse sweep is generated first.
#[derive(Default)]
pub(crate) struct State {
    /// Values that the reverse sweep reads.
    pub(crate) required: BTreeSet<DefId>,
    /// Those of them that are read for something else than to compute others again.
    pub(crate) direct: BTreeSet<DefId>,
    /// What has a cotangent that something is added to.
    pub(crate) shadowed: BTreeSet<Base>,
    /// What the statements that are being undone add to, and the cotangents they read.
    pub(crate) touched: BTreeSet<Base>,
    /// Those of them whose cotangents have not begun yet.
    unbegun: BTreeSet<Base>,
    /// Calls that are run again if they are cheap.
    pub(crate) reruns: BTreeSet<DefId>,
    /// Values of which only the type is read.
    pub(crate) mentioned: BTreeSet<DefId>,
    /// Memory whose contents the reverse sweep reads.
    pub(crate) contents: BTreeSet<RootId>,
    /// Memory whose length it reads.
    pub(crate) measured: BTreeSet<RootId>,
    /// Values of which it reads the length, perhaps alone.
    pub(crate) measured_defs: BTreeSet<DefId>,
    /// Memory that has to be there, whatever it holds.
    pub(crate) room: BTreeSet<RootId>,
    /// Names that have a slot.
    pub(crate) slots: BTreeMap<String, Ident>,
    /// What each block puts on the tape at its end.
    pub(crate) pushes: BTreeMap<usize, Vec<TokenStream>>,
    /// Bodies of loops whose rounds are known before the first.
    pub(crate) bodies: BTreeSet<usize>,
    /// The values of those of them that have columns of the tape.
    pub(crate) columns: BTreeMap<usize, Vec<Ident>>,
    /// Memory that goes to the tape.
    pub(crate) taped_roots: BTreeSet<RootId>,
    /// Values that go to the tape.
    pub(crate) taped: BTreeSet<DefId>,
    /// What leaves something on the tape.
    pub(crate) on_tape: Leaves,
    /// Bodies of loops that are gone back through.
    pub(crate) undone_loops: BTreeSet<usize>,
    /// Loops that keep states instead of taping every round.
    pub(crate) checkpointed: BTreeSet<usize>,
    /// Slots that are bound after a definition or a declaration.
    pub(crate) bound_defs: BTreeSet<DefId>,
    pub(crate) bound_roots: BTreeSet<RootId>,
    /// What puts memory that stands still in a loop on the tape after it, by its body.
    pub(crate) keeps: BTreeMap<usize, Vec<TokenStream>>,
    /// Calls in such a round, whose tapes are locals.
    pub(crate) held_calls: BTreeSet<usize>,
    /// Reads that were undone.
    pub(crate) undone: BTreeSet<DefId>,
    /// Reads whose cotangent goes to memory with what earlier rounds carried to it.
    pub(crate) leaves: BTreeSet<DefId>,
    /// Reads whose cotangent is carried to the next round.
    pub(crate) carried: BTreeSet<DefId>,
    /// How each value is had, by its name.
    pub(crate) fates: BTreeMap<String, Fate>,
}

impl State {
    /// What a plan is made from.
    pub(crate) fn demand(&self) -> Demand {
        Demand {
            required: self.required.clone(),
            direct: self.direct.clone(),
            taped: self.taped.clone(),
            taped_roots: self.taped_roots.clone(),
            leaves: self.on_tape.clone(),
            undone: self.undone_loops.clone(),
            checkpointed: self.checkpointed.clone(),
            fates: self.fates.clone(),
        }
    }

    /// What a block puts on the tape at its end.
    pub(crate) fn leave(&mut self, block: usize, pushes: Vec<TokenStream>) {
        note(&mut self.on_tape.blocks, block, &pushes);
        self.pushes.insert(block, pushes);
    }

    /// What a loop puts on the tape after its last round.
    pub(crate) fn keep(&mut self, body: usize, keeps: Vec<TokenStream>) {
        note(&mut self.on_tape.invariant, body, &keeps);
        self.keeps.insert(body, keeps);
    }

    /// Nothing has been touched yet.
    pub(crate) fn untouched(&mut self) {
        self.touched.clear();
        self.unbegun.clear();
    }

    /// A block is generated, perhaps not for the first time: what it declares has no cotangent in it yet.
    pub(crate) fn wait_again(&mut self, declared: &BTreeSet<Base>) {
        let touched = declared.iter().filter(|base| self.touched.contains(base));
        self.unbegun.extend(touched);
    }

    /// Those of what waits for a cotangent that have been touched by now; they wait no longer.
    pub(crate) fn begin(&mut self, waiting: &mut BTreeSet<Base>) -> Vec<Base> {
        let mut begins = Vec::new();
        self.unbegun.retain(|base| {
            let waited = waiting.remove(base);
            begins.extend(waited.then_some(*base));
            !waited
        });
        begins
    }

    /// Whether the cotangent of something that a block declares begins with the statement that is being undone.
    pub(crate) fn begins(&self, base: Base, waiting: &BTreeSet<Base>) -> bool {
        self.unbegun.contains(&base) && waiting.contains(&base)
    }

    pub(crate) fn decide(&mut self, name: &Ident, fate: Fate) {
        self.fates.insert(name.to_string(), fate);
    }

    pub(crate) fn slot_of(&mut self, name: &Ident) -> Ident {
        let slot = slot(name);
        self.slots.insert(slot.to_string(), slot.clone());
        slot
    }
}

fn note(leaving: &mut BTreeSet<usize>, block: usize, pushes: &[TokenStream]) {
    match pushes {
        [] => leaving.remove(&block),
        _ => leaving.insert(block),
    };
}

impl Reverse<'_> {
    pub(crate) fn require(&self, def: DefId) {
        let mut state = self.state.borrow_mut();
        state.required.insert(def);
        if !self.computing.get() {
            state.direct.insert(def);
        }
    }

    pub(crate) fn require_uses(&self, uses: &Uses) {
        uses.defs.iter().for_each(|d| self.require(*d));
        uses.roots.iter().for_each(|r| self.require_contents(*r));
        self.state.borrow_mut().measured.extend(&uses.lengths);
    }

    pub(crate) fn require_contents(&self, root: RootId) {
        self.state.borrow_mut().contents.insert(root);
    }

    pub(crate) fn require_atom(&self, atom: &Atom) {
        match atom {
            Atom::Def(d) => self.require(*d),
            Atom::Root(r) => self.require_contents(*r),
            Atom::Const(expr) => self.require_uses(&expr.uses),
        }
    }

    /// A value as an argument of a pullback that does not read it, unless somebody else needs it.
    pub(crate) fn mention(&self, atom: &Atom) -> TokenStream {
        match atom {
            Atom::Def(d) => {
                let def = &self.program.defs[*d];
                if matches!(def.kind, DefKind::Param(_) | DefKind::LoopVariable)
                    || self.state.borrow().required.contains(d)
                {
                    let name = &def.name;
                    return code!(#name);
                }
                self.state.borrow_mut().mentioned.insert(*d);
                let slot = slot(&def.name);
                code!(#slot.blank())
            }
            atom => {
                self.require_atom(atom);
                self.program.atom_value(atom)
            }
        }
    }

    /// The shadow of a base, which something is added to or which is read.
    pub(crate) fn touch(&self, base: Base) -> Ident {
        let mut state = self.state.borrow_mut();
        if state.touched.insert(base) {
            state.unbegun.insert(base);
        }
        self.program.shadow_name(base)
    }

    /// The shadow of an operand, if it is varied.
    pub(crate) fn touch_atom(&self, atom: &Atom) -> Option<Ident> {
        let base = match atom {
            Atom::Def(d) => Base::Def(*d),
            Atom::Root(r) => Base::Root(*r),
            Atom::Const(_) => return None,
        };
        self.program.base_varied(base).then(|| self.touch(base))
    }

    /// Whether a cotangent arrived.
    pub(crate) fn is_touched(&self, base: Base) -> bool {
        self.state.borrow().touched.contains(&base)
    }

    pub(crate) fn decide(&self, name: &Ident, fate: Fate) {
        self.state.borrow_mut().decide(name, fate);
    }

    pub(crate) fn slot_of(&self, name: &Ident) -> Ident {
        self.state.borrow_mut().slot_of(name)
    }

    /// The types that slots have for certain; the others are inferred.
    fn slot_types(&self) -> HashMap<String, Ident> {
        let p = self.program;
        let floats = &self.floats;
        let defs = floats.defs.iter().map(|(d, ty)| (&p.defs[*d].name, ty));
        let roots = floats.roots.iter().map(|(r, ty)| (&p.roots[*r].name, ty));
        let types = defs.chain(roots);
        types
            .map(|(name, ty)| (slot(name).to_string(), ty.clone()))
            .collect()
    }

    pub(crate) fn slots(&self) -> TokenStream {
        let state = self.state.borrow();
        let slots: Vec<_> = state.slots.values().collect();
        let types = self.slot_types();
        // each `let` is a scope of its own, inside that before it: many of them are more than the debugger's records can hold
        let together = slots.chunks(AT_ONCE).map(|slots| {
            let new = slots.iter().map(|slot| match types.get(&slot.to_string()) {
                Some(ty) => code!(::coenzyme::__private::Slot::<#ty>::new()),
                None => code!(::coenzyme::__private::Slot::new()),
            });
            code!(let (#(#slots,)*) = (#(#new,)*);)
        });
        together.collect()
    }
}
