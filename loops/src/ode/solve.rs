//! The solver: steps of a size that is given, or chosen by an error estimate.

use std::ops::ControlFlow::{self, Continue};

use coenzyme::schedule::Replay;
use coenzyme::{
    Annotation, AugmentedOutcome, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn,
    ForwardRule, Function, Inactive, Lane, Memory, Real, ReverseArg, ReverseArgMut, ReverseConfig,
    ReverseReturn, ReverseRule, Saved, Tangent, primitive,
};

use super::continuous::Adjoint;
use super::step::{Interval, Stages, Stepper};
use super::tableau::Method;
use crate::body::{ForwardField, ReverseField, lent, tangents};
use crate::online::Online;
use crate::{Copied, Error, Operand};

/// How a differential equation is solved.
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
pub struct Ode(Inactive<Settings>);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Settings {
    method: Method,
    from: f64,
    to: f64,
    steps: Steps,
    states: usize,
    adjoint: Adjoint,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Steps {
    Equal(usize),
    Chosen {
        relative: f64,
        absolute: f64,
        limit: usize,
    },
}

impl Ode {
    pub(super) const fn method(self) -> Method {
        self.0.0.method
    }

    pub(super) const fn ends(self) -> [f64; 2] {
        [self.0.0.from, self.0.0.to]
    }

    pub(super) const fn states(self) -> usize {
        self.0.0.states
    }

    /// `steps` equal steps of `method` from time `from` to time `to`, which may be earlier.
    pub const fn fixed(method: Method, from: f64, to: f64, steps: usize) -> Self {
        Self(Inactive(Settings {
            method,
            from,
            to,
            steps: Steps::Equal(steps),
            states: 32,
            adjoint: Adjoint::Discrete,
        }))
    }

    /// Steps chosen so that the estimated error of each is `relative·|x| + absolute` in the root mean square. At most 100 000 of them.
    ///
    /// # Panics
    /// If the method has no error estimate: those of [`Method::DormandPrince`], [`Method::Sdirk2`] and [`Method::Sdirk4`] have.
    #[track_caller]
    pub const fn adaptive(
        method: Method,
        from: f64,
        to: f64,
        relative: f64,
        absolute: f64,
    ) -> Self {
        assert!(
            method.tableau().error.is_some(),
            "a method without error estimate has steps of a fixed size"
        );
        Self(Inactive(Settings {
            method,
            from,
            to,
            steps: Steps::Chosen {
                relative,
                absolute,
                limit: 100_000,
            },
            states: 32,
            adjoint: Adjoint::Discrete,
        }))
    }

    /// The same with at most `states` states kept for the reverse pass; 32 if nothing is said.
    ///
    /// # Panics
    /// If `states` is less than 2.
    #[must_use]
    #[track_caller]
    pub const fn keeping(self, states: usize) -> Self {
        assert!(states > 1, "a solver keeps at least two states");
        let Self(Inactive(settings)) = self;
        Self(Inactive(Settings { states, ..settings }))
    }

    /// The same with another derivative in reverse mode. Values and forward mode do not change.
    ///
    /// ```
    /// use coenzyme::prelude::*;
    /// use coenzyme_loops::Error;
    /// use coenzyme_loops::ode::{Adjoint, Method, Ode, integrate};
    ///
    /// #[differentiable]
    /// fn decay(dx: &mut [f64], x: &[f64], rate: &f64, _t: f64) {
    ///     dx[0] = -*rate * x[0];
    /// }
    ///
    /// #[differentiable]
    /// fn left(rate: f64, #[constant] adjoint: Adjoint) -> Result<f64, Error> {
    ///     let mut x = [2.0];
    ///     let ode = Ode::fixed(Method::Rk4, 0.0, 1.5, 10).adjoint(adjoint);
    ///     integrate(&mut x[..], &rate, Inactive(decay {}), ode)?;
    ///     Ok(x[0])
    /// }
    ///
    /// let of = |adjoint: Adjoint| {
    ///     let ((slope, ()),) = autodiff!(Reverse, left, Active, Active(0.7), Const(adjoint))?;
    ///     Ok::<f64, Error>(slope)
    /// };
    /// let exact = -3.0 * (-1.05_f64).exp();
    /// let (discrete, interpolated) = (of(Adjoint::Discrete)?, of(Adjoint::Interpolated)?);
    /// assert!((discrete - exact).abs() < 1e-5 && (interpolated - exact).abs() < 1e-5);
    /// assert!(discrete != interpolated);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Panics
    /// If the method is implicit and the adjoint is not that of the discrete solver: the adjoint of a stiff equation is stiff, and its steps are explicit.
    #[must_use]
    #[track_caller]
    pub const fn adjoint(self, adjoint: Adjoint) -> Self {
        let Self(Inactive(settings)) = self;
        assert!(
            !adjoint.is_approximate() || settings.method.tableau().diagonal == 0.0,
            "the adjoint equation is solved by an explicit method, and an implicit one was asked for"
        );
        Self(Inactive(Settings {
            adjoint,
            ..settings
        }))
    }
}

/// Takes `x` from its state at the first time to that at the last, and returns the number of steps. `x` is `(n)`.
///
/// Explicit methods call the equation once for each stage. Implicit ones solve each stage by Newton's method with a dense Jacobian of `n` forward
/// derivatives. Reverse mode runs each step as often as [`while_loop`](crate::while_loop()) does, and one pullback of the equation for each stage;
/// [`Ode::adjoint`] has other ways.
///
/// # Errors
/// [`Error::StepTooSmall`], [`Error::NoConvergence`] (of an implicit stage, or of more steps than allowed), [`Error::SingularJacobian`].
/// `x` is where the solver was then; no shadow has been touched.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_loops::Error;
/// use coenzyme_loops::ode::{Method, Ode, integrate};
///
/// #[differentiable]
/// fn decay(dx: &mut [f64], x: &[f64], rate: &f64, _t: f64) {
///     dx[0] = -*rate * x[0];
/// }
///
/// #[differentiable]
/// fn left(start: f64, rate: f64) -> Result<f64, Error> {
///     let mut x = [start];
///     integrate(&mut x[..], &rate, Inactive(decay {}), Ode::fixed(Method::Rk4, 0.0, 1.5, 100))?;
///     Ok(x[0])
/// }
///
/// let (dstart, drate) = gradient!(left, 2.0, 0.7)?;
/// assert!((dstart - (-1.05_f64).exp()).abs() < 1e-9);
/// assert!((drate + 3.0 * (-1.05_f64).exp()).abs() < 1e-8);
/// # Ok::<(), Error>(())
/// ```
#[primitive]
pub fn integrate<T, P, F>(x: &mut [T], p: &P, f: Inactive<F>, ode: Ode) -> Result<usize, Error>
where
    T: Real,
    P: Operand + ?Sized,
    F: for<'a> Function<(&'a mut [T], &'a [T], &'a P, f64), Output = ()> + ForwardField<[T], P, 1>,
{
    run(&f.0, p, ode, x, &mut |_, _, _| Ok(Continue(())))
}

/// What sees each step, and may stop before it.
pub(super) type Show<'a, T> =
    dyn FnMut(&[T], &Stages<T>, Interval) -> Result<ControlFlow<()>, Error> + 'a;

/// Solves the equation, and shows each step: the state before it, its stages, where it is.
pub(super) fn run<T, P, F>(
    f: &F,
    p: &P,
    ode: Ode,
    x: &mut [T],
    show: &mut Show<'_, T>,
) -> Result<usize, Error>
where
    T: Real,
    P: Operand + ?Sized,
    F: for<'a> Function<(&'a mut [T], &'a [T], &'a P, f64), Output = ()> + ForwardField<[T], P, 1>,
{
    let Settings {
        method,
        from,
        to,
        steps,
        ..
    } = ode.0.0;
    let tableau = method.tableau();
    let stepper = Stepper { tableau, f, p };
    match steps {
        Steps::Equal(n) => {
            for i in 0..n {
                let at = equal(from, to, n, i);
                let stages = stepper.stages(x, at)?;
                if show(x, &stages, at)?.is_break() {
                    return Ok(i);
                }
                advance(x, &stages, tableau.b, at.length);
            }
            Ok(n)
        }
        Steps::Chosen {
            relative,
            absolute,
            limit,
        } => {
            let mut taken = 0;
            let (mut t, mut h) = (from, (to - from) * 1e-2);
            while t != to {
                if taken == limit {
                    return Err(Error::NoConvergence {
                        iterations: limit,
                        residual: to - t,
                        tolerance: 0.0,
                    });
                }
                // the last step ends where it should
                let last = (to - t).abs() <= h.abs() * 1.000_001;
                let length = if last { to - t } else { h };
                if length.abs() <= 16.0 * f64::EPSILON * t.abs().max((to - from).abs()) {
                    return Err(Error::StepTooSmall {
                        at: t,
                        step: length,
                    });
                }
                let at = Interval { start: t, length };
                let error = match stepper.stages(x, at) {
                    Err(Error::NoConvergence { .. }) => f64::INFINITY,
                    Err(other) => return Err(other),
                    Ok(stages) => {
                        let mut new = x.to_vec();
                        advance(&mut new, &stages, tableau.b, length);
                        let error = estimate(&stepper, x, &new, &stages, at, relative, absolute);
                        if error <= 1.0 {
                            if show(x, &stages, at)?.is_break() {
                                return Ok(taken);
                            }
                            x.copy_from_slice(&new);
                            t = if last { to } else { t + length };
                            taken += 1;
                        }
                        error
                    }
                };
                // a NaN is an error that is too large
                let factor = 0.9 * error.max(1e-10).powf(-1.0 / f64::from(tableau.order));
                h = length
                    * if error.is_finite() {
                        factor.clamp(0.2, 5.0)
                    } else {
                        0.2
                    };
            }
            Ok(taken)
        }
    }
}

/// Step `i` of `n` equal ones.
fn equal(from: f64, to: f64, n: usize, i: usize) -> Interval {
    let length = (to - from) / n as f64;
    Interval {
        start: from + i as f64 * length,
        length,
    }
}

/// `x += h·Σ bᵢkᵢ`
pub(super) fn advance<T: Real>(x: &mut [T], stages: &Stages<T>, b: &[f64], h: f64) {
    for (b, k) in b.iter().zip(&stages.slopes) {
        let weight = T::lit(h * b);
        x.iter_mut().zip(k).for_each(|(x, k)| *x += weight * *k);
    }
}

/// The estimated error of a step, in units of what is allowed: of the values alone.
fn estimate<T, P, F>(
    stepper: &Stepper<'_, F, P>,
    x: &[T],
    new: &[T],
    stages: &Stages<T>,
    at: Interval,
    relative: f64,
    absolute: f64,
) -> f64
where
    T: Real,
    P: Operand + ?Sized,
    F: for<'a> Function<(&'a mut [T], &'a [T], &'a P, f64), Output = ()>,
{
    let weights = stepper.tableau.error.expect("looked at when it was chosen");
    let mut end = vec![T::zero(); x.len()];
    let of_end = weights[stages.slopes.len()];
    if of_end != 0.0 {
        let t = at.start + at.length;
        stepper.f.call((&mut end, new, stepper.p, t));
    }
    let squares = (0..x.len()).map(|i| {
        let slopes = stages.slopes.iter().zip(weights);
        let error: f64 =
            slopes.map(|(k, e)| e * k[i].to_plain()).sum::<f64>() + of_end * end[i].to_plain();
        let size = x[i].to_plain().abs().max(new[i].to_plain().abs());
        (at.length * error / (absolute + relative * size)).powi(2)
    });
    let sum: f64 = squares.sum();
    if sum.is_nan() {
        f64::INFINITY
    } else {
        (sum / x.len().max(1) as f64).sqrt()
    }
}

impl<R, X, Q, G, C, T, P, F, const W: usize> ForwardRule<R, (X, Q, G, C), W> for integrate
where
    T: Real,
    P: Operand + ?Sized,
    R: ForwardReturn<W, Out = Result<usize, Error>>,
    X: ForwardArgMut<[T], W> + Annotation<Primal: Memory<Target = [T]>>,
    Q: ForwardArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ForwardArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    C: ForwardArg<Ode, W>,
    F: for<'a> Function<(&'a mut [T], &'a [T], &'a P, f64), Output = ()>
        + ForwardField<[T], P, 1>
        + ForwardField<[T], P, W>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (x, p, f, ode): (&mut X, &mut Q, &mut G, &mut C),
    ) -> Result<R::Forward, Error> {
        let (dp, ode) = (tangents(p), *ode.primal());
        let (f, p) = (&f.primal().0, p.primal());
        let tableau = ode.0.0.method.tableau();
        let stepper = Stepper { tableau, f, p };
        let (x, mut lanes) = x.split_mut();
        let mut dx = lent(&mut lanes);
        // what is assigned is assigned when all has gone well
        let mut ahead = dx.as_ref().map(|dx| dx.each_ref().map(|dx| dx.to_vec()));
        let steps = run(f, p, ode, x, &mut |_, stages, at| match &mut ahead {
            None => Ok(Continue(())),
            Some(ahead) => {
                let mut ahead = ahead.each_mut().map(|dx| &mut dx[..]);
                let done = stepper.forward(config, stages, &mut ahead, dp, at);
                done.map(Continue)
            }
        })?;
        if let (Some(dx), Some(ahead)) = (&mut dx, ahead) {
            dx.iter_mut()
                .zip(ahead)
                .for_each(|(dx, ahead)| dx.copy_from_slice(&ahead));
        }
        Ok(R::forward(config, || steps, |_| steps))
    }
}

/// What the reverse pass of [`integrate()`] starts from: the steps, the states that are kept, and the parameter if it may be overwritten.
pub struct OdeTape<T: Clone, P: ToOwned + ?Sized> {
    steps: Vec<(f64, f64)>,
    kept: Vec<(usize, Copied<[T]>)>,
    /// The last state, if the derivative is that of the solution.
    end: Vec<T>,
    p: Saved<P>,
}

impl<T: Clone, P: ToOwned + ?Sized> OdeTape<T, P> {
    /// Where each step began, and how long it was.
    pub fn steps(&self) -> &[(f64, f64)] {
        &self.steps
    }

    /// The number of states on the tape.
    pub fn snapshots(&self) -> usize {
        self.kept.len() + usize::from(!self.end.is_empty())
    }
}

impl<R, X, Q, G, C, T, P, F, const W: usize> ReverseRule<R, (X, Q, G, C), W> for integrate
where
    T: Real,
    P: Operand + ?Sized,
    R: ReverseReturn<W, Out = Result<usize, Error>>,
    X: ReverseArgMut<[T], W> + Annotation<Primal: Memory<Target = [T]>>,
    Q: ReverseArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ReverseArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    C: ReverseArg<Ode, W>,
    F: for<'a> Function<(&'a mut [T], &'a [T], &'a P, f64), Output = ()>
        + ForwardField<[T], P, 1>
        + ReverseField<[T], P, W>,
{
    type Tape = OdeTape<T, P>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, p, f, ode): (&mut X, &mut Q, &mut G, &mut C),
    ) -> AugmentedOutcome<R, Self::Tape, W> {
        let (active, ode) = (x.is_active(), *ode.primal());
        let saved = Saved::new(p.primal(), active && config.overwritten(1));
        let mut online = Online::<[T]>::new(ode.0.0.states);
        let mut steps = Vec::new();
        let (f, p, x) = (&f.primal().0, p.primal(), x.primal_mut());
        let adjoint = ode.0.0.adjoint;
        let taken = run(f, p, ode, x, &mut |x, _, at| {
            if active {
                if adjoint != Adjoint::BackSolve {
                    online.offer(steps.len(), x);
                }
                steps.push((at.start, at.length));
            }
            Ok(Continue(()))
        })?;
        let (kept, p) = (online.kept, saved);
        let end = match active && adjoint.is_approximate() {
            true => x.to_vec(),
            false => Vec::new(),
        };
        let tape = OdeTape {
            steps,
            kept,
            end,
            p,
        };
        Ok(R::augmented(config, taken, tape))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        _: R::Cotangent,
        tape: Self::Tape,
        (x, p, f, ode): (&mut X, &mut Q, &mut G, &mut C),
    ) -> (X::Gradient, Q::Gradient, G::Gradient, C::Gradient) {
        let mut of_p = p.no_gradient();
        if !tape.steps.is_empty() {
            let active = p.is_active();
            let (p, mut dp) = p.split(&mut of_p);
            let (f, p) = (&f.primal().0, tape.p.get(p));
            let (_, mut dx) = x.split_mut();
            let mut dx = lent(&mut dx).expect("the state is active");
            let taken = Taken {
                ode: *ode.primal(),
                steps: &tape.steps,
                kept: tape.kept,
                end: tape.end,
            };
            unwind(config, f, (p, active), taken, &mut dx, &mut dp);
        }
        (x.no_gradient(), of_p, f.no_gradient(), ode.no_gradient())
    }
}

/// What the reverse pass knows of the steps: where each was, and some of the states before them.
pub(super) struct Taken<'a, T> {
    pub(super) ode: Ode,
    pub(super) steps: &'a [(f64, f64)],
    pub(super) kept: Vec<(usize, Vec<T>)>,
    pub(super) end: Vec<T>,
}

/// Takes the cotangents of the last state in `dx` back to the first one, and adds to those of the parameter, if it is active.
pub(super) fn unwind<T, P, F, const W: usize>(
    config: &ReverseConfig,
    f: &F,
    (p, active): (&P, bool),
    taken: Taken<'_, T>,
    dx: &mut [&mut [T]; W],
    dp: &mut [Lane<'_, P>; W],
) where
    T: Real,
    P: Operand + ?Sized,
    F: for<'a> Function<(&'a mut [T], &'a [T], &'a P, f64), Output = ()>
        + ForwardField<[T], P, 1>
        + ReverseField<[T], P, W>,
{
    let settings = taken.ode.0.0;
    let tableau = settings.method.tableau();
    let stepper = Stepper { tableau, f, p };
    let at = |i: usize| {
        let (start, length) = taken.steps[i];
        Interval { start, length }
    };
    let stages = |x: &[T], i| {
        let stages = stepper.stages(x, at(i));
        stages.expect("a step succeeds again where it has succeeded")
    };
    let (n, end) = (taken.steps.len(), taken.end);
    let replay = |kept| Replay::<[T]>::resume(n, settings.states, kept);
    let mut step = |x: &mut [T], i: usize| {
        let stages = stages(x, i);
        advance(x, &stages, tableau.b, at(i).length);
    };
    match settings.adjoint {
        Adjoint::Discrete => {
            let mut replay = replay(taken.kept);
            while let Some((i, x)) = replay.before(&mut step) {
                let taped = stepper.tape::<T, W>(config, stages(x, i), active, at(i));
                stepper.pull(config, taped, dx, lent(dp), at(i));
            }
        }
        Adjoint::Interpolated => {
            let mut replay = replay(taken.kept);
            let mut ahead = stepper.ahead(end, last(taken.steps));
            while let Some((i, x)) = replay.before(&mut step) {
                let dp = lent(dp).filter(|_| active);
                stepper.against(config, x, &mut ahead, dx, dp, at(i));
            }
        }
        Adjoint::BackSolve => {
            let mut ahead = stepper.ahead(end, last(taken.steps));
            for i in (0..n).rev() {
                let x = stepper.back(&ahead, at(i));
                let dp = lent(dp).filter(|_| active);
                stepper.against(config, &x, &mut ahead, dx, dp, at(i));
            }
        }
    }
}

/// Where the last step ended.
fn last(steps: &[(f64, f64)]) -> f64 {
    steps.last().map_or(0.0, |(start, length)| start + length)
}
