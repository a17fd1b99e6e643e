//! A loop whose steps can be undone: its reverse pass goes back through the states, and keeps none.

use coenzyme::{
    Annotation, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule, Function,
    Inactive, Memory, ReverseArg, ReverseArgMut, ReverseConfig, ReverseReturn, ReverseRule, Saved,
    Tangent, primitive,
};
use std::borrow::{Borrow, BorrowMut};

use crate::body::{ForwardStep, ReverseStep, lent, tangents};
use crate::{Error, Operand};

/// How far the inverse of a step is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
pub struct Reversal(Inactive<Trust>);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Trust {
    Exact,
    Checked(f64),
    Approximate,
}

impl Reversal {
    /// The inverse leads back exactly, but for rounding: nothing is checked.
    pub const fn exact() -> Self {
        Self(Inactive(Trust::Exact))
    }

    /// The primal undoes each step and compares the state, by [`inverse_distance`]. Costs a call of the inverse and a copy of the state
    /// for each step.
    pub const fn checked(tolerance: f64) -> Self {
        Self(Inactive(Trust::Checked(tolerance)))
    }

    /// The inverse is **not** one: the states that the reverse pass finds differ from those of the loop, and so does the
    /// derivative from that of the loop. The error is that of the inverse, grown over the steps; it may be of any size.
    pub const fn approximate() -> Self {
        Self(Inactive(Trust::Approximate))
    }

    /// Whether derivatives are only approximately those of the loop.
    pub const fn is_approximate(self) -> bool {
        matches!(self.0.0, Trust::Approximate)
    }

    /// The tolerance of what is checked.
    const fn tolerance(self) -> Option<f64> {
        match self.0.0 {
            Trust::Checked(tolerance) => Some(tolerance),
            Trust::Exact | Trust::Approximate => None,
        }
    }
}

/// `f(x, p, t)` for each `t` in `0..n`, as [`iterate`](crate::iterate()), with steps that `inverse(x, p, t)` undoes.
///
/// The reverse pass finds each state from the one after it. It keeps none on the way, whatever the number of steps: two
/// states and one step's tape at a time. Each step runs twice (in the loop, and taped), its inverse once. The inverse needs no
/// rules.
///
/// A leapfrog step, an additive coupling, a rotation, a generator of random numbers have exact inverses. Dissipation loses digits:
/// undoing a contraction by `c` per step amplifies rounding errors by `c⁻ⁿ`.
///
/// # Errors
/// [`Error::NotInverse`] if the inverse is [`checked`](Reversal::checked) and does not lead back. The state is where the
/// loop was then; no shadow has been touched.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_loops::{Error, Reversal, reversible};
///
/// /// A leapfrog step of a pendulum.
/// #[differentiable]
/// fn leapfrog(x: &mut [f64], g: &f64, _t: usize) {
///     x[1] -= 0.01 * *g * x[0].sin();
///     x[0] += 0.01 * x[1];
/// }
///
/// #[inactive]
/// fn backwards(x: &mut [f64], g: &f64, _t: usize) {
///     x[0] -= 0.01 * x[1];
///     x[1] += 0.01 * *g * x[0].sin();
/// }
///
/// #[differentiable]
/// fn angle(start: f64, g: f64) -> Result<f64, Error> {
///     let mut x = [start, 0.0];
///     reversible(&mut x[..], &g, Inactive(leapfrog {}), Inactive(backwards {}), 1000, Reversal::exact())?;
///     Ok(x[0])
/// }
///
/// let (dstart, dg) = gradient!(angle, 1.0, 9.81)?;
/// let difference = (angle(1.0, 9.81 + 1e-6)? - angle(1.0, 9.81 - 1e-6)?) / 2e-6;
/// assert!((dg - difference).abs() < 1e-7 && dstart != 0.0);
/// # Ok::<(), Error>(())
/// ```
#[primitive]
pub fn reversible<S, P, F, B>(
    x: &mut S,
    p: &P,
    f: Inactive<F>,
    inverse: Inactive<B>,
    n: usize,
    reversal: Reversal,
) -> Result<(), Error>
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    F: for<'a> Function<(&'a mut S, &'a P, usize), Output = ()>,
    B: for<'a> Function<(&'a mut S, &'a P, usize), Output = ()>,
{
    for t in 0..n {
        let before = reversal.tolerance().map(|_| x.to_owned());
        f.0.call((x, p, t));
        if let (Some(tolerance), Some(before)) = (reversal.tolerance(), before) {
            check(&inverse.0, before.borrow(), x, p, t, tolerance)?;
        }
    }
    Ok(())
}

/// How far `inverse(f(x))` is from `x`: the norm of the difference of all floats, over that of `x` if it is above 1. Rounding gives
/// some 1e-16; whoever gives an inverse tests this at the states that matter.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_loops::inverse_distance;
///
/// #[differentiable]
/// fn turn(x: &mut f64, p: &f64, _t: usize) {
///     *x += p * x.sin();
/// }
/// #[inactive]
/// fn back(x: &mut f64, p: &f64, _t: usize) {
///     *x -= p * x.sin();
/// }
///
/// assert!(inverse_distance(&turn {}, &back {}, &1.0, &0.1, 0) > 1e-3); // it is not one
/// ```
pub fn inverse_distance<S, P, F, B>(f: &F, inverse: &B, x: &S, p: &P, t: usize) -> f64
where
    S: Operand + ?Sized,
    P: ?Sized,
    F: for<'a> Function<(&'a mut S, &'a P, usize), Output = ()>,
    B: for<'a> Function<(&'a mut S, &'a P, usize), Output = ()>,
{
    let mut state = x.to_owned();
    f.call((state.borrow_mut(), p, t));
    inverse.call((state.borrow_mut(), p, t));
    distance(x, Borrow::<S>::borrow(&state))
}

/// The relative distance of two states, absolute below 1.
fn distance<S: Tangent + ?Sized>(x: &S, y: &S) -> f64 {
    let (x, y) = (Tangent::to_flat(x), Tangent::to_flat(y));
    let norm = |squares: f64| squares.sqrt();
    let size = norm(x.iter().map(|x| x * x).sum()).max(1.0);
    norm(x.iter().zip(&y).map(|(x, y)| (x - y) * (x - y)).sum()) / size
}

/// Whether the inverse leads back from `after` to `before`.
fn check<S, P, B>(
    inverse: &B,
    before: &S,
    after: &S,
    p: &P,
    step: usize,
    tolerance: f64,
) -> Result<(), Error>
where
    S: Operand + ?Sized,
    P: ?Sized,
    B: for<'a> Function<(&'a mut S, &'a P, usize), Output = ()>,
{
    let mut back = after.to_owned();
    inverse.call((back.borrow_mut(), p, step));
    let distance = distance(before, Borrow::<S>::borrow(&back));
    if distance <= tolerance {
        return Ok(());
    }
    Err(Error::NotInverse {
        step,
        distance,
        tolerance,
    })
}

impl<R, X, Q, G, H, N, C, S, P, F, B, const W: usize> ForwardRule<R, (X, Q, G, H, N, C), W>
    for reversible
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    R: ForwardReturn<W, Out = Result<(), Error>>,
    X: ForwardArgMut<S, W> + Annotation<Primal: Memory<Target = S>>,
    Q: ForwardArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ForwardArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    H: ForwardArg<Inactive<B>, W> + Annotation<Primal = Inactive<B>>,
    N: ForwardArg<usize, W>,
    C: ForwardArg<Reversal, W>,
    F: ForwardStep<S, P, W>,
    B: for<'a> Function<(&'a mut S, &'a P, usize), Output = ()>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (x, p, f, inverse, n, reversal): (&mut X, &mut Q, &mut G, &mut H, &mut N, &mut C),
    ) -> Result<R::Forward, Error> {
        let dp = tangents(p);
        let (x, mut dx) = x.split_mut();
        let tolerance = reversal.primal().tolerance();
        for t in 0..*n.primal() {
            let before = tolerance.map(|_| x.to_owned());
            f.primal()
                .0
                .push(config, x, lent(&mut dx), p.primal(), dp, t);
            if let (Some(tolerance), Some(before)) = (tolerance, before) {
                check(
                    &inverse.primal().0,
                    before.borrow(),
                    x,
                    p.primal(),
                    t,
                    tolerance,
                )?;
            }
        }
        Ok(R::forward(config, || (), |_| ()))
    }
}

/// What the reverse pass starts from: the last state and the parameter, if they may be overwritten.
pub struct ReversibleTape<S: ToOwned + ?Sized, P: ToOwned + ?Sized> {
    x: Saved<S>,
    p: Saved<P>,
}

impl<R, X, Q, G, H, N, C, S, P, F, B, const W: usize> ReverseRule<R, (X, Q, G, H, N, C), W>
    for reversible
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    R: ReverseReturn<W, Out = Result<(), Error>>,
    X: ReverseArgMut<S, W> + Annotation<Primal: Memory<Target = S>>,
    Q: ReverseArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ReverseArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    H: ReverseArg<Inactive<B>, W> + Annotation<Primal = Inactive<B>>,
    N: ReverseArg<usize, W>,
    C: ReverseArg<Reversal, W>,
    F: for<'a> Function<(&'a mut S, &'a P, usize), Output = ()> + ReverseStep<S, P, W>,
    B: for<'a> Function<(&'a mut S, &'a P, usize), Output = ()>,
{
    type Tape = ReversibleTape<S, P>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, p, f, inverse, n, reversal): (&mut X, &mut Q, &mut G, &mut H, &mut N, &mut C),
    ) -> coenzyme::AugmentedOutcome<R, Self::Tape, W> {
        let active = x.is_active();
        let saved = Saved::new(p.primal(), active && config.overwritten(1));
        let (n, reversal) = (*n.primal(), *reversal.primal());
        let x = x.primal_mut();
        let (f, inverse) = (&f.primal().0, &inverse.primal().0);
        for t in 0..n {
            let check_at = reversal
                .tolerance()
                .map(|tolerance| (tolerance, x.to_owned()));
            f.call((x, p.primal(), t));
            if let Some((tolerance, before)) = check_at {
                check(inverse, before.borrow(), x, p.primal(), t, tolerance)?;
            }
        }
        let tape = ReversibleTape {
            x: Saved::new(x, active && config.overwritten(0)),
            p: saved,
        };
        Ok(R::augmented(config, (), tape))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        _: R::Cotangent,
        tape: Self::Tape,
        (x, p, f, inverse, n, reversal): (&mut X, &mut Q, &mut G, &mut H, &mut N, &mut C),
    ) -> (
        X::Gradient,
        Q::Gradient,
        G::Gradient,
        H::Gradient,
        N::Gradient,
        C::Gradient,
    ) {
        let (active, steps) = (x.is_active(), *n.primal());
        let mut of_p = p.no_gradient();
        if active && steps > 0 {
            let activities = (true, p.is_active());
            let body = config.with_none_overwritten();
            let (p, mut dp) = p.split(&mut of_p);
            let p = tape.p.get(p);
            let (x, mut dx) = x.split_mut();
            let (f, inverse) = (&f.primal().0, &inverse.primal().0);
            let mut before = tape.x.get(x).to_owned();
            let mut after = Borrow::<S>::borrow(&before).to_owned();
            for t in (0..steps).rev() {
                inverse.call((before.borrow_mut(), p, t));
                Borrow::<S>::borrow(&before).clone_into(&mut after);
                let taped = f.tape(&body, after.borrow_mut(), p, activities, t);
                let after = after.borrow_mut();
                f.pull(&body, after, lent(&mut dx), p, lent(&mut dp), t, taped);
            }
        }
        let others = (
            f.no_gradient(),
            inverse.no_gradient(),
            n.no_gradient(),
            reversal.no_gradient(),
        );
        (
            x.no_gradient(),
            of_p,
            others.0,
            others.1,
            others.2,
            others.3,
        )
    }
}
