//! Loops under `#[checkpoint]`: some states are kept, and rounds run again from these in the reverse sweep.

use crate::schedule::{Schedule, next_snapshot};
use crate::tape::Tape;

/// What a loop leaves on the tape: states by the round that they begin.
#[derive(Debug)]
pub struct Kept<S> {
    states: Vec<(usize, S)>,
    rounds: usize,
    schedule: Schedule,
}

/// What a round is run for.
#[derive(Debug)]
pub enum Round<S> {
    /// To get from a state to the next one; what it tapes is for [`Round::Undo`].
    Run(S),
    /// To add to cotangents, and empty the tape.
    Undo,
}

impl<S: Clone> Kept<S> {
    /// Runs from the state at the beginning of round `from`, which is the last that is kept, to the beginning of `to`, and
    /// keeps states on the way.
    fn advance(
        &mut self,
        mut state: S,
        mut from: usize,
        to: usize,
        run: &mut dyn FnMut(S, usize) -> S,
    ) -> S {
        while from < to {
            let room = self.schedule.snapshots() - self.states.len() + 1;
            let next = next_snapshot(to + 1 - from, room).map_or(to, |rounds| from + rounds);
            state = (from..next).fold(state, &mut *run);
            if room > 1 {
                self.states.push((next, state.clone()));
            }
            from = next;
        }
        state
    }
}

/// The loop in the forward sweep: what it leaves on the tape, and the last state. `snapshots` of 0 means as many as are
/// logarithmic in the number of rounds.
pub fn run_rounds<S: Clone>(
    snapshots: usize,
    rounds: usize,
    state: S,
    mut round: impl FnMut(S, usize, &mut Tape) -> S,
) -> (Kept<S>, S) {
    // what a round tapes is forgotten
    let mut run = |state, k| round(state, k, &mut Tape::new());
    let schedule = match snapshots {
        0 => Schedule::logarithmic(rounds),
        n => Schedule::binomial(n),
    };
    let states = vec![(0, state.clone())];
    let mut kept = Kept {
        states,
        rounds,
        schedule,
    };
    let Some(last) = rounds.checked_sub(1) else {
        return (kept, state);
    };
    let state = kept.advance(state, 0, last, &mut run);
    let state = run(state, last);
    (kept, state)
}

/// What keeps states of a loop in the forward sweep of which nobody knows how many rounds it will have: those before every
/// `stride`-th round, of which every second one is given up where there is no room.
#[derive(Debug)]
pub struct Keeper<S> {
    kept: Vec<(usize, S)>,
    rounds: usize,
    stride: usize,
    snapshots: usize,
}

impl<S> Keeper<S> {
    /// `snapshots` of 0 means as many as are logarithmic in the number of rounds.
    pub fn new(snapshots: usize) -> Self {
        Self {
            kept: Vec::new(),
            rounds: 0,
            stride: 1,
            snapshots,
        }
    }

    /// Before a round, at this state.
    pub fn begin(&mut self, state: impl FnOnce() -> S) {
        let (round, slots) = (self.rounds, self.schedule().snapshots());
        self.rounds += 1;
        if round.is_multiple_of(self.stride) && self.kept.len() == slots {
            self.stride *= 2;
            self.kept.retain(|(k, _)| k.is_multiple_of(self.stride));
        }
        if round.is_multiple_of(self.stride) {
            self.kept.push((round, state()));
        }
    }

    fn schedule(&self) -> Schedule {
        match self.snapshots {
            0 => Schedule::logarithmic(self.rounds),
            n => Schedule::binomial(n),
        }
    }

    /// After the loop: what it leaves on the tape.
    pub fn finish(self) -> Kept<S> {
        Kept {
            schedule: self.schedule(),
            states: self.kept,
            rounds: self.rounds,
        }
    }
}

/// What is inside of a result that has been there before: a round runs again from the same state.
pub trait Succeeded {
    /// What is inside.
    type Value;
    /// It. **Panics** if it is not there, as when a round reads what is not its state.
    fn succeeded(self) -> Self::Value;
}

const OTHERWISE: &str = "a round under `#[checkpoint]` did something else when it ran again";

impl<T, E> Succeeded for Result<T, E> {
    type Value = T;
    #[track_caller]
    fn succeeded(self) -> T {
        self.ok().expect(OTHERWISE)
    }
}

impl<T> Succeeded for Option<T> {
    type Value = T;
    #[track_caller]
    fn succeeded(self) -> T {
        self.expect(OTHERWISE)
    }
}

/// The loop in the reverse sweep: each round runs again from the last state that is kept, and is undone.
pub fn undo_rounds<S: Clone>(
    mut kept: Kept<S>,
    mut round: impl FnMut(Round<S>, usize, &mut Tape) -> Option<S>,
) {
    for k in (0..kept.rounds).rev() {
        let (from, state) = kept.states.last().expect("the first state is kept").clone();
        let again = &mut |state, k| {
            round(Round::Run(state), k, &mut Tape::new()).expect("a round gives the next state")
        };
        let state = kept.advance(state, from, k, again);
        if kept.states.last().is_some_and(|(kept, _)| *kept == k) {
            kept.states.pop();
        }
        let mut tape = Tape::new();
        round(Round::Run(state), k, &mut tape);
        round(Round::Undo, k, &mut tape);
    }
}

#[cfg(test)]
mod tests {
    use super::{Keeper, Round, run_rounds, undo_rounds};

    /// `x ← 3x + k`, until nobody knows when.
    #[test]
    fn rounds_of_unknown_number_are_undone_from_as_many_states_as_are_allowed() {
        for rounds in [0, 1, 2, 5, 8, 33, 100] {
            for snapshots in [0, 1, 2, 3, 7, 200] {
                let step = |x: u64, k: usize| (3 * x + k as u64) % 1_000_003;
                let (mut keeper, mut x, mut states) = (Keeper::new(snapshots), 1, Vec::new());
                for k in 0..rounds {
                    keeper.begin(|| x);
                    states.push(x);
                    x = step(x, k);
                    let most = if snapshots == 0 { 8 } else { snapshots };
                    assert!(keeper.kept.len() <= most, "{rounds} {snapshots}");
                }
                let (mut undone, mut runs) = (Vec::new(), 0);
                undo_rounds(keeper.finish(), |what, k, tape| match what {
                    Round::Run(x) => {
                        runs += 1;
                        tape.push(x);
                        Some(step(x, k))
                    }
                    Round::Undo => {
                        undone.push((k, tape.pop::<u64>()));
                        None
                    }
                });
                let expected: Vec<_> = states.into_iter().enumerate().rev().collect();
                assert_eq!(undone, expected, "{rounds} rounds, {snapshots} states");
                // one state: n(n + 1)/2 runs; enough for all: as many as rounds
                assert!(snapshots != 200 || runs == rounds);
            }
        }
    }

    /// `x ← x·(k + 2)`, as a loop of rounds.
    #[test]
    fn rounds_are_undone_last_first_each_from_its_own_state() {
        for rounds in [0, 1, 2, 7, 30] {
            for snapshots in [0, 1, 2, 3, 40] {
                let step = |x: u64, k: usize| (x * (k as u64 + 2)) % 1_000_003;
                let (kept, last) = run_rounds(snapshots, rounds, 1, |x, k, _| step(x, k));
                let states: Vec<u64> = (0..rounds)
                    .scan(1, |x, k| Some(std::mem::replace(x, step(*x, k))))
                    .collect();
                assert_eq!(last, (0..rounds).fold(1, step));
                let mut undone = Vec::new();
                undo_rounds(kept, |what, k, tape| match what {
                    Round::Run(x) => {
                        tape.push(x);
                        Some(step(x, k))
                    }
                    Round::Undo => {
                        undone.push((k, tape.pop::<u64>()));
                        assert!(tape.is_empty());
                        None
                    }
                });
                let expected: Vec<_> = states.into_iter().enumerate().rev().collect();
                assert_eq!(undone, expected, "{rounds} rounds, {snapshots} states");
            }
        }
    }
}
