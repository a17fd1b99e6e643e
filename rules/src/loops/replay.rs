//! States of a loop: kept, found again, computed again.

use std::borrow::{Borrow, BorrowMut};

use super::{Copied, Operand};
use coenzyme::schedule::{Schedule, next_snapshot};

/// The states that are kept, by the block that they begin, from the first to the last.
pub(super) type Snapshots<S> = Vec<(usize, Copied<S>)>;

/// The primal of a loop of `n` steps, run forward from states that are kept.
pub(super) struct Replay<'a, S: Operand + ?Sized> {
    pub(super) step: &'a dyn Fn(&mut S, usize),
    pub(super) n: usize,
    pub(super) schedule: Schedule,
    pub(super) kept: Snapshots<S>,
    /// Storage of states that are no longer kept.
    spare: Vec<Copied<S>>,
}

impl<'a, S: Operand + ?Sized> Replay<'a, S> {
    pub(super) fn new(
        step: &'a dyn Fn(&mut S, usize),
        n: usize,
        schedule: Schedule,
        kept: Snapshots<S>,
    ) -> Self {
        let spare = Vec::new();
        Self {
            step,
            n,
            schedule,
            kept,
            spare,
        }
    }

    /// Keeps the state at the beginning of a block.
    pub(super) fn keep(&mut self, block: usize, state: &S) {
        let copy = match self.spare.pop() {
            None => state.to_owned(),
            Some(mut storage) => {
                state.clone_into(&mut storage);
                storage
            }
        };
        self.kept.push((block, copy));
    }

    /// Takes the state from the beginning of `from`, the last block that is kept, to the beginning of `to`, and keeps
    /// states on the way.
    pub(super) fn advance(&mut self, state: &mut S, mut from: usize, to: usize) {
        while from < to {
            let room = self.schedule.snapshots() - self.kept.len() + 1;
            let next = next_snapshot(to + 1 - from, room).map_or(to, |blocks| from + blocks);
            for block in from..next {
                self.run(state, block);
            }
            if room > 1 {
                self.keep(next, state);
            }
            from = next;
        }
    }

    /// The steps of one block.
    pub(super) fn run(&self, state: &mut S, block: usize) {
        for t in self.schedule.steps(block, self.n) {
            (self.step)(state, t);
        }
    }

    /// The state at the beginning of a block, computed again from the last that is kept; that of `block` itself is no longer
    /// kept then.
    pub(super) fn restore(&mut self, state: &mut Copied<S>, block: usize) {
        let (from, last) = self.kept.last().expect("the first state is kept");
        let from = *from;
        if from < block {
            let last: &S = last.borrow();
            last.clone_into(state);
            self.advance((*state).borrow_mut(), from, block);
        }
        if self.kept.last().is_some_and(|(kept, _)| *kept == block) {
            let (_, last) = self.kept.pop().expect("looked at above");
            self.spare.push(std::mem::replace(state, last));
        }
    }
}
