//! An integral over an interval whose ends may be active.
//!
//! | value | forward, reverse |
//! |---|---|
//! | `I = ∫ₐᵇ f(x, p) dx` | `∂I/∂b = f(b, p)`, `∂I/∂a = −f(a, p)`, `∂I/∂p = ∫ₐᵇ ∂f/∂p dx` |
//!
//! Source: Leibniz' rule; the Gauss–Kronrod rule of 15 points and the error estimate of QUADPACK, doi:10.1007/978-3-642-61786-7.

use std::array::from_fn;

use coenzyme::{
    Annotation, AugmentedOutcome, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Function,
    Inactive, Lanes, Memory, Real, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, Saved,
    primitive, scaled,
};

use crate::body::{ForwardTerm, ReverseTerm, lent, tangents};
use crate::{Error, Operand};

/// The positive nodes, the outermost first; every second one belongs to Gauss' rule of 7 points.
const NODES: [f64; 8] = [
    0.991_455_371_120_812_6,
    0.949_107_912_342_758_5,
    0.864_864_423_359_769_1,
    0.741_531_185_599_394_4,
    0.586_087_235_467_691_1,
    0.405_845_151_377_397_2,
    0.207_784_955_007_898_47,
    0.0,
];
const KRONROD: [f64; 8] = [
    0.022_935_322_010_529_224,
    0.063_092_092_629_978_56,
    0.104_790_010_322_250_18,
    0.140_653_259_715_525_92,
    0.169_004_726_639_267_9,
    0.190_350_578_064_785_4,
    0.204_432_940_075_298_9,
    0.209_482_141_084_727_82,
];
const GAUSS: [f64; 4] = [
    0.129_484_966_168_869_7,
    0.279_705_391_489_276_64,
    0.381_830_050_505_118_9,
    0.417_959_183_673_469_4,
];

/// The nodes and weights of Kronrod's rule from `a` to `b`, and the weight of each node in Gauss' rule.
fn points<T: Real>(a: T, b: T) -> impl Iterator<Item = (T, T, f64)> {
    let half = T::lit(0.5) * (b - a);
    let middle = T::lit(0.5) * (a + b);
    (0..15).map(move |i: usize| {
        let k = if i < 8 { i } else { 14 - i };
        let sign = if i < 8 { -1.0 } else { 1.0 };
        let gauss = if k % 2 == 1 { GAUSS[k / 2] } else { 0.0 };
        (
            middle + T::lit(sign * NODES[k]) * half,
            T::lit(KRONROD[k]) * half,
            gauss / KRONROD[k],
        )
    })
}

/// The parts of the interval, of which each is integrated by one rule, and the integral.
struct Parts<T> {
    ends: Vec<(T, T)>,
    value: T,
}

/// Cuts the interval where the error is largest, until all errors together are small enough.
fn integrate<T: Real>(a: T, b: T, tolerance: f64, f: impl Fn(T) -> T) -> Result<Parts<T>, Error> {
    const LIMIT: usize = 2000;
    let rule = |(a, b): (T, T)| {
        let (mut value, mut error) = (T::zero(), 0.0);
        for (x, weight, gauss) in points(a, b) {
            let term = weight * f(x);
            value += term;
            error += (1.0 - gauss) * term.to_plain();
        }
        ((a, b), value, error.abs())
    };
    let mut parts = vec![rule((a, b))];
    loop {
        let value: T = parts.iter().map(|part| part.1).sum();
        let error: f64 = parts.iter().map(|part| part.2).sum();
        let size: f64 = parts.iter().map(|part| part.1.to_plain().abs()).sum();
        if parts.len() >= LIMIT || !(error.is_finite() && size.is_finite()) {
            return Err(Error::NoConvergence {
                iterations: parts.len(),
                residual: error,
                tolerance: tolerance * size,
            });
        }
        // what rounding leaves cannot be made smaller
        if error <= tolerance.max(64.0 * f64::EPSILON) * size {
            let ends = parts.into_iter().map(|part| part.0).collect();
            return Ok(Parts { ends, value });
        }
        let worst = (0..parts.len()).max_by(|i, j| parts[*i].2.total_cmp(&parts[*j].2));
        let worst = worst.expect("there is one part at least");
        let ((a, b), ..) = parts.swap_remove(worst);
        let middle = T::lit(0.5) * (a + b);
        parts.push(rule((a, middle)));
        parts.push(rule((middle, b)));
    }
}

/// `∫ₐᵇ f(x, p) dx`, where `f(x, &p)` is smooth, to a relative error of about `tolerance`. `b` may be less than `a`.
///
/// The derivatives in `a` and `b` are values of `f` at the ends, and not those of the nodes; that in `p` is integrated on the nodes of the value. In second
/// order, the derivative of an end in `p` is missing if `f` itself is not differentiated in `x`: the body is called with `x` held fixed.
///
/// # Errors
/// [`Error::NoConvergence`] if the error is too large in 2000 parts, or not finite.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_loops::{Error, quadrature};
///
/// #[differentiable]
/// fn bell(x: f64, width: &f64) -> f64 {
///     (-x * x / (2.0 * *width * *width)).exp()
/// }
///
/// #[differentiable]
/// fn area(from: f64, to: f64, width: f64) -> Result<f64, Error> {
///     quadrature(from, to, &width, Inactive(bell {}), Inactive(1e-12))
/// }
///
/// let (dfrom, dto, dwidth) = gradient!(area, -1.0, 2.0, 0.7)?;
/// assert!((dto - bell(2.0, &0.7)).abs() < 1e-15 && (dfrom + bell(-1.0, &0.7)).abs() < 1e-15);
/// let difference = (area(-1.0, 2.0, 0.7001)? - area(-1.0, 2.0, 0.6999)?) / 2e-4;
/// assert!((dwidth - difference).abs() < 1e-7);
/// # Ok::<(), Error>(())
/// ```
#[primitive]
pub fn quadrature<T, P, F>(
    a: T,
    b: T,
    p: &P,
    f: Inactive<F>,
    tolerance: Inactive<f64>,
) -> Result<T, Error>
where
    T: Real,
    P: Operand + ?Sized,
    F: for<'a> Function<(T, &'a P), Output = T>,
{
    integrate(a, b, tolerance.0, |x| f.0.call((x, p))).map(|parts| parts.value)
}

impl<R, A, B, Q, G, C, T, P, F, const W: usize> ForwardRule<R, (A, B, Q, G, C), W> for quadrature
where
    T: Real,
    P: Operand + ?Sized,
    R: ForwardReturn<W, Out = Result<T, Error>>,
    A: ForwardArg<T, W> + Annotation<Primal = T>,
    B: ForwardArg<T, W> + Annotation<Primal = T>,
    Q: ForwardArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ForwardArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    C: ForwardArg<Inactive<f64>, W>,
    F: for<'a> Function<(T, &'a P), Output = T> + ForwardTerm<T, P, T, W>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (a, b, p, f, tolerance): (&mut A, &mut B, &mut Q, &mut G, &mut C),
    ) -> Result<R::Forward, Error> {
        let body = config.with_needs_primal(true);
        let (f, dp) = (&f.primal().0, tangents(p));
        let value = |x: T| f.call((x, p.primal()));
        let parts = integrate(*a.primal(), *b.primal(), tolerance.primal().0, value)?;
        let mut tangents = [T::zero(); W];
        if R::ACTIVE && dp.is_some() {
            for (x, weight, _) in parts.ends.iter().flat_map(|(a, b)| points(*a, *b)) {
                let (_, of_f) = f.push(&body, x, p.primal(), dp);
                tangents
                    .iter_mut()
                    .zip(of_f)
                    .for_each(|(sum, d)| *sum += weight * d);
            }
        }
        let strong = config.strong_zero();
        let end = |x: &T, dx: Option<&T>| dx.map_or(T::zero(), |dx| scaled(value(*x), *dx, strong));
        Ok(R::forward(
            config,
            || parts.value,
            |lane| {
                tangents[lane] + end(b.primal(), b.tangent(lane)) - end(a.primal(), a.tangent(lane))
            },
        ))
    }
}

/// What the reverse pass of [`quadrature()`] reads again: the parts of the interval, the values at its ends, and the parameter if it may be
/// overwritten.
pub struct QuadratureTape<T, P: ToOwned + ?Sized> {
    parts: Vec<(T, T)>,
    ends: [T; 2],
    p: Saved<P>,
}

impl<R, A, B, Q, G, C, T, P, F, const W: usize> ReverseRule<R, (A, B, Q, G, C), W> for quadrature
where
    T: Real,
    P: Operand + ?Sized,
    R: ReverseReturn<W, Out = Result<T, Error>>,
    A: ReverseArg<T, W> + Annotation<Primal = T>,
    B: ReverseArg<T, W> + Annotation<Primal = T>,
    Q: ReverseArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ReverseArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    C: ReverseArg<Inactive<f64>, W>,
    F: for<'a> Function<(T, &'a P), Output = T> + ReverseTerm<T, P, T, W>,
{
    type Tape = QuadratureTape<T, P>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (a, b, p, f, tolerance): (&mut A, &mut B, &mut Q, &mut G, &mut C),
    ) -> AugmentedOutcome<R, Self::Tape, W> {
        let value = |x: T| f.primal().0.call((x, p.primal()));
        let parts = integrate(*a.primal(), *b.primal(), tolerance.primal().0, value)?;
        let end = |active: bool, x: &T| if active { value(*x) } else { T::zero() };
        let tape = QuadratureTape {
            ends: [
                end(R::ACTIVE && a.is_active(), a.primal()),
                end(R::ACTIVE && b.is_active(), b.primal()),
            ],
            p: Saved::new(
                p.primal(),
                R::ACTIVE && p.is_active() && config.overwritten(2),
            ),
            parts: parts.ends,
        };
        Ok(R::augmented(config, parts.value, tape))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (a, b, p, f, tolerance): (&mut A, &mut B, &mut Q, &mut G, &mut C),
    ) -> (
        A::Gradient,
        B::Gradient,
        Q::Gradient,
        G::Gradient,
        C::Gradient,
    ) {
        let strong = config.strong_zero();
        let seed = |lane| dret.lane(lane).copied();
        let of_a = a.accumulate(|lane, _, mut da| {
            da -= seed(lane).map_or(T::zero(), |dy| scaled(tape.ends[0], dy, strong));
        });
        let of_b = b.accumulate(|lane, _, mut db| {
            db += seed(lane).map_or(T::zero(), |dy| scaled(tape.ends[1], dy, strong));
        });
        let mut of_p = p.no_gradient();
        if R::ACTIVE && p.is_active() {
            let body = config.with_none_overwritten().with_needs_primal(false);
            let (p, mut dp) = p.split(&mut of_p);
            let p = tape.p.get(p);
            for (x, weight, _) in tape.parts.iter().flat_map(|(a, b)| points(*a, *b)) {
                let dy = from_fn(|lane| seed(lane).map_or(T::zero(), |dy| weight * dy));
                let dp = lent(&mut dp).expect("the parameter is active");
                f.primal().0.pull(&body, x, p, dp, dy);
            }
        }
        (of_a, of_b, of_p, f.no_gradient(), tolerance.no_gradient())
    }
}

#[cfg(test)]
mod tests {
    use super::{GAUSS, KRONROD, points};

    /// Kronrod's rule is exact to degree 22, Gauss' to degree 13.
    #[test]
    fn rules_integrate_polynomials_exactly() {
        assert!((2.0 * KRONROD[..7].iter().sum::<f64>() + KRONROD[7] - 2.0).abs() < 1e-15);
        assert!((2.0 * GAUSS[..3].iter().sum::<f64>() + GAUSS[3] - 2.0).abs() < 1e-15);
        for degree in 0..=22 {
            let exact = 1.0 / f64::from(degree + 1);
            let sum: f64 = points(0.0_f64, 1.0)
                .map(|(x, w, _)| w * x.powi(degree))
                .sum();
            assert!((sum - exact).abs() < 1e-15, "{degree}: {sum}");
            let gauss: f64 = points(0.0_f64, 1.0)
                .map(|(x, w, g)| w * g * x.powi(degree))
                .sum();
            assert!(
                degree > 13 || (gauss - exact).abs() < 1e-15,
                "{degree}: {gauss}"
            );
        }
    }
}
