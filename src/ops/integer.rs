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
