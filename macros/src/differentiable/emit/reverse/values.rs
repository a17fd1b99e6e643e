//! The values that the reverse sweep reads: computed again, or taken off the tape.

use proc_macro2::{TokenStream, TokenTree};

use super::Reverse;
use super::side_by_side::Taped;
use crate::differentiable::emit::names::local;
use crate::differentiable::ir::*;
use crate::differentiable::plan::{self, Fate, is_costly};

impl Program {
    /// Whether a value is the shape of memory before all of it was assigned.
    fn is_shape_before(&self, id: DefId) -> bool {
        fn is_in(block: &Block, id: DefId) -> bool {
            block.items.iter().any(|item| match item {
                Item::Reshape { shape, .. } => *shape == Some(id),
                Item::Branch { arms, .. } => arms.iter().any(|a| is_in(&a.body, id)),
                Item::Loop { body, .. } => is_in(body, id),
                _ => false,
            })
        }
        matches!(self.defs[id].kind, DefKind::Pure(_)) && is_in(&self.body, id)
    }

    /// Whether cotangents are added to entries inside a value, or a call adds to them: then they need its shape.
    fn is_looked_into(&self, id: DefId) -> bool {
        let indexed = |suffix: &TokenStream| {
            let mut trees = suffix.clone().into_iter();
            trees.any(|t| matches!(t, TokenTree::Group(_)))
        };
        let lent = |call: &Call| {
            let mut args = call.args.iter().flat_map(Arg::each);
            args.any(|arg| matches!(arg, Arg::Shared(place) if place.base == Base::Def(id)))
        };
        let mut lends = false;
        self.body.each_call(&mut |call| lends |= lent(call));
        lends
            || self.defs.iter().any(|def| match &def.kind {
                DefKind::Read(place) => place.base == Base::Def(id) && indexed(&place.suffix),
                DefKind::Call(call) => lent(call),
                _ => false,
            })
    }
}

impl Block {
    /// Every call whose value is not used.
    fn each_call(&self, found: &mut impl FnMut(&Call)) {
        for item in &self.items {
            match item {
                Item::Call(call) => found(call),
                Item::Branch { arms, .. } => arms.iter().for_each(|a| a.body.each_call(found)),
                Item::Loop { body, .. } => body.each_call(found),
                _ => {}
            }
        }
    }
}

impl Reverse<'_> {
    /// Whether the reverse sweep has the value itself, and not only its type.
    pub(super) fn exists(&self, id: DefId) -> bool {
        let def = &self.program.defs[id];
        let shaped = def.varied && self.has_shape(id);
        let state = self.state.borrow();
        state.required.contains(&id)
            || state.measured_defs.contains(&id)
            || shaped && state.shadowed.contains(&Base::Def(id))
    }

    /// Whether a value may have a shape that its type does not tell.
    pub(super) fn has_shape(&self, id: DefId) -> bool {
        let p = self.program;
        match &p.defs[id].kind {
            // the shape of what arrives is that of the memory which it was given to
            DefKind::Call(_) if p.moves.handed_over.contains_key(&id) => false,
            // the result of a call may be anything, unless it is a number
            DefKind::Call(_) => !plan::is_number(self.subject(), id),
            DefKind::Make { parts, .. } => {
                let any = parts.iter().any(|(_, part)| self.part_has_shape(part));
                any && p.is_looked_into(id)
            }
            // `mem::replace`: its place has another shape by then
            DefKind::Read(place) => {
                (p.is_exchanged(id) || self.is_of_call(place)) && p.is_looked_into(id)
            }
            DefKind::Version(_) => p.is_exchanged(id) && p.is_looked_into(id),
            _ => false,
        }
    }

    /// Whether a place is in what a call gives, which has no name: `model(x).weights`.
    fn is_of_call(&self, place: &Place) -> bool {
        let Base::Def(whole) = place.base else {
            return false;
        };
        match &self.program.defs[whole].kind {
            DefKind::Call(_) => self.has_shape(whole),
            DefKind::Read(within) => self.is_of_call(within),
            _ => false,
        }
    }

    fn part_has_shape(&self, part: &Atom) -> bool {
        let p = self.program;
        let Atom::Def(part) = part else { return false };
        match &p.defs[*part].kind {
            DefKind::Read(Place {
                base: Base::Root(r),
                suffix,
                ..
            }) => suffix.is_empty() && p.roots[*r].kind == RootKind::Memory,
            DefKind::Make { parts, .. } => parts.iter().any(|(_, p)| self.part_has_shape(p)),
            _ => p.is_exchanged(*part) || self.has_shape(*part),
        }
    }

    /// A value in the reverse sweep: computed again, or taken off the tape; and its way over the tape.
    pub(super) fn def_backwards(&self, id: DefId) -> (TokenStream, Option<Taped>) {
        let def = &self.program.defs[id];
        let name = &def.name;
        if matches!(def.kind, DefKind::Param(_) | DefKind::LoopVariable) {
            return (TokenStream::new(), None);
        }
        if !self.exists(id) {
            let state = &mut self.state.borrow_mut();
            if state.mentioned.contains(&id) || state.shadowed.contains(&Base::Def(id)) {
                state.bound_defs.insert(id);
                state.slot_of(name);
                state.decide(name, Fate::Unread);
            }
            return (TokenStream::new(), None);
        }
        let cut = self.plan.cuts.contains(&id);
        let in_loop = !def.point.loops.is_empty();
        let kept = def.stored || cut || in_loop && is_costly(def);
        if !kept && self.again(id) {
            self.decide(name, Fate::Again);
            let value = self.program.def_value(id);
            let value = value.map(|value| self.not_moved(id, value, true));
            if !is_costly(def) {
                return (code!(let #name = #value;), None);
            }
            let slot = self.slot_of(name);
            return (
                code!(let #name = match config.keeps_costly() { true => #slot.pop(tape), false => #value };),
                Some(Taped::Own(
                    code!(if config.keeps_costly() { #slot.push(tape, ::coenzyme::__private::copy(&#name)); }),
                    TokenStream::new(),
                )),
            );
        }
        let shape_alone = !self.state.borrow().required.contains(&id);
        let apart = matches!(
            def.kind,
            DefKind::Call(_) | DefKind::Read(_) | DefKind::Version(_)
        );
        if apart && !def.stored && shape_alone {
            self.decide(name, Fate::Shape);
            if self.is_returned_shape(id) {
                return (TokenStream::new(), Some(self.returned_shape(name)));
            }
            return (TokenStream::new(), Some(self.taped(id, "shape")));
        }
        if let DefKind::Call(call) = &def.kind
            && !def.stored
            && self.may_rerun(call)
        {
            self.decide(name, Fate::Rerun);
            // where the call points in the forward sweep: what is missing is said once
            let _at = self.program.at(&Item::Def(id));
            let (value, push) = self.rerun(id, call);
            return (value, Some(Taped::Own(push, TokenStream::new())));
        }
        self.decide(name, Fate::Taped);
        if self.columns_of.get().is_none() && self.program.is_shape_before(id) {
            return (TokenStream::new(), Some(self.taped(id, "before")));
        }
        self.state.borrow_mut().taped.insert(id);
        let shadowed = self.state.borrow().shadowed.contains(&Base::Def(id));
        (TokenStream::new(), Some(self.way(name, shadowed)))
    }

    /// The way over the tape of what has a way of its own, of this name.
    fn taped(&self, id: DefId, way: &str) -> Taped {
        self.state.borrow_mut().taped.insert(id);
        let name = &self.program.defs[id].name;
        let slot = self.slot_of(name);
        let (push, pop) = (local(&format!("push_{way}")), local(&format!("pop_{way}")));
        Taped::Own(
            code!(#slot.#push(tape, #name);),
            code!(let #name = #slot.#pop(tape);),
        )
    }

    /// A slot for a value of which a pullback names the type.
    pub(super) fn bind_mentioned(&self, id: DefId) {
        let state = &mut self.state.borrow_mut();
        if state.mentioned.contains(&id) {
            state.bound_defs.insert(id);
            state.slot_of(&self.program.defs[id].name);
        }
    }

    /// Whether a value can be computed again; if so, asks for what it is computed from.
    pub(super) fn again(&self, id: DefId) -> bool {
        let outer = self.computing.replace(true);
        let again = self.computed_from(id);
        self.computing.set(outer);
        again
    }

    fn computed_from(&self, id: DefId) -> bool {
        let def = &self.program.defs[id];
        let stable = |uses: &Uses| uses.roots.iter().all(|r| self.stable(*r, &def.point));
        match &def.kind {
            DefKind::Pure(expr) if stable(&expr.uses) => self.require_read(expr),
            DefKind::Read(place) => {
                if let Base::Root(r) = place.base {
                    match self.stable(r, &def.point) || self.behind.contains(&id) {
                        true => self.require_contents(r),
                        false if self.is_still(id, r) => {}
                        false => return false,
                    }
                }
                if let Base::Def(d) = place.base {
                    self.require(d);
                }
                self.require_uses(&place.uses);
            }
            DefKind::Op { args, .. } => args.iter().for_each(|a| self.require_atom(a)),
            DefKind::Make { parts, .. } => parts.iter().for_each(|(_, a)| self.require_atom(a)),
            _ => return false,
        }
        true
    }

    /// A root in the reverse sweep, and its way over the tape.
    pub(super) fn root_backwards(&self, id: RootId, init: &Init) -> (TokenStream, Option<Taped>) {
        let root = &self.program.roots[id];
        let name = &root.name;
        let shadowed = self.state.borrow().shadowed.contains(&Base::Root(id));
        let contents = self.state.borrow().contents.contains(&id);
        let measured = {
            let state = self.state.borrow();
            state.measured.contains(&id) || state.room.contains(&id)
        };
        if root.kind == RootKind::Scalar && !contents && !measured {
            if shadowed {
                self.slot_of(name);
                self.state.borrow_mut().bound_roots.insert(id);
            }
            return (TokenStream::new(), None);
        }
        if !contents && !shadowed && !measured {
            return (TokenStream::new(), None);
        }
        let reshaped = |init: &Expr| !contents && self.program.may_reshape_entries(id, init);
        let value = match self.program.result {
            Some(Atom::Root(r)) if r == id => code!(::coenzyme::__private::copy(&#name)),
            _ => code!(#name),
        };
        match init {
            Init::Inactive { expr, again: true }
                if (!contents || self.plan.is_scratch(id)) && (root.varied || !reshaped(expr)) =>
            {
                self.require_uses(&expr.uses);
                self.decide(name, Fate::Unread);
                let slot = self.slot_of(name);
                self.state.borrow_mut().bound_roots.insert(id);
                let tokens = &expr.tokens;
                if !reshaped(expr) {
                    return (code!(let mut #name = #slot.same(#tokens);), None);
                }
                // pushed and popped if the type has such entries
                self.state.borrow_mut().taped_roots.insert(id);
                let push = code!(#slot.push_reshaped(tape, #value););
                let pop = code!(let mut #name = #slot.pop_reshaped(tape, || #tokens););
                (pop, Some(Taped::Own(push, TokenStream::new())))
            }
            _ => {
                // where only the shape is read, the type may tell it
                let shape_alone = root.kind == RootKind::Memory && root.varied && !contents;
                let (fate, push, pop) = match shape_alone {
                    true => (Fate::Shape, code!(push_shape), code!(pop_shape)),
                    false => (Fate::Taped, code!(push), code!(pop)),
                };
                self.decide(name, fate);
                let slot = self.slot_of(name);
                self.state.borrow_mut().taped_roots.insert(id);
                let push = code!(#slot.#push(tape, #value););
                let pop = code!(let mut #name = #slot.#pop(tape););
                (TokenStream::new(), Some(Taped::Own(push, pop)))
            }
        }
    }
}
