//! A root `f(x, p) = 0`, by Newton's method, differentiated where it is.
//!
//! | value | forward | reverse |
//! |---|---|---|
//! | `x` with `f(x, p) = 0` | `ẋ = −fₓ⁻¹·fₚ·ṗ` | `λ = fₓ⁻ᵀ·x̄`, `p̄ −= fₚᵀ·λ` |

use std::borrow::{Borrow, BorrowMut};

use coenzyme::{
    Annotation, AugmentedOutcome, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn,
    ForwardRule, Function, Inactive, Memory, ReverseArg, ReverseArgMut, ReverseConfig,
    ReverseReturn, ReverseRule, Tangent, primitive,
};

use super::linear::{Lu, Solver, floats, norm, shaped, unit};
use super::solution::{SolutionTape, pulled, pushed, taped};
use crate::body::{ForwardResidual, ReverseResidual, tangents};
use crate::{Error, Operand};

/// When Newton's method ends, and how its linear systems are solved.
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
pub struct Newton(Inactive<Settings>);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Settings {
    tolerance: f64,
    limit: usize,
    solver: Solver,
}

impl Newton {
    /// Ends when the norm of the residual is at most `tolerance`; it is an error if it is not after `limit` steps. Systems are
    /// solved by [`Solver::Direct`].
    pub const fn new(tolerance: f64, limit: usize) -> Self {
        Self(Inactive(Settings {
            tolerance,
            limit,
            solver: Solver::Direct,
        }))
    }

    /// The same without matrices: systems are solved by [`Solver::Gmres`], in the method and in its derivative.
    #[must_use]
    pub const fn matrix_free(self) -> Self {
        let Self(Inactive(settings)) = self;
        let solver = Solver::Gmres;
        Self(Inactive(Settings { solver, ..settings }))
    }

    /// The same for a Jacobian that is symmetric and definite, as that of the gradient of a strictly convex function: without matrices, by
    /// [`Solver::ConjugateGradients`].
    #[must_use]
    pub const fn symmetric(self) -> Self {
        let Self(Inactive(settings)) = self;
        let solver = Solver::ConjugateGradients;
        Self(Inactive(Settings { solver, ..settings }))
    }
}

/// Finds `x` with `f(r, x, p)` writing zeros to `r`, from the initial guess in `x`, which has no derivative. Returns the number of steps.
/// `r` has the shape of `x`.
///
/// Newton's method with the Jacobian from the forward rule of `f`; a step that does not make the residual smaller is halved.
/// The derivative is that of the solution, from the implicit function theorem, and keeps nothing of the way to it. The gradient of a smooth function
/// as `f` gives its minimum, the conditions of Lagrange a minimum under equations.
///
/// Cost of a step, for `n` floats: `n` forward derivatives of `f` and `2n³/3` flops, or as many derivatives as GMRES takes iterations. The derivative of
/// the whole costs as much as a step, and reverse mode one pullback of `f` more in each lane.
///
/// # Errors
/// [`Error::NoConvergence`], [`Error::SingularJacobian`], with `x` where the method was.
///
/// # Panics
/// In the reverse pass, before any shadow is touched, if GMRES or conjugate gradients do not converge.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_loops::{Error, Newton, root};
///
/// /// Kepler's equation `E − e·sin E = M`, of `p = (M, e)`.
/// #[differentiable]
/// fn kepler(r: &mut f64, anomaly: &f64, p: &(f64, f64)) {
///     *r = *anomaly - p.1 * (*anomaly).sin() - p.0;
/// }
///
/// #[differentiable]
/// fn anomaly(mean: f64, eccentricity: f64) -> Result<f64, Error> {
///     let mut x = mean;
///     let p = (mean, eccentricity);
///     root(&mut x, &p, Inactive(kepler {}), Newton::new(1e-14, 20))?;
///     Ok(x)
/// }
///
/// let (dmean, _) = gradient!(anomaly, 1.0, 0.3)?;
/// assert!((dmean - 1.0913293011504175).abs() < 1e-14);
/// # Ok::<(), Error>(())
/// ```
#[primitive]
pub fn root<S, P, F>(x: &mut S, p: &P, f: Inactive<F>, how: Newton) -> Result<usize, Error>
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    F: for<'a> Function<(&'a mut S, &'a S, &'a P), Output = ()> + ForwardResidual<S, P, 1>,
{
    newton(x, p, &f.0, how)
}

/// The primal of [`root()`].
fn newton<S, P, F>(x: &mut S, p: &P, f: &F, how: Newton) -> Result<usize, Error>
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    F: for<'a> Function<(&'a mut S, &'a S, &'a P), Output = ()> + ForwardResidual<S, P, 1>,
{
    let Settings {
        tolerance, limit, ..
    } = how.0.0;
    let mut r = x.to_owned();
    let mut residual = |x: &S| {
        f.call((r.borrow_mut(), x, p));
        floats::<S>(r.borrow())
    };
    let mut value = residual(x);
    for step in 0..=limit {
        // a NaN is no convergence
        if norm(&value) <= tolerance {
            return Ok(step);
        }
        if step == limit {
            break;
        }
        let jacobian = Jacobian::new(f, how, x, p)?;
        let change = jacobian.solve(&value)?;
        let here = floats(x);
        let mut length = 1.0;
        loop {
            let there: Vec<f64> = here
                .iter()
                .zip(&change)
                .map(|(x, d)| x - length * d)
                .collect();
            Tangent::unflatten(x, &there);
            let new = residual(x);
            // Armijo's condition, with the slope of the norm
            if norm(&new) <= (1.0 - 1e-4 * length) * norm(&value) || length < 1e-10 {
                value = new;
                break;
            }
            length *= 0.5;
        }
    }
    Err(Error::NoConvergence {
        iterations: limit,
        residual: norm(&value),
        tolerance,
    })
}

/// `fₓ` at a point, factorized if it is to be.
struct Jacobian<'a, F, S: ?Sized, P: ?Sized> {
    f: &'a F,
    x: &'a S,
    p: &'a P,
    solver: Solver,
    lu: Option<Lu>,
}

impl<'a, F, S, P> Jacobian<'a, F, S, P>
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    F: ForwardResidual<S, P, 1>,
{
    fn new(f: &'a F, how: Newton, x: &'a S, p: &'a P) -> Result<Self, Error> {
        let solver = how.0.0.solver;
        let mut jacobian = Self {
            f,
            x,
            p,
            solver,
            lu: None,
        };
        if solver == Solver::Direct {
            let n = floats(x).len();
            let column = |i| jacobian.along(&ForwardConfig::new(false), Some(&unit(n, i)), None);
            jacobian.lu = Some(Lu::of_columns(n, column)?);
        }
        Ok(jacobian)
    }

    /// `fₓ·v + fₚ·ṗ`
    fn along(&self, config: &ForwardConfig, v: Option<&[f64]>, dp: Option<&P>) -> Vec<f64> {
        let dx = v.map(|v| shaped(self.x, v));
        let (mut r, mut dr) = (self.x.to_owned(), self.x.to_owned());
        Tangent::zero_out(BorrowMut::<S>::borrow_mut(&mut dr));
        let lanes = Some([dr.borrow_mut()]);
        let dx = dx.as_ref().map(|dx| [dx.borrow()]);
        let dp = dp.map(|dp| [dp]);
        self.f
            .push(config, r.borrow_mut(), lanes, self.x, dx, self.p, dp);
        floats::<S>(dr.borrow())
    }

    fn solve(&self, b: &[f64]) -> Result<Vec<f64>, Error> {
        match &self.lu {
            Some(lu) => Ok(lu.solve(b)),
            None => {
                let config = ForwardConfig::new(false);
                self.solver
                    .matrix_free(b, |v| self.along(&config, Some(v), None))
            }
        }
    }
}

impl<R, X, Q, G, C, S, P, F, const W: usize> ForwardRule<R, (X, Q, G, C), W> for root
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    R: ForwardReturn<W, Out = Result<usize, Error>>,
    X: ForwardArgMut<S, W> + Annotation<Primal: Memory<Target = S>>,
    Q: ForwardArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ForwardArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    C: ForwardArg<Newton, W>,
    F: for<'a> Function<(&'a mut S, &'a S, &'a P), Output = ()> + ForwardResidual<S, P, 1>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (x, p, f, how): (&mut X, &mut Q, &mut G, &mut C),
    ) -> Result<R::Forward, Error> {
        let (how, dp) = (*how.primal(), tangents(p));
        let (f, p) = (&f.primal().0, p.primal());
        let tangents = |x: &S| {
            let jacobian = Jacobian::new(f, how, x, p)?;
            let tangent = |lane| match dp {
                Some(dp) => jacobian.solve(&jacobian.along(config, None, Some(dp[lane]))),
                None => Ok(vec![0.0; floats(x).len()]),
            };
            (0..W).map(tangent).collect()
        };
        let steps = pushed(
            x,
            |x| newton(x, p, f, how),
            tangents,
            |dx: &mut S, t| {
                Tangent::unflatten(dx, &negative(t));
            },
        )?;
        Ok(R::forward(config, || steps, |_| steps))
    }
}

impl<R, X, Q, G, C, S, P, F, const W: usize> ReverseRule<R, (X, Q, G, C), W> for root
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    R: ReverseReturn<W, Out = Result<usize, Error>>,
    X: ReverseArgMut<S, W> + Annotation<Primal: Memory<Target = S>>,
    Q: ReverseArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ReverseArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    C: ReverseArg<Newton, W>,
    F: for<'a> Function<(&'a mut S, &'a S, &'a P), Output = ()>
        + ForwardResidual<S, P, 1>
        + ReverseResidual<S, P, 1>,
{
    type Tape = SolutionTape<S, P, Option<Lu>>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, p, f, how): (&mut X, &mut Q, &mut G, &mut C),
    ) -> AugmentedOutcome<R, Self::Tape, W> {
        let (f, how) = (&f.primal().0, *how.primal());
        let find = |x: &mut S, p: &P| newton(x, p, f, how);
        // of the transposed Jacobian: on dual numbers it is not the transpose of the real matrix
        let factors = |x: &S, p: &P| {
            let n = floats(x).len();
            let column = |i| pull(f, config, x, p, &unit(n, i), None);
            let direct = how.0.0.solver == Solver::Direct;
            direct.then(|| Lu::of_columns(n, column)).transpose()
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
        let (body, solver) = (&f.primal().0, how.primal().0.0.solver);
        let solve = |x: &S, p: &P, lu: &Option<Lu>, dx: &S| match lu {
            Some(lu) => lu.solve(&floats(dx)),
            None => solver
                .matrix_free(&floats(dx), |v| pull(body, config, x, p, v, None))
                .unwrap_or_else(|error| panic!("root, reverse pass: {error}")),
        };
        let (of_x, of_p) = pulled(tape, x, p, solve, |x, p, multiplier, dp| {
            pull(body, config, x, p, &negative(multiplier), Some(dp));
        });
        (of_x, of_p, f.no_gradient(), how.no_gradient())
    }
}

fn negative(v: Vec<f64>) -> Vec<f64> {
    v.into_iter().map(|v| -v).collect()
}

/// `fₓᵀ·v` without a shadow of the parameter, `p̄ += fₚᵀ·v` with one.
fn pull<S, P, F>(
    f: &F,
    config: &ReverseConfig,
    x: &S,
    p: &P,
    v: &[f64],
    dp: Option<&mut P>,
) -> Vec<f64>
where
    S: Operand + ?Sized,
    P: ?Sized,
    F: ReverseResidual<S, P, 1>,
{
    let config = config.with_none_overwritten();
    let (mut r, mut dr, mut dx) = (x.to_owned(), shaped(x, v), x.to_owned());
    Tangent::zero_out(BorrowMut::<S>::borrow_mut(&mut dx));
    let of_p = dp.is_some();
    let tape = f.tape(&config, r.borrow_mut(), x, p, (!of_p, of_p));
    let lanes = [dr.borrow_mut()];
    let of_x = (!of_p).then(|| [dx.borrow_mut()]);
    f.pull(
        &config,
        r.borrow_mut(),
        lanes,
        x,
        of_x,
        p,
        dp.map(|dp| [dp]),
        tape,
    );
    floats::<S>(dx.borrow())
}
