//! Operators of types of one's own: what may be said of them, so that the reverse pass keeps as little as for numbers.

use super::{Operand, add, div, mul, neg, sub};
use crate::real::Real;
use crate::tangent::Tangent;

/// `a + b`, `a - b`, `-a`, `a += b` and `a -= b` of this type, and as far as there are such operators those on references to it, add
/// component by component, as its tangents do.
///
/// Their derivative is known then, and nothing is kept for it:
///
/// ```
/// use std::ops::{Add, AddAssign};
///
/// use coenzyme::ops::Additive;
/// use coenzyme::prelude::*;
///
/// #[derive(Clone, Copy, PartialEq, Tangent)]
/// struct Vector {
///     x: f64,
///     y: f64,
/// }
///
/// impl Add for Vector {
///     type Output = Vector;
///     fn add(self, b: Vector) -> Vector {
///         Vector { x: self.x + b.x, y: self.y + b.y }
///     }
/// }
///
/// impl AddAssign for Vector {
///     fn add_assign(&mut self, b: Vector) {
///         *self = *self + b;
///     }
/// }
///
/// impl Additive for Vector {}
///
/// #[differentiable]
/// fn squared_length_of_sum(vectors: &[Vector], start: Vector) -> f64 {
///     let mut sum = start;
///     for v in vectors {
///         sum += *v;
///     }
///     sum.x * sum.x + sum.y * sum.y
/// }
///
/// let (a, b) = (Vector { x: 1.0, y: 2.0 }, Vector { x: 0.5, y: -1.0 });
/// let (each, _) = gradient!(squared_length_of_sum, &vec![a, b], b);
/// assert_eq!((each[0].x, each[0].y), (4.0, 0.0));
/// ```
///
/// This is a promise: where it does not hold (velocities that add as in relativity, probabilities that are kept as
/// logarithms) derivatives are wrong. Give such an operator a rule instead, by `#[differentiable]` on its `impl` block, and call
/// it as a method: `a.add(b)`.
pub trait Additive: Tangent<Owned = Self> + Clone + Sized {}

impl<T: Real> Additive for T {}

#[cfg(feature = "complex")]
impl<T: Real> Additive for num_complex::Complex<T> {}

impl<V: Additive> Operand<add, (V,)> for V {
    type Output = V;
    type Partials = ();

    #[inline]
    fn partials(self, _: (V,), _: V) {}
    #[inline]
    fn pushforward((): &(), mut a: V, (b,): (V,)) -> V {
        Tangent::accumulate(&mut a, &b);
        a
    }
    #[inline]
    fn pullback((): &(), y: &V) -> (V, (V,)) {
        (y.clone(), (y.clone(),))
    }
}

impl<V: Additive> Operand<sub, (V,)> for V {
    type Output = V;
    type Partials = ();

    #[inline]
    fn partials(self, _: (V,), _: V) {}
    #[inline]
    fn pushforward((): &(), mut a: V, (b,): (V,)) -> V {
        Tangent::accumulate(&mut a, &negative(b));
        a
    }
    #[inline]
    fn pullback((): &(), y: &V) -> (V, (V,)) {
        (y.clone(), (negative(y.clone()),))
    }
}

impl<V: Additive> Operand<neg> for V {
    type Output = V;
    type Partials = ();

    #[inline]
    fn partials(self, (): (), _: V) {}
    #[inline]
    fn pushforward((): &(), a: V, (): ()) -> V {
        negative(a)
    }
    #[inline]
    fn pullback((): &(), y: &V) -> (V, ()) {
        (negative(y.clone()), ())
    }
}

#[inline]
fn negative<V: Additive>(mut v: V) -> V {
    Tangent::scale(&mut v, -1.0);
    v
}

impl<V: Additive> LikeNumbers<add, (V,)> for V {}
impl<V: Additive> LikeNumbers<sub, (V,)> for V {}
impl<V: Additive> LikeNumbers<neg> for V {}

/// The partials of `Op` on this type read no more than they do on numbers: nothing for `+`, `-` and the negative; the other
/// factor for `*`, whose result is linear in each; the result alone for `recip`, `sqrt`, `cbrt`, `exp`, `exp2`, `exp_m1`, `tan`
/// and `tanh`; the operands, but not the result, for everything else.
///
/// What is not read is not kept: in its place `#[differentiable]` code passes a zero to [`Operand::partials`]. An operation
/// without this promise is refused by the compiler. `#[differentiable]` on the `impl` block of an operator makes the promise if the body
/// of the operator shows that it holds.
pub trait LikeNumbers<Op, Rest = ()>: Operand<Op, Rest> {}

/// A number on the left and this type on the right of `Op`: `2.0 * v`.
///
/// [`Operand`] is implemented for the left operand, which is not yours if it is a number. `#[differentiable]` on
/// `impl Mul<Vector> for f64` implements this one.
pub trait RightOperand<Op, Left>: Sized {
    /// What the operation returns.
    type Output;
    /// What both directions share.
    type Partials;

    /// The partial derivatives at `(left, self)`.
    fn partials(self, left: Left) -> Self::Partials;

    /// The tangent of the result.
    fn pushforward(partials: &Self::Partials, left: Left, tangent: Self) -> Self::Output;

    /// The cotangents of the operands.
    fn pullback(partials: &Self::Partials, cotangent: &Self::Output) -> (Left, Self);
}

/// [`LikeNumbers`] of a number on the left and this type on the right.
pub trait RightLikeNumbers<Op, Left>: RightOperand<Op, Left> {}

/// The operations of a number and a value of a type of one's own, found by that.
macro_rules! number_on_the_left {
    ($($t:ty: $($op:path),*;)*) => {$($(
        impl<V: $crate::ops::RightOperand<$op, $t>> $crate::ops::Operand<$op, (V,)> for $t {
            type Output = V::Output;
            type Partials = V::Partials;

            #[inline]
            fn partials(self, (v,): (V,), _: V::Output) -> V::Partials {
                v.partials(self)
            }
            #[inline]
            fn pushforward(partials: &V::Partials, left: $t, (v,): (V,)) -> V::Output {
                V::pushforward(partials, left, v)
            }
            #[inline]
            fn pullback(partials: &V::Partials, cotangent: &V::Output) -> ($t, (V,)) {
                let (left, v) = V::pullback(partials, cotangent);
                (left, (v,))
            }
        }

        impl<V: $crate::ops::RightLikeNumbers<$op, $t>> $crate::ops::LikeNumbers<$op, (V,)> for $t {}
    )*)*};
}

pub(super) use number_on_the_left;

number_on_the_left! {
    f32: add, sub, mul, div;
    f64: add, sub, mul, div;
}
