//! Arithmetic of integers and flags inside differentiated code: no derivative.

use super::{Additive, LikeNumbers, Operand, div, mul, rem};

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

integers!(mul, div, rem);

macro_rules! additive {
    ($($t:ty),*) => {$(impl Additive for $t {})*};
}

additive!(
    i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize
);
