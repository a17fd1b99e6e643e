//! What `#[differentiable(order = 2)]` writes: a body over `f64` becomes one over numbers of any order.

use std::cmp::Ordering;
use std::iter::{Product, Sum};
use std::marker::PhantomData;
use std::ops::Neg;

use num_traits::{NumAssignRef, NumRef, RefNum};

use crate::real::Real;

/// A function whose rules hold for `f64` and for dual numbers alike.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no second derivative",
    label = "a second derivative is taken of it here",
    note = "write `#[differentiable(order = 2)]` before `{Self}`",
    note = "a `#[primitive]` or `#[inactive]` function has one if it is generic over `T: Real`"
)]
pub trait AnyOrder {
    /// The function's marker. As long as it is not known, nothing else is said of a call.
    type Marker;

    /// Its one value.
    const MARKER: Self::Marker;
}

/// With an array, a number makes an array.
#[cfg(feature = "ndarray")]
pub use ndarray::ScalarOperand as ArrayScalar;

/// Without arrays there is nothing to ask.
#[cfg(not(feature = "ndarray"))]
pub trait ArrayScalar {}
#[cfg(not(feature = "ndarray"))]
impl<T> ArrayScalar for T {}

/// What programs do with an `f64`, of `f64` and of dual numbers: also by reference.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number of any order",
    note = "a function of order 2 computes with `f64` and with `Dual` numbers"
)]
pub trait Liftable:
    Real
    + Plain<Plain = f64>
    + NumRef
    + NumAssignRef
    + for<'r> Sum<&'r Self>
    + for<'r> Product<&'r Self>
    + ArrayScalar
{
    /// The order of the plain values: [`f64::total_cmp`].
    #[inline]
    fn total_cmp(&self, other: &Self) -> Ordering {
        self.to_plain().total_cmp(&other.to_plain())
    }

    /// The remainder that is not negative: [`f64::rem_euclid`].
    #[inline]
    fn rem_euclid(self, by: Self) -> Self {
        let r = self % by;
        if r < Self::zero() { r + by.abs() } else { r }
    }

    /// The quotient that leaves that remainder: [`f64::div_euclid`].
    #[inline]
    fn div_euclid(self, by: Self) -> Self {
        let q = (self / by).trunc();
        match self % by < Self::zero() {
            true if by > Self::zero() => q - Self::one(),
            true => q + Self::one(),
            false => q,
        }
    }
}

/// What references to numbers do. Its implementations are listed: were it one for all that can be added and negated, the compiler would look
/// through arrays of arrays of arrays for a number that it does not know yet.
pub trait BorrowedNumber<T>: RefNum<T> + Neg<Output = T> {}

macro_rules! liftable {
    ($([$($g:tt)*] $t:ty),*) => {$(
        impl<$($g)*> Liftable for $t {}
        impl<$($g)*> BorrowedNumber<$t> for &$t {}
        impl<$($g)*> Plain for $t {
            type Plain = f64;

            #[inline]
            fn plain(&self) -> f64 {
                self.to_plain()
            }
        }
    )*};
}

liftable! { [] f64, [] f32, [T: Real] crate::Dual<T> }

/// A constant that holds `f64`, as one of numbers without derivative.
pub trait Lift<T> {
    /// The same with `T` in place of `f64`.
    type Lifted;

    /// The constant.
    fn lift(&self) -> Self::Lifted;
}

impl<T: Real> Lift<T> for f64 {
    type Lifted = T;

    #[inline]
    fn lift(&self) -> T {
        T::lit(*self)
    }
}

impl<T, C: Lift<T>, const N: usize> Lift<T> for [C; N] {
    type Lifted = [C::Lifted; N];

    #[inline]
    fn lift(&self) -> Self::Lifted {
        std::array::from_fn(|i| self[i].lift())
    }
}

impl<T, C: Lift<T>> Lift<T> for [C] {
    type Lifted = Vec<C::Lifted>;

    fn lift(&self) -> Self::Lifted {
        self.iter().map(C::lift).collect()
    }
}

impl<T, C: Lift<T>> Lift<T> for Vec<C> {
    type Lifted = Vec<C::Lifted>;

    fn lift(&self) -> Self::Lifted {
        self[..].lift()
    }
}

impl<T, C: Lift<T> + ?Sized> Lift<T> for &C {
    type Lifted = C::Lifted;

    #[inline]
    fn lift(&self) -> Self::Lifted {
        C::lift(self)
    }
}

impl<T, C: Lift<T>> Lift<T> for Option<C> {
    type Lifted = Option<C::Lifted>;

    #[inline]
    fn lift(&self) -> Self::Lifted {
        self.as_ref().map(C::lift)
    }
}

/// A number without its derivatives, and what consists of such.
pub trait Plain {
    /// The same with `f64`.
    type Plain;

    /// The value.
    fn plain(&self) -> Self::Plain;
}

impl<X: Plain, const N: usize> Plain for [X; N] {
    type Plain = [X::Plain; N];

    #[inline]
    fn plain(&self) -> Self::Plain {
        std::array::from_fn(|i| self[i].plain())
    }
}

impl<X: Plain> Plain for [X] {
    type Plain = Vec<X::Plain>;

    fn plain(&self) -> Self::Plain {
        self.iter().map(X::plain).collect()
    }
}

impl<X: Plain> Plain for Vec<X> {
    type Plain = Vec<X::Plain>;

    fn plain(&self) -> Self::Plain {
        self[..].plain()
    }
}

impl<X: Plain + ?Sized> Plain for &X {
    type Plain = X::Plain;

    #[inline]
    fn plain(&self) -> Self::Plain {
        X::plain(self)
    }
}

macro_rules! inert {
    ($($t:ty)*) => {$(
        impl<T> Lift<T> for $t {
            type Lifted = $t;

            #[inline]
            fn lift(&self) -> $t {
                *self
            }
        }
        impl Plain for $t {
            type Plain = $t;

            #[inline]
            fn plain(&self) -> $t {
                *self
            }
        }
    )*};
}

inert! { bool char i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

macro_rules! tuples {
    ($(($($c:ident $i:tt)*))*) => {$(
        impl<T, $($c: Lift<T>),*> Lift<T> for ($($c,)*) {
            type Lifted = ($($c::Lifted,)*);

            #[inline]
            fn lift(&self) -> Self::Lifted {
                ($(self.$i.lift(),)*)
            }
        }
        impl<$($c: Plain),*> Plain for ($($c,)*) {
            type Plain = ($($c::Plain,)*);

            #[inline]
            fn plain(&self) -> Self::Plain {
                ($(self.$i.plain(),)*)
            }
        }
    )*};
}

tuples! { (A 0 B 1) (A 0 B 1 C 2) (A 0 B 1 C 2 D 3) }

/// A value that comes from outside of the lifted text: a constant, a field of a constant struct, the result of a call without
/// derivative. `lifted` is [`Lift::lift`] where there is one, and a copy where the type holds no `f64`.
#[derive(Debug)]
pub struct Outside<'a, C: ?Sized, T>(&'a C, PhantomData<T>);

/// See [`Outside`].
#[inline]
pub fn outside<T, C: ?Sized>(constant: &C) -> Outside<'_, C, T> {
    Outside(constant, PhantomData)
}

impl<T, C: Lift<T> + ?Sized> Outside<'_, C, T> {
    /// With `T` in place of `f64`.
    #[inline]
    pub fn lifted(self) -> C::Lifted {
        self.0.lift()
    }
}

/// A value that goes to a call without derivative. `plain` is [`Plain::plain`] where there is one, and a copy elsewhere.
#[derive(Debug)]
pub struct Inside<'a, X: ?Sized>(pub &'a X);

impl<X: Plain + ?Sized> Inside<'_, X> {
    /// With `f64`.
    #[inline]
    pub fn plain(self) -> X::Plain {
        self.0.plain()
    }
}

/// What is found where there is no method of the type's own: a copy.
pub trait AsItIs {
    /// The type as it is.
    type As;

    /// A copy.
    fn lifted(self) -> Self::As;
    /// A copy.
    fn plain(self) -> Self::As;
}

impl<C: Clone, T> AsItIs for Outside<'_, C, T> {
    type As = C;

    #[inline]
    fn lifted(self) -> C {
        self.0.clone()
    }
    #[inline]
    fn plain(self) -> C {
        self.0.clone()
    }
}

impl<X: Clone> AsItIs for Inside<'_, X> {
    type As = X;

    #[inline]
    fn lifted(self) -> X {
        self.0.clone()
    }
    #[inline]
    fn plain(self) -> X {
        self.0.clone()
    }
}

/// An integer or a flag that becomes a number: `n as f64`, `f64::from(n)`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an integer",
    label = "becomes a number by `as f64` or `f64::from`",
    note = "in a function of order 2 only integers are cast to `f64`: leave the cast out if this is a number already"
)]
pub trait Whole {
    /// The nearest `f64`.
    fn nearest(self) -> f64;
}

macro_rules! whole {
    ($($t:ty)*) => {$(
        impl Whole for $t {
            #[inline]
            fn nearest(self) -> f64 {
                self as f64
            }
        }
    )*};
}

whole! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

impl Whole for bool {
    #[inline]
    fn nearest(self) -> f64 {
        f64::from(u8::from(self))
    }
}

/// `n as f64` in any order.
#[inline]
pub fn whole<T: Real, N: Whole>(n: N) -> T {
    T::lit(n.nearest())
}
