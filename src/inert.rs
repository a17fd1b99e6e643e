//! Types that carry no derivative.

use core::cmp::Ordering;
use core::convert::Infallible;
use core::marker::PhantomData;
use core::ops::{
    Bound, ControlFlow, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive,
};
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use crate::Inactive;

/// A type no value of which carries a derivative: truths, integers, characters, strings, orderings, and what is made of such.
///
/// `#[differentiable]` leaves calls like `x.len()` and `v.contains(&k)` out of the derivative because of their names, and demands
/// that what they return is `Inert`. So a method of your own that is called `len` and returns an `f64` is a compile error and not
/// a derivative of zero. Implement this trait for a type of your own that such a method returns, if nothing in it is active:
///
/// ```
/// /// Where a point lies.
/// enum Side {
///     Inside,
///     Outside,
/// }
/// impl coenzyme::Inert for Side {}
///
/// fn answers<T: coenzyme::Inert>(_: T) {}
/// answers(Side::Inside);
/// answers([Some(Side::Outside), None]);
/// answers((3_usize, "three"));
/// ```
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` may carry a derivative, but the name it comes from is taken for one that has none",
    label = "taken for a query or a type of the standard library because of its name",
    note = "call a method of your own by its path, `Type::method(&x, …)`, or give it another name; mark it `#[differentiable]` or `#[primitive]`",
    note = "if nothing in `{Self}` is active, write `impl coenzyme::Inert for {Self} {{}}`"
)]
pub trait Inert {}

macro_rules! inert {
    ($($ty:ty)*) => { $(impl Inert for $ty {})* };
}

inert! {
    () bool char str String
    i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize
    Ordering Infallible RangeFull Duration Instant SystemTime
    core::num::NonZeroUsize core::num::NonZeroU8 core::num::NonZeroU16 core::num::NonZeroU32 core::num::NonZeroU64
    core::num::IntErrorKind core::num::ParseIntError core::num::ParseFloatError core::num::TryFromIntError
    core::array::TryFromSliceError core::any::TypeId
}

impl<T: ?Sized> Inert for PhantomData<T> {}
impl<T> Inert for Inactive<T> {}
impl<T: Inert + ?Sized> Inert for &T {}
impl<T: Inert + ?Sized> Inert for &mut T {}
impl<T: Inert + ?Sized> Inert for Box<T> {}
impl<T: Inert + ?Sized> Inert for Rc<T> {}
impl<T: Inert + ?Sized> Inert for Arc<T> {}
impl<T: Inert + ToOwned + ?Sized> Inert for Cow<'_, T> {}
impl<T: Inert> Inert for [T] {}
impl<T: Inert, const N: usize> Inert for [T; N] {}
impl<T: Inert> Inert for Vec<T> {}
impl<T: Inert> Inert for Option<T> {}
impl<T: Inert, E: Inert> Inert for Result<T, E> {}
impl<B: Inert, C: Inert> Inert for ControlFlow<B, C> {}
impl<T: Inert> Inert for Bound<T> {}
impl<T: Inert> Inert for Range<T> {}
impl<T: Inert> Inert for RangeFrom<T> {}
impl<T: Inert> Inert for RangeTo<T> {}
impl<T: Inert> Inert for RangeInclusive<T> {}
impl<T: Inert> Inert for RangeToInclusive<T> {}

macro_rules! inert_tuples {
    ($($($name:ident)+;)*) => { $(impl<$($name: Inert),+> Inert for ($($name,)+) {})* };
}

inert_tuples! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
}

#[cfg(feature = "ndarray")]
mod arrays {
    use super::Inert;

    impl<I: ?Sized> Inert for ndarray::Dim<I> {}
    impl Inert for ndarray::Axis {}
    impl Inert for ndarray::ShapeError {}
}
