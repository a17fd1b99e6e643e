//! Functions of one real number.
//!
//! Edge values: `abs` and `signum` have partial 0 at 0 and NaN at NaN; the functions that round (`floor`, `ceil`, `round`,
//! `trunc`) have partial 0 everywhere, also at their jumps, and `fract` partial 1; `sqrt` and `cbrt` have partial ∞ at 0, as
//! have `asin` and `atanh` at ±1 and `acosh` at 1, and `acos` −∞. Outside its domain a function and its partial are NaN,
//! but for `ln`, `log2`, `log10`, `ln_1p` and `atanh`, whose partials are rational functions that go on.

use num_traits::Float;

use super::{LikeNumbers, Operand};
use crate::real::Real;

/// One marker: `name(x, y = value) => partial`.
macro_rules! marker {
    ($(#[$doc:meta])* $name:ident($x:ident, $y:ident) => $partial:expr) => {
        $(#[$doc])*
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name {}

        impl $name {
            /// The derivative at `x`, where the function has the value `y`.
            #[inline]
            pub fn partial<T: Real>($x: T, $y: T) -> T {
                $partial
            }
        }
    };
}

/// One row: a marker, and the operation on numbers. Of two functions each of which is the other's partial derivative, but for the sign:
/// that of this one where the other is at hand.
macro_rules! unary {
    ($($(#[$doc:meta])* $name:ident($x:ident, $y:ident) => $partial:expr $(, beside $other:ident => $beside:expr)?;)*) => {$(
        marker! { $(#[$doc])* $name($x, $y) => $partial }

        impl<T: Real> Operand<$name> for T {
            type Output = T;
            type Partials = T;

            #[inline]
            fn partials(self, (): (), out: T) -> T {
                $name::partial(self, out)
            }
            $(#[inline]
            fn partials_beside(self, (): (), _: T, $other: T) -> T {
                $beside
            })?
            #[inline]
            fn pushforward(partial: &T, tangent: T, (): ()) -> T {
                *partial * tangent
            }
            #[inline]
            fn pullback(partial: &T, cotangent: &T) -> (T, ()) {
                (*partial * *cotangent, ())
            }
        }

        impl<T: Real> LikeNumbers<$name> for T {}
    )*};
}

// the operation is that of every `Additive` type
marker! {
    /// `-x`.
    neg(_x, _y) => -T::one()
}

unary! {
    /// `1/x`.
    recip(_x, y) => -(y * y);
    /// The square root.
    sqrt(_x, y) => T::lit(0.5) * y.recip();
    /// The cube root.
    cbrt(_x, y) => (T::lit(3.0) * y * y).recip();
    /// `eˣ`.
    exp(_x, y) => y;
    /// `2ˣ`.
    exp2(_x, y) => y * T::LN_2();
    /// `eˣ − 1`.
    exp_m1(_x, y) => y + T::one();
    /// The natural logarithm.
    ln(x, _y) => x.recip();
    /// `ln(1 + x)`.
    ln_1p(x, _y) => (x + T::one()).recip();
    /// The logarithm to base 2.
    log2(x, _y) => T::LOG2_E() / x;
    /// The logarithm to base 10.
    log10(x, _y) => T::LOG10_E() / x;
    /// The sine.
    sin(x, _y) => x.cos(), beside cos => cos;
    /// The cosine.
    cos(x, _y) => -x.sin(), beside sin => -sin;
    /// The sine of [`fast`](crate::fast).
    fast_sin(x, _y) => x.fast_cos(), beside cos => cos;
    /// The cosine of [`fast`](crate::fast).
    fast_cos(x, _y) => -x.fast_sin(), beside sin => -sin;
    /// The error function of [`fast`](crate::fast).
    fast_erf(x, _y) => T::FRAC_2_SQRT_PI() * (-x * x).fast_exp();
    /// The tangent.
    tan(_x, y) => y * y + T::one();
    /// The arc sine.
    asin(x, _y) => ((T::one() - x) * (T::one() + x)).sqrt().recip();
    /// The arc cosine.
    acos(x, _y) => -((T::one() - x) * (T::one() + x)).sqrt().recip();
    /// The arc tangent.
    atan(x, _y) => (x * x + T::one()).recip();
    /// The hyperbolic sine.
    sinh(x, _y) => x.cosh(), beside cosh => cosh;
    /// The hyperbolic cosine.
    cosh(x, _y) => x.sinh(), beside sinh => sinh;
    /// The hyperbolic tangent.
    tanh(_x, y) => T::one() - y * y;
    /// The inverse hyperbolic sine.
    asinh(x, _y) => (x * x + T::one()).sqrt().recip();
    /// The inverse hyperbolic cosine.
    acosh(x, _y) => ((x - T::one()).sqrt() * (x + T::one()).sqrt()).recip();
    /// The inverse hyperbolic tangent.
    atanh(x, _y) => ((T::one() - x) * (T::one() + x)).recip();
    /// The absolute value: partial 0 at 0.
    abs(x, _y) => if x.is_zero() { T::zero() } else { Float::signum(x) };
    /// Degrees to radians.
    to_radians(_x, _y) => T::PI() / T::lit(180.0);
    /// Radians to degrees.
    to_degrees(_x, _y) => T::lit(180.0) / T::PI();
    /// The part after the point, with the sign of `x`.
    fract(_x, _y) => T::one();
    /// The sign, ±1: partial 0.
    signum(_x, _y) => T::zero();
    /// Rounds down: partial 0.
    floor(_x, _y) => T::zero();
    /// Rounds up: partial 0.
    ceil(_x, _y) => T::zero();
    /// Rounds to nearest: partial 0.
    round(_x, _y) => T::zero();
    /// Rounds to nearest, ties to even: partial 0.
    round_ties_even(_x, _y) => T::zero();
    /// Rounds towards 0: partial 0.
    trunc(_x, _y) => T::zero();
}
