//! The states of a loop: kept, found again, computed again.

use std::borrow::{Borrow, BorrowMut};

use super::plan::{Action, Plan};

/// Performs a [`Plan`] on the states of a loop: the interpreter behind every loop that keeps some of its states.
///
/// ```
/// use coenzyme::schedule::Replay;
///
/// // x ← x² + t, five times, undone with two states
/// let mut step = |x: &mut f64, t: usize| *x = *x * *x + t as f64;
/// let mut x = 0.5;
/// let mut replay = Replay::new(5, 2);
/// let last = replay.start(&mut x, &mut step);
/// assert_eq!(last, Some(4)); // x is the state before step 4
/// let mut dx = 2.0 * x;
/// while let Some((_t, x)) = replay.before(&mut step) {
///     dx *= 2.0 * *x;
/// }
/// let by_hand = [0.5_f64, 0.25, 1.0625, 3.12890625, 12.790054321289063];
/// assert!((dx - by_hand.iter().map(|x| 2.0 * x).product::<f64>()).abs() < 1e-9);
/// ```
#[derive(Debug)]
pub struct Replay<S: ToOwned + ?Sized> {
    plan: Plan,
    /// The states that are kept, by the step that they begin.
    kept: Vec<S::Owned>,
    /// Storage of states that are no longer kept.
    spare: Vec<S::Owned>,
    /// The state at hand.
    state: Option<S::Owned>,
}

impl<S: ToOwned<Owned: BorrowMut<S>> + ?Sized> Replay<S> {
    /// A loop of `n` steps of which at most `slots` states are kept. **Panics** if `slots` is 0.
    #[track_caller]
    pub fn new(n: usize, slots: usize) -> Self {
        Self::of(Plan::new(n, slots), Vec::new())
    }

    /// A loop that has run for `n` steps, with the states that were kept on the way, by the step that they begin. **Panics** as
    /// [`Plan::resume`].
    #[track_caller]
    pub fn resume(n: usize, slots: usize, kept: Vec<(usize, S::Owned)>) -> Self {
        let (steps, states) = kept.into_iter().unzip();
        Self::of(Plan::resume(n, slots, steps), states)
    }

    fn of(plan: Plan, kept: Vec<S::Owned>) -> Self {
        let (spare, state) = (Vec::new(), None);
        Self {
            plan,
            kept,
            spare,
            state,
        }
    }

    /// Runs the loop from its start in `x` up to its last step, whose number it returns: `None` if there is no step.
    pub fn start(&mut self, x: &mut S, step: &mut dyn FnMut(&mut S, usize)) -> Option<usize> {
        loop {
            match self.plan.next()? {
                Action::Keep(_) => self.keep(x),
                Action::Advance { from, to } => (from..to).for_each(|t| step(x, t)),
                Action::Undo(t) => return Some(t),
                Action::Restore(_) | Action::Take(_) => {
                    unreachable!("a loop is started once, from its first state")
                }
            }
        }
    }

    /// The number of the step that is to be undone next, and the state before it, computed again from what is kept.
    pub fn before(&mut self, step: &mut dyn FnMut(&mut S, usize)) -> Option<(usize, &mut S)> {
        loop {
            let action = self.plan.next()?;
            match action {
                Action::Restore(_) => self.restore(),
                Action::Take(_) => {
                    let last = self.kept.pop();
                    self.spare.extend(std::mem::replace(&mut self.state, last));
                }
                Action::Keep(_) => {
                    let state = self.state.take().expect("a state was restored");
                    self.keep(Borrow::<S>::borrow(&state));
                    self.state = Some(state);
                }
                Action::Advance { from, to } => {
                    let state = self.state.as_mut().expect("a state was restored");
                    (from..to).for_each(|t| step(state.borrow_mut(), t));
                }
                Action::Undo(t) => {
                    let state = self.state.as_mut().expect("a state was restored");
                    return Some((t, state.borrow_mut()));
                }
            }
        }
    }

    /// The number of states that are kept.
    pub fn kept(&self) -> usize {
        self.kept.len()
    }

    fn keep(&mut self, state: &S) {
        let copy = match self.spare.pop() {
            None => state.to_owned(),
            Some(mut storage) => {
                state.clone_into(&mut storage);
                storage
            }
        };
        self.kept.push(copy);
    }

    fn restore(&mut self) {
        let last: &S = self.kept.last().expect("the first state is kept").borrow();
        match &mut self.state {
            Some(state) => last.clone_into(state),
            None => self.state = Some(last.to_owned()),
        }
    }
}
