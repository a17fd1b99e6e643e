//! A loop over items that leaves a value for each.
//!
//! | value | reverse, from the last item |
//! |---|---|
//! | `(cₖ₊₁, yₖ) = f(cₖ, xₖ, p)` | `(c̄ₖ, x̄ₖ, p̄ +=) = ∂fᵀ·(c̄ₖ₊₁, ȳₖ)` |

use std::array::from_fn;

use coenzyme::schedule::Replay;
use coenzyme::{
    Annotation, Augmented, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule,
    Function, Inactive, Lane, Lanes, Memory, Outcome, ReverseArg, ReverseArgMut, ReverseConfig,
    ReverseReturn, ReverseRule, Saved, Tangent, primitive,
};

use crate::body::{ForwardCarry, ReverseCarry, lent, tangents};
use crate::{Operand, Schedule};

/// `y.push(f(carry, x, p))` for each `x` of `xs` (`(n)`): `f` writes the next carry over `carry`. Returns the `n` values.
///
/// The reverse pass keeps the carries that the [`Schedule`] says, as [`iterate`](crate::iterate()) does; `Schedule::every(1)` keeps each. The step
/// runs [`Schedule::advances`] times without tape and `n` times with tape.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_loops::{Schedule, scan};
///
/// /// Exponential smoothing.
/// #[differentiable]
/// fn smooth(mean: &mut f64, x: &f64, rate: &f64) -> f64 {
///     *mean += *rate * (*x - *mean);
///     *mean
/// }
///
/// #[differentiable]
/// fn last(xs: &[f64], rate: f64) -> f64 {
///     let mut mean = 0.0;
///     let smoothed = scan(&mut mean, xs, &rate, Inactive(smooth {}), Schedule::every(1));
///     smoothed[2]
/// }
///
/// let (dxs, _) = gradient!(last, &[1.0, 2.0, 3.0][..], 0.5);
/// assert_eq!(dxs, [0.125, 0.25, 0.5]);
/// ```
#[primitive]
pub fn scan<C, X, P, U, F>(
    carry: &mut C,
    xs: &[X],
    p: &P,
    f: Inactive<F>,
    schedule: Schedule,
) -> Vec<U>
where
    C: Operand + ?Sized,
    X: Item,
    P: Operand + ?Sized,
    U: Outcome<Value = U> + Item,
    F: for<'a> Function<(&'a mut C, &'a X, &'a P), Output = U>,
{
    let _ = schedule;
    xs.iter().map(|x| f.0.call((carry, x, p))).collect()
}

/// An item of a scan: a number, an array, a struct.
pub trait Item: Tangent<Owned = Self> + Clone + Send + Sync + 'static {}
impl<X: Tangent<Owned = X> + Clone + Send + Sync + 'static> Item for X {}

impl<R, A, N, Q, G, K, C, X, P, U, F, const W: usize> ForwardRule<R, (A, N, Q, G, K), W> for scan
where
    C: Operand + ?Sized,
    X: Item,
    P: Operand + ?Sized,
    U: Outcome<Value = U> + Item,
    R: ForwardReturn<W, Out = Vec<U>>,
    A: ForwardArgMut<C, W> + Annotation<Primal: Memory<Target = C>>,
    N: ForwardArg<[X], W> + Annotation<Primal: Memory<Target = [X]>>,
    Q: ForwardArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ForwardArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    K: ForwardArg<Schedule, W>,
    F: for<'a> Function<(&'a mut C, &'a X, &'a P), Output = U>,
    F: ForwardCarry<C, X, P, U, W>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (carry, xs, p, f, _): (&mut A, &mut N, &mut Q, &mut G, &mut K),
    ) -> R::Forward {
        let body = config.with_needs_primal(true);
        let (dxs, dp) = (tangents(xs), tangents(p));
        let (c, mut dc) = carry.split_mut();
        let mut values = Vec::with_capacity(xs.primal().len());
        let mut lanes: [Vec<U>; W] = from_fn(|_| Vec::new());
        for (k, x) in xs.primal().iter().enumerate() {
            let dx = dxs.map(|lanes| lanes.map(|dxs| &dxs[k]));
            let f = &f.primal().0;
            let (y, dy) = f.push(&body, c, lent(&mut dc), x, dx, p.primal(), dp);
            values.push(y);
            lanes
                .iter_mut()
                .zip(dy)
                .for_each(|(lane, dy)| lane.push(dy));
        }
        R::forward(config, || values, |lane| std::mem::take(&mut lanes[lane]))
    }
}

/// What the reverse pass of [`scan()`] starts from: the carries that are kept, the tape of the last step, and the items and the parameter
/// if they may be overwritten.
pub struct ScanTape<C: ToOwned + ?Sized, X: Clone, P: ToOwned + ?Sized, U, Tape> {
    last: Option<(Replay<C>, (U, Tape))>,
    xs: Saved<[X]>,
    p: Saved<P>,
}

impl<R, A, N, Q, G, K, C, X, P, U, F, const W: usize> ReverseRule<R, (A, N, Q, G, K), W> for scan
where
    C: Operand + ?Sized,
    X: Item,
    P: Operand + ?Sized,
    U: Outcome<Value = U> + Item,
    R: ReverseReturn<W, Out = Vec<U>>,
    A: ReverseArgMut<C, W> + Annotation<Primal: Memory<Target = C>>,
    N: ReverseArg<[X], W> + Annotation<Primal: Memory<Target = [X]>>,
    Q: ReverseArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ReverseArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    K: ReverseArg<Schedule, W>,
    F: for<'a> Function<(&'a mut C, &'a X, &'a P), Output = U>,
    F: ReverseCarry<C, X, P, U, W>,
{
    type Tape = ScanTape<C, X, P, U, F::Tape>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (carry, xs, p, f, schedule): (&mut A, &mut N, &mut Q, &mut G, &mut K),
    ) -> Augmented<R, Self::Tape, W> {
        let actives = [carry.is_active(), xs.is_active(), p.is_active()];
        let active = carry.is_active() || R::ACTIVE && actives != [false; 3];
        let mut tape = ScanTape {
            last: None,
            xs: Saved::new(xs.primal(), active && config.overwritten(1)),
            p: Saved::new(p.primal(), active && config.overwritten(2)),
        };
        let (f, xs, p) = (&f.primal().0, xs.primal(), p.primal());
        let c = carry.primal_mut();
        let mut values = Vec::with_capacity(xs.len());
        let mut step = |c: &mut C, k: usize| values.push(f.call((c, &xs[k], p)));
        if active {
            let mut replay = Replay::new(xs.len(), schedule.primal().snapshots());
            if let Some(k) = replay.start(c, &mut step) {
                let body = config
                    .with_none_overwritten()
                    .with_overwritten(0, config.overwritten(0));
                let (value, last) = f.tape(&body, c, &xs[k], p, actives);
                tape.last = Some((replay, (value.clone(), last)));
                values.push(value);
            }
        } else {
            (0..xs.len()).for_each(|k| step(c, k));
        }
        R::augmented(config, values, tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (carry, xs, p, f, schedule): (&mut A, &mut N, &mut Q, &mut G, &mut K),
    ) -> (
        A::Gradient,
        N::Gradient,
        Q::Gradient,
        G::Gradient,
        K::Gradient,
    ) {
        let (mut of_xs, mut of_p) = (xs.no_gradient(), p.no_gradient());
        if let Some((mut replay, last)) = tape.last {
            let actives = [carry.is_active(), xs.is_active(), p.is_active()];
            let (xs, mut dxs) = xs.split(&mut of_xs);
            let (p, mut dp) = p.split(&mut of_p);
            let (xs, p) = (tape.xs.get(xs), tape.p.get(p));
            let (c, mut dc) = carry.split_mut();
            let f = &f.primal().0;
            let mut undo = |c: &mut C, k: usize, taped: (U, F::Tape), body: &ReverseConfig| {
                let (value, tape) = taped;
                let dy: [U; W] = from_fn(|lane| match dret.lane(lane) {
                    Some(dy) => dy[k].clone(),
                    None => Tangent::zero_like(&value),
                });
                let dx: Vec<&mut X> = dxs
                    .iter_mut()
                    .filter_map(Lane::as_deref_mut)
                    .map(|dxs| &mut dxs[k])
                    .collect();
                let (dc, dx, dp) = (lent(&mut dc), dx.try_into().ok(), lent(&mut dp));
                f.pull(body, c, dc, &xs[k], dx, p, dp, dy, tape);
            };
            let body = config.with_none_overwritten();
            let at_last = body.with_overwritten(0, config.overwritten(0));
            undo(c, xs.len() - 1, last, &at_last);
            let mut step = |c: &mut C, k: usize| {
                f.call((c, &xs[k], p));
            };
            while let Some((k, c)) = replay.before(&mut step) {
                let taped = f.tape(&body, c, &xs[k], p, actives);
                undo(c, k, taped, &body);
            }
        }
        (
            carry.no_gradient(),
            of_xs,
            of_p,
            f.no_gradient(),
            schedule.no_gradient(),
        )
    }
}
