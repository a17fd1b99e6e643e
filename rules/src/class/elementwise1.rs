//! Functions of one number, on numbers and entry by entry on arrays.

use std::marker::PhantomData;

use coenzyme::scaled;
use ndarray::{Array, ArrayRef, Dimension, Zip};

use super::{At, Reads, Scalar, Unary};

/// A function of one number.
pub trait Elementwise1<T> {
    /// What the partial reads.
    const READS: Reads;

    /// An estimate of the operations of the value.
    const FLOPS: f64 = 1.0;

    /// The value at `x`.
    fn value(x: T) -> T;

    /// The derivative at `x`, where the value is `y`. What is not in [`READS`](Self::READS) is any number.
    fn partial(x: T, y: T) -> T;
}

/// An [`Elementwise1`] on a number, or on each entry of an array.
///
/// The tape holds nothing but what the partial reads: nothing for a sum, the value for `exp`, the operand for `sin` if it
/// may be overwritten.
#[derive(Debug)]
pub struct Each<F>(PhantomData<F>);

impl<T: Scalar, F: Elementwise1<T>> Unary<T> for Each<F> {
    type Out = T;
    type Attrs<'a> = ();
    type Residual = ();

    const READS: Reads = F::READS;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn value(x: &T, (): ()) -> T {
        F::value(*x)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pushforward(at: &At<'_, T, T, ()>, dx: &T, (): ()) -> T {
        let partial = F::partial(*at.x, at.out.copied().unwrap_or(*at.x));
        scaled(partial, *dx, at.strong_zero)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pullback(at: &At<'_, T, T, ()>, dy: &T, dx: &mut T, (): ()) {
        let partial = F::partial(*at.x, at.out.copied().unwrap_or(*at.x));
        *dx += scaled(partial, *dy, at.strong_zero);
    }
}

impl<T: Scalar, D: Dimension, F: Elementwise1<T>> Unary<ArrayRef<T, D>> for Each<F> {
    type Out = Array<T, D>;
    type Attrs<'a> = ();
    type Residual = ();

    const READS: Reads = F::READS;

    #[inline]
    fn value(x: &ArrayRef<T, D>, (): ()) -> Array<T, D> {
        x.mapv(F::value)
    }

    /// `ẏ = f′(x)·ẋ`
    #[inline]
    fn pushforward(
        at: &At<'_, ArrayRef<T, D>, Array<T, D>, ()>,
        dx: &ArrayRef<T, D>,
        (): (),
    ) -> Array<T, D> {
        // A value that the partial does not read is stood in for by any array of its shape.
        let y = at.out.map_or(dx, |y| &**y);
        Zip::from(at.x)
            .and(y)
            .and(dx)
            .map_collect(|&x, &y, &dx| scaled(F::partial(x, y), dx, at.strong_zero))
    }

    /// `x̄ += f′(x)·ȳ`
    #[inline]
    fn pullback(
        at: &At<'_, ArrayRef<T, D>, Array<T, D>, ()>,
        dy: &Array<T, D>,
        dx: &mut ArrayRef<T, D>,
        (): (),
    ) {
        let y = at.out.unwrap_or(dy);
        Zip::from(dx)
            .and(at.x)
            .and(y)
            .and(dy)
            .for_each(|dx, &x, &y, &dy| *dx += scaled(F::partial(x, y), dy, at.strong_zero));
    }
}
