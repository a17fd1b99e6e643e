//! Which function a method means in a function with `math = fast`, by the type of its receiver: a number, a pointer to one, or another.
//!
//! `(&&fast_receiver(&x)).exp()` looks for a method of `&Receiver`, then of `Receiver` by reference, then by value.

use std::ops::Deref;

use crate::real::Real;

/// What a method is called on.
#[derive(Debug)]
pub struct FastReceiver<'a, P: ?Sized>(&'a P);

impl<P: ?Sized> Clone for FastReceiver<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: ?Sized> Copy for FastReceiver<'_, P> {}

/// What a method is called on.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn fast_receiver<P: ?Sized>(receiver: &P) -> FastReceiver<'_, P> {
    FastReceiver(receiver)
}

macro_rules! methods {
    ($($name:ident $fast:ident -> $out:ty;)*) => {
        /// Methods of numbers.
        pub trait FastOfNumber<T> {
            $(#[doc = "The fast function."] fn $name(&self) -> Option<$out>;)*
        }

        impl<T: Real> FastOfNumber<T> for &FastReceiver<'_, T> {$(
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $name(&self) -> Option<$out> {
                Some((*self.0).$fast())
            }
        )*}

        /// Methods of numbers behind references and boxes.
        pub trait FastOfPointer<T> {
            $(#[doc = "The fast function."] fn $name(&self) -> Option<$out>;)*
        }

        impl<T: Real, P: Deref<Target = T>> FastOfPointer<T> for FastReceiver<'_, P> {$(
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $name(&self) -> Option<$out> {
                Some((**self.0).$fast())
            }
        )*}

        /// Methods of anything else.
        pub trait FastOfOther: Sized {
            $(#[doc = "There is none."] #[cfg_attr(not(debug_assertions), inline(always))] fn $name<R>(self) -> Option<R> { None })*
        }

        impl<P: ?Sized> FastOfOther for FastReceiver<'_, P> {}
    };
}

methods! {
    cos fast_cos -> T;
    exp fast_exp -> T;
    exp_m1 fast_exp_m1 -> T;
    ln fast_ln -> T;
    ln_1p fast_ln_1p -> T;
    sin fast_sin -> T;
    sin_cos fast_sin_cos -> (T, T);
    tanh fast_tanh -> T;
}
