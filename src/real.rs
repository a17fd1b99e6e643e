//! Real scalars, so that one text serves `f32`, `f64` and [`Dual`](crate::Dual) numbers of any depth.

use std::fmt::{Debug, Display};
use std::iter::{Product, Sum};

use num_traits::{Float, FloatConst, FromPrimitive, NumAssign};

use crate::__private::Blank;
use crate::partial::Number;
use crate::rule::Outcome;
use crate::tangent::{ByValue, HoldsMut, Memory, Tangent};

/// A real number that derivatives can be taken of, and through.
///
/// A function that is generic over `T: Real` can be differentiated twice: its reverse rule runs on
/// [`Dual`](crate::Dual) numbers, which gives Hessian-vector products.
pub trait Real:
    Float
    + FloatConst
    + NumAssign
    + FromPrimitive
    + Sum
    + Product
    + Default
    + Debug
    + Display
    + Send
    + Sync
    + Tangent<Owned = Self>
    + Outcome<Value = Self>
    + Number
    + ByValue
    + HoldsMut<Self>
    + Memory<Target = Self>
    + Blank
    + 'static
{
    /// The nearest number to `x`, as a constant.
    fn lit(x: f64) -> Self;

    /// The number without its derivatives.
    fn to_plain(self) -> f64;
}

impl Real for f64 {
    #[inline(always)]
    fn lit(x: f64) -> f64 {
        x
    }
    #[inline(always)]
    fn to_plain(self) -> f64 {
        self
    }
}

impl Real for f32 {
    #[inline(always)]
    fn lit(x: f64) -> f32 {
        x as f32
    }
    #[inline(always)]
    fn to_plain(self) -> f64 {
        f64::from(self)
    }
}
