//! The regularized incomplete gamma and beta functions, with derivatives in all arguments.
//!
//! Source: DLMF 8.2.4, 8.7.1 (series), 8.9.2 (continued fraction), 8.17.2, 8.17.4 (symmetry), 8.17.22 (continued fraction). The derivatives in the
//! parameters are those of the series and fractions, carried along by [`Dual`] numbers.

use coenzyme::{Dual, Tangent, easy_rule, primitive};

use super::Special;
use crate::class::Reads;

crate::elementwise2! {
    pub(crate) mod arrays_of_two;
    /// `P(a, x) = γ(a, x)/Γ(a)` for `a > 0`, `x ≥ 0`: the distribution function of the gamma distribution.
    ///
    /// The derivative in `x` is its density `xᵃ⁻¹e⁻ˣ/Γ(a)`. NaN outside of the domain.
    gamma_p: Special (a, x, _z) reads (Reads::X.and(Reads::Y), Reads::X.and(Reads::Y)) {
        value: lower(a, x),
        partials: (in_parameter(a, x), density(a, x))
    }
    /// `Q(a, x) = 1 − P(a, x)` for `a > 0`, `x ≥ 0`, without cancellation where it is small.
    gamma_q: Special (a, x, _z) reads (Reads::X.and(Reads::Y), Reads::X.and(Reads::Y)) {
        value: upper(a, x),
        partials: (-in_parameter(a, x), -density(a, x))
    }
}

/// What stands for zero in a denominator: Lentz' method goes on from there.
const TINY: f64 = 1e-30;

/// Whether the series converges fast: below the mean.
fn is_low<T: Special>(a: T, x: T) -> bool {
    x < a + T::one()
}

fn is_inside<T: Special>(a: T, x: T) -> bool {
    a > T::zero() && x >= T::zero()
}

fn lower<T: Special>(a: T, x: T) -> T {
    if !is_inside(a, x) {
        T::nan()
    } else if x.is_zero() {
        T::zero()
    } else if is_low(a, x) {
        series(a, x)
    } else {
        T::one() - fraction(a, x)
    }
}

fn upper<T: Special>(a: T, x: T) -> T {
    if !is_inside(a, x) {
        T::nan()
    } else if x.is_zero() {
        T::one()
    } else if is_low(a, x) {
        T::one() - series(a, x)
    } else {
        fraction(a, x)
    }
}

/// `∂P/∂a`
fn in_parameter<T: Special>(a: T, x: T) -> T {
    if is_inside(a, x) && x.is_zero() {
        return T::zero();
    }
    if is_inside(a, x) && !is_low(a, x) {
        return -fraction(Dual::variable(a), Dual::constant(x)).tangent;
    }
    lower(Dual::variable(a), Dual::constant(x)).tangent
}

/// `xᵃ⁻¹e⁻ˣ/Γ(a)`
fn density<T: Special>(a: T, x: T) -> T {
    let one = T::one();
    if !is_inside(a, x) {
        T::nan()
    } else if x.is_zero() {
        if a < one {
            T::infinity()
        } else if a == one {
            one
        } else {
            T::zero()
        }
    } else {
        ((a - one) * x.ln() - x - a.lgamma()).exp()
    }
}

/// What ends a sum: below rounding, also for what the derivatives add, which grows like a logarithm.
fn negligible<T: Special>() -> T {
    T::epsilon() * T::lit(1e-3)
}

/// `P = xᵃe⁻ˣ/Γ(a)·Σ xⁿ/(a(a + 1)…(a + n))`
fn series<T: Special>(a: T, x: T) -> T {
    let mut term = a.recip();
    let (mut sum, mut n) = (term, a);
    // `term` falls at last, since `n` grows; a NaN ends the loop
    while term > sum * negligible() {
        n += T::one();
        term *= x / n;
        sum += term;
    }
    sum * (a * x.ln() - x - a.lgamma()).exp()
}

/// `Q = xᵃe⁻ˣ/Γ(a)·1/(x + 1 − a − 1(1 − a)/(x + 3 − a − …))`, by Lentz' method.
fn fraction<T: Special>(a: T, x: T) -> T {
    if x.is_infinite() {
        return T::zero();
    }
    let tiny = T::lit(TINY);
    let away = |x: T| if x.abs() < tiny { tiny } else { x };
    let mut b = x + T::one() - a;
    let mut c = tiny.recip();
    let mut d = away(b).recip();
    let mut value = d;
    let (mut i, mut more) = (T::zero(), 4);
    while more > 0 {
        i += T::one();
        let an = -i * (i - a);
        b += T::lit(2.0);
        d = away(an * d + b).recip();
        c = away(b + an / c);
        let before = value;
        value *= c * d;
        more -= usize::from(!moves(value, before));
    }
    value * (a * x.ln() - x - a.lgamma()).exp()
}

/// Whether a value or one of its derivatives has moved: the fraction of an integer parameter ends, those of its derivatives do not.
fn moves<T: Special>(value: T, before: T) -> bool {
    let (change, epsilon) = (value - before, T::epsilon().to_plain());
    Tangent::inner(&change, &change) > epsilon * epsilon * Tangent::inner(&value, &value)
}

/// The regularized incomplete beta function `I_x(a, b)` for positive `a` and `b` and `x` from 0 to 1: the distribution function of the
/// beta distribution.
///
/// The derivative in `x` is its density `xᵃ⁻¹(1 − x)ᵇ⁻¹/B(a, b)`. NaN outside of the domain.
///
/// ```
/// // I_x(2, 3) is a polynomial
/// let x = 0.4_f64;
/// let exact = 6.0 * x.powi(2) - 8.0 * x.powi(3) + 3.0 * x.powi(4);
/// assert!((coenzyme_rules::scalar::beta_inc(2.0, 3.0, x) - exact).abs() < 1e-14);
/// ```
#[primitive]
pub fn beta_inc<T: Special>(a: T, b: T, x: T) -> T {
    beta_value(a, b, x)
}

easy_rule! {
    fn beta_inc<T: Special>(a: T, b: T, x: T) -> y: T;
    dy/da = beta_value(Dual::variable(a), Dual::constant(b), Dual::constant(x)).tangent;
    dy/db = beta_value(Dual::constant(a), Dual::variable(b), Dual::constant(x)).tangent;
    dy/dx = beta_density(a, b, x);
}

fn beta_value<T: Special>(a: T, b: T, x: T) -> T {
    let (zero, one) = (T::zero(), T::one());
    if !(a > zero && b > zero && x >= zero && x <= one) {
        T::nan()
    } else if x.is_zero() {
        zero
    } else if x == one {
        one
    } else if x < (a + one) / (a + b + T::lit(2.0)) {
        beta_fraction(a, b, x)
    } else {
        one - beta_fraction(b, a, one - x)
    }
}

/// `xᵃ⁻¹(1 − x)ᵇ⁻¹/B(a, b)`
fn beta_density<T: Special>(a: T, b: T, x: T) -> T {
    let one = T::one();
    let power = |x: T, a: T| {
        // 0⁰ is 1 here
        if a == one {
            T::zero()
        } else {
            (a - one) * x.ln()
        }
    };
    let beta = a.lgamma() + b.lgamma() - (a + b).lgamma();
    (power(x, a) + power(one - x, b) - beta).exp()
}

/// `xᵃ(1 − x)ᵇ/(a·B(a, b))·1/(1 + d₁/(1 + d₂/(1 + …)))`, by Lentz' method.
fn beta_fraction<T: Special>(a: T, b: T, x: T) -> T {
    let one = T::one();
    let tiny = T::lit(TINY);
    let away = |x: T| if x.abs() < tiny { tiny } else { x };
    let (mut c, mut d) = (one, away(one - (a + b) * x / (a + one)).recip());
    let mut value = d;
    let (mut m, mut more) = (T::zero(), 4);
    while more > 0 {
        m += one;
        let (two_m, ab) = (m + m, a + b);
        let even = m * (b - m) * x / ((a + two_m - one) * (a + two_m));
        let odd = -(a + m) * (ab + m) * x / ((a + two_m) * (a + two_m + one));
        let mut factor = one;
        for coefficient in [even, odd] {
            d = away(one + coefficient * d).recip();
            c = away(one + coefficient / c);
            factor *= c * d;
        }
        let before = value;
        value *= factor;
        more -= usize::from(!moves(value, before));
    }
    let beta = a.lgamma() + b.lgamma() - (a + b).lgamma();
    value * (a * x.ln() + b * (one - x).ln() - beta).exp() / a
}
