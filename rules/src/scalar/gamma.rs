//! The gamma function's logarithm, and what follows from it.
//!
//! Source: DLMF 5.5.2, 5.5.4 (recurrence, reflection), 5.11.2, 5.15.8–9 (asymptotic series), 5.12.1 (beta).

use ndarray::{Array, ArrayRef, Dimension, Zip};

use super::Special;
use crate::class::{At, Reads, Unary};
use crate::unary_rule;
use coenzyme::{primitive, scaled};

crate::elementwise1! {
    pub(crate) mod arrays;
    /// `ln|Γ(x)|`: derivative [`digamma`](fn@digamma).
    ///
    /// ∞ at 0, −1, −2, …, where the derivative is NaN.
    lgamma: Special (x, _y) reads X { value: x.lgamma(), partial: x.polygamma(0) }
    /// `ψ(x) = Γ′(x)/Γ(x)`: derivative [`trigamma`](fn@trigamma).
    ///
    /// NaN at 0, −1, −2, …
    digamma: Special (x, _y) reads X { value: x.polygamma(0), partial: x.polygamma(1) }
    /// `ψ′(x)`: derivative `ψ″(x)`.
    ///
    /// NaN at 0, −1, −2, …
    trigamma: Special (x, _y) reads X { value: x.polygamma(1), partial: x.polygamma(2) }
}

crate::elementwise2! {
    pub(crate) mod arrays_of_two;
    /// `ln B(x, y) = lnΓ(x) + lnΓ(y) − lnΓ(x + y)`, for positive `x` and `y`.
    lbeta: Special (x, y, _z) reads (Reads::X.and(Reads::Y), Reads::X.and(Reads::Y)) {
        value: x.lgamma() + y.lgamma() - (x + y).lgamma(),
        partials: {
            let both = (x + y).polygamma(0);
            (x.polygamma(0) - both, y.polygamma(0) - both)
        }
    }
    /// The beta function `B(x, y) = Γ(x)·Γ(y)/Γ(x + y)`, for positive `x` and `y`.
    beta: Special (x, y, z) reads (
        Reads::X.and(Reads::Y).and(Reads::OUT), Reads::X.and(Reads::Y).and(Reads::OUT)
    ) {
        value: (x.lgamma() + y.lgamma() - (x + y).lgamma()).exp(),
        partials: {
            let both = (x + y).polygamma(0);
            (z * (x.polygamma(0) - both), z * (y.polygamma(0) - both))
        }
    }
}

/// The polygamma function `ψ⁽ⁿ⁾(x)`, [`digamma`](fn@digamma) for `n = 0`: derivative `ψ⁽ⁿ⁺¹⁾(x)`.
///
/// NaN at 0, −1, −2, … Overflows for `n > 170`.
///
/// ```
/// let zeta_2 = coenzyme_rules::scalar::polygamma(1.0_f64, 1);
/// assert!((zeta_2 - std::f64::consts::PI.powi(2) / 6.0).abs() < 1e-14);
/// ```
#[primitive]
pub fn polygamma<T: Special>(x: T, n: u32) -> T {
    x.polygamma(n)
}

impl polygamma {
    /// The derivative in `x`.
    pub(super) fn partial<T: Special>(x: T, n: u32) -> T {
        x.polygamma(n + 1)
    }
}

unary_rule!(polygamma[T: Special](x: T; n: u32) = polygamma);

impl<T: Special> Unary<T> for polygamma {
    type Out = T;
    type Attrs<'a> = (&'a u32,);
    type Residual = ();

    const READS: Reads = Reads::X;

    fn value(x: &T, (&n,): (&u32,)) -> T {
        x.polygamma(n)
    }
    fn pushforward(at: &At<'_, T, T, ()>, dx: &T, (&n,): (&u32,)) -> T {
        scaled(Self::partial(*at.x, n), *dx, at.strong_zero)
    }
    fn pullback(at: &At<'_, T, T, ()>, dy: &T, dx: &mut T, (&n,): (&u32,)) {
        *dx += scaled(Self::partial(*at.x, n), *dy, at.strong_zero);
    }
}

impl<T: Special, D: Dimension> Unary<ArrayRef<T, D>> for polygamma {
    type Out = Array<T, D>;
    type Attrs<'a> = (&'a u32,);
    type Residual = ();

    const READS: Reads = Reads::X;

    fn value(x: &ArrayRef<T, D>, (&n,): (&u32,)) -> Array<T, D> {
        x.mapv(|x| x.polygamma(n))
    }
    fn pushforward(
        at: &At<'_, ArrayRef<T, D>, Array<T, D>, ()>,
        dx: &ArrayRef<T, D>,
        (&n,): (&u32,),
    ) -> Array<T, D> {
        Zip::from(at.x)
            .and(dx)
            .map_collect(|&x, &dx| scaled(Self::partial(x, n), dx, at.strong_zero))
    }
    fn pullback(
        at: &At<'_, ArrayRef<T, D>, Array<T, D>, ()>,
        dy: &Array<T, D>,
        dx: &mut ArrayRef<T, D>,
        (&n,): (&u32,),
    ) {
        Zip::from(dx)
            .and(at.x)
            .and(dy)
            .for_each(|dx, &x, &dy| *dx += scaled(Self::partial(x, n), dy, at.strong_zero));
    }
}

pub(crate) mod arrays_of_order {
    use super::*;

    /// The polygamma function [`ψ⁽ⁿ⁾`](fn@crate::scalar::polygamma) of each entry.
    #[primitive]
    pub fn polygamma<T: Special, D: Dimension>(x: &ArrayRef<T, D>, n: u32) -> Array<T, D> {
        <super::polygamma as Unary<ArrayRef<T, D>>>::value(x, (&n,))
    }

    unary_rule!(polygamma[T: Special, D: Dimension](x: ArrayRef<T, D>; n: u32) = super::polygamma);
}

/// Bernoulli numbers `B₂, B₄, …, B₂₂`.
const BERNOULLI: [f64; 11] = [
    1.0 / 6.0,
    -1.0 / 30.0,
    1.0 / 42.0,
    -1.0 / 30.0,
    5.0 / 66.0,
    -691.0 / 2730.0,
    7.0 / 6.0,
    -3617.0 / 510.0,
    43867.0 / 798.0,
    -174_611.0 / 330.0,
    854_513.0 / 138.0,
];

/// `ψ⁽ⁿ⁾(x)`: reflected to the right half line, moved up by the recurrence, then the asymptotic series.
pub(super) fn polygamma_f64(n: u32, x: f64) -> f64 {
    if x <= 0.0 && x == x.floor() {
        return f64::NAN;
    }
    if x < 0.5 {
        let sign = if n.is_multiple_of(2) { 1.0 } else { -1.0 };
        return sign * polygamma_right(n, 1.0 - x) - cotangent_derivative(n, x);
    }
    polygamma_right(n, x)
}

/// `ψ⁽ⁿ⁾(x)` for `x ≥ 1/2`.
fn polygamma_right(n: u32, mut x: f64) -> f64 {
    let order = f64::from(n);
    let factorial = (1..=n).map(f64::from).product::<f64>();
    // ψ⁽ⁿ⁾(x) = ψ⁽ⁿ⁾(x + 1) − (−1)ⁿ n!/xⁿ⁺¹
    let mut moved = 0.0;
    while x < 12.0 + order {
        moved += factorial / x.powi(n as i32 + 1);
        x += 1.0;
    }
    let square = (x * x).recip();
    if n == 0 {
        // ln x − 1/(2x) − Σ B₂ₖ/(2k x²ᵏ)
        let mut power = 1.0;
        let mut tail = 0.0;
        for (k, b) in (1..).zip(BERNOULLI) {
            power *= square;
            tail += b / (2.0 * f64::from(k)) * power;
        }
        return x.ln() - 0.5 / x - tail - moved;
    }
    // (−1)ⁿ⁺¹ ((n−1)!/xⁿ + n!/(2xⁿ⁺¹) + Σ B₂ₖ (2k+n−1)!/((2k)! x²ᵏ⁺ⁿ))
    let lead = factorial / order / x.powi(n as i32);
    let mut ratio = lead;
    let mut tail = lead + 0.5 * order * lead / x;
    for (k, b) in (1..).zip(BERNOULLI) {
        // ratio = (2k+n−1)!/((2k)! x²ᵏ⁺ⁿ)
        let j = f64::from(2 * k);
        ratio *= (j + order - 1.0) * (j + order - 2.0) / (j * (j - 1.0)) * square;
        tail += b * ratio;
    }
    let sign = if n.is_multiple_of(2) { -1.0 } else { 1.0 };
    sign * (tail + moved)
}

/// `dⁿ/dxⁿ π·cot(πx)`, as a polynomial in the cotangent: `c′ = −π(1 + c²)`.
fn cotangent_derivative(n: u32, x: f64) -> f64 {
    use std::f64::consts::PI;
    let reduced = x - x.round();
    let c = (PI * reduced).tan().recip();
    let mut polynomial = vec![0.0, PI];
    for _ in 0..n {
        let mut next = vec![0.0; polynomial.len() + 1];
        for (power, coefficient) in polynomial.iter().enumerate().skip(1) {
            let term = -PI * power as f64 * coefficient;
            next[power - 1] += term;
            next[power + 1] += term;
        }
        polynomial = next;
    }
    polynomial.iter().rev().fold(0.0, |sum, a| sum * c + a)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    /// Identities: the recurrence and values at 1 and 1/2.
    #[test]
    fn polygamma_matches_known_values() {
        let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-13 * b.abs().max(1.0), "{a} {b}");
        const EULER: f64 = 0.577_215_664_901_532_9;
        const ZETA_3: f64 = 1.202_056_903_159_594_3;
        close(digamma(1.0), -EULER);
        close(digamma(0.5), -EULER - 2.0 * 2.0_f64.ln());
        close(digamma(10.0), 2.251_752_589_066_721);
        close(trigamma(1.0), PI * PI / 6.0);
        close(trigamma(0.5), PI * PI / 2.0);
        close(polygamma(1.0, 2), -2.0 * ZETA_3);
        close(polygamma(1.0, 3), PI.powi(4) / 15.0);
        close(polygamma(0.5, 3), PI.powi(4));
        for n in 0..5 {
            for x in [-3.3, -0.2, 0.1, 0.7, 5.0, 40.0] {
                let step = (1..=n).product::<u32>() as f64 / f64::powi(x, n as i32 + 1);
                let sign = if n % 2 == 0 { 1.0 } else { -1.0 };
                let (up, here) = (polygamma(x + 1.0, n), polygamma(x, n));
                assert!(
                    (up - here - sign * step).abs() <= 1e-12 * (here.abs() + step.abs() + up.abs())
                );
            }
        }
        for pole in [0.0_f64, -1.0, -7.0] {
            assert!(digamma(pole).is_nan());
        }
    }
}
