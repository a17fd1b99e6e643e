//! The numbers that rules work with.

use coenzyme::{Dual, Outcome, Real, Tangent};
use ndarray::{Array, Dimension};

/// A return type that is its own value: a number, an array or a position, not a `Result` around one.
pub trait Plain: Outcome<Value = Self> + Tangent<Owned = Self> + Clone {
    /// `inside`, as the inside of this outcome, which for a plain type it is.
    fn wrap<U>(inside: U) -> Self::Of<U>;
}

macro_rules! plain {
    ($([$($g:tt)*] $t:ty),* $(,)?) => {$(
        impl<$($g)*> Plain for $t {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn wrap<U>(inside: U) -> U {
                inside
            }
        }
    )*};
}

plain! {
    [] f32, [] f64, [] usize, [T: Real] Dual<T>, [T: Scalar, D: Dimension] Array<T, D>,
    [A: Plain, B: Plain] (A, B), [A: Plain, B: Plain, C: Plain] (A, B, C),
    [T: Plain] Vec<T>,
}

/// A real number that a function can return: `f32`, `f64`, and [`Dual`] numbers of any depth.
pub trait Scalar: Real + Plain {}

impl<T: Real + Plain> Scalar for T {}
