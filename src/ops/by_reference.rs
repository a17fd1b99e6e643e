//! `&a + &b`, `&a + b`, `a + &b`: operators with references among their operands, as pure operations on what is behind them.
//!
//! A type may give them other meanings than `a + b`, so they have rules of their own. Those of numbers and matrices are the rules of
//! `a + b`; `#[differentiable]` on `impl Add<&A> for &A` makes the others from the body.

use super::own::number_on_the_left;
use super::{Additive, LikeNumbers, Operand};
use crate::real::Real;

macro_rules! markers {
    ($($(#[$doc:meta])* $form:ident: $left:literal $right:literal;)*) => {$(
        $(#[$doc])*
        pub mod $form {
            markers!(@ $left $right: add "+", sub "-", mul "*", div "/", rem "%");
        }
    )*};
    (@ $left:literal $right:literal: $($op:ident $sign:literal),*) => {$(
        #[doc = concat!("`", $left, " ", $sign, " ", $right, "`")]
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $op {}
    )*};
}

markers! {
    /// Two references.
    both: "&a" "&b";
    /// A reference on the left.
    left: "&a" "b";
    /// A reference on the right.
    right: "a" "&b";
}

/// `-&a`
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, Default)]
pub struct neg {}

impl<V: Additive> Operand<neg> for V {
    type Output = V;
    type Partials = ();

    #[inline]
    fn partials(self, (): (), out: V) {
        Operand::<super::neg>::partials(self, (), out);
    }
    #[inline]
    fn pushforward(partials: &(), tangent: V, (): ()) -> V {
        <V as Operand<super::neg>>::pushforward(partials, tangent, ())
    }
    #[inline]
    fn pullback(partials: &(), cotangent: &V) -> (V, ()) {
        <V as Operand<super::neg>>::pullback(partials, cotangent)
    }
}

impl<V: Additive> LikeNumbers<neg> for V {}

/// The operators with references, and the compound ones, of a type whose operators on values mean the same: `operator_forms! { [generics] (A) mul (B); }`.
///
/// This is a promise that goes with an [`Operand`](crate::ops::Operand) that is written by hand: `a *= b`, `&a * &b`, `&a * b` and `a * &b` are
/// `a * b`, as far as the type has these operators. `#[differentiable]` on their `impl` blocks makes it unnecessary.
///
/// ```
/// use coenzyme::ops::{self, LikeNumbers, Operand};
/// use coenzyme::prelude::*;
/// use std::ops::{Mul, MulAssign};
///
/// #[derive(Clone, Copy, Debug, PartialEq, Tangent)]
/// struct Meters(f64);
///
/// impl Mul<f64> for Meters {
///     type Output = Meters;
///     fn mul(self, k: f64) -> Meters {
///         Meters(self.0 * k)
///     }
/// }
///
/// impl MulAssign<f64> for Meters {
///     fn mul_assign(&mut self, k: f64) {
///         self.0 *= k;
///     }
/// }
///
/// impl Operand<ops::mul, (f64,)> for Meters {
///     type Output = Meters;
///     type Partials = (f64, f64);
///
///     fn partials(self, (k,): (f64,), _: Meters) -> (f64, f64) {
///         (k, self.0)
///     }
///     fn pushforward(&(of_x, of_k): &(f64, f64), dx: Meters, (dk,): (f64,)) -> Meters {
///         Meters(of_x * dx.0 + of_k * dk)
///     }
///     fn pullback(&(of_x, of_k): &(f64, f64), dy: &Meters) -> (Meters, (f64,)) {
///         (Meters(of_x * dy.0), (of_k * dy.0,))
///     }
/// }
///
/// impl LikeNumbers<ops::mul, (f64,)> for Meters {}
///
/// coenzyme::operator_forms! { [] (Meters) mul (f64); }
///
/// #[differentiable]
/// fn cubed(x: Meters, k: f64) -> Meters {
///     let mut y = x;
///     y *= k;
///     y *= k * k;
///     y
/// }
///
/// let (dy,) = autodiff!(Forward, cubed, Duplicated(Meters(2.0), Meters(0.0)), Duplicated(3.0, 1.0));
/// assert_eq!(dy, Meters(54.0));
/// ```
#[macro_export]
macro_rules! operator_forms {
    ($([$($g:tt)*] ($a:ty) $op:ident ($b:ty);)*) => {$(
        $crate::operator_forms!(@ [$($g)*] ($a) $op ($b) by_reference::both);
        $crate::operator_forms!(@ [$($g)*] ($a) $op ($b) by_reference::left);
        $crate::operator_forms!(@ [$($g)*] ($a) $op ($b) by_reference::right);
        $crate::operator_forms!(@ [$($g)*] ($a) $op ($b) assigned);
        $crate::operator_forms!(@ [$($g)*] ($a) $op ($b) assigned::lent);
    )*};
    (@ [$($g:tt)*] ($a:ty) $op:ident ($b:ty) $($form:ident)::+) => {
        impl<$($g)*> $crate::ops::Operand<$crate::ops::$($form)::+::$op, ($b,)> for $a
        where
            $a: $crate::ops::Operand<$crate::ops::$op, ($b,)>,
        {
            type Output = <$a as $crate::ops::Operand<$crate::ops::$op, ($b,)>>::Output;
            type Partials = <$a as $crate::ops::Operand<$crate::ops::$op, ($b,)>>::Partials;

            #[inline]
            fn partials(self, rest: ($b,), out: Self::Output) -> Self::Partials {
                $crate::ops::Operand::<$crate::ops::$op, ($b,)>::partials(self, rest, out)
            }
            #[inline]
            fn pushforward(partials: &Self::Partials, tangent: $a, rest: ($b,)) -> Self::Output {
                <$a as $crate::ops::Operand<$crate::ops::$op, ($b,)>>::pushforward(partials, tangent, rest)
            }
            #[inline]
            fn pushforward_of(active: u8, partials: &Self::Partials, tangent: $a, rest: ($b,)) -> Self::Output {
                <$a as $crate::ops::Operand<$crate::ops::$op, ($b,)>>::pushforward_of(active, partials, tangent, rest)
            }
            #[inline]
            fn pullback(partials: &Self::Partials, cotangent: &Self::Output) -> ($a, ($b,)) {
                <$a as $crate::ops::Operand<$crate::ops::$op, ($b,)>>::pullback(partials, cotangent)
            }
        }

        impl<$($g)*> $crate::ops::LikeNumbers<$crate::ops::$($form)::+::$op, ($b,)> for $a
        where
            $a: $crate::ops::LikeNumbers<$crate::ops::$op, ($b,)>
                + $crate::ops::Operand<$crate::ops::$($form)::+::$op, ($b,)>,
        {
        }
    };
}

operator_forms! {
    [V: Additive] (V) add (V);
    [V: Additive] (V) sub (V);
    [T: Real] (T) mul (T);
    [T: Real] (T) div (T);
    [T: Real] (T) rem (T);
}

macro_rules! integers {
    ($($t:ty),*) => { operator_forms! { $([] ($t) mul ($t); [] ($t) div ($t); [] ($t) rem ($t);)* } };
}

integers!(
    i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize
);

#[cfg(feature = "complex")]
mod complex {
    use num_complex::Complex;

    use crate::real::Real;

    operator_forms! {
        [T: Real] (Complex<T>) mul (Complex<T>);
        [T: Real] (Complex<T>) div (Complex<T>);
    }

    macro_rules! with_real {
        ($($op:ident),*) => { operator_forms! { $(
            [T: Real] (Complex<T>) $op (T);
            [] (f64) $op (Complex<f64>);
            [] (f32) $op (Complex<f32>);
        )* } };
    }

    with_real!(add, sub, mul, div);
}

macro_rules! numbers_on_the_left {
    ($($form:ident),*) => {$(
        number_on_the_left! {
            f32: $form::add, $form::sub, $form::mul, $form::div, $form::rem;
            f64: $form::add, $form::sub, $form::mul, $form::div, $form::rem;
        }
    )*};
}

numbers_on_the_left!(both, left, right);

/// The same with a number on the left.
#[doc(hidden)]
#[macro_export]
macro_rules! number_by_reference {
    ($([$($g:tt)*] ($t:ty) $op:ident ($b:ty);)*) => {$(
        $crate::number_by_reference!(@ [$($g)*] ($t) $op ($b) both);
        $crate::number_by_reference!(@ [$($g)*] ($t) $op ($b) left);
        $crate::number_by_reference!(@ [$($g)*] ($t) $op ($b) right);
    )*};
    (@ [$($g:tt)*] ($t:ty) $op:ident ($b:ty) $form:ident) => {
        impl<$($g)*> $crate::ops::RightOperand<$crate::ops::by_reference::$form::$op, $t> for $b
        where
            $b: $crate::ops::RightOperand<$crate::ops::$op, $t>,
        {
            type Output = <$b as $crate::ops::RightOperand<$crate::ops::$op, $t>>::Output;
            type Partials = <$b as $crate::ops::RightOperand<$crate::ops::$op, $t>>::Partials;

            #[inline]
            fn partials(self, left: $t) -> Self::Partials {
                $crate::ops::RightOperand::<$crate::ops::$op, $t>::partials(self, left)
            }
            #[inline]
            fn pushforward(partials: &Self::Partials, left: $t, tangent: $b) -> Self::Output {
                <$b as $crate::ops::RightOperand<$crate::ops::$op, $t>>::pushforward(partials, left, tangent)
            }
            #[inline]
            fn pullback(partials: &Self::Partials, cotangent: &Self::Output) -> ($t, $b) {
                <$b as $crate::ops::RightOperand<$crate::ops::$op, $t>>::pullback(partials, cotangent)
            }
        }

        impl<$($g)*> $crate::ops::RightLikeNumbers<$crate::ops::by_reference::$form::$op, $t> for $b where
            $b: $crate::ops::RightLikeNumbers<$crate::ops::$op, $t>
                + $crate::ops::RightOperand<$crate::ops::by_reference::$form::$op, $t>
        {
        }
    };
}
