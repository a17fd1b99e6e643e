//! Functions of one variable with derivatives in closed form.
//!
//! The derivatives are written independently of the primals and in a form that does not cancel.

use std::ops::Range;

/// A function, its derivative, and where to try it.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    pub(crate) range: Range<f64>,
    pub(crate) primal: fn(f64) -> f64,
    pub(crate) derivative: fn(f64) -> f64,
}

macro_rules! families {
    ($($name:literal in $range:expr, $primal:expr, $derivative:expr;)*) => {
        &[$(Family { name: $name, range: $range, primal: $primal, derivative: $derivative },)*]
    };
}

/// The families: smooth, badly scaled, near edges, oscillating, cancelling, saturating.
pub(crate) const FAMILIES: &[Family] = families! {
    // Smooth and of order one.
    "sin" in -3.0..3.0, |x| x.sin(), |x| x.cos();
    "exp" in -3.0..3.0, |x| x.exp(), |x| x.exp();
    "tanh" in -4.0..4.0, |x| x.tanh(), |x| x.cosh().powi(-2);
    "logistic" in -9.0..9.0, |x| 1.0 / (1.0 + (-x).exp()), |x| 0.25 * (x / 2.0).cosh().powi(-2);
    "atan" in -9.0..9.0, |x| x.atan(), |x| 1.0 / (1.0 + x * x);
    "x²" in -3.0..3.0, |x| x * x, |x| 2.0 * x;
    "3x" in -3.0..3.0, |x| 3.0 * x, |_| 3.0;
    "gaussian" in -6.0..6.0, |x| (-x * x).exp(), |x| -2.0 * x * (-x * x).exp();
    "exp(3x)sin(5x)" in -1.0..1.0, |x| (3.0 * x).exp() * (5.0 * x).sin(),
        |x| (3.0 * x).exp() * (3.0 * (5.0 * x).sin() + 5.0 * (5.0 * x).cos());
    // Fast.
    "sin(10x)" in -3.0..3.0, |x| (10.0 * x).sin(), |x| 10.0 * (10.0 * x).cos();
    "sin(1000x)" in -3.0..3.0, |x| (1000.0 * x).sin(), |x| 1000.0 * (1000.0 * x).cos();
    "sin(10⁵x)" in -3.0..3.0, |x| (1e5 * x).sin(), |x| 1e5 * (1e5 * x).cos();
    "sin at large x" in 1e4..1e6, |x| x.sin(), |x| x.cos();
    "sin(x²) at 30" in 25.0..35.0, |x| (x * x).sin(), |x| 2.0 * x * (x * x).cos();
    "exp(-1000x²)" in -0.1..0.1, |x| (-1000.0 * x * x).exp(), |x| -2000.0 * x * (-1000.0 * x * x).exp();
    "tanh(1000x)" in -0.005..0.005, |x| (1000.0 * x).tanh(), |x| 1000.0 * (1000.0 * x).cosh().powi(-2);
    // Large and small arguments.
    "x³ at 10³" in 9e2..1.1e3, |x| x * x * x, |x| 3.0 * x * x;
    "x³ at 10¹²" in 9e11..1.1e12, |x| x * x * x, |x| 3.0 * x * x;
    "x² at 10¹²" in 1e11..1e13, |x| x * x, |x| 2.0 * x;
    "√x at 10⁸" in 1e7..1e9, |x| x.sqrt(), |x| 0.5 / x.sqrt();
    "ln x at 10⁶" in 1e5..1e7, |x| x.ln(), |x| 1.0 / x;
    "exp at 100" in 90.0..110.0, |x| x.exp(), |x| x.exp();
    "exp at -100" in -110.0..-90.0, |x| x.exp(), |x| x.exp();
    "x⁻² at 10³" in 5e2..5e3, |x| 1.0 / (x * x), |x| -2.0 / (x * x * x);
    "sin, tiny x" in 1e-12..1e-7, |x| x.sin(), |x| x.cos();
    "x², tiny x" in 1e-9..1e-6, |x| x * x, |x| 2.0 * x;
    "exp, tiny x" in 1e-100..1e-8, |x| x.exp(), |x| x.exp();
    // Near the edge of the domain.
    "1/x near 0" in 1e-4..1e-1, |x| 1.0 / x, |x| -1.0 / (x * x);
    "1/x nearer 0" in 1e-12..1e-6, |x| 1.0 / x, |x| -1.0 / (x * x);
    "1/x at 10⁻³⁰" in 1e-60..1e-16, |x| 1.0 / x, |x| -1.0 / (x * x);
    "ln near 0" in 1e-8..1e-1, |x| x.ln(), |x| 1.0 / x;
    "ln at 10⁻⁵⁰" in 1e-60..1e-40, |x| x.ln(), |x| 1.0 / x;
    "√ near 0" in 1e-8..1e-1, |x| x.sqrt(), |x| 0.5 / x.sqrt();
    "asin near 1" in 0.99..0.99999, |x| x.asin(), |x| 1.0 / ((1.0 - x) * (1.0 + x)).sqrt();
    "tan near π/2" in 1.5..1.57, |x| x.tan(), |x| x.cos().powi(-2);
    "ln(1-x) near 1" in 0.99..0.999999, |x| (1.0 - x).ln(), |x| -1.0 / (1.0 - x);
    "x ln x near 0" in 1e-6..0.3, |x| x * x.ln(), |x| 1.0 + x.ln();
    // Branches, away from their kinks.
    "relu" in -3.0..3.0, |x| x.max(0.0), |x| if x > 0.0 { 1.0 } else { 0.0 };
    "|x|³" in -3.0..3.0, |x| x.abs().powi(3), |x| 3.0 * x * x.abs();
    "huber" in -3.0..3.0, |x| if x.abs() < 1.0 { x * x / 2.0 } else { x.abs() - 0.5 },
        |x| x.clamp(-1.0, 1.0);
    "floor" in -3.0..3.0, |x| x.floor(), |_| 0.0;
    // Cancelling.
    "10³ + sin" in -3.0..3.0, |x| 1e3 + x.sin(), |x| x.cos();
    "10⁶ + sin" in -3.0..3.0, |x| 1e6 + x.sin(), |x| x.cos();
    "10¹² + sin" in -3.0..3.0, |x| 1e12 + x.sin(), |x| x.cos();
    "naive log-sum-exp" in -3.0..3.0, |x| (x.exp() + (0.5 * x).exp()).ln(),
        |x| { let w = (-0.5 * x).exp(); (1.0 + 0.5 * w) / (1.0 + w) };
    "naive log-sum-exp at 600" in 500.0..700.0, |x| (x.exp() + (x - 1.0).exp()).ln(), |_| 1.0;
    "expanded (x-1)⁸" in 1.2..2.0, expanded_eighth_power, |x| 8.0 * (x - 1.0).powi(7);
    "(1 - cos x)/x²" in 0.01..1.0, |x| (1.0 - x.cos()) / (x * x), cosine_quotient_derivative;
    "eˣ - 1, small x" in 1e-5..1e-1, |x| x.exp() - 1.0, |x| x.exp();
    "√(x+1) - √x at 10⁶" in 1e5..1e7, |x| (x + 1.0).sqrt() - x.sqrt(),
        |x| -0.5 / ((x * (x + 1.0)).sqrt() * ((x + 1.0).sqrt() + x.sqrt()));
    // Saturating.
    "erf-like tail" in 5.0..15.0, |x| x.tanh(), |x| x.cosh().powi(-2);
    "softplus tail" in 10.0..30.0, |x| x.exp().ln_1p(), |x| 1.0 / (1.0 + (-x).exp());
};

/// `(x-1)⁸` by its binomial coefficients, which cancel near one.
fn expanded_eighth_power(x: f64) -> f64 {
    let coefficients = [1.0, -8.0, 28.0, -56.0, 70.0, -56.0, 28.0, -8.0, 1.0];
    coefficients
        .into_iter()
        .fold(0.0, |sum, coefficient| sum * x + coefficient)
}

/// The derivative of `(1 - cos x)/x²` by its series, `Σ (-1)ⁿ·2n·x²ⁿ⁻¹/(2n+2)!`, for `|x| ≤ 1`.
fn cosine_quotient_derivative(x: f64) -> f64 {
    let mut sum = 0.0;
    let mut factorial = 2.0;
    for n in 1..12_i32 {
        factorial *= f64::from(2 * n + 1) * f64::from(2 * n + 2);
        let sign = if n % 2 == 0 { 1.0 } else { -1.0 };
        sum += sign * f64::from(2 * n) * x.powi(2 * n - 1) / factorial;
    }
    sum
}
