//! `a += b`, `a *= b`, …: what the compound operators make of their left operand, as pure operations.
//!
//! A type may give `*=` another meaning than `*`, so it has rules of its own. Those of numbers, arrays and matrices are the rules of `*`
//! ([`AssignsAlike`]); `#[differentiable]` on `impl MulAssign<B> for A` makes the others from the body.

use super::{Additive, LikeNumbers, Operand};
use crate::real::Real;

/// `a op= b` is `a = a op b`.
pub trait AssignsAlike<Op, B> {}

impl<V: Additive> AssignsAlike<super::add, V> for V {}
impl<V: Additive> AssignsAlike<super::sub, V> for V {}

macro_rules! assigned {
    ($($op:ident $sign:literal;)*) => {$(
        #[doc = concat!("`a ", $sign, "= b`")]
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $op {}

        impl<A, B> Operand<$op, (B,)> for A
        where
            A: AssignsAlike<super::$op, B> + Operand<super::$op, (B,), Output = A>,
        {
            type Output = A;
            type Partials = <A as Operand<super::$op, (B,)>>::Partials;

            #[inline]
            fn partials(self, rest: (B,), out: A) -> Self::Partials {
                Operand::<super::$op, (B,)>::partials(self, rest, out)
            }
            #[inline]
            fn pushforward(partials: &Self::Partials, tangent: A, rest: (B,)) -> A {
                <A as Operand<super::$op, (B,)>>::pushforward(partials, tangent, rest)
            }
            #[inline]
            fn pullback(partials: &Self::Partials, cotangent: &A) -> (A, (B,)) {
                <A as Operand<super::$op, (B,)>>::pullback(partials, cotangent)
            }
        }

        impl<A, B> LikeNumbers<$op, (B,)> for A
        where
            A: AssignsAlike<super::$op, B> + LikeNumbers<super::$op, (B,)> + Operand<super::$op, (B,), Output = A>,
        {
        }
    )*};
}

assigned! {
    add "+";
    sub "-";
    mul "*";
    div "/";
    rem "%";
}

/// `a += &b`, `a *= &b`, …: the operators that take their right operand by reference, where both are of the user's types.
pub mod lent {
    macro_rules! lent {
        ($($op:ident $sign:literal;)*) => {$(
            #[doc = concat!("`a ", $sign, "= &b`")]
            #[allow(non_camel_case_types)]
            #[derive(Clone, Copy, Debug, Default)]
            pub struct $op {}
        )*};
    }

    lent! {
        add "+";
        sub "-";
        mul "*";
        div "/";
        rem "%";
    }
}

macro_rules! of_numbers {
    ($($op:ident),*) => {$(
        impl<T: Real> AssignsAlike<super::$op, T> for T {}
        #[cfg(feature = "complex")]
        impl<T: Real> AssignsAlike<super::$op, num_complex::Complex<T>> for num_complex::Complex<T> {}
        of_numbers!($op: i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);
    )*};
    ($op:ident: $($t:ty),*) => {$(
        impl AssignsAlike<super::$op, $t> for $t {}
    )*};
}

of_numbers!(mul, div, rem);

macro_rules! complex_with_real {
    ($($op:ident),*) => {$(
        #[cfg(feature = "complex")]
        impl<T: Real> AssignsAlike<super::$op, T> for num_complex::Complex<T> {}
    )*};
}

complex_with_real!(add, sub, mul, div);
