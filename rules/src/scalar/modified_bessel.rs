//! Bessel functions of the second kind, and modified ones, of integer order.
//!
//! Source: DLMF 10.6.1 and 10.29.1 (derivatives), 10.25.2 (series of `I`), 10.40.1 (its expansion for large arguments), 10.32.9 (integral of `K`).

use coenzyme::{Real, easy_rule, primitive};

use super::Special;

/// The Bessel function of the second kind `Yₙ(x)`, of any integer order, for `x > 0`: −∞ at 0, NaN below.
///
/// Derivative `(Yₙ₋₁ − Yₙ₊₁)/2`.
#[primitive]
pub fn bessel_y<T: Special>(x: T, n: i32) -> T {
    x.bessel_y(n)
}

easy_rule! {
    fn bessel_y<T: Special>(x: T, #[constant] n: i32) -> y: T;
    dy/dx = T::lit(0.5) * (x.bessel_y(n - 1) - x.bessel_y(n + 1));
}

/// The modified Bessel function `Iₙ(x)`, of any integer order: derivative `(Iₙ₋₁ + Iₙ₊₁)/2`. Overflows at about 713.
///
/// ```
/// assert!((coenzyme_rules::scalar::bessel_i(1.0_f64, 0) - 1.2660658777520084).abs() < 1e-15);
/// ```
#[primitive]
pub fn bessel_i<T: Real>(x: T, n: i32) -> T {
    first(x, n)
}

easy_rule! {
    fn bessel_i<T: Real>(x: T, #[constant] n: i32) -> y: T;
    dy/dx = T::lit(0.5) * (first(x, n - 1) + first(x, n + 1));
}

/// The modified Bessel function of the second kind `Kₙ(x)`, of any integer order, for `x > 0`: ∞ at 0, NaN below.
///
/// Derivative `−(Kₙ₋₁ + Kₙ₊₁)/2`. Underflows at about 745.
#[primitive]
pub fn bessel_k<T: Real>(x: T, n: i32) -> T {
    second(x, n)
}

easy_rule! {
    fn bessel_k<T: Real>(x: T, #[constant] n: i32) -> y: T;
    dy/dx = T::lit(-0.5) * (second(x, n - 1) + second(x, n + 1));
}

/// `Iₙ(x)`: by its series, of positive terms, or by the expansion for arguments that are large and beyond the order.
fn first<T: Real>(x: T, n: i32) -> T {
    let order = n.unsigned_abs();
    if x < T::zero() {
        let value = first(-x, n);
        return if order.is_multiple_of(2) {
            value
        } else {
            -value
        };
    }
    let plain = x.to_plain();
    if plain > 40.0 && plain > f64::from(order).powi(2) {
        // eˣ/√(2πx)·(1 − (4n² − 1)/(8x) + (4n² − 1)(4n² − 9)/(2!(8x)²) − …)
        let mu = 4.0 * f64::from(order).powi(2);
        let (mut term, mut sum) = (T::one(), T::one());
        for k in 1..=30 {
            let odd = f64::from(2 * k - 1);
            term *= T::lit((odd * odd - mu) / (8.0 * f64::from(k))) / x;
            sum += term;
        }
        return x.exp() / (T::TAU() * x).sqrt() * sum;
    }
    let half = T::lit(0.5) * x;
    let square = half * half;
    let mut term = (1..=order).fold(T::one(), |term, k| term * half / T::lit(f64::from(k)));
    let (mut sum, mut k) = (term, 0.0);
    // the terms grow at first; a NaN ends the loop
    while term > sum * T::epsilon() * T::lit(1e-3) || k < 2.0 {
        k += 1.0;
        term *= square / T::lit(k * (k + f64::from(order)));
        sum += term;
    }
    sum
}

/// `Kₙ(x) = ∫₀^∞ e^{−x·cosh t}·cosh(nt) dt`, by the trapezoidal rule, which converges geometrically for functions that are analytic in a strip.
fn second<T: Real>(x: T, n: i32) -> T {
    let plain = x.to_plain();
    if plain == 0.0 {
        return T::infinity();
    }
    if plain.is_nan() || plain < 0.0 {
        return T::nan();
    }
    let order = f64::from(n.unsigned_abs());
    let h = 0.12_f64.min(0.6 / plain.sqrt());
    // e^{x}·Kₙ(x): the integrand without its largest factor
    let (mut sum, mut t) = (T::lit(0.5), 0.0_f64);
    loop {
        t += h;
        let fall = 2.0 * (0.5 * t).sinh().powi(2);
        let term = (-x * T::lit(fall)).exp() * T::lit((order * t).cosh());
        sum += term;
        let rising = plain * t.sinh() < order + 1.0;
        // derivatives bring powers of `fall`
        let counts = term.to_plain() * (1.0 + fall) > sum.to_plain() * 1e-19;
        if !rising && !counts {
            break;
        }
    }
    sum * T::lit(h) * (-x).exp()
}
