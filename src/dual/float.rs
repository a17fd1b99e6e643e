//! The float methods of dual numbers: values from the scalar, derivatives from the rows of [`ops`](crate::ops).

use std::num::FpCategory;

use num_traits::{Float, FloatConst};

use super::Dual;
use super::number::{binary, unary};
use crate::ops::{self, Operand};
use crate::real::Real;

macro_rules! constants {
    ($($name:ident)*) => {$(
        #[inline]
        fn $name() -> Self {
            Self::constant(T::$name())
        }
    )*};
}

macro_rules! queries {
    ($($name:ident -> $out:ty;)*) => {$(
        #[inline]
        fn $name(self) -> $out {
            self.value.$name()
        }
    )*};
}

macro_rules! unary_methods {
    ($($name:ident)*) => {$(
        #[inline]
        fn $name(self) -> Self {
            unary::<T, ops::$name>(self, self.value.$name())
        }
    )*};
}

macro_rules! binary_methods {
    ($($name:ident)*) => {$(
        #[inline]
        fn $name(self, other: Self) -> Self {
            binary::<T, ops::$name>(self, other, self.value.$name(other.value))
        }
    )*};
}

impl<T: Real> Float for Dual<T> {
    constants! { nan infinity neg_infinity neg_zero min_value max_value min_positive_value epsilon }

    queries! {
        is_nan -> bool; is_infinite -> bool; is_finite -> bool; is_normal -> bool;
        is_sign_positive -> bool; is_sign_negative -> bool;
        classify -> FpCategory; integer_decode -> (u64, i16, i8);
    }

    unary_methods! {
        floor ceil round trunc fract abs signum recip sqrt cbrt exp exp2 exp_m1 ln ln_1p log2 log10
        sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh to_degrees to_radians
    }

    binary_methods! { powf hypot atan2 max min copysign log }

    #[inline]
    fn mul_add(self, a: Self, b: Self) -> Self {
        let value = self.value.mul_add(a.value, b.value);
        let partials =
            Operand::<ops::mul_add, (T, T)>::partials(self.value, (a.value, b.value), value);
        let tangents = (a.tangent, b.tangent);
        Self::new(
            value,
            <T as Operand<ops::mul_add, (T, T)>>::pushforward(&partials, self.tangent, tangents),
        )
    }

    #[inline]
    fn powi(self, n: i32) -> Self {
        Self::new(
            self.value.powi(n),
            ops::powi::partial(self.value, n) * self.tangent,
        )
    }

    #[inline]
    fn abs_sub(self, other: Self) -> Self {
        if self <= other {
            Self::constant(T::zero())
        } else {
            self - other
        }
    }

    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        (self.sin(), self.cos())
    }
}

impl<T: Real> FloatConst for Dual<T> {
    constants! {
        E FRAC_1_PI FRAC_1_SQRT_2 FRAC_2_PI FRAC_2_SQRT_PI FRAC_PI_2 FRAC_PI_3 FRAC_PI_4 FRAC_PI_6 FRAC_PI_8
        LN_10 LN_2 LOG10_E LOG2_E PI SQRT_2
    }
}
