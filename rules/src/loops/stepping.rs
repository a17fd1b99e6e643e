//! A loop that keeps some of its states.

use std::array::from_fn;
use std::borrow::{Borrow, BorrowMut};

use coenzyme::{
    Annotation, Augmented, Const, DynArg, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn,
    ForwardRule, Function, Inactive, Lane, Memory, ReverseArg, ReverseArgMut, ReverseConfig,
    ReverseReturn, ReverseRule, Saved, primitive,
};

use super::replay::{Replay, Snapshots};
use super::{Copied, Operand, Schedule};
use crate::lanes::together;

/// `f(x, p, t)` for each `t` in `0..n`: `f` writes the next state over `x`. Nothing happens for `n = 0`.
///
/// The reverse pass keeps the states that the [`Schedule`] says and computes the others again, so that its memory is
/// `c` states and the tapes of one block, not the tapes of `n` steps. One call of `f` with checkpoint is a loop with
/// `n = 1`.
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

/// What the reverse pass starts from: the states that are kept, and the parameter if it may be overwritten.
pub struct IterateTape<S: ToOwned + ?Sized, P: ToOwned + ?Sized> {
    kept: Snapshots<S>,
    p: Saved<P>,
}

impl<S: ToOwned + ?Sized, P: ToOwned + ?Sized> IterateTape<S, P> {
    /// The number of states on the tape.
    pub fn snapshots(&self) -> usize {
        self.kept.len()
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
    type Tape = IterateTape<S, P>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, p, f, n, schedule): (&mut X, &mut Q, &mut G, &mut N, &mut C),
    ) -> Augmented<R, Self::Tape, W> {
        let active = x.is_active();
        let (p, n, schedule) = (p.primal(), *n.primal(), *schedule.primal());
        let saved = Saved::new(p, active && config.overwritten(1));
        let step = |x: &mut S, t| f.primal().0.call((x, p, t));
        let x = x.primal_mut();
        let mut replay = Replay::new(&step, n, schedule, Vec::new());
        match schedule.blocks(n).checked_sub(1) {
            Some(last) if active => {
                replay.keep(0, x);
                replay.advance(x, 0, last);
                replay.run(x, last);
            }
            _ => (0..n).for_each(|t| step(x, t)),
        }
        let kept = replay.kept;
        R::augmented(config, (), IterateTape { kept, p: saved })
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        _: R::Cotangent,
        IterateTape { kept, p: saved }: Self::Tape,
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
        let body = config
            .with_none_overwritten()
            .with_overwritten(0, schedule.overwrites());
        if kept.is_empty() {
            // the state is inactive, or there was no step
            return (
                x.no_gradient(),
                p.no_gradient(),
                entries.0,
                entries.1,
                entries.2,
            );
        }
        let f = &f.primal().0;
        let active = p.is_active();
        let mut kept = Some(kept);
        let (_, mut dx) = x.split_mut();
        let (of_p, ()) = p.lanes(|p, adjoints| {
            let p = saved.get(p);
            let step = |x: &mut S, t| f.call((x, p, t));
            together(adjoints, &mut |mut dp| {
                let kept = kept.take().expect("called once");
                let mut state: Copied<S> = Borrow::<S>::borrow(&kept[0].1).to_owned();
                let mut replay = Replay::new(&step, n, schedule, kept);
                let mut tapes = Vec::new();
                for block in (0..schedule.blocks(n)).rev() {
                    replay.restore(&mut state, block);
                    for t in schedule.steps(block, n) {
                        let mut x = DynArg::promised(state.borrow_mut(), true);
                        let mut p = DynArg::promised(p, active);
                        let args = (&mut x, &mut p, &mut Const(t));
                        tapes.push(f.augmented_primal(&body, args).tape);
                    }
                    for t in schedule.steps(block, n).rev() {
                        let tape = tapes.pop().expect("one for each step of the block");
                        let mut x = DynArg::new(state.borrow_mut(), Some(all(&mut dx)));
                        let dp: Vec<&mut P> = dp.iter_mut().map(|dp| &mut **dp).collect();
                        let mut p = DynArg::new(p, dp.try_into().ok());
                        f.reverse(&body, (), tape, (&mut x, &mut p, &mut Const(t)));
                    }
                }
            });
        });
        (x.no_gradient(), of_p, entries.0, entries.1, entries.2)
    }
}
