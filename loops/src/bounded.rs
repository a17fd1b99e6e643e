//! A loop that ends when its state says so.

use std::borrow::BorrowMut;

use coenzyme::schedule::Replay;
use coenzyme::{
    Annotation, AugmentedOutcome, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn,
    ForwardRule, Function, Inactive, Memory, ReverseArg, ReverseArgMut, ReverseConfig,
    ReverseReturn, ReverseRule, Saved, Tangent, primitive,
};

use crate::body::{ForwardStep, ReverseStep, lent, tangents};
use crate::online::Online;
use crate::{Copied, Error, Operand};

/// How long a [`while_loop()`] may be, and how many of its states are kept for the reverse pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Tangent)]
pub struct Bound {
    rounds: usize,
    states: usize,
}

impl Bound {
    /// At most `rounds` rounds, with as many states as are logarithmic in that, and not less than eight.
    pub const fn new(rounds: usize) -> Self {
        let bits = (usize::BITS - rounds.leading_zeros()) as usize;
        let states = if bits < 8 { 8 } else { bits };
        Self { rounds, states }
    }

    /// The same with `states` states kept. Two are the least: the first, and one on the way.
    ///
    /// # Panics
    /// If `states` is less than 2.
    #[must_use]
    #[track_caller]
    pub const fn keeping(self, states: usize) -> Self {
        assert!(
            states > 1,
            "a loop of unknown length keeps at least two states"
        );
        Self { states, ..self }
    }
}

/// `while goes_on(x, p) { f(x, p, t) }` for `t` = 0, 1, …; returns the number of rounds.
///
/// The number of rounds is taken as it is: its changes have no derivative. The reverse pass keeps at most the states that the [`Bound`] says, equally
/// spaced, and computes the others again from these with the fewest steps.
///
/// # Errors
/// [`Error::BoundExceeded`] if the loop would go on after the last round allowed. The state is then the one reached; no shadow
/// has been touched.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_loops::{Bound, Error, while_loop};
///
/// #[differentiable]
/// fn grow(x: &mut f64, rate: &f64, _t: usize) {
///     *x *= *rate;
/// }
///
/// #[inactive]
/// fn small(x: &f64, _rate: &f64) -> bool {
///     *x < 10.0
/// }
///
/// #[differentiable]
/// fn first_above(rate: f64) -> Result<f64, Error> {
///     let mut x = 1.0;
///     while_loop(&mut x, &rate, Inactive(grow {}), Inactive(small {}), Bound::new(100))?;
///     Ok(x)
/// }
///
/// // 2⁴ = 16, and the derivative is 4·2³
/// assert_eq!(first_above(2.0)?, 16.0);
/// assert_eq!(gradient!(first_above, 2.0)?, (32.0,));
/// assert_eq!(first_above(1.0), Err(Error::BoundExceeded { bound: 100 }));
/// # Ok::<(), Error>(())
/// ```
#[primitive]
pub fn while_loop<S, P, F, C>(
    x: &mut S,
    p: &P,
    f: Inactive<F>,
    goes_on: Inactive<C>,
    bound: Bound,
) -> Result<usize, Error>
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    F: for<'a> Function<(&'a mut S, &'a P, usize), Output = ()>,
    C: for<'a> Function<(&'a S, &'a P), Output = bool>,
{
    run(
        x,
        bound,
        |x| goes_on.0.call((x, p)),
        |x, t| f.0.call((x, p, t)),
    )
}

fn run<S: ?Sized>(
    x: &mut S,
    bound: Bound,
    goes_on: impl Fn(&S) -> bool,
    mut round: impl FnMut(&mut S, usize),
) -> Result<usize, Error> {
    let mut t = 0;
    while goes_on(x) {
        if t == bound.rounds {
            return Err(Error::BoundExceeded {
                bound: bound.rounds,
            });
        }
        round(x, t);
        t += 1;
    }
    Ok(t)
}

impl<R, X, Q, G, H, B, S, P, F, C, const W: usize> ForwardRule<R, (X, Q, G, H, B), W> for while_loop
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    R: ForwardReturn<W, Out = Result<usize, Error>>,
    X: ForwardArgMut<S, W> + Annotation<Primal: Memory<Target = S>>,
    Q: ForwardArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ForwardArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    H: ForwardArg<Inactive<C>, W> + Annotation<Primal = Inactive<C>>,
    B: ForwardArg<Bound, W>,
    F: ForwardStep<S, P, W>,
    C: for<'a> Function<(&'a S, &'a P), Output = bool>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (x, p, f, goes_on, bound): (&mut X, &mut Q, &mut G, &mut H, &mut B),
    ) -> Result<R::Forward, Error> {
        let dp = tangents(p);
        let (f, p) = (&f.primal().0, p.primal());
        let (x, mut dx) = x.split_mut();
        let goes_on = |x: &S| goes_on.primal().0.call((x, p));
        let rounds = run(x, *bound.primal(), goes_on, |x, t| {
            f.push(config, x, lent(&mut dx), p, dp, t);
        })?;
        Ok(R::forward(config, || rounds, |_| rounds))
    }
}

/// What the reverse pass of [`while_loop()`] starts from: the states that are kept, the number of rounds, and the parameter if it may be
/// overwritten.
pub struct WhileTape<S: ToOwned + ?Sized, P: ToOwned + ?Sized> {
    kept: Vec<(usize, Copied<S>)>,
    rounds: usize,
    p: Saved<P>,
}

impl<S: ToOwned + ?Sized, P: ToOwned + ?Sized> WhileTape<S, P> {
    /// The number of states on the tape.
    pub fn snapshots(&self) -> usize {
        self.kept.len()
    }
}

impl<R, X, Q, G, H, B, S, P, F, C, const W: usize> ReverseRule<R, (X, Q, G, H, B), W> for while_loop
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    R: ReverseReturn<W, Out = Result<usize, Error>>,
    X: ReverseArgMut<S, W> + Annotation<Primal: Memory<Target = S>>,
    Q: ReverseArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ReverseArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    H: ReverseArg<Inactive<C>, W> + Annotation<Primal = Inactive<C>>,
    B: ReverseArg<Bound, W>,
    F: for<'a> Function<(&'a mut S, &'a P, usize), Output = ()> + ReverseStep<S, P, W>,
    C: for<'a> Function<(&'a S, &'a P), Output = bool>,
{
    type Tape = WhileTape<S, P>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, p, f, goes_on, bound): (&mut X, &mut Q, &mut G, &mut H, &mut B),
    ) -> AugmentedOutcome<R, Self::Tape, W> {
        let (active, bound) = (x.is_active(), *bound.primal());
        let saved = Saved::new(p.primal(), active && config.overwritten(1));
        let (f, p) = (&f.primal().0, p.primal());
        let goes_on = |x: &S| goes_on.primal().0.call((x, p));
        let mut online = Online::new(bound.states);
        let rounds = run(x.primal_mut(), bound, goes_on, |x, t| {
            if active {
                online.offer(t, x);
            }
            f.call((x, p, t));
        })?;
        let (kept, p) = (online.kept, saved);
        Ok(R::augmented(config, rounds, WhileTape { kept, rounds, p }))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        _: R::Cotangent,
        tape: Self::Tape,
        (x, p, f, goes_on, bound): (&mut X, &mut Q, &mut G, &mut H, &mut B),
    ) -> (
        X::Gradient,
        Q::Gradient,
        G::Gradient,
        H::Gradient,
        B::Gradient,
    ) {
        let mut of_p = p.no_gradient();
        if !tape.kept.is_empty() {
            let actives = (true, p.is_active());
            let body = config.with_none_overwritten();
            let (p, mut dp) = p.split(&mut of_p);
            let p = tape.p.get(p);
            let (_, mut dx) = x.split_mut();
            let f = &f.primal().0;
            let mut replay = Replay::<S>::resume(tape.rounds, bound.primal().states, tape.kept);
            let mut step = |x: &mut S, t: usize| f.call((x, p, t));
            while let Some((t, x)) = replay.before(&mut step) {
                let taped = f.tape(&body, x, p, actives, t);
                f.pull(
                    &body,
                    x.borrow_mut(),
                    lent(&mut dx),
                    p,
                    lent(&mut dp),
                    t,
                    taped,
                );
            }
        }
        let (of_x, of_f) = (x.no_gradient(), f.no_gradient());
        (of_x, of_p, of_f, goes_on.no_gradient(), bound.no_gradient())
    }
}
