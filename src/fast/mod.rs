//! Elementary functions that a loop computes several at a time.
//!
//! Each is straight-line code without branches, tables and calls: inlined into a loop over a slice, it becomes vector
//! instructions. A call of `f64::exp` stays a call. Every function is within 2 ulp of the exact value; zeros keep their sign,
//! infinities, subnormal numbers, overflow and NaN come out as with the methods of `f64`. One thing is less: **the sine and
//! the cosine are NaN beyond `|x| = 2²⁰·π/2 ≈ 1.6·10⁶`**, where reducing the angle takes a table.
//!
//! `f32` goes through `f64` and is rounded once, so that it is the nearest number but for about one in 10⁸.
//!
//! Where the target has fused multiply-add (`-C target-cpu=native`), the polynomials use it: results differ between targets in
//! the last digit.
//!
//! | file | functions | largest error at 10⁷ points, in ulp |
//! |---|---|---|
//! | `exp.rs` | `exp`, `exp_m1`, `tanh` | 0.91, 1.32, 1.70 |
//! | `log.rs` | `ln`, `ln_1p` | 0.84, 0.83 |
//! | `angle.rs` | `sin`, `cos` | 0.79, 0.77 |
//! | `error_function.rs` | `erf` | 1.61 |
//!
//! `#[differentiable(math = fast)]` puts them in the place of the methods; `coenzyme_rules::fast` has them as functions with rules.

mod angle;
#[cfg(test)]
mod double_double;
mod error_function;
mod exp;
#[cfg(test)]
mod judge;
mod log;
mod polynomial;

use crate::dual::Dual;
use crate::ops;
use crate::real::Real;

/// A number with functions that vectorize: `f64`, `f32`, [`Dual`].
///
/// ```
/// use coenzyme::fast::Fast;
///
/// let x: Vec<f64> = (0..8).map(f64::from).collect();
/// let y: Vec<f64> = x.iter().map(|x| x.fast_tanh()).collect();
/// assert!(x.iter().zip(&y).all(|(x, y)| (y - x.tanh()).abs() < 1e-15));
/// ```
pub trait Fast: Sized {
    /// `eˣ`.
    fn fast_exp(self) -> Self;
    /// `eˣ − 1`, also where `eˣ` is next to 1.
    fn fast_exp_m1(self) -> Self;
    /// The natural logarithm: −∞ at 0, NaN below.
    fn fast_ln(self) -> Self;
    /// `ln(1 + x)`, also where `x` is next to 0: −∞ at −1, NaN below.
    fn fast_ln_1p(self) -> Self;
    /// The hyperbolic tangent.
    fn fast_tanh(self) -> Self;
    /// The sine: NaN beyond `|x| = 2²⁰·π/2`.
    fn fast_sin(self) -> Self;
    /// The cosine: NaN beyond `|x| = 2²⁰·π/2`.
    fn fast_cos(self) -> Self;
    /// The error function `2/√π·∫₀ˣ e^(−t²) dt`.
    fn fast_erf(self) -> Self;

    /// Sine and cosine.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fast_sin_cos(self) -> (Self, Self)
    where
        Self: Copy,
    {
        (self.fast_sin(), self.fast_cos())
    }
}

macro_rules! numbers {
    ($($method:ident = $function:path;)*) => {
        impl Fast for f64 {$(
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method(self) -> f64 {
                $function(self)
            }
        )*}

        impl Fast for f32 {$(
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method(self) -> f32 {
                $function(f64::from(self)) as f32
            }
        )*}
    };
}

numbers! {
    fast_exp = exp::exp;
    fast_exp_m1 = exp::exp_m1;
    fast_ln = log::ln;
    fast_ln_1p = log::ln_1p;
    fast_tanh = exp::tanh;
    fast_sin = angle::sin;
    fast_cos = angle::cos;
    fast_erf = error_function::erf;
}

macro_rules! dual {
    ($($method:ident: $row:ident;)*) => {
        impl<T: Real> Fast for Dual<T> {$(
            #[inline]
            fn $method(self) -> Self {
                let y = self.value.$method();
                Self::new(y, ops::$row::partial(self.value, y) * self.tangent)
            }
        )*}
    };
}

dual! {
    fast_exp: exp;
    fast_exp_m1: exp_m1;
    fast_ln: ln;
    fast_ln_1p: ln_1p;
    fast_tanh: tanh;
    fast_sin: fast_sin;
    fast_cos: fast_cos;
    fast_erf: fast_erf;
}
