//! Values that nothing uses which a derivative leaves by: they get no adjoint, so that an infinite partial stays where it is.
//!
//! What counts as used is never too little: memory, arguments of calls, and what flows into these or into the result.

use std::collections::HashSet;

use crate::differentiable::ir::*;

impl Program {
    /// Locals and values that are varied, and of no use, become inactive.
    pub(crate) fn drop_useless(&mut self) {
        // a round that is run again begins from all of its state
        if !self.checkpoints.is_empty() {
            return;
        }
        let mut useful = Useful::default();
        for (r, root) in self.roots.iter().enumerate() {
            if root.kind != RootKind::Scalar {
                useful.roots.insert(r);
            }
        }
        self.result.iter().for_each(|atom| useful.atom(atom));
        loop {
            let before = (useful.defs.len(), useful.roots.len());
            useful.block(self, &self.body);
            if (useful.defs.len(), useful.roots.len()) == before {
                break;
            }
        }
        let Useful { defs, roots } = useful;
        for (r, root) in self.roots.iter_mut().enumerate() {
            root.varied &= roots.contains(&r);
        }
        for (d, def) in self.defs.iter_mut().enumerate() {
            let computed = matches!(
                def.kind,
                DefKind::Op { .. } | DefKind::Make { .. } | DefKind::Read(_) | DefKind::Version(_)
            );
            def.varied &= !computed || defs.contains(&d);
        }
    }
}

#[derive(Default)]
struct Useful {
    defs: HashSet<DefId>,
    roots: HashSet<RootId>,
}

impl Useful {
    fn atom(&mut self, atom: &Atom) {
        match atom {
            Atom::Def(d) => drop(self.defs.insert(*d)),
            Atom::Root(r) => drop(self.roots.insert(*r)),
            Atom::Const(_) => {}
        }
    }

    fn base(&mut self, base: Base) {
        match base {
            Base::Def(d) => drop(self.defs.insert(d)),
            Base::Root(r) => drop(self.roots.insert(r)),
        }
    }

    fn is_useful(&self, base: Base) -> bool {
        match base {
            Base::Def(_) => true,
            Base::Root(r) => self.roots.contains(&r),
        }
    }

    fn block(&mut self, program: &Program, block: &Block) {
        block
            .items
            .iter()
            .rev()
            .for_each(|item| self.item(program, item));
    }

    fn item(&mut self, program: &Program, item: &Item) {
        match item {
            Item::Verbatim(_) | Item::Reshape { .. } => {}
            Item::Def(d) => self.def(program, *d),
            Item::Declare { root, init } => match init {
                Init::Value(atom) if self.roots.contains(root) => self.atom(atom),
                Init::Copy { from, .. } => self.base(from.base),
                Init::Value(_) | Init::Later | Init::Inactive { .. } => {}
            },
            Item::Assign { place, value, .. } => {
                if self.is_useful(place.base) {
                    self.atom(value);
                }
            }
            Item::Fill { place, value } | Item::Push { place, value } => {
                self.base(place.base);
                self.atom(value);
            }
            Item::Copy { to: a, from: b } | Item::Exchange { a, b } => {
                self.base(a.base);
                self.base(b.base);
            }
            Item::Pop { place } | Item::Swap { place, .. } => self.base(place.base),
            Item::Branch { arms, selector } => {
                let (Selector::If(atom) | Selector::Match(atom)) = selector;
                self.atom(atom);
                arms.iter().for_each(|arm| self.block(program, &arm.body));
            }
            Item::Loop { body, .. } => self.block(program, body),
            Item::Call(call) => self.call(call),
        }
    }

    fn def(&mut self, program: &Program, d: DefId) {
        match &program.defs[d].kind {
            DefKind::Call(call) => self.call(call),
            kind if self.defs.contains(&d) => match kind {
                DefKind::Op { args, .. } => args.iter().for_each(|atom| self.atom(atom)),
                DefKind::Make { parts, .. } => parts.iter().for_each(|(_, atom)| self.atom(atom)),
                DefKind::Read(place) => self.base(place.base),
                DefKind::Version(root) => drop(self.roots.insert(*root)),
                _ => {}
            },
            _ => {}
        }
    }

    fn call(&mut self, call: &Call) {
        match &call.callee {
            Callee::Method { receiver, .. } => self.base(receiver.base),
            Callee::Part { of, .. } => self.base(of.base),
            Callee::Value(d) => drop(self.defs.insert(*d)),
            Callee::Path(_)
            | Callee::Conversion(_)
            | Callee::Operator(..)
            | Callee::Variant { .. } => {}
        }
        for arg in call.args.iter().flat_map(Arg::each) {
            match arg {
                Arg::Value(atom) => self.atom(atom),
                Arg::Whole { root } => drop(self.roots.insert(*root)),
                Arg::Shared(place) | Arg::Exclusive(place) => self.base(place.base),
                Arg::Const(_) | Arg::Closure { .. } => {}
            }
        }
    }
}

#[cfg(test)]
mod tests;
