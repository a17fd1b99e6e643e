//! Rules for functions that `statrs` and `libm` export, so that `#[differentiable]` code can call them.
//!
//! ```
//! use coenzyme::prelude::*;
//! use special_functions::ln_gamma;
//!
//! /// The log-density of a gamma distribution.
//! #[differentiable]
//! fn log_density(shape: f64, rate: f64, x: f64) -> f64 {
//!     shape * rate.ln() - ln_gamma(shape) + (shape - 1.0) * x.ln() - rate * x
//! }
//!
//! // the score has its zero in the rate at shape / x
//! assert_eq!(gradient!(log_density, 2.0, 4.0, 0.5).1, 0.0);
//! ```

use std::f64::consts::PI;

use coenzyme::prelude::*;

/// `ln Γ(x)`, for `x > 0`.
#[primitive(path = statrs::function::gamma::ln_gamma)]
pub fn ln_gamma(x: f64) -> f64;

easy_rule! {
    fn ln_gamma(x: f64) -> y: f64;
    dy/dx = statrs::function::gamma::digamma(x);
}

/// `Γ(x)`, for `x > 0`.
#[primitive(path = statrs::function::gamma::gamma)]
pub fn gamma(x: f64) -> f64;

easy_rule! {
    fn gamma(x: f64) -> y: f64;
    dy/dx = y * statrs::function::gamma::digamma(x);
}

/// `ψ(x) = Γ′(x)/Γ(x)`, for `x > 0`.
#[primitive(path = statrs::function::gamma::digamma)]
pub fn digamma(x: f64) -> f64;

easy_rule! {
    fn digamma(x: f64) -> y: f64;
    dy/dx = trigamma(x);
}

/// `ψ′(x)`, for `x > 0`: by recurrence to `x ≥ 10`, and the asymptotic series there (Abramowitz and Stegun 6.4.6, 6.4.12).
fn trigamma(mut x: f64) -> f64 {
    let mut sum = 0.0;
    while x < 10.0 {
        sum += 1.0 / (x * x);
        x += 1.0;
    }
    let r = 1.0 / (x * x);
    let series =
        1.0 / 6.0 - r * (1.0 / 30.0 - r * (1.0 / 42.0 - r * (1.0 / 30.0 - r * 5.0 / 66.0)));
    sum + 1.0 / x + r / 2.0 + r / x * series
}

/// The regularized lower incomplete gamma function `P(a, x)`: a distribution function in `x`, with a derivative there. In `a` it
/// has none here: that argument is constant.
#[primitive(path = statrs::function::gamma::gamma_lr)]
pub fn gamma_lr(a: f64, x: f64) -> f64;

easy_rule! {
    fn gamma_lr(a: f64, x: f64) -> y: f64;
    dy/da = constant;
    dy/dx = ((a - 1.0) * x.ln() - x - statrs::function::gamma::ln_gamma(a)).exp();
}

/// `ln B(a, b)`, for positive arguments.
#[primitive(path = statrs::function::beta::ln_beta)]
pub fn ln_beta(a: f64, b: f64) -> f64;

easy_rule! {
    fn ln_beta(a: f64, b: f64) -> y: f64;
    let both = statrs::function::gamma::digamma(a + b);
    dy/da = statrs::function::gamma::digamma(a) - both;
    dy/db = statrs::function::gamma::digamma(b) - both;
}

/// The regularized incomplete beta function `I(a, b, x)`, for constant `a` and `b`.
#[primitive(path = statrs::function::beta::beta_reg)]
pub fn beta_reg(a: f64, b: f64, x: f64) -> f64;

easy_rule! {
    fn beta_reg(a: f64, b: f64, x: f64) -> y: f64;
    dy/da = constant;
    dy/db = constant;
    dy/dx = x.powf(a - 1.0) * (1.0 - x).powf(b - 1.0) / statrs::function::beta::beta(a, b);
}

/// The error function.
#[primitive(path = libm::erf)]
pub fn erf(x: f64) -> f64;

easy_rule! {
    fn erf(x: f64) -> y: f64;
    dy/dx = 2.0 / PI.sqrt() * (-x * x).exp();
}

/// `1 − erf(x)`, without cancellation.
#[primitive(path = libm::erfc)]
pub fn erfc(x: f64) -> f64;

easy_rule! {
    fn erfc(x: f64) -> y: f64;
    dy/dx = -2.0 / PI.sqrt() * (-x * x).exp();
}

/// The inverse of the error function, on `(−1, 1)`.
#[primitive(path = statrs::function::erf::erf_inv)]
pub fn erf_inv(x: f64) -> f64;

easy_rule! {
    fn erf_inv(x: f64) -> y: f64;
    dy/dx = PI.sqrt() / 2.0 * (y * y).exp();
}

/// Bessel's function `J₀`.
#[primitive(path = libm::j0)]
pub fn j0(x: f64) -> f64;

easy_rule! {
    fn j0(x: f64) -> y: f64;
    dy/dx = -libm::j1(x);
}

/// Bessel's function `Jₙ`.
#[primitive(path = libm::jn)]
pub fn jn(n: i32, x: f64) -> f64;

easy_rule! {
    fn jn(n: i32, x: f64) -> y: f64;
    dy/dn = constant;
    dy/dx = (libm::jn(n - 1, x) - libm::jn(n + 1, x)) / 2.0;
}

#[cfg(test)]
mod tests {
    use coenzyme_testutils::{test_rule, value};

    use super::*;

    macro_rules! rules {
($($f:ident, $name:ident: ($($x:ident = $at:expr $(, $only:ident)?);+);)*) => {$(
            test_rule! {
                $f;
                $($x: value($at) $([$only])?),+;
                ret: [Const, Active];
                name = $name, widths = [1, 2]
            }
        )*};
    }

    rules! {
        ln_gamma, ln_gamma_of_a_fraction: (x = 0.3);
        ln_gamma, ln_gamma_of_a_large_number: (x = 41.5);
        gamma, gamma_rule: (x = 2.7);
        digamma, digamma_rule: (x = 0.8);
        digamma, digamma_far_out: (x = 14.2);
        gamma_lr, incomplete_gamma: (a = 2.5, Const; x = 1.7);
        ln_beta, beta_rule: (a = 0.7; b = 3.1);
        beta_reg, incomplete_beta: (a = 2.0, Const; b = 3.5, Const; x = 0.4);
        erf, erf_rule: (x = 0.6);
        erfc, erfc_far_out: (x = 3.2);
        erf_inv, inverse_of_erf: (x = 0.4);
        j0, bessel_zero: (x = 2.2);
        jn, bessel_three: (n = 3, Const; x = 4.1);
    }
}
