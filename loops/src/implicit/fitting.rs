//! Nonlinear least squares `min ½‖f(x, p)‖²`, by the method of Levenberg and Marquardt, differentiated where the minimum is.
//!
//! With `g = fₓᵀ·f`, which is zero there, and its symmetric Jacobian `H = gₓ`:
//!
//! | value | forward | reverse |
//! |---|---|---|
//! | `x` with `g(x, p) = 0` | `ẋ = −H⁻¹·gₚ·ṗ` | `λ = H⁻¹·x̄`, `p̄ −= gₚᵀ·λ` |
//!
//! `H·v` and `gₚᵀ·v` are the derivatives of `fₓᵀ·f` and `fₚᵀ·f` along `x + ε·v`: the reverse rule of `f` on dual numbers. What Gauss and Newton leave out of
//! `H` is in it.

use coenzyme::{
    Annotation, AugmentedOutcome, Dual, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn,
    ForwardRule, Function, Inactive, Memory, ReverseArg, ReverseArgMut, ReverseConfig,
    ReverseReturn, ReverseRule, Tangent, primitive,
};

use super::linear::{Lu, axpy, dot, norm, unit};
use super::solution::{SolutionTape, pulled, pushed, taped};
use crate::Error;
use crate::body::{ForwardResidual, ReverseResidual, tangents};

/// How many residuals there are, and when the search for their least squares ends.
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
pub struct LeastSquares(Inactive<Settings>);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Settings {
    residuals: usize,
    tolerance: f64,
    limit: usize,
}

impl LeastSquares {
    /// For so many residuals. Ends when their vector is orthogonal to the columns of the Jacobian, but for an angle of `tolerance`, or a step is
    /// `tolerance·‖x‖` at most; it is an error if that is not so after `limit` steps.
    pub const fn new(residuals: usize, tolerance: f64, limit: usize) -> Self {
        Self(Inactive(Settings {
            residuals,
            tolerance,
            limit,
        }))
    }
}

/// Residuals of dual numbers, which second derivatives are made of.
type Duals = [Dual<f64>];

/// Finds the `x` for which `½‖f(x, p)‖²` is least, from the initial guess in `x`, which has no derivative. `f(r, x, p)` writes the residuals
/// to `r`. Returns the number of steps.
///
/// | | length |
/// |---|---|
/// | `x` | `(n)` |
/// | `p` | any: data, weights, settings |
/// | `r` | as many as [`LeastSquares`] says, `n` at least |
///
/// `f` is generic over [`Real`](coenzyme::Real): the exact derivative of the minimum needs second derivatives of the residuals, where they are not zero.
///
/// Cost of a step: `n` forward derivatives of `f`, `m·n²` flops. The derivative costs `n` reverse passes on dual numbers, and reverse mode one more in
/// each lane. First order only.
///
/// # Errors
/// [`Error::NoConvergence`], with `x` where the method was, also if the residuals are not finite to begin with; [`Error::SingularJacobian`] if a derivative is wanted and the Hessian is
/// singular.
///
/// Source: Moré 1978, *The Levenberg–Marquardt algorithm: implementation and theory*, doi:10.1007/BFb0067700.
///
/// ```
/// use coenzyme::Real;
/// use coenzyme::prelude::*;
/// use coenzyme_loops::{Error, LeastSquares, least_squares};
///
/// /// `x₀·e^(x₁·t) − p_t` at `t = 0, 1, 2, 3`.
/// #[differentiable]
/// fn decay<T: Real>(r: &mut [T], x: &[T], p: &[T]) {
///     for i in 0..p.len() {
///         r[i] = x[0] * (x[1] * T::lit(i as f64)).exp() - p[i];
///     }
/// }
///
/// #[differentiable]
/// fn rate(data: &[f64]) -> Result<f64, Error> {
///     let mut x = vec![1.0, 0.0];
///     least_squares(&mut x, data, Inactive(decay {}), LeastSquares::new(4, 1e-12, 100))?;
///     Ok(x[1])
/// }
///
/// let data = [5.0, 3.1, 1.7, 1.2];
/// let (slope,) = gradient!(rate, &data[..])?;
/// let moved = |h: f64| rate(&[5.0, 3.1 + h, 1.7, 1.2]);
/// assert!((slope[1] - (moved(1e-5)? - moved(-1e-5)?) / 2e-5).abs() < 1e-8);
/// # Ok::<(), Error>(())
/// ```
#[primitive]
pub fn least_squares<F>(
    x: &mut [f64],
    p: &[f64],
    f: Inactive<F>,
    how: LeastSquares,
) -> Result<usize, Error>
where
    F: for<'a> Function<(&'a mut [f64], &'a [f64], &'a [f64]), Output = ()>
        + ForwardResidual<[f64], [f64], 1>,
{
    minimize(x, p, &f.0, how)
}

/// The primal of [`least_squares()`].
fn minimize<F>(x: &mut [f64], p: &[f64], f: &F, how: LeastSquares) -> Result<usize, Error>
where
    F: for<'a> Function<(&'a mut [f64], &'a [f64], &'a [f64]), Output = ()>
        + ForwardResidual<[f64], [f64], 1>,
{
    let Settings {
        residuals,
        tolerance,
        limit,
    } = how.0.0;
    let residual = |x: &[f64]| {
        let mut r = vec![0.0; residuals];
        f.call((&mut r, x, p));
        r
    };
    let mut r = residual(x);
    if !norm(&r).is_finite() {
        return Err(Error::NoConvergence {
            iterations: 0,
            residual: norm(&r),
            tolerance,
        });
    }
    let (mut damping, mut columns) = (1e-3, Vec::new());
    let mut angle = f64::INFINITY;
    for step in 0..limit {
        if columns.is_empty() {
            columns = jacobian(f, x, p, residuals);
            let cosine = |c: &Vec<f64>| dot(c, &r).abs() / (norm(c) * norm(&r));
            // zero over zero: a residual that is zero, or one that does not depend on an unknown
            angle = columns.iter().map(cosine).fold(0.0, f64::max);
            if angle <= tolerance {
                return Ok(step);
            }
        }
        let change = damped(&columns, &r, damping)?;
        let mut there = x.to_vec();
        axpy(&mut there, -1.0, &change);
        let new = residual(&there);
        // near the minimum the norm does not tell a better point from a worse one any more, where the step still does; a NaN is no progress
        let better = norm(&new) <= (1.0 + 4.0 * f64::EPSILON) * norm(&r);
        if better {
            x.copy_from_slice(&there);
            r = new;
            columns.clear();
            damping = (0.2 * damping).max(1e-14);
        } else {
            damping *= 4.0;
        }
        if norm(&change) <= tolerance * norm(x) {
            return Ok(step + 1);
        }
    }
    Err(Error::NoConvergence {
        iterations: limit,
        residual: angle,
        tolerance,
    })
}

/// The columns of `fₓ`.
fn jacobian<F>(f: &F, x: &[f64], p: &[f64], residuals: usize) -> Vec<Vec<f64>>
where
    F: ForwardResidual<[f64], [f64], 1>,
{
    let config = ForwardConfig::new(false);
    let column = |i| {
        let (mut r, mut dr) = (vec![0.0; residuals], vec![0.0; residuals]);
        let direction = unit(x.len(), i);
        let (lanes, dx) = (Some([&mut dr[..]]), Some([&direction[..]]));
        f.push(&config, &mut r, lanes, x, dx, p, None);
        dr
    };
    (0..x.len()).map(column).collect()
}

/// `(JᵀJ + μ·D)⁻¹·Jᵀr`, where `D` is the diagonal of `JᵀJ`, and one where that is zero.
fn damped(columns: &[Vec<f64>], r: &[f64], damping: f64) -> Result<Vec<f64>, Error> {
    let right: Vec<f64> = columns.iter().map(|c| dot(c, r)).collect();
    let matrix = Lu::of_columns(columns.len(), |j| {
        let mut column: Vec<f64> = columns.iter().map(|c| dot(c, &columns[j])).collect();
        let diagonal = if column[j] > 0.0 { column[j] } else { 1.0 };
        column[j] += damping * diagonal;
        column
    })?;
    Ok(matrix.solve(&right))
}

/// The derivatives of `fₓᵀ·f`, or of `fₚᵀ·f`, along `x + ε·v` and `p + ε·q`.
fn curvature<F>(
    f: &F,
    (x, v): (&[f64], &[f64]),
    (p, q): (&[f64], Option<&[f64]>),
    residuals: usize,
    of_p: bool,
) -> Vec<f64>
where
    F: ReverseResidual<Duals, Duals, 1>,
{
    let config = ReverseConfig::new(true).with_none_overwritten();
    let x: Vec<_> = x.iter().zip(v).map(|(x, v)| Dual::new(*x, *v)).collect();
    let moved = |i: usize| q.map_or(0.0, |q| q[i]);
    let p: Vec<_> = (0..p.len()).map(|i| Dual::new(p[i], moved(i))).collect();
    let mut r = vec![Dual::constant(0.0); residuals];
    let tape = f.tape(&config, &mut r, &x, &p, (!of_p, of_p));
    let mut dr = r.clone();
    let length = if of_p { p.len() } else { x.len() };
    let mut found = vec![Dual::constant(0.0); length];
    let (dx, dp) = match of_p {
        true => (None, Some([&mut found[..]])),
        false => (Some([&mut found[..]]), None),
    };
    f.pull(&config, &mut r, [&mut dr], &x, dx, &p, dp, tape);
    found.iter().map(|d| d.tangent).collect()
}

/// `H`, factorized.
fn hessian<F>(f: &F, x: &[f64], p: &[f64], residuals: usize) -> Result<Lu, Error>
where
    F: ReverseResidual<Duals, Duals, 1>,
{
    Lu::of_columns(x.len(), |i| {
        curvature(f, (x, &unit(x.len(), i)), (p, None), residuals, false)
    })
}

impl<R, X, Q, G, C, F, const W: usize> ForwardRule<R, (X, Q, G, C), W> for least_squares
where
    R: ForwardReturn<W, Out = Result<usize, Error>>,
    X: ForwardArgMut<[f64], W> + Annotation<Primal: Memory<Target = [f64]>>,
    Q: ForwardArg<[f64], W> + Annotation<Primal: Memory<Target = [f64]>>,
    G: ForwardArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    C: ForwardArg<LeastSquares, W>,
    F: for<'a> Function<(&'a mut [f64], &'a [f64], &'a [f64]), Output = ()>
        + ForwardResidual<[f64], [f64], 1>
        + ReverseResidual<Duals, Duals, 1>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (x, p, f, how): (&mut X, &mut Q, &mut G, &mut C),
    ) -> Result<R::Forward, Error> {
        let (how, dp) = (*how.primal(), tangents(p));
        let (f, p) = (&f.primal().0, p.primal());
        let tangents = |x: &[f64]| {
            let still = vec![0.0; x.len()];
            let Some(dp) = dp else {
                return Ok(vec![still; W]);
            };
            let residuals = how.0.0.residuals;
            let matrix = hessian(f, x, p, residuals)?;
            let tangent = |dp| {
                let right = curvature(f, (x, &still), (p, Some(dp)), residuals, false);
                let mut change = still.clone();
                axpy(&mut change, -1.0, &matrix.solve(&right));
                change
            };
            Ok(dp.map(tangent).to_vec())
        };
        let steps = pushed(
            x,
            |x| minimize(x, p, f, how),
            tangents,
            |dx: &mut [f64], t: Vec<f64>| {
                dx.copy_from_slice(&t);
            },
        )?;
        Ok(R::forward(config, || steps, |_| steps))
    }
}

impl<R, X, Q, G, C, F, const W: usize> ReverseRule<R, (X, Q, G, C), W> for least_squares
where
    R: ReverseReturn<W, Out = Result<usize, Error>>,
    X: ReverseArgMut<[f64], W> + Annotation<Primal: Memory<Target = [f64]>>,
    Q: ReverseArg<[f64], W> + Annotation<Primal: Memory<Target = [f64]>>,
    G: ReverseArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    C: ReverseArg<LeastSquares, W>,
    F: for<'a> Function<(&'a mut [f64], &'a [f64], &'a [f64]), Output = ()>
        + ForwardResidual<[f64], [f64], 1>
        + ReverseResidual<Duals, Duals, 1>,
{
    type Tape = SolutionTape<[f64], [f64], Lu>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, p, f, how): (&mut X, &mut Q, &mut G, &mut C),
    ) -> AugmentedOutcome<R, Self::Tape, W> {
        let (f, how) = (&f.primal().0, *how.primal());
        let find = |x: &mut [f64], p: &[f64]| minimize(x, p, f, how);
        let matrix = |x: &[f64], p: &[f64]| hessian(f, x, p, how.0.0.residuals);
        let (steps, tape) = taped(config, x, p, find, matrix)?;
        Ok(R::augmented(config, steps, tape))
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        _: R::Cotangent,
        tape: Self::Tape,
        (x, p, f, how): (&mut X, &mut Q, &mut G, &mut C),
    ) -> (X::Gradient, Q::Gradient, G::Gradient, C::Gradient) {
        let (body, residuals) = (&f.primal().0, how.primal().0.0.residuals);
        let solve = |_: &[f64], _: &[f64], matrix: &Lu, dx: &[f64]| matrix.solve(dx);
        let (of_x, of_p) = pulled(tape, x, p, solve, |x, p, multiplier, dp| {
            let back = curvature(body, (x, &multiplier), (p, None), residuals, true);
            axpy(dp, -1.0, &back);
        });
        (of_x, of_p, f.no_gradient(), how.no_gradient())
    }
}
