//! A fixed point `x = g(x, p)`, differentiated where it is, not on the way there.
//!
//! | value | forward | reverse |
//! |---|---|---|
//! | `x` with `x = g(x, p)` | `ẋ = (1 − gₓ)⁻¹·gₚ·ṗ` | `w = (1 − gₓ)⁻ᵀ·x̄`, `p̄ += gₚᵀ·w` |
//!
//! Source: Christianson 1994, *Reverse accumulation and attractive fixed points*, doi:10.1080/10556789408805572.

use std::borrow::{Borrow, BorrowMut};

use coenzyme::{
    Annotation, AugmentedOutcome, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn,
    ForwardRule, Function, Inactive, Memory, ReverseArg, ReverseArgMut, ReverseConfig,
    ReverseReturn, ReverseRule, Tangent, primitive,
};

use super::anderson::Anderson;
use super::linear::{
    Lu, Solver, conjugate_gradients, distance, floats, gmres, neumann, norm, shaped, unit,
};
use super::solution::{SolutionTape, pulled, pushed, taped};
use crate::body::{ForwardStep, ReverseStep, tangents};
use crate::{Error, Operand};

/// When an iteration to a fixed point ends, and how its derivative is found.
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
pub struct FixedPoint(Inactive<Settings>);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Settings {
    tolerance: f64,
    limit: usize,
    solver: Solver,
    /// How many rounds an accelerated iteration looks back; 0 if it is plain.
    depth: usize,
}

impl FixedPoint {
    /// Ends when a step is at most `tolerance·max(1, ‖x‖)`; it is an error if none of `limit` steps is. The derivative is found by
    /// [`Solver::Iteration`].
    pub const fn new(tolerance: f64, limit: usize) -> Self {
        Self(Inactive(Settings {
            tolerance,
            limit,
            solver: Solver::Iteration,
            depth: 0,
        }))
    }

    /// The same by Anderson's acceleration, which looks back so many rounds, 5 say: fewer steps where the plain iteration converges slowly, and
    /// sometimes a solution where it does not converge. It stores `2·depth` states. If the plain iteration diverges, the derivative needs
    /// another [`Solver`] than [`Solver::Iteration`].
    ///
    /// ```
    /// use coenzyme::prelude::*;
    /// use coenzyme_loops::{FixedPoint, fixed_point};
    ///
    /// #[differentiable]
    /// fn cosine(x: &mut f64, theta: &f64, _t: usize) {
    ///     *x = (*theta * *x).cos();
    /// }
    ///
    /// let steps = |how| fixed_point(&mut 1.0, &1.0, Inactive(cosine {}), how);
    /// let plain = FixedPoint::new(1e-12, 500);
    /// assert_eq!(steps(plain), Ok(69));
    /// assert!(steps(plain.accelerated(3))? < 10);
    /// # Ok::<(), coenzyme_loops::Error>(())
    /// ```
    #[must_use]
    pub const fn accelerated(self, depth: usize) -> Self {
        let Self(Inactive(settings)) = self;
        Self(Inactive(Settings { depth, ..settings }))
    }

    /// The same with another solver of the linear system.
    #[must_use]
    pub const fn with_solver(self, solver: Solver) -> Self {
        let Self(Inactive(settings)) = self;
        Self(Inactive(Settings { solver, ..settings }))
    }
}

/// Runs `x ← f(x, p, t)` until it stays, from the initial guess in `x`, which has no derivative. Returns the number of steps.
///
/// The derivative is that of the solution of `x = f(x, p)`, from the implicit function theorem: it does not depend on the way to it, and is right
/// also where the derivative of the iterations lags behind their values, as that of Newton's method does. Memory: that of one
/// step, whatever the number of steps. The step may depend on `t` only in how it gets there; derivatives are taken with `t = 0`.
///
/// Cost of the derivative, in derivatives of one step: as many as there were steps by [`Solver::Iteration`], `n` and `2n³/3` flops by
/// [`Solver::Direct`], at most `n` by [`Solver::Gmres`]. Lanes are solved one after the other.
///
/// # Errors
/// [`Error::NoConvergence`]; with [`Solver::Direct`] [`Error::SingularJacobian`] if 1 is an eigenvalue of `gₓ`.
///
/// # Panics
/// In the reverse pass, before any shadow is touched, if the linear system cannot be solved by the iteration chosen: where the fixed
/// point attracts, it can.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_loops::{Error, FixedPoint, fixed_point};
///
/// /// Heron's step to `√a`.
/// #[differentiable]
/// fn heron(x: &mut f64, a: &f64, _t: usize) {
///     *x = 0.5 * (*x + *a / *x);
/// }
///
/// #[differentiable]
/// fn root(a: f64) -> Result<f64, Error> {
///     let mut x = 1.0;
///     fixed_point(&mut x, &a, Inactive(heron {}), FixedPoint::new(1e-12, 50))?;
///     Ok(x)
/// }
///
/// let (da,) = gradient!(root, 2.0)?;
/// assert!((da - 0.5 / 2.0_f64.sqrt()).abs() < 1e-15);
/// # Ok::<(), Error>(())
/// ```
#[primitive]
pub fn fixed_point<S, P, F>(
    x: &mut S,
    p: &P,
    f: Inactive<F>,
    how: FixedPoint,
) -> Result<usize, Error>
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    F: for<'a> Function<(&'a mut S, &'a P, usize), Output = ()>,
{
    settle(x, p, &f.0, how)
}

/// The primal of [`fixed_point()`].
fn settle<S, P, F>(x: &mut S, p: &P, f: &F, how: FixedPoint) -> Result<usize, Error>
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    F: for<'a> Function<(&'a mut S, &'a P, usize), Output = ()>,
{
    let Settings {
        tolerance,
        limit,
        depth,
        ..
    } = how.0.0;
    let mut anderson = Anderson::new(depth);
    let (mut before, mut after) = (floats(x), Vec::new());
    let mut residual = f64::INFINITY;
    for t in 0..limit {
        f.call((x, p, t));
        after.clear();
        Tangent::flatten_into(x, &mut after);
        residual = distance(&after, &before);
        if residual <= tolerance * norm(&after).max(1.0) {
            return Ok(t + 1);
        }
        if depth > 0 {
            after = anderson.next(&before, &after);
            Tangent::unflatten(x, &after);
        }
        std::mem::swap(&mut before, &mut after);
    }
    Err(Error::NoConvergence {
        iterations: limit,
        residual,
        tolerance,
    })
}

impl<R, X, Q, G, C, S, P, F, const W: usize> ForwardRule<R, (X, Q, G, C), W> for fixed_point
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    R: ForwardReturn<W, Out = Result<usize, Error>>,
    X: ForwardArgMut<S, W> + Annotation<Primal: Memory<Target = S>>,
    Q: ForwardArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ForwardArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    C: ForwardArg<FixedPoint, W>,
    F: for<'a> Function<(&'a mut S, &'a P, usize), Output = ()> + ForwardStep<S, P, 1>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (x, p, f, how): (&mut X, &mut Q, &mut G, &mut C),
    ) -> Result<R::Forward, Error> {
        let (how, dp) = (*how.primal(), tangents(p));
        let (f, p) = (&f.primal().0, p.primal());
        // gₓ·v + gₚ·ṗ
        let along = |x: &S, v: &[f64], dp: Option<&P>| {
            let (mut x, mut dx) = (x.to_owned(), shaped(x, v));
            let lanes = Some([dx.borrow_mut()]);
            f.push(config, x.borrow_mut(), lanes, p, dp.map(|dp| [dp]), 0);
            floats::<S>(dx.borrow())
        };
        let tangents = |x: &S| {
            let zero = vec![0.0; floats(x).len()];
            let system = System::new(how, zero.len(), |v| along(x, v, None))?;
            let tangent = |lane: usize| {
                let right = dp.map_or(zero.clone(), |dp| along(x, &zero, Some(dp[lane])));
                system.solve(&right, |v| along(x, v, None))
            };
            (0..W).map(tangent).collect()
        };
        let steps = pushed(
            x,
            |x| settle(x, p, f, how),
            tangents,
            |dx: &mut S, t: Vec<f64>| {
                Tangent::unflatten(dx, &t);
            },
        )?;
        Ok(R::forward(config, || steps, |_| steps))
    }
}

/// `(1 − J)·w = b`
struct System {
    how: Settings,
    lu: Option<Lu>,
}

impl System {
    /// The system of a Jacobian of size `n`, which is factorized now if it is to be.
    fn new(
        how: FixedPoint,
        n: usize,
        mut apply: impl FnMut(&[f64]) -> Vec<f64>,
    ) -> Result<Self, Error> {
        let how = how.0.0;
        let column = |i: usize| -> Vec<f64> {
            let e = unit(n, i);
            let product = apply(&e);
            e.iter().zip(product).map(|(e, p)| e - p).collect()
        };
        let lu = match how.solver {
            Solver::Direct => Some(Lu::of_columns(n, column)?),
            _ => None,
        };
        Ok(Self { how, lu })
    }

    fn solve(&self, b: &[f64], apply: impl FnMut(&[f64]) -> Vec<f64>) -> Result<Vec<f64>, Error> {
        solution(self.how, self.lu.as_ref(), b, apply)
    }
}

/// `(1 − J)⁻¹·b`, by the factors if there are some.
fn solution(
    how: Settings,
    lu: Option<&Lu>,
    b: &[f64],
    mut apply: impl FnMut(&[f64]) -> Vec<f64>,
) -> Result<Vec<f64>, Error> {
    let tolerance = how.tolerance;
    let less = |v: &[f64]| -> Vec<f64> {
        let product = apply(v);
        v.iter().zip(product).map(|(v, p)| v - p).collect()
    };
    match (lu, how.solver) {
        (Some(lu), _) => Ok(lu.solve(b)),
        (None, Solver::Gmres) => gmres(b, tolerance, less),
        (None, Solver::ConjugateGradients) => conjugate_gradients(b, tolerance, less),
        // the adjoint converges as fast as the values, but may begin farther away
        (None, _) => neumann(b, tolerance, 10 * how.limit, apply),
    }
}

impl<R, X, Q, G, C, S, P, F, const W: usize> ReverseRule<R, (X, Q, G, C), W> for fixed_point
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    R: ReverseReturn<W, Out = Result<usize, Error>>,
    X: ReverseArgMut<S, W> + Annotation<Primal: Memory<Target = S>>,
    Q: ReverseArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ReverseArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    C: ReverseArg<FixedPoint, W>,
    F: for<'a> Function<(&'a mut S, &'a P, usize), Output = ()> + ReverseStep<S, P, 1>,
{
    type Tape = SolutionTape<S, P, Option<Lu>>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, p, f, how): (&mut X, &mut Q, &mut G, &mut C),
    ) -> AugmentedOutcome<R, Self::Tape, W> {
        let (f, how) = (&f.primal().0, *how.primal());
        let find = |x: &mut S, p: &P| settle(x, p, f, how);
        let factors = |x: &S, p: &P| {
            let back = |v: &[f64]| transposed(f, config, x, p, v);
            System::new(how, floats(x).len(), back).map(|system| system.lu)
        };
        let (steps, tape) = taped(config, x, p, find, factors)?;
        Ok(R::augmented(config, steps, tape))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        _: R::Cotangent,
        tape: Self::Tape,
        (x, p, f, how): (&mut X, &mut Q, &mut G, &mut C),
    ) -> (X::Gradient, Q::Gradient, G::Gradient, C::Gradient) {
        let (body, settings) = (&f.primal().0, how.primal().0.0);
        let solve = |x: &S, p: &P, lu: &Option<Lu>, dx: &S| {
            let back = |v: &[f64]| transposed(body, config, x, p, v);
            solution(settings, lu.as_ref(), &floats(dx), back)
                .unwrap_or_else(|error| panic!("fixed_point, reverse pass: {error}"))
        };
        let (of_x, of_p) = pulled(tape, x, p, solve, |x, p, w, dp| {
            pull_parameter(body, config, x, p, &w, dp);
        });
        (of_x, of_p, f.no_gradient(), how.no_gradient())
    }
}

/// `gₓᵀ·v`
fn transposed<S, P, F>(f: &F, config: &ReverseConfig, x: &S, p: &P, v: &[f64]) -> Vec<f64>
where
    S: Operand + ?Sized,
    P: ?Sized,
    F: ReverseStep<S, P, 1>,
{
    let config = config.with_none_overwritten();
    let (mut x, mut dx) = (x.to_owned(), shaped(x, v));
    let tape = f.tape(&config, x.borrow_mut(), p, (true, false), 0);
    let lanes = Some([dx.borrow_mut()]);
    f.pull(&config, x.borrow_mut(), lanes, p, None, 0, tape);
    floats::<S>(dx.borrow())
}

/// `p̄ += gₚᵀ·w`
fn pull_parameter<S, P, F>(f: &F, config: &ReverseConfig, x: &S, p: &P, w: &[f64], dp: &mut P)
where
    S: Operand + ?Sized,
    P: ?Sized,
    F: ReverseStep<S, P, 1>,
{
    let config = config.with_none_overwritten();
    let (mut x, mut dx) = (x.to_owned(), shaped(x, w));
    let tape = f.tape(&config, x.borrow_mut(), p, (true, true), 0);
    let lanes = Some([dx.borrow_mut()]);
    f.pull(&config, x.borrow_mut(), lanes, p, Some([dp]), 0, tape);
}
