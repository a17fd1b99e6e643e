//! The order in which a loop is run, kept, restored and undone: a schedule, action by action.

use super::next_snapshot;

/// One action of a [`Plan`]. Step `t` leads from state `t` to state `t + 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Keep a copy of the state at hand, which is the one before this step.
    Keep(usize),
    /// Run the steps `from..to` without tape.
    Advance {
        /// The first step.
        from: usize,
        /// The step that is not run any more.
        to: usize,
    },
    /// Copy the state before this step, the last one kept, to hand.
    Restore(usize),
    /// Move the state before this step, the last one kept, to hand: it is not needed again.
    Take(usize),
    /// Run this step with tape, and undo it.
    Undo(usize),
}

/// The actions that undo a loop of `n` steps, last step first, with at most `slots` states kept at a time and the fewest steps
/// run: Griewank and Walther, *Algorithm 799: revolve*, doi:10.1145/347837.347846.
///
/// Up to the first [`Action::Undo`] it is the loop itself. [`Replay`](super::Replay) performs the actions; a program that keeps its states elsewhere can
/// perform them itself. Besides the `n` steps that run with tape, as many run without as [`Schedule::advances`](super::Schedule::advances) says.
///
/// ```
/// use coenzyme::schedule::{Action, Plan};
///
/// let advances = |n, slots| -> usize {
///     let length = |action| match action {
///         Action::Advance { from, to } => to - from,
///         _ => 0,
///     };
///     Plan::new(n, slots).map(length).sum()
/// };
/// assert_eq!(advances(10, 3), 15);
/// assert_eq!(advances(100, 5), 316);
/// assert_eq!(advances(100, 100), 99);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The steps whose states are kept, ascending.
    kept: Vec<usize>,
    slots: usize,
    /// The steps that are not undone yet: `0..left`.
    left: usize,
    /// The state at hand.
    at: Option<usize>,
}

impl Plan {
    /// The plan of a loop that has not run.
    ///
    /// # Panics
    /// If `slots` is 0: the state that the loop starts from is one.
    #[track_caller]
    pub fn new(n: usize, slots: usize) -> Self {
        assert!(slots > 0, "a schedule keeps at least one state");
        Self {
            kept: Vec::new(),
            slots,
            left: n,
            at: Some(0),
        }
    }

    /// The plan of a loop that has run, of which the states before the steps `kept` were kept: the first of them is 0.
    ///
    /// # Panics
    /// If `kept` does not begin with 0, is not ascending, or has more entries than there are `slots`.
    #[track_caller]
    pub fn resume(n: usize, slots: usize, kept: Vec<usize>) -> Self {
        assert!(
            n == 0 || kept.first() == Some(&0),
            "the state that the loop starts from is kept"
        );
        assert!(kept.is_sorted_by(|a, b| a < b) && kept.len() <= slots);
        Self {
            kept,
            slots,
            left: n,
            at: None,
        }
    }

    /// The steps whose states are kept now, ascending.
    pub fn kept(&self) -> &[usize] {
        &self.kept
    }
}

impl Iterator for Plan {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        let target = self.left.checked_sub(1)?;
        let Some(at) = self.at else {
            let last = *self.kept.last().expect("the first state is kept");
            self.at = Some(last);
            if last < target {
                return Some(Action::Restore(last));
            }
            self.kept.pop();
            return Some(Action::Take(last));
        };
        if at == target {
            self.at = None;
            self.left = target;
            return Some(Action::Undo(target));
        }
        if self.kept.last() != Some(&at) && self.kept.len() < self.slots {
            self.kept.push(at);
            return Some(Action::Keep(at));
        }
        let room = self.slots - self.kept.len() + 1;
        let to = next_snapshot(target + 1 - at, room).map_or(target, |steps| at + steps);
        self.at = Some(to);
        Some(Action::Advance { from: at, to })
    }
}

#[cfg(test)]
mod tests {
    use super::{Action, Plan};
    use crate::schedule::Schedule;

    /// Performs a plan, and refuses what is not allowed. The steps advanced, the states kept at once, the states written.
    fn perform(plan: Plan, n: usize) -> (usize, usize, usize) {
        let mut at = Some(0);
        let (mut kept, mut undone) = (Vec::new(), Vec::new());
        let (mut advances, mut live, mut writes) = (0, 0, 0);
        for action in plan {
            match action {
                Action::Keep(t) => {
                    assert_eq!(at, Some(t));
                    kept.push(t);
                    live = live.max(kept.len());
                    writes += 1;
                }
                Action::Advance { from, to } => {
                    assert!(at == Some(from) && from < to && to < n);
                    at = Some(to);
                    advances += to - from;
                }
                Action::Restore(t) => {
                    assert_eq!(kept.last(), Some(&t));
                    at = Some(t);
                }
                Action::Take(t) => {
                    assert_eq!(kept.pop(), Some(t));
                    at = Some(t);
                }
                Action::Undo(t) => {
                    assert_eq!(at, Some(t));
                    undone.push(t);
                    at = None;
                }
            }
        }
        assert!(undone.into_iter().eq((0..n).rev()), "each step once");
        (advances, live, writes)
    }

    /// The table of f.1, and the closed form for every `l` up to 200 and `s` up to 20.
    #[test]
    fn f1_advances_are_the_optimum_and_states_fit() {
        for l in 0..=200 {
            for s in 1..=20 {
                let (advances, live, _) = perform(Plan::new(l, s), l);
                assert_eq!(advances, Schedule::binomial(s).advances(l), "{l} {s}");
                assert!(live <= s, "{l} steps: {live} states in {s} slots");
            }
        }
        let slots = [1, 2, 3, 4, 5, 8, 10, 20];
        for (l, row) in [
            (5, [10, 6, 5, 4, 4, 4, 4, 4]),
            (10, [45, 20, 15, 14, 13, 10, 9, 9]),
            (14, [91, 36, 27, 22, 21, 18, 16, 13]),
            (20, [190, 65, 45, 39, 33, 30, 28, 19]),
            (50, [1225, 285, 180, 144, 122, 95, 88, 78]),
            (56, [1540, 340, 210, 168, 140, 113, 100, 90]),
            (100, [4950, 845, 490, 374, 316, 245, 222, 178]),
            (1000, [499_500, 28820, 12155, 7998, 6284, 4285, 3636, 2747]),
        ] {
            for (s, t) in slots.into_iter().zip(row) {
                assert_eq!(perform(Plan::new(l, s), l).0, t, "{l} steps, {s} states");
            }
        }
    }

    /// The literature's plans with as few steps write 3, 4, 6, 7, 10, 31, 35, 51 and 68 states.
    #[test]
    fn f1_few_states_are_written() {
        for (l, s, writes) in [
            (5, 2, 3),
            (10, 2, 4),
            (10, 3, 6),
            (14, 3, 7),
            (20, 3, 10),
            (50, 5, 31),
            (56, 5, 35),
            (100, 5, 51),
            (100, 10, 72),
        ] {
            let (_, _, written) = perform(Plan::new(l, s), l);
            assert!(written <= writes, "{l} steps, {s} states: {written}");
        }
    }

    /// The example of f.1, action by action.
    #[test]
    fn f1_ten_steps_with_three_states() {
        let plan: Vec<Action> = Plan::new(10, 3).take(8).collect();
        let advance = |from, to| Action::Advance { from, to };
        assert_eq!(
            plan,
            [
                Action::Keep(0),
                advance(0, 4),
                Action::Keep(4),
                advance(4, 7),
                Action::Keep(7),
                advance(7, 9),
                Action::Undo(9),
                Action::Restore(7),
            ]
        );
    }

    #[test]
    fn a_loop_that_has_run_is_undone_from_what_was_kept() {
        for n in 1_usize..60 {
            for stride in [1, 3, 8] {
                let kept: Vec<usize> = (0..n).step_by(stride).collect();
                let slots = kept.len() + 2;
                let mut at = vec![0; n];
                let mut live = kept.len();
                let mut most = live;
                for action in Plan::resume(n, slots, kept) {
                    match action {
                        Action::Keep(_) => live += 1,
                        Action::Take(_) => live -= 1,
                        Action::Undo(t) => at[t] += 1,
                        _ => {}
                    }
                    most = most.max(live);
                }
                assert!(at.iter().all(|undone| *undone == 1));
                assert!(most <= slots);
            }
        }
    }
}
