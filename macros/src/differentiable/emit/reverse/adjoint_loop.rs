//! Loops backwards.

use proc_macro2::{Ident, TokenStream};

use super::loop_carried::Carried;
use super::{Reverse, rounds};
use crate::differentiable::emit::blocks::{Again, Blocks};
use crate::differentiable::emit::window::Rounds;
use crate::differentiable::ir::*;

impl Reverse<'_> {
    pub(crate) fn undo_loop(
        &self,
        iterable: &Iterable,
        body: &Block,
        flags: &[RootId],
    ) -> TokenStream {
        match iterable {
            Iterable::While { .. } => {
                if let Some(kept) = self.kept_backwards(iterable, body) {
                    return kept;
                }
                let inside = self.round_alone(body);
                if inside.is_empty() {
                    return TokenStream::new();
                }
                self.state.borrow_mut().undone_loops.insert(body.id);
                let (rounds, count) = self.count(body);
                code!(#count for _ in 0..#rounds { #inside })
            }
            Iterable::Counted { range, variable } => {
                if let Some(kept) = self.kept_backwards(iterable, body) {
                    self.require_atom(&range.range);
                    range.step.iter().for_each(|s| self.require_uses(&s.uses));
                    return kept;
                }
                let tokens = match flags {
                    [] => {
                        let windows = self.open(iterable, flags, body);
                        let whole = self.counted_backwards(range, *variable, body, windows);
                        self.lent_backwards(body, whole)
                    }
                    _ => self.left_backwards(range, *variable, body),
                };
                if !tokens.is_empty() {
                    self.state.borrow_mut().undone_loops.insert(body.id);
                    self.require_atom(&range.range);
                    range.step.iter().for_each(|s| self.require_uses(&s.uses));
                }
                tokens
            }
        }
    }

    /// A loop that keeps states.
    fn kept_backwards(&self, iterable: &Iterable, body: &Block) -> Option<TokenStream> {
        if !self.program.checkpoints.contains_key(&body.id) {
            return None;
        }
        let inside = self.round_alone(body);
        self.checkpoint_backwards(iterable, body, &inside)
    }

    fn round_backwards(&self, body: &Block) -> TokenStream {
        let again = self.plan.recomputed.contains_key(&body.id);
        match again {
            true => self.round_again(body),
            false => self.round_unless_idle(body),
        }
    }

    /// A loop that may end before its range does.
    fn left_backwards(&self, range: &Range, variable: DefId, body: &Block) -> TokenStream {
        let inside = self.round_alone(body);
        if inside.is_empty() {
            return inside;
        }
        let (run, name) = (self.program.range(range), &self.program.defs[variable].name);
        let (rounds, count) = self.count(body);
        code!(#count for #name in ::coenzyme::__private::backwards(#run, #rounds) { #inside })
    }

    /// Whether a loop reads memory that shifts: in the shadow, what is read is added to.
    fn reads_shift(&self, range: &Range, variable: DefId, body: &Block, windows: usize) -> bool {
        let p = self.program;
        let reads = body.items.iter().filter_map(|item| p.read_root(item));
        let open = p.windows.borrow();
        let reads: Vec<_> = reads.collect();
        p.shifts(range, variable, &open[windows..], &reads)
    }

    /// The last rounds first; only a plain range can be turned round whatever its type.
    fn counted_backwards(
        &self,
        range: &Range,
        variable: DefId,
        body: &Block,
        windows: usize,
    ) -> TokenStream {
        let p = self.program;
        if !p.checkpoints.contains_key(&body.id) {
            self.state.borrow_mut().bodies.insert(body.id);
        }
        let apart: Vec<RootId> = {
            let open = p.windows.borrow();
            open[windows..].iter().map(|w| w.root).collect()
        };
        // rounds that run again leave nothing, and change nothing outside but sums
        let again = self.plan.recomputed.contains_key(&body.id);
        // what arrives in the shadow of lent memory is the last round's
        let lent = self.has_lent(body);
        let alone = again && !lent;
        let commute = alone || !lent && p.rounds_commute(body, &apart);
        let columns = || self.has_columns(body);
        let forwards = || alone || commute && (columns() || !self.tapes(body));
        let chains_in = |forwards: bool| match range.step {
            None => self.find_chains(variable, body, forwards == range.reversed),
            Some(_) => Vec::new(),
        };
        let mut chains = chains_in(forwards());
        let before = (forwards(), columns());
        self.chained(&chains);
        let mut inside = self.round_in_columns(body);
        if before != (forwards(), columns()) && !self.drafting.get() {
            // the round leaves more on the tape than was known
            self.unchained(&chains);
            chains.clear();
            inside = self.round_in_columns(body);
        }
        if inside.is_empty() {
            p.windows.borrow_mut().truncate(windows);
            return inside;
        }
        let falls = forwards()
            && chains.is_empty()
            && !again
            && self.reads_shift(range, variable, body, windows);
        let (run, name) = (p.range(range), &p.defs[variable].name);
        let order = ordered(&run, range, forwards() && !falls);
        let all = p.atom_value(&range.range);
        let rises = !falls && forwards() != range.reversed;
        let last = match rises {
            true => code!(#all.last()),
            false => code!(#all.next()),
        };
        let plain = rises && range.step.is_none() && chains.is_empty();
        let blocks = (plain && (again && self.fast || !self.tapes(body)))
            .then(|| self.blocks(variable, body, windows))
            .flatten();
        let Carried {
            before,
            round,
            after,
        } = self.carried(&chains, name, &last);
        let inside = code!(#round #inside);
        let rounds = Rounds {
            range,
            variable,
            body,
            order,
            rises,
            windows,
            blocks: blocks.filter(|_| commute),
        };
        let whole = p.loop_over(&rounds, &self.columns_backwards(body), &inside);
        code!(#before #whole #after)
    }

    /// The rounds of a loop that may run in blocks.
    fn blocks(&self, variable: DefId, body: &Block, windows: usize) -> Option<Blocks> {
        let round = self.plan.recomputed.get(&body.id);
        let again = round.map(|round| Again {
            sums: &round.sums,
            total: self.plan.deferred.filter(|_| self.plan.is_later(body)),
            fast: self.fast,
        });
        let sum = |d| self.sum_of(d, windows);
        self.program.blocks(variable, body, windows, again, &sum)
    }

    /// The cotangent of a value that the rounds of a loop add to, if there is one, and the shadow of the parameter that it was read
    /// from; the first `windows` are those around the loop.
    fn sum_of(&self, id: DefId, windows: usize) -> Option<(Ident, Option<Ident>)> {
        let p = self.program;
        if !p.defs[id].varied || !self.is_touched(Base::Def(id)) {
            return None;
        }
        let shadow = match &p.defs[id].kind {
            DefKind::Read(Place {
                base: Base::Root(root),
                ..
            }) if matches!(p.roots[*root].kind, RootKind::Param { .. }) => {
                let mut open = p.windows.borrow_mut();
                let window = open[..windows].iter_mut().find(|w| w.root == *root);
                Some(match window {
                    Some(window) => window.shadows(),
                    None => p.shadow_name(Base::Root(*root)),
                })
            }
            _ => None,
        };
        Some((p.shadow_name(Base::Def(id)), shadow))
    }

    /// A round of a loop that has no columns.
    fn round_alone(&self, body: &Block) -> TokenStream {
        let outer = self.columns_of.take();
        let inside = self.round_backwards(body);
        self.columns_of.set(outer);
        inside
    }

    /// A round of a loop, whose values may have columns.
    fn round_in_columns(&self, body: &Block) -> TokenStream {
        self.state.borrow_mut().columns.remove(&body.id);
        let columns = self.has_columns(body).then_some(body.id);
        let outer = self.columns_of.replace(columns);
        let inside = self.round_backwards(body);
        self.columns_of.set(outer);
        inside
    }

    /// The number of rounds comes off the tape.
    fn count(&self, body: &Block) -> (Ident, TokenStream) {
        let rounds = rounds(body.id);
        self.state.borrow_mut().on_tape.counted.insert(body.id);
        let slot = self.slot_of(&rounds);
        let count = code!(let #rounds: usize = #slot.pop(tape););
        (rounds, count)
    }
}

impl Program {
    /// The memory with a shadow that a statement reads.
    fn read_root(&self, item: &Item) -> Option<RootId> {
        match item {
            Item::Def(d) if self.defs[*d].varied => match self.defs[*d].kind {
                DefKind::Read(Place {
                    base: Base::Root(root),
                    ..
                }) => Some(root),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The rounds in their order, or the last ones first.
fn ordered(run: &TokenStream, range: &Range, forwards: bool) -> TokenStream {
    match (forwards, &range.step) {
        (true, _) => run.clone(),
        (false, None) => code!(#run.rev()),
        (false, Some(_)) => {
            let count = code!(::coenzyme::__private::rounds(&#run));
            code!(::coenzyme::__private::backwards(#run, #count))
        }
    }
}
