//! A loop that keeps some of its states.

use std::array::from_fn;

use coenzyme::{
    Annotation, Augmented, Const, DynArg, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn,
    ForwardRule, Function, Inactive, Lane, Memory, ReverseArg, ReverseArgMut, ReverseConfig,
    ReverseReturn, ReverseRule, Saved, primitive,
};

use coenzyme::schedule::Replay;

use super::{Operand, Schedule};

/// `f(x, p, t)` for each `t` in `0..n`: `f` writes the next state over `x`. Nothing happens for `n = 0`.
///
/// The reverse pass keeps the states that the [`Schedule`] says and computes the others again, so that its memory is
/// `c` states and the tapes of one block, not the tapes of `n` steps. The last block is taped at once; so `f` runs
/// [`Schedule::advances`] times without tape and `n` times with tape, which is the optimum.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_rules::loops::{Schedule, iterate};
///
/// /// One step of Euler's method for the logistic equation `x′ = rx(1 − x)`.
/// #[differentiable]
/// fn step(x: &mut f64, r: &f64, _t: usize) {
///     *x += 0.01 * *r * *x * (1.0 - *x);
/// }
///
/// #[differentiable]
/// fn population(start: f64, rate: f64, steps: usize) -> f64 {
///     let mut x = start;
///     iterate(&mut x, &rate, Inactive(step {}), steps, Schedule::binomial(6));
///     x
/// }
///
/// // 1000 steps, six states
/// let (dstart, drate, ()): (f64, f64, ()) = gradient!(population, 0.1, 0.7, 1000_usize);
/// let difference = |h: f64| population(0.1, 0.7 + h, 1000) - population(0.1, 0.7 - h, 1000);
/// assert!((drate - difference(1e-5) / 2e-5).abs() < 1e-8);
/// assert!(dstart > 0.0);
/// ```
#[primitive]
pub fn iterate<S, P, F>(x: &mut S, p: &P, f: Inactive<F>, n: usize, schedule: Schedule)
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    F: for<'a> Function<(&'a mut S, &'a P, usize), Output = ()>,
{
    let _ = schedule;
    for t in 0..n {
        f.0.call((x, p, t));
    }
}

/// What the reverse pass starts from: the tapes of the last block, the states that are kept, and the parameter if it may be
/// overwritten.
pub struct IterateTape<S: ToOwned + ?Sized, P: ToOwned + ?Sized, Tape> {
    replay: Option<Replay<S>>,
    last: Vec<Tape>,
    p: Saved<P>,
}

impl<S: Operand + ?Sized, P: ToOwned + ?Sized, Tape> IterateTape<S, P, Tape> {
    /// The number of states on the tape.
    pub fn snapshots(&self) -> usize {
        self.replay.as_ref().map_or(0, Replay::kept)
    }
}

impl<R, X, Q, G, N, C, S, P, F, const W: usize> ForwardRule<R, (X, Q, G, N, C), W> for iterate
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    R: ForwardReturn<W, Out = ()>,
    X: ForwardArgMut<S, W> + Annotation<Primal: Memory<Target = S>>,
    Q: ForwardArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ForwardArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    N: ForwardArg<usize, W>,
    C: ForwardArg<Schedule, W>,
    F: for<'a> ForwardRule<
            Const<()>,
            (
                DynArg<&'a mut S, &'a mut S, W>,
                DynArg<&'a P, &'a P, W>,
                Const<usize>,
            ),
            W,
        >,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (x, p, f, n, _): (&mut X, &mut Q, &mut G, &mut N, &mut C),
    ) -> R::Forward {
        let dp: Option<[&P; W]> = p
            .is_active()
            .then(|| from_fn(|lane| p.tangent(lane).expect("an active argument has tangents")));
        let active = x.is_active();
        let (x, mut dx) = x.split_mut();
        for t in 0..*n.primal() {
            let mut args = (
                DynArg::new(&mut *x, active.then(|| all(&mut dx))),
                DynArg::new(p.primal(), dp),
                Const(t),
            );
            f.primal()
                .0
                .forward(config, (&mut args.0, &mut args.1, &mut args.2));
        }
        R::forward(config, || (), |_| ())
    }
}

/// The shadows of an active argument, lent.
fn all<'a, S: ?Sized, const W: usize>(lanes: &'a mut [Lane<'_, S>; W]) -> [&'a mut S; W] {
    lanes
        .each_mut()
        .map(|lane| lane.as_deref_mut().expect("an active argument has shadows"))
}

impl<R, X, Q, G, N, C, S, P, F, Tape, const W: usize> ReverseRule<R, (X, Q, G, N, C), W> for iterate
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    R: ReverseReturn<W, Out = ()>,
    X: ReverseArgMut<S, W> + Annotation<Primal: Memory<Target = S>>,
    Q: ReverseArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ReverseArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    N: ReverseArg<usize, W>,
    C: ReverseArg<Schedule, W>,
    Tape: Send + 'static,
    F: for<'a> Function<(&'a mut S, &'a P, usize), Output = ()>,
    F: for<'a> ReverseRule<
            Const<()>,
            (
                DynArg<&'a mut S, &'a mut S, W>,
                DynArg<&'a P, &'a mut P, W>,
                Const<usize>,
            ),
            W,
            Tape = Tape,
        >,
{
    type Tape = IterateTape<S, P, Tape>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, p, f, n, schedule): (&mut X, &mut Q, &mut G, &mut N, &mut C),
    ) -> Augmented<R, Self::Tape, W> {
        let (active, of_p) = (x.is_active(), p.is_active());
        let (n, schedule) = (*n.primal(), *schedule.primal());
        let (f, p) = (&f.primal().0, p.primal());
        let mut tape = IterateTape {
            replay: None,
            last: Vec::new(),
            p: Saved::new(p, active && config.overwritten(1)),
        };
        let x = x.primal_mut();
        if active {
            let mut replay = Replay::new(schedule.blocks(n), schedule.snapshots());
            let mut run = |x: &mut S, block| {
                let steps = schedule.steps(block, n);
                steps.for_each(|t| f.call((x, p, t)));
            };
            if let Some(block) = replay.start(x, &mut run) {
                let body = body(config, schedule.overwrites() || config.overwritten(0));
                for t in schedule.steps(block, n) {
                    let mut x = DynArg::promised(&mut *x, true);
                    let mut p = DynArg::promised(p, of_p);
                    let args = (&mut x, &mut p, &mut Const(t));
                    tape.last.push(f.augmented_primal(&body, args).tape);
                }
                tape.replay = Some(replay);
            }
        } else {
            (0..n).for_each(|t| f.call((x, p, t)));
        }
        R::augmented(config, (), tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        _: R::Cotangent,
        tape: Self::Tape,
        (x, p, f, n, schedule): (&mut X, &mut Q, &mut G, &mut N, &mut C),
    ) -> (
        X::Gradient,
        Q::Gradient,
        G::Gradient,
        N::Gradient,
        C::Gradient,
    ) {
        let entries = (f.no_gradient(), n.no_gradient(), schedule.no_gradient());
        let (n, schedule) = (*n.primal(), *schedule.primal());
        let mut of_p = p.no_gradient();
        if let Some(mut replay) = tape.replay {
            let (f, active) = (&f.primal().0, p.is_active());
            let (p, mut dp) = p.split(&mut of_p);
            let p = tape.p.get(p);
            let (x, mut dx) = x.split_mut();
            let mut undo = |x: &mut S, block, mut tapes: Vec<Tape>, body: &ReverseConfig| {
                for t in schedule.steps(block, n).rev() {
                    let tape = tapes.pop().expect("one for each step of the block");
                    let mut x = DynArg::new(&mut *x, Some(all(&mut dx)));
                    let mut p = DynArg::new(p, active.then(|| all(&mut dp)));
                    f.reverse(body, (), tape, (&mut x, &mut p, &mut Const(t)));
                }
                tapes
            };
            let mut run = |x: &mut S, block| {
                let steps = schedule.steps(block, n);
                steps.for_each(|t| f.call((x, p, t)));
            };
            let last = body(config, schedule.overwrites() || config.overwritten(0));
            let mut tapes = undo(x, schedule.blocks(n) - 1, tape.last, &last);
            let body = body(config, schedule.overwrites());
            while let Some((block, x)) = replay.before(&mut run) {
                for t in schedule.steps(block, n) {
                    let mut x = DynArg::promised(&mut *x, true);
                    let mut p = DynArg::promised(p, active);
                    let args = (&mut x, &mut p, &mut Const(t));
                    tapes.push(f.augmented_primal(&body, args).tape);
                }
                tapes = undo(x, block, tapes, &body);
            }
        }
        (x.no_gradient(), of_p, entries.0, entries.1, entries.2)
    }
}

/// How the body is differentiated: what it reads is as it was, but for the state of a step that others follow.
fn body(config: &ReverseConfig, overwritten: bool) -> ReverseConfig {
    config
        .with_none_overwritten()
        .with_overwritten(0, overwritten)
}
