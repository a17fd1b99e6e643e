//! Which loops of the forward sweep compute nothing but the value: they are skipped if nobody asks for it.
//!
//! Only loops that do nothing but change scalars that a derivative flows into are candidates, and a scalar counts as live
//! as soon as it decides anything: an index, a branch, a length. A function in which that cannot be told (macros such as
//! `println!`, `while` conditions) has no such loops.

use std::collections::{BTreeSet, HashSet};

use crate::differentiable::ir::*;

/// What the tape or an effect needs.
pub(crate) struct Live<'a> {
    program: &'a Program,
    defs: HashSet<DefId>,
    roots: HashSet<RootId>,
    /// Whether something in the text cannot be looked into.
    opaque: bool,
}

impl<'a> Live<'a> {
    /// The live values, if these definitions go to the tape.
    pub(crate) fn of(program: &'a Program, taped: &BTreeSet<DefId>) -> Self {
        let scalar = |r: &RootId| program.roots[*r].kind == RootKind::Scalar;
        let varied = |r: &RootId| program.roots[*r].varied;
        let mut live = Self {
            program,
            defs: taped.iter().copied().collect(),
            roots: (0..program.roots.len())
                .filter(|r| !scalar(r) || !varied(r))
                .collect(),
            opaque: false,
        };
        loop {
            let before = (live.defs.len(), live.roots.len());
            live.block(&program.body);
            if (live.defs.len(), live.roots.len()) == before {
                return live;
            }
        }
    }

    /// Whether something reads what this scalar holds.
    pub(crate) fn is_read(&self, scalar: RootId) -> bool {
        self.opaque || self.roots.contains(&scalar)
    }

    /// Whether something other than the value of the function reads this.
    pub(crate) fn is_live(&self, id: DefId) -> bool {
        self.opaque || self.defs.contains(&id)
    }

    /// Whether a loop with this body changes nothing that is live.
    pub(crate) fn is_dead(&self, body: &Block) -> bool {
        !self.opaque
            && body.items.iter().all(|item| match item {
                Item::Def(d) => !matches!(
                    self.program.defs[*d].kind,
                    DefKind::Call(_) | DefKind::Opaque(_)
                ),
                Item::Declare { root, .. } => self.program.roots[*root].kind == RootKind::Scalar,
                Item::Assign { place, .. } => match place.base {
                    Base::Root(root) => !self.roots.contains(&root),
                    Base::Def(_) => false,
                },
                Item::Branch { arms, .. } => arms.iter().all(|a| self.is_dead(&a.body)),
                Item::Loop { body, flags, .. } => flags.is_empty() && self.is_dead(body),
                _ => false,
            })
    }

    fn block(&mut self, block: &Block) {
        block.items.iter().for_each(|item| self.item(item));
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Verbatim(_) => self.opaque = true,
            Item::Def(d) => self.def(*d),
            Item::Declare { root, init } => match init {
                Init::Value(atom) if self.roots.contains(root) => self.atom(atom),
                Init::Value(_) | Init::Later => {}
                Init::Inactive { expr, .. } => self.uses(&expr.uses),
                Init::Copy { from, .. } => self.place(from),
            },
            Item::Assign { place, value, .. } => {
                self.uses(&place.uses);
                match place.base {
                    Base::Root(root) if !self.roots.contains(&root) => {}
                    _ => self.atom(value),
                }
            }
            Item::Branch { arms, selector } => {
                let (Selector::If(atom) | Selector::Match(atom)) = selector;
                self.atom(atom);
                arms.iter().for_each(|a| self.block(&a.body));
            }
            Item::Loop {
                iterable,
                body,
                flags,
            } => {
                match iterable {
                    Iterable::Counted { range, .. } => {
                        self.atom(&range.range);
                        range.step.iter().for_each(|s| self.uses(&s.uses));
                    }
                    Iterable::While { .. } => self.opaque = true,
                }
                self.roots.extend(flags);
                self.block(body);
            }
            Item::Call(call) => self.call(call),
            Item::Reshape { .. } => {}
            Item::Copy { to, from } => {
                self.place(to);
                self.place(from);
            }
            Item::Push { place, value } | Item::Fill { place, value } => {
                self.place(place);
                self.atom(value);
            }
            Item::Exchange { a, b } => {
                self.place(a);
                self.place(b);
            }
            Item::Swap { .. } | Item::Pop { .. } => self.opaque = true,
        }
    }

    fn def(&mut self, id: DefId) {
        let live = self.defs.contains(&id);
        match &self.program.defs[id].kind {
            DefKind::Pure(expr) | DefKind::Opaque(expr) => self.uses(&expr.uses),
            DefKind::Read(place) => {
                self.uses(&place.uses);
                if live {
                    self.place(place);
                }
            }
            DefKind::Op { args, .. } if live => args.iter().for_each(|a| self.atom(a)),
            DefKind::Make { parts, .. } if live => parts.iter().for_each(|(_, a)| self.atom(a)),
            DefKind::Op { args, .. } => args.iter().for_each(|a| self.inactive(a)),
            DefKind::Make { parts, .. } => parts.iter().for_each(|(_, a)| self.inactive(a)),
            DefKind::Version(root) if live => drop(self.roots.insert(*root)),
            DefKind::Call(call) => self.call(call),
            DefKind::Version(_) | DefKind::Param(_) | DefKind::LoopVariable => {}
        }
    }

    /// An operand of something that is not live: what is inside an expression stays live.
    fn inactive(&mut self, atom: &Atom) {
        if let Atom::Const(expr) = atom {
            self.uses(&expr.uses);
        }
    }

    fn atom(&mut self, atom: &Atom) {
        match atom {
            Atom::Def(d) => drop(self.defs.insert(*d)),
            Atom::Root(root) => drop(self.roots.insert(*root)),
            Atom::Const(expr) => self.uses(&expr.uses),
        }
    }

    fn place(&mut self, place: &Place) {
        self.uses(&place.uses);
        match place.base {
            Base::Root(root) => drop(self.roots.insert(root)),
            Base::Def(d) => drop(self.defs.insert(d)),
        }
    }

    fn uses(&mut self, uses: &Uses) {
        self.defs.extend(&uses.defs);
        self.roots.extend(&uses.roots);
    }

    fn call(&mut self, call: &Call) {
        for arg in call.args.iter().flat_map(Arg::each) {
            match arg {
                Arg::Const(expr) => self.uses(&expr.uses),
                Arg::Value(atom) => self.atom(atom),
                Arg::Whole { root } => drop(self.roots.insert(*root)),
                Arg::Closure { .. } => {}
                Arg::Shared(place) | Arg::Exclusive(place) => self.place(place),
            }
        }
    }
}
