//! The forward sweep: the primal, which fills the tape.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};

use super::recomputed_calls::again;
use super::{Pass, Reverse, rounds};
use crate::differentiable::emit::names::{attempt, slot};
use crate::differentiable::emit::window::{Around, Rounds};
use crate::differentiable::ir::*;
use crate::differentiable::methods::operations;

impl Reverse<'_> {
    pub(super) fn forwards(&self, block: &Block) -> TokenStream {
        let item = |item: &Item| self.item_forwards(item);
        block.statements(self.program, item, |r| self.bind_root_again(r))
    }

    /// A nested block, with what it leaves on the tape.
    pub(super) fn nested_forwards(&self, block: &Block) -> TokenStream {
        let again = block.bound_again(self.program, |r| self.bind_root_again(r));
        let body = self.forwards(block);
        let state = self.state.borrow();
        let pushes = match self.pass.get() {
            Pass::Value => None,
            _ => state.pushes.get(&block.id),
        };
        let pushes = pushes.into_iter().flatten();
        code!(#again #body #(#pushes)*)
    }

    /// A parameter after a call that got it as a whole. A round that runs again reads the copy, if one was made.
    fn bind_root_again(&self, root: RootId) -> Option<TokenStream> {
        match self.replaying.get() || self.pass.get() == Pass::Again {
            true => self.bind_root_backwards(root),
            false => self.bind_root(root),
        }
    }

    pub(super) fn item_forwards(&self, item: &Item) -> TokenStream {
        let p = self.program;
        if self.pass.get() == Pass::Again && self.plan.adds_up(item) {
            return self.added_later(item);
        }
        if self.writes_in_vain(item) {
            return TokenStream::new();
        }
        let _here = self.program.at(item);
        match item {
            Item::Reshape { .. } => TokenStream::new(),
            Item::Verbatim(tokens) => tokens.clone(),
            Item::Def(d) => self.def_forwards(*d),
            Item::Declare { root, init } => {
                let declared = p.roots[*root].declared();
                match p.init_primal(init, p.roots[*root].kind) {
                    Some(value) => {
                        let bind = self.bind_slot(*root);
                        code!(#declared = #value; #bind)
                    }
                    None => code!(#declared;),
                }
            }
            Item::Assign { place, op, value } => {
                let primal = p.assign_primal_moving(place, *op, value, self.moves_memory(value));
                let bind = match place.base {
                    Base::Root(r) if place.suffix.is_empty() => self.bind_slot(r),
                    _ => None,
                };
                code!(#primal #bind)
            }
            Item::Branch { arms, selector } => {
                let bodies = arms.iter().map(|a| self.nested_forwards(&a.body)).collect();
                p.branch(selector, arms, bodies)
            }
            // its rounds run when they are undone, and add to sums that nobody reads before
            Item::Loop { body, .. }
                if self.pass.get() == Pass::Again
                    && self.plan.recomputed.contains_key(&body.id) =>
            {
                TokenStream::new()
            }
            Item::Loop {
                iterable,
                body,
                flags,
            } => self.kept_loop_forwards(iterable, body, flags),
            Item::Call(call) => {
                let call = self.call_forwards(call);
                code!(#call;)
            }
            Item::Copy { to, from } => {
                let (to, from) = (p.place_value(to), p.place_value(from));
                code!(#to.clone_from_slice(&#from);)
            }
            Item::Fill { place, value } => {
                let (place, value) = (p.place_value(place), p.atom_value(value));
                code!(#place.fill(#value);)
            }
            Item::Push { place, value } => {
                let (place, value) = (p.place_value(place), p.owned_value(value));
                code!(#place.push(#value);)
            }
            Item::Pop { place } => {
                let place = p.place_value(place);
                code!(#place.pop();)
            }
            Item::Swap { place, i, j } => {
                let place = p.place_value(place);
                code!(#place.swap(#i, #j);)
            }
            Item::Exchange { a, b } => {
                let (a, b) = (p.place_value(a), p.place_value(b));
                code!(::core::mem::swap(&mut #a, &mut #b);)
            }
        }
    }

    /// A value, and its slot if the reverse sweep asks for one.
    fn def_forwards(&self, id: DefId) -> TokenStream {
        let p = self.program;
        let def = &p.defs[id];
        let name = &def.name;
        let bind = self.state.borrow().bound_defs.contains(&id).then(|| {
            let slot = slot(name);
            code!(#slot.bind(&#name);)
        });
        let primal = match &def.kind {
            DefKind::Call(call) if self.is_attempt(id) => {
                let (attempt, unpack) = (attempt(name), call.unpack.tokens());
                code!(let #name = #attempt #unpack;)
            }
            DefKind::Call(call) => {
                let again = self.is_rerun(id).then(|| {
                    let again = again(name);
                    code!(let mut #again = false;)
                });
                let call = self.call_forwards_of(call, self.is_rerun(id).then_some(name));
                code!(#again let #name = #call;)
            }
            _ => match self.attempt_of(id) {
                Some(attempt) => self.condition_forwards(name, attempt),
                None => {
                    let value = p.def_value_moving(id, &|d| self.moves_into(d));
                    let value = value.map(|value| self.not_moved(id, value, false));
                    let value = value.map(|value| self.if_asked(id, value));
                    let value = value.map(|value| code!(let #name = #value;));
                    value.unwrap_or_default()
                }
            },
        };
        code!(#primal #bind)
    }

    /// What only the value of the function is computed from is a blank if nobody asks for the value.
    fn if_asked(&self, id: DefId, value: TokenStream) -> TokenStream {
        let primal_only = self.plan.primal_only_values.contains(&id);
        // a branch would keep a loop from running in vectors
        let in_vectors = self.fast
            && matches!(&self.program.defs[id].kind, DefKind::Op { op, .. } if operations::has_fast(op));
        if !primal_only || in_vectors || self.pass.get() == Pass::Again {
            return value;
        }
        code! {
            if config.needs_primal() {
                ::coenzyme::__private::seldom();
                #value
            } else {
                ::coenzyme::__private::Blank::blank()
            }
        }
    }

    /// Whether a call runs where a condition asks for it: not where nothing goes to the tape, and each call has one of its own.
    fn is_attempt(&self, id: DefId) -> bool {
        self.pass.get() != Pass::Value && self.attempts.is_attempt(id)
    }

    /// The call that a condition asks whether it gives a value.
    fn attempt_of(&self, condition: DefId) -> Option<DefId> {
        let call = self.attempts.call(condition);
        call.filter(|d| self.is_attempt(*d))
    }

    /// A condition that runs the call that it asks; what that was lent is bound again for both arms.
    fn condition_forwards(&self, condition: &Ident, id: DefId) -> TokenStream {
        let def = &self.program.defs[id];
        let DefKind::Call(call) = &def.kind else {
            unreachable!("an attempt is a call")
        };
        let lent = Item::Def(id).whole_roots(self.program).into_iter();
        let again = lent.filter_map(|r| self.bind_root_again(r));
        let (attempt, call) = (attempt(&def.name), self.attempt_forwards(call));
        code! {
            let #attempt = #call;
            let #condition = ::coenzyme::__private::Attempt::came(&#attempt);
            #(#again)*
        }
    }

    /// A loop, and what it keeps of memory that stands still.
    fn kept_loop_forwards(
        &self,
        iterable: &Iterable,
        body: &Block,
        flags: &[RootId],
    ) -> TokenStream {
        let whole = self.whole_loop_forwards(iterable, body, flags);
        let kept = match self.pass.get() {
            Pass::Value => TokenStream::new(),
            _ => self.kept(body),
        };
        code!(#whole #kept)
    }

    /// A loop, without what it keeps of memory that stands still.
    fn whole_loop_forwards(
        &self,
        iterable: &Iterable,
        body: &Block,
        flags: &[RootId],
    ) -> TokenStream {
        let p = self.program;
        let again = self.plan.recomputed.contains_key(&body.id);
        let pass = match again {
            true => self.pass.replace(Pass::Value),
            false => self.pass.get(),
        };
        let windows = self.open(iterable, flags, body);
        let bound = iterable.bound_again(p, body, |r| self.bind_root_again(r));
        let iterable = bound.as_ref().unwrap_or(iterable);
        let (inside, leave) = (self.nested_forwards(body), p.leave_primal(flags));
        self.pass.set(pass);
        if let Some(kept) = self.checkpoint_forwards(iterable, body, &inside, &leave) {
            return kept;
        }
        let later = self.plan.is_later(body);
        if let Some(round) = self.lent_round_forwards(body) {
            let inside = self.loop_forwards(iterable, windows, body, code!(#round #inside));
            return self.lent_forwards(body, &inside);
        }
        if later || self.plan.primal_only.contains(&body.id) {
            let inside = self.loop_forwards(iterable, windows, body, inside);
            let now = later.then(|| code!(&&!__LATER));
            return code!(if config.needs_primal() #now { #inside });
        }
        let counted = self.state.borrow().on_tape.counted.contains(&body.id);
        if !counted || self.pass.get() == Pass::Value {
            return self.loop_forwards(iterable, windows, body, code!(#inside #leave));
        }
        let rounds = rounds(body.id);
        let slot = slot(&rounds);
        let inside = code!(#inside #rounds += 1; #leave);
        let inside = self.loop_forwards(iterable, windows, body, inside);
        code!(let mut #rounds = 0_usize; #inside #slot.push(tape, #rounds);)
    }

    /// Opens the windows of a loop, in both sweeps.
    pub(super) fn open(&self, iterable: &Iterable, flags: &[RootId], body: &Block) -> usize {
        match iterable {
            Iterable::Counted { range, variable }
                if flags.is_empty() && !self.program.checkpoints.contains_key(&body.id) =>
            {
                let types: Vec<_> = self.function.params.iter().map(|p| &p.ty).collect();
                let before = self.program.open_windows(&types, range, *variable, body);
                // a round that runs again has its own
                let lent = self
                    .plan
                    .recomputed
                    .get(&body.id)
                    .map_or(&[][..], |s| &s.lent);
                let mut at = 0..;
                let outer = |at: usize| at < before;
                (self.program.windows.borrow_mut())
                    .retain(|w| outer(at.next().expect("a number")) || !lent.contains(&w.root));
                before
            }
            _ => self.program.windows.borrow().len(),
        }
    }

    /// A loop of the forward sweep, which closes its windows.
    fn loop_forwards(
        &self,
        iterable: &Iterable,
        windows: usize,
        body: &Block,
        inside: TokenStream,
    ) -> TokenStream {
        let p = self.program;
        let Iterable::Counted { range, variable } = iterable else {
            return p.loop_primal(iterable, inside);
        };
        let falls = self.falls(range, *variable, body, windows);
        let run = p.range(range);
        let rounds = Rounds {
            range,
            variable: *variable,
            body,
            order: if falls { code!(#run.rev()) } else { run },
            rises: !range.reversed && !falls,
            windows,
            blocks: None,
        };
        let columns = match self.pass.get() {
            Pass::Value => Around::default(),
            _ => self.columns_forwards(body),
        };
        p.loop_over(&rounds, &columns, &inside)
    }

    /// Whether a loop runs better from its end, and may: each round changes entries of its own, and nothing else.
    fn falls(&self, range: &Range, variable: DefId, body: &Block, windows: usize) -> bool {
        let p = self.program;
        let open = p.windows.borrow();
        let open = &open[windows..];
        let state = self.state.borrow();
        let pushes = |of: &BTreeMap<usize, Vec<_>>| of.get(&body.id).is_some_and(|p| !p.is_empty());
        let in_order = pushes(&state.pushes) && !state.columns.contains_key(&body.id);
        let mut added = Vec::new();
        let apart = body.items.iter().all(|item| match item {
            Item::Def(d) => matches!(
                p.defs[*d].kind,
                DefKind::Read(_) | DefKind::Op { .. } | DefKind::Pure(_)
            ),
            Item::Assign { place, op, .. } => {
                let own = open.iter().find(|w| place.base == Base::Root(w.root));
                added.extend(own.filter(|_| *op != Assign::Set).map(|w| w.root));
                own.is_some()
            }
            _ => false,
        });
        apart && !in_order && p.shifts(range, variable, open, &added)
    }

    pub(super) fn bind_slot(&self, root: RootId) -> Option<TokenStream> {
        self.state.borrow().bound_roots.contains(&root).then(|| {
            let name = &self.program.roots[root].name;
            let slot = slot(name);
            code!(#slot.bind(&#name);)
        })
    }
}
