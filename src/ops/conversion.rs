//! Casts between number types.

use std::marker::PhantomData;

use super::{LikeNumbers, Operand};

/// `x as T`. Between floats the derivative is cast along; from an integer there is none.
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug)]
pub struct cast<T>(PhantomData<T>);

macro_rules! floats {
    ($($from:ty => $to:ty),*) => {$(
        impl Operand<cast<$to>> for $from {
            type Output = $to;
            type Partials = ();

            #[inline]
            fn partials(self, (): (), _: $to) {}
            #[inline]
            fn pushforward((): &(), tangent: $from, (): ()) -> $to {
                tangent as $to
            }
            #[inline]
            fn pullback((): &(), cotangent: &$to) -> ($from, ()) {
                (*cotangent as $from, ())
            }
        }

        impl LikeNumbers<cast<$to>> for $from {}
    )*};
}

floats!(f32 => f32, f32 => f64, f64 => f32, f64 => f64);

macro_rules! integers {
    ($($from:ty),*) => {$(
        integers!(@ $from => f32);
        integers!(@ $from => f64);
    )*};
    (@ $from:ty => $to:ty) => {
        impl Operand<cast<$to>> for $from {
            type Output = $to;
            type Partials = ();

            #[inline]
            fn partials(self, (): (), _: $to) {}
            #[inline]
            fn pushforward((): &(), _: $from, (): ()) -> $to {
                0.0
            }
            #[inline]
            fn pullback((): &(), _: &$to) -> ($from, ()) {
                (0, ())
            }
        }

        impl LikeNumbers<cast<$to>> for $from {}
    };
}

integers!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);
