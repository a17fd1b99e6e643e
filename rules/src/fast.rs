//! Elementary functions that loops compute several at a time: those of [`coenzyme::fast`], with rules.
//!
//! Each is within 2 ulp of the exact value, edges included, and runs two (SSE2), four (AVX2) or eight (AVX-512) at a time where a loop calls it:
//! for one `exp` in a loop over a slice 0.9 ns instead of 4.4 ns (AVX-512), for one `tanh` 1.6 ns instead of 9.1 ns. [`sin()`] and
//! [`cos()`] are NaN beyond `|x| = 2²⁰·π/2 ≈ 1.6·10⁶`. The module [`array`](mod@array) has them on arrays, under the same names.
//!
//! `#[differentiable(math = fast)]` puts these functions in the place of the methods in a whole function.
//!
//! ```
//! use coenzyme::prelude::*;
//! use coenzyme_rules::fast;
//!
//! #[differentiable]
//! fn log_sum_exp(x: &[f64]) -> f64 {
//!     let mut sum = 0.0;
//!     for x in x {
//!         sum += fast::exp(*x);
//!     }
//!     fast::ln(sum)
//! }
//!
//! let (softmax,) = gradient!(log_sum_exp, &[0.0, 3_f64.ln()]);
//! assert!((softmax[0] - 0.25).abs() < 1e-15 && (softmax[1] - 0.75).abs() < 1e-15);
//! ```

use crate::class::Scalar;

crate::elementwise1! {
    /// The same functions on arrays.
    pub mod array;
    /// `eˣ`.
    exp: Scalar (x, y) reads OUT { value: x.fast_exp(), partial: y }
    /// `eˣ − 1`, also where `eˣ` is next to 1.
    exp_m1: Scalar (x, y) reads OUT { value: x.fast_exp_m1(), partial: y + T::one() }
    /// The natural logarithm: −∞ at 0, NaN below; derivative `1/x`.
    ln: Scalar (x, _y) reads X { value: x.fast_ln(), partial: x.recip() }
    /// `ln(1 + x)`, also where `x` is next to 0: −∞ at −1, NaN below; derivative `1/(1 + x)`.
    ln_1p: Scalar (x, _y) reads X { value: x.fast_ln_1p(), partial: (x + T::one()).recip() }
    /// The hyperbolic tangent: derivative `1 − tanh²`.
    tanh: Scalar (x, y) reads OUT { value: x.fast_tanh(), partial: T::one() - y * y }
    /// The sine: NaN, as its derivative is, beyond `|x| = 2²⁰·π/2`.
    sin: Scalar (x, _y) reads X { value: x.fast_sin(), partial: x.fast_cos() }
    /// The cosine: NaN, as its derivative is, beyond `|x| = 2²⁰·π/2`.
    cos: Scalar (x, _y) reads X { value: x.fast_cos(), partial: -x.fast_sin() }
    /// The error function `2/√π·∫₀ˣ e^(−t²) dt`: derivative `2/√π·e^(−x²)`; ±1 at ±∞, with derivative 0.
    erf: Scalar (x, _y) reads X { value: x.fast_erf(), partial: T::FRAC_2_SQRT_PI() * (-x * x).fast_exp() }
    /// `1/(1 + e^(−x))`: derivative `y·(1 − y)`.
    logistic: Scalar (x, y) reads OUT {
        value: (T::one() + (-x).fast_exp()).recip(),
        partial: y * (T::one() - y)
    }
}
