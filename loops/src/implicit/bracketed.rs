//! A root between two ends, by Brent's method, differentiated where it is.
//!
//! | value | forward | reverse |
//! |---|---|---|
//! | `x` with `f(x, p) = 0` | `ẋ = −fₚ·ṗ/fₓ` | `λ = x̄/fₓ`, `p̄ −= fₚᵀ·λ` |

use coenzyme::{
    Annotation, AugmentedOutcome, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn,
    ForwardRule, Function, Inactive, Memory, Real, ReverseArg, ReverseArgMut, ReverseConfig,
    ReverseReturn, ReverseRule, Tangent, primitive,
};

use super::solution::{SolutionTape, pulled, pushed, taped};
use crate::body::{ForwardResidual, ReverseResidual, tangents};
use crate::{Error, Operand};

/// Where a root lies, and how well it is to be known.
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
pub struct Bracket(Inactive<([f64; 2], f64)>);

impl Bracket {
    /// Between two ends, where the function has values of different signs, to `tolerance` and a few roundings of the root.
    pub const fn new(ends: [f64; 2], tolerance: f64) -> Self {
        Self(Inactive((ends, tolerance)))
    }
}

/// No bracket needs as many: bisections alone halve the largest interval of floats fewer times.
const LIMIT: usize = 5000;

/// Finds `x` with `f(r, x, p)` writing zero to `r`, between two ends where `r` has different signs. What `x` holds does not matter. Returns the
/// number of calls of `f`.
///
/// Brent's method: inverse quadratic interpolation, secants, and bisections where those do not halve the bracket soon enough. It needs no
/// derivative and cannot miss. The derivative is that of the root, from the implicit function theorem; ends and tolerance are
/// inactive.
///
/// # Errors
/// [`Error::NoBracket`] if the signs do not differ or a value is NaN; [`Error::SingularJacobian`] if a derivative is wanted where
/// `fₓ = 0`.
///
/// Source: Brent 1973, *Algorithms for minimization without derivatives*, chapter 4.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_loops::{Bracket, Error, bracketed_root};
///
/// /// The present value of a loan of 100 that is paid back in 3 parts of `p`, at an interest of `x`.
/// #[differentiable]
/// fn value(r: &mut f64, x: &f64, p: &f64) {
///     let q = 1.0 / (1.0 + *x);
///     *r = *p * (q + q * q + q * q * q) - 100.0;
/// }
///
/// #[differentiable]
/// fn interest(payment: f64) -> Result<f64, Error> {
///     let mut x = 0.0;
///     bracketed_root(&mut x, &payment, Inactive(value {}), Bracket::new([0.0, 1.0], 1e-15))?;
///     Ok(x)
/// }
///
/// assert!((interest(36.0)? - 0.0394).abs() < 1e-4);
/// let (slope,) = gradient!(interest, 36.0)?;
/// let difference = (interest(36.001)? - interest(35.999)?) / 2e-3;
/// assert!((slope - difference).abs() < 1e-9);
/// # Ok::<(), Error>(())
/// ```
#[primitive]
pub fn bracketed_root<T, P, F>(
    x: &mut T,
    p: &P,
    f: Inactive<F>,
    how: Bracket,
) -> Result<usize, Error>
where
    T: Real,
    P: Operand + ?Sized,
    F: for<'a> Function<(&'a mut T, &'a T, &'a P), Output = ()> + ForwardResidual<T, P, 1>,
{
    find(x, p, &f.0, how)
}

/// The primal of [`bracketed_root()`].
fn find<T, P, F>(x: &mut T, p: &P, f: &F, how: Bracket) -> Result<usize, Error>
where
    T: Real,
    P: Operand + ?Sized,
    F: for<'a> Function<(&'a mut T, &'a T, &'a P), Output = ()> + ForwardResidual<T, P, 1>,
{
    let value = |x: T| {
        let mut r = T::zero();
        f.call((&mut r, &x, p));
        r
    };
    let (ends, tolerance) = how.0.0;
    let (root, calls) = brent(ends, tolerance, |x| value(T::lit(x)).to_plain())?;
    let mut found = T::lit(root);
    // each step of Newton's method is right to one order of dual numbers more
    for _ in 0..Tangent::to_flat(&found).len().ilog2() {
        found -= value(found) / slope(f, found, p)?;
    }
    *x = found;
    Ok(calls)
}

/// A sign change between two ends, and how often `f` was called.
pub(crate) fn brent(
    [mut a, mut b]: [f64; 2],
    tolerance: f64,
    f: impl Fn(f64) -> f64,
) -> Result<(f64, usize), Error> {
    let (mut fa, mut fb) = (f(a), f(b));
    let opposite = (fa <= 0.0 && fb >= 0.0) || (fa >= 0.0 && fb <= 0.0);
    if !opposite {
        return Err(Error::NoBracket {
            ends: [a, b],
            values: [fa, fb],
        });
    }
    // the root is between b and c; b is the best so far, a the one before
    let (mut c, mut fc) = (a, fa);
    let mut step = b - a;
    let mut before = step;
    for calls in 2..LIMIT {
        if fc.abs() < fb.abs() {
            (a, b, c) = (b, c, b);
            (fa, fb, fc) = (fb, fc, fb);
        }
        let small = 2.0 * f64::EPSILON * b.abs() + 0.5 * tolerance;
        let half = 0.5 * (c - b);
        if half.abs() <= small || fb == 0.0 {
            return Ok((b, calls));
        }
        let tried = interpolated([a, b, c], [fa, fb, fc]);
        // inside of the bracket, and half as long as the step before the last
        let sound =
            |d: f64| 2.0 * d.abs() < (3.0 * half.abs() - small).min(before.abs()) && d * half > 0.0;
        if before.abs() >= small && fa.abs() > fb.abs() && sound(tried) {
            (before, step) = (step, tried);
        } else {
            (before, step) = (half, half);
        }
        (a, fa) = (b, fb);
        b += if step.abs() > small {
            step
        } else {
            small.copysign(half)
        };
        fb = f(b);
        if (fb > 0.0) == (fc > 0.0) {
            (c, fc) = (a, fa);
            step = b - a;
            before = step;
        }
    }
    Err(Error::NoConvergence {
        iterations: LIMIT,
        residual: fb.abs(),
        tolerance,
    })
}

/// The step from `b` to where the inverse parabola through three points, or the secant through two, is zero.
fn interpolated([a, b, c]: [f64; 3], [fa, fb, fc]: [f64; 3]) -> f64 {
    let s = fb / fa;
    if a == c {
        return s * (c - b) / (s - 1.0);
    }
    let (q, r) = (fa / fc, fb / fc);
    let above = s * ((c - b) * q * (q - r) - (b - a) * (r - 1.0));
    above / -((q - 1.0) * (r - 1.0) * (s - 1.0))
}

/// `fₓ`, which is not zero.
fn slope<T, P, F>(f: &F, x: T, p: &P) -> Result<T, Error>
where
    T: Real,
    P: ?Sized,
    F: ForwardResidual<T, P, 1>,
{
    let (mut r, mut dr) = (T::zero(), T::zero());
    let config = ForwardConfig::new(false);
    let lanes = Some([&mut dr]);
    f.push(&config, &mut r, lanes, &x, Some([&T::one()]), p, None);
    match dr.is_zero() {
        true => Err(Error::SingularJacobian { column: 0, size: 1 }),
        false => Ok(dr),
    }
}

impl<R, X, Q, G, C, T, P, F, const W: usize> ForwardRule<R, (X, Q, G, C), W> for bracketed_root
where
    T: Real,
    P: Operand + ?Sized,
    R: ForwardReturn<W, Out = Result<usize, Error>>,
    X: ForwardArgMut<T, W> + Annotation<Primal: Memory<Target = T>>,
    Q: ForwardArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ForwardArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    C: ForwardArg<Bracket, W>,
    F: for<'a> Function<(&'a mut T, &'a T, &'a P), Output = ()> + ForwardResidual<T, P, 1>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (x, p, f, how): (&mut X, &mut Q, &mut G, &mut C),
    ) -> Result<R::Forward, Error> {
        let (how, dp) = (*how.primal(), tangents(p));
        let (f, p) = (&f.primal().0, p.primal());
        let tangents = |x: &T| {
            let Some(dp) = dp else {
                return Ok(vec![T::zero(); W]);
            };
            let slope = slope(f, *x, p)?;
            let tangent = |dp| {
                let (mut r, mut dr) = (T::zero(), T::zero());
                f.push(config, &mut r, Some([&mut dr]), x, None, p, Some([dp]));
                -dr / slope
            };
            Ok(dp.map(tangent).to_vec())
        };
        let calls = pushed(x, |x| find(x, p, f, how), tangents, |dx: &mut T, t| *dx = t)?;
        Ok(R::forward(config, || calls, |_| calls))
    }
}

impl<R, X, Q, G, C, T, P, F, const W: usize> ReverseRule<R, (X, Q, G, C), W> for bracketed_root
where
    T: Real,
    P: Operand + ?Sized,
    R: ReverseReturn<W, Out = Result<usize, Error>>,
    X: ReverseArgMut<T, W> + Annotation<Primal: Memory<Target = T>>,
    Q: ReverseArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ReverseArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    C: ReverseArg<Bracket, W>,
    F: for<'a> Function<(&'a mut T, &'a T, &'a P), Output = ()>
        + ForwardResidual<T, P, 1>
        + ReverseResidual<T, P, 1>,
{
    type Tape = SolutionTape<T, P, T>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, p, f, how): (&mut X, &mut Q, &mut G, &mut C),
    ) -> AugmentedOutcome<R, Self::Tape, W> {
        let (f, how) = (&f.primal().0, *how.primal());
        let find = |x: &mut T, p: &P| find(x, p, f, how);
        let (calls, tape) = taped(config, x, p, find, |x, p| slope(f, *x, p))?;
        Ok(R::augmented(config, calls, tape))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        _: R::Cotangent,
        tape: Self::Tape,
        (x, p, f, how): (&mut X, &mut Q, &mut G, &mut C),
    ) -> (X::Gradient, Q::Gradient, G::Gradient, C::Gradient) {
        let (body, config) = (&f.primal().0, config.with_none_overwritten());
        let solve = |_: &T, _: &P, slope: &T, dx: &T| -*dx / *slope;
        let (of_x, of_p) = pulled(tape, x, p, solve, |x, p, mut multiplier, dp| {
            let mut r = T::zero();
            let (lanes, dp) = ([&mut multiplier], Some([dp]));
            let inner = body.tape(&config, &mut r, x, p, (false, true));
            body.pull(&config, &mut r, lanes, x, None, p, dp, inner);
        });
        (of_x, of_p, f.no_gradient(), how.no_gradient())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brents_method_finds_what_is_hard_to_find() {
        type Case = (fn(f64) -> f64, [f64; 2], f64);
        let cases: [Case; 6] = [
            (|x| x * x * x - 2.0, [0.0, 5.0], 2.0_f64.cbrt()),
            (|x| x.powi(9), [-1.0, 4.0], 0.0),
            (|x| (x - 1.0) * 1e-300, [-7.0, 1e3], 1.0),
            (|x| if x < 0.3 { -1.0 } else { 1.0 }, [0.0, 1.0], 0.3),
            (|x| (1e3 * (x - 0.7)).atan(), [0.0, 1e6], 0.7),
            (|x| x, [0.0, 1.0], 0.0),
        ];
        for (at, (f, ends, root)) in cases.into_iter().enumerate() {
            let (found, calls) = brent(ends, 1e-12, f).expect("a sign change");
            // a zero of ninth order is flat
            let allowed = if at == 1 { 1e-11 } else { 2e-12 };
            assert!((found - root).abs() < allowed, "{at}: {found} in {calls}");
            assert!(calls < 160, "{at}: {calls}");
            let [a, b] = ends;
            assert!((brent([b, a], 1e-12, f).expect("too").0 - root).abs() < allowed);
        }
        let smooth = brent([0.0, 5.0], 1e-12, |x| x * x * x - 2.0);
        assert!(smooth.expect("found").1 < 16);
    }

    #[test]
    fn signs_that_do_not_differ_are_refused() {
        let refused = brent([1.0, 2.0], 1e-9, |x| x);
        let (ends, values) = ([1.0, 2.0], [1.0, 2.0]);
        assert_eq!(refused, Err(Error::NoBracket { ends, values }));
        assert!(brent([1.0, 2.0], 1e-9, |_| f64::NAN).is_err());
    }
}
