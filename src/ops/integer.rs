//! Arithmetic of integers and flags inside differentiated code: no derivative.

use super::{Additive, LikeNumbers, Operand, abs, div, max, min, mul, rem, rem_euclid, signum};

macro_rules! integer {
    ($op:ident: $($t:ty),*) => {$(
        impl Operand<$op, ($t,)> for $t {
            type Output = $t;
            type Partials = ();

            #[inline]
            fn partials(self, _: ($t,), _: $t) {}
            #[inline]
            fn pushforward((): &(), _: $t, _: ($t,)) -> $t {
                0
            }
            #[inline]
            fn pullback((): &(), _: &$t) -> ($t, ($t,)) {
                (0, (0,))
            }
        }

        impl LikeNumbers<$op, ($t,)> for $t {}
    )*};
}

macro_rules! integers {
    ($($op:ident),*) => {$(
        integer!($op: i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);
    )*};
}

integers!(mul, div, rem, max, min, rem_euclid);

macro_rules! signed {
    ($op:ident: $($t:ty),*) => {$(
        impl Operand<$op> for $t {
            type Output = $t;
            type Partials = ();

            #[inline]
            fn partials(self, (): (), _: $t) {}
            #[inline]
            fn pushforward((): &(), _: $t, (): ()) -> $t {
                0
            }
            #[inline]
            fn pullback((): &(), _: &$t) -> ($t, ()) {
                (0, ())
            }
        }

        impl LikeNumbers<$op> for $t {}
    )*};
}

signed!(abs: i8, i16, i32, i64, i128, isize);
signed!(signum: i8, i16, i32, i64, i128, isize);

macro_rules! additive {
    ($($t:ty),*) => {$(impl Additive for $t {})*};
}

additive!(
    i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize
);

/// What differentiated code calls of an integer by a path, since slices have methods of these names.
pub trait Integer: Copy {
    #[doc(hidden)]
    fn rotated_left(self, by: u32) -> Self;
    #[doc(hidden)]
    fn rotated_right(self, by: u32) -> Self;
}

/// The rules of an integer's methods, by the name of the method; types of the user's have their own.
pub trait IntegerMethods {
    /// The marker of `pow`.
    #[doc(hidden)]
    type Power: Default;

    #[doc(hidden)]
    #[inline]
    fn rule_of_pow(&self) -> Self::Power {
        Self::Power::default()
    }
}

macro_rules! methods {
    ($($t:ident $power:ident;)*) => {$(
        impl Integer for $t {
            #[inline]
            fn rotated_left(self, by: u32) -> Self {
                self.rotate_left(by)
            }
            #[inline]
            fn rotated_right(self, by: u32) -> Self {
                self.rotate_right(by)
            }
        }

        /// `aⁿ` of an integer.
        #[crate::inactive]
        #[inline]
        pub fn $power(base: $t, exponent: u32) -> $t {
            base.pow(exponent)
        }

        impl IntegerMethods for $t {
            type Power = $power;
        }
    )*};
}

methods! {
    i8 power_i8; i16 power_i16; i32 power_i32; i64 power_i64; i128 power_i128; isize power_isize;
    u8 power_u8; u16 power_u16; u32 power_u32; u64 power_u64; u128 power_u128; usize power_usize;
}
