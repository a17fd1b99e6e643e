//! Functions of a row of numbers that return a row of the same length, along one axis of an array.

use std::marker::PhantomData;

use ndarray::{Array, ArrayRef, ArrayView1, ArrayViewMut1, Axis, Dimension, Zip};

use super::{At, Reads, Scalar, Unary, check_axis};

/// A function of a row of numbers that returns a row of the same length.
///
/// `x` and `y` are there if [`READS`](Self::READS) has them; otherwise they are some row of the same length.
pub trait Lanewise<T> {
    /// What the derivative reads: [`Reads::X`], [`Reads::OUT`].
    const READS: Reads;

    /// Writes the value of `x` to `y`, which holds zeros.
    fn value(x: ArrayView1<'_, T>, y: ArrayViewMut1<'_, T>);

    /// Writes the tangent to `dy`, which holds zeros.
    fn pushforward(
        x: ArrayView1<'_, T>,
        y: ArrayView1<'_, T>,
        dx: ArrayView1<'_, T>,
        dy: ArrayViewMut1<'_, T>,
    );

    /// Adds the cotangent to `dx`.
    fn pullback(
        x: ArrayView1<'_, T>,
        y: ArrayView1<'_, T>,
        dy: ArrayView1<'_, T>,
        dx: ArrayViewMut1<'_, T>,
    );
}

/// A [`Lanewise`] function along one axis of an array.
#[derive(Debug)]
pub struct Lanes<F>(PhantomData<F>);

impl<T: Scalar, D: Dimension, F: Lanewise<T>> Unary<ArrayRef<T, D>> for Lanes<F> {
    type Out = Array<T, D>;
    type Attrs<'a> = (&'a usize,);
    type Residual = ();

    const READS: Reads = F::READS;

    #[track_caller]
    fn value(x: &ArrayRef<T, D>, (&axis,): (&usize,)) -> Array<T, D> {
        let axis = check_axis(axis, x.shape());
        let mut y = Array::zeros(x.raw_dim());
        Zip::from(x.lanes(axis))
            .and(y.lanes_mut(axis))
            .for_each(F::value);
        y
    }

    fn pushforward(
        at: &At<'_, ArrayRef<T, D>, Array<T, D>, ()>,
        dx: &ArrayRef<T, D>,
        (&axis,): (&usize,),
    ) -> Array<T, D> {
        let axis = check_axis(axis, at.x.shape());
        let y = at.out.map_or(dx, |y| &**y);
        let mut dy = Array::zeros(dx.raw_dim());
        Zip::from(at.x.lanes(axis))
            .and(y.lanes(axis))
            .and(dx.lanes(axis))
            .and(dy.lanes_mut(axis))
            .for_each(F::pushforward);
        dy
    }

    fn pullback(
        at: &At<'_, ArrayRef<T, D>, Array<T, D>, ()>,
        dy: &Array<T, D>,
        dx: &mut ArrayRef<T, D>,
        (&axis,): (&usize,),
    ) {
        let axis = Axis(axis);
        Zip::from(at.x.lanes(axis))
            .and(at.out.unwrap_or(dy).lanes(axis))
            .and(dy.lanes(axis))
            .and(dx.lanes_mut(axis))
            .for_each(F::pullback);
    }
}
