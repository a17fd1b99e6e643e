//! Operations on the lanes of a local's shadow.

use crate::ops::Operand;
use crate::tangent::Tangent;

/// A type with a zero that needs no shape: the type of a scalar local.
#[diagnostic::on_unimplemented(
    message = "an active local of type `{Self}` has no zero without its shape",
    label = "not a number, or a tuple or fixed array of numbers",
    note = "write into a `&mut` argument or a `Vec` that is declared with its shape"
)]
pub trait Blank: Sized {
    /// The zero.
    fn blank() -> Self;
}

macro_rules! blank {
    ($($zero:expr => $($t:ty),*;)*) => {$($(
        impl Blank for $t {
            #[inline(always)]
            fn blank() -> Self {
                $zero
            }
        }
    )*)*};
}

blank! {
    0.0 => f32, f64;
    0 => i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize;
    false => bool;
    '\0' => char;
    () => ();
}

impl<T: crate::Real> Blank for crate::Dual<T> {
    #[inline(always)]
    fn blank() -> Self {
        Self::default()
    }
}

#[cfg(feature = "complex")]
impl<T: crate::Real> Blank for num_complex::Complex<T> {
    #[inline(always)]
    fn blank() -> Self {
        Self::default()
    }
}

impl<T: Blank, const N: usize> Blank for [T; N] {
    #[inline(always)]
    fn blank() -> Self {
        std::array::from_fn(|_| T::blank())
    }
}

macro_rules! blank_tuples {
    ($(($($t:ident)+))*) => {$(
        impl<$($t: Blank),+> Blank for ($($t,)+) {
            #[inline(always)]
            fn blank() -> Self {
                ($($t::blank(),)+)
            }
        }
    )*};
}

blank_tuples! { (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) }

/// A value of the type that `f` would return, which nobody reads. `f` is not called.
#[inline(always)]
pub fn unread<T: Blank>(_: impl FnOnce() -> T) -> T {
    T::blank()
}

/// Zero lanes of the shape of `value`.
#[inline(always)]
pub fn zeros<T: Tangent<Owned = T>, const W: usize>(value: &T) -> [T; W] {
    std::array::from_fn(|_| value.zero_like())
}

/// `lanes += other`, lane by lane.
#[inline(always)]
pub fn add<T: Tangent, const W: usize>(lanes: &mut [T; W], other: &[T; W]) {
    for (a, b) in lanes.iter_mut().zip(other) {
        a.accumulate(b);
    }
}

/// The lanes, leaving zeros.
#[inline(always)]
pub fn take<T: Tangent<Owned = T>, const W: usize>(lanes: &mut [T; W]) -> [T; W] {
    std::array::from_fn(|lane| {
        let zero = lanes[lane].zero_like();
        std::mem::replace(&mut lanes[lane], zero)
    })
}

/// The tangent of an operation in each lane.
#[inline(always)]
pub fn push<Op, A, Rest, const W: usize>(
    a: A,
    rest: Rest,
    out: A::Output,
    tangents: impl Fn(usize) -> (A, Rest),
) -> [A::Output; W]
where
    A: Operand<Op, Rest>,
{
    let partials = a.partials(rest, out);
    std::array::from_fn(|lane| {
        let (da, drest) = tangents(lane);
        A::pushforward(&partials, da, drest)
    })
}

/// The cotangents of an operation's operands in each lane.
#[inline(always)]
pub fn pull<Op, A, Rest, const W: usize>(
    a: A,
    rest: Rest,
    out: A::Output,
    cotangents: &[A::Output; W],
) -> [(A, Rest); W]
where
    A: Operand<Op, Rest>,
{
    let partials = a.partials(rest, out);
    std::array::from_fn(|lane| A::pullback(&partials, &cotangents[lane]))
}

/// A shared reference to what a reference or a place holds: ends the difference between `x: T` and `x: &T`.
#[inline(always)]
pub fn read<T: Copy>(place: &T) -> T {
    *place
}
