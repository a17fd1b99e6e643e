//! Real scalars, so that one text serves `f32`, `f64` and [`Dual`](crate::Dual) numbers of any depth.

use std::fmt::{Debug, Display};
use std::iter::{Product, Sum};

use num_traits::{Float, FloatConst, FromPrimitive, NumAssign};

use crate::__private::Blank;
use crate::fast::Fast;
use crate::partial::Number;
use crate::tangent::{ByValue, HoldsMut, Memory, Tangent};

/// A real number that derivatives can be taken of, and through.
///
/// A function that is generic over `T: Real` can be differentiated twice: its reverse rule runs on
/// [`Dual`](crate::Dual) numbers, which gives Hessian-vector products.
///
/// ```
/// use coenzyme::{Real, derivative};
///
/// fn cube<T: Real>(x: T) -> T {
///     T::lit(0.5) * x * x * x
/// }
///
/// assert_eq!(cube(2.0_f32), 4.0);
/// assert_eq!(derivative(|x| derivative(cube, x), 2.0), 6.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a real number that derivatives are known of",
    label = "neither a number nor a type with a tangent space",
    note = "differentiated code computes with `f32`, `f64` or `Dual` numbers",
    note = "write `#[derive(Tangent)]` on a struct or an enum that an argument or a returned value consists of"
)]
pub trait Real:
    Float
    + Fast
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
    + Tangent<Owned = Self, Target = Self>
    + Number
    + Memory<Target = Self>
    + HoldsMut<Self>
    + ByValue
    + Blank
    + 'static
{
    /// The nearest number to `x`, as a constant.
    fn lit(x: f64) -> Self;

    /// The number without its derivatives.
    fn to_plain(self) -> f64;

    /// Whether the number is zero with all its derivatives, so that it contributes nothing to any order.
    ///
    /// [`is_zero`](num_traits::Zero::is_zero) looks at the value alone, as the branches of a primal program do.
    ///
    /// ```
    /// use coenzyme::{Dual, Real};
    ///
    /// assert!(0.0.vanishes() && Dual::constant(0.0).vanishes());
    /// assert!(!Dual::variable(0.0).vanishes());
    /// ```
    fn vanishes(self) -> bool;
}

impl Real for f64 {
    #[inline]
    fn lit(x: f64) -> f64 {
        x
    }
    #[inline]
    fn to_plain(self) -> f64 {
        self
    }
    #[inline]
    fn vanishes(self) -> bool {
        self == 0.0
    }
}

impl Real for f32 {
    #[inline]
    fn lit(x: f64) -> f32 {
        x as f32
    }
    #[inline]
    fn to_plain(self) -> f64 {
        f64::from(self)
    }
    #[inline]
    fn vanishes(self) -> bool {
        self == 0.0
    }
}
