//! What an attribute may be.

use coenzyme::Inactive;
use ndarray::{ArrayRef, Dimension};

/// A type without a derivative: whatever activity an argument of it has, there is nothing to lose.
///
/// The attributes of [`unary_rule!`](crate::unary_rule) and [`binary_rule!`](crate::binary_rule) are of such types: axes,
/// shapes, flags, lists of indices. A number of type `f64` is not one, for a caller may make it `Active`, and its derivative
/// would be lost without a word. It is an operand with a derivative, or it is taken as `Inactive<f64>`.
///
/// ```compile_fail,E0277
/// use coenzyme::primitive;
/// use coenzyme_rules::class::{Linear, Transposed};
/// use coenzyme_rules::unary_rule;
///
/// /// `c·x`.
/// #[primitive]
/// pub fn times(x: f64, c: f64) -> f64 {
///     c * x
/// }
///
/// impl Linear<f64> for times {
///     type Out = f64;
///     type Attrs<'a> = (&'a f64,);
///     fn apply(x: &f64, (c,): (&f64,)) -> f64 { c * x }
///     fn transpose(dy: &f64, dx: &mut f64, (c,): (&f64,)) { *dx += c * dy }
/// }
///
/// // the trait bound `f64: Attribute` is not satisfied
/// unary_rule!(times[](x: f64; c: f64) = Transposed<times>);
/// ```
///
/// With `c: Inactive<f64>` it is accepted:
///
/// ```
/// # use coenzyme::{Inactive, primitive};
/// # use coenzyme_rules::class::{Linear, Transposed};
/// # use coenzyme_rules::unary_rule;
/// # #[primitive]
/// # pub fn times(x: f64, c: Inactive<f64>) -> f64 {
/// #     c.0 * x
/// # }
/// # impl Linear<f64> for times {
/// #     type Out = f64;
/// #     type Attrs<'a> = (&'a Inactive<f64>,);
/// #     fn apply(x: &f64, (c,): (&Inactive<f64>,)) -> f64 { c.0 * x }
/// #     fn transpose(dy: &f64, dx: &mut f64, (c,): (&Inactive<f64>,)) { *dx += c.0 * dy }
/// # }
/// unary_rule!(times[](x: f64; c: Inactive<f64>) = Transposed<times>);
/// # use coenzyme::{Active, Const, Reverse, autodiff};
/// let ((dx, ()),) = autodiff!(Reverse, times, Active, Active(3.0), Const(Inactive(2.0)));
/// assert_eq!(dx, 2.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an attribute: it may have a derivative, which the rule would lose",
    label = "an attribute has no derivative",
    note = "make it an operand, or take `Inactive<{Self}>`"
)]
pub trait Attribute {}

macro_rules! attributes {
    ($($t:ty),* $(,)?) => {$(
        impl Attribute for $t {}
    )*};
}

attributes! {
    bool, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, str, String,
    std::ops::Range<usize>,
}

impl<T> Attribute for Inactive<T> {}
impl<T: Attribute + ?Sized> Attribute for &T {}
impl<T: Attribute> Attribute for [T] {}
impl<T: Attribute, const N: usize> Attribute for [T; N] {}
impl<T: Attribute> Attribute for Vec<T> {}
impl<T: Attribute> Attribute for Option<T> {}
impl<T: Attribute, D: Dimension> Attribute for ArrayRef<T, D> {}
