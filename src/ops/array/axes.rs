//! Parts of arrays by position, and axes in another order, removed and inserted. What is a view in the primal is a copy here.

use ndarray::{
    Array, Array1, Array2, ArrayRef, ArrayRef1, Axis, Dimension, IntoDimension, RemoveAxis,
};

use super::Linear;
use super::parts::{Returned, markers};
use crate::real::Real;

markers! {
    /// The diagonal.
    diag;
    /// The matrix with this diagonal.
    from_diag;
    /// The entries at a position of an axis, which is removed.
    index_axis;
    /// A new axis of length 1.
    insert_axis;
    /// The axes in another order.
    permuted_axes;
    /// The first entries along an axis, which is removed.
    remove_axis;
    /// The entries at positions of an axis.
    select;
    /// Two axes in each other's place.
    swap_axes;
}

impl<T: Real, D: Dimension> Linear<diag, ()> for ArrayRef<T, D> {
    type Out = Array1<T>;

    fn apply(&self, (): &()) -> Array1<T> {
        self.diag().to_owned()
    }
    fn transpose(dout: &Array1<T>, dx: &mut Self, (): &()) {
        let mut part = dx.diag_mut();
        part += dout;
    }
}

impl<T: Real, D: RemoveAxis> Linear<index_axis, (Axis, usize)> for ArrayRef<T, D>
where
    Array<T, D::Smaller>: Returned,
{
    type Out = Array<T, D::Smaller>;

    fn apply(&self, (axis, i): &(Axis, usize)) -> Self::Out {
        self.index_axis(*axis, *i).to_owned()
    }
    fn transpose(dout: &Self::Out, dx: &mut Self, (axis, i): &(Axis, usize)) {
        let mut part = dx.index_axis_mut(*axis, *i);
        part += dout;
    }
}

impl<T: Real, D: RemoveAxis> Linear<remove_axis, Axis> for ArrayRef<T, D>
where
    Array<T, D::Smaller>: Returned,
{
    type Out = Array<T, D::Smaller>;

    fn apply(&self, axis: &Axis) -> Self::Out {
        self.index_axis(*axis, 0).to_owned()
    }
    fn transpose(dout: &Self::Out, dx: &mut Self, axis: &Axis) {
        let mut part = dx.index_axis_mut(*axis, 0);
        part += dout;
    }
}

impl<T: Real, D: Dimension<Larger: RemoveAxis<Smaller = D>>> Linear<insert_axis, Axis>
    for ArrayRef<T, D>
where
    Array<T, D::Larger>: Returned,
{
    type Out = Array<T, D::Larger>;

    fn apply(&self, axis: &Axis) -> Self::Out {
        self.to_owned().insert_axis(*axis)
    }
    fn transpose(dout: &Self::Out, dx: &mut Self, axis: &Axis) {
        *dx += &dout.index_axis(*axis, 0);
    }
}

impl<T: Real, D: Dimension, K> Linear<permuted_axes, K> for ArrayRef<T, D>
where
    K: IntoDimension<Dim = D> + Clone,
    Array<T, D>: Returned,
{
    type Out = Array<T, D>;

    fn apply(&self, axes: &K) -> Self::Out {
        let view = self.view().permuted_axes(axes.clone());
        view.as_standard_layout().into_owned()
    }
    fn transpose(dout: &Self::Out, dx: &mut Self, axes: &K) {
        let mut permuted = dx.view_mut().permuted_axes(axes.clone());
        permuted += dout;
    }
}

impl<T: Real, D: RemoveAxis, K: AsRef<[usize]>> Linear<select, (Axis, K)> for ArrayRef<T, D>
where
    Array<T, D>: Returned,
{
    type Out = Array<T, D>;

    fn apply(&self, (axis, positions): &(Axis, K)) -> Self::Out {
        self.select(*axis, positions.as_ref())
    }
    fn transpose(dout: &Self::Out, dx: &mut Self, (axis, positions): &(Axis, K)) {
        for (&i, from) in positions.as_ref().iter().zip(dout.axis_iter(*axis)) {
            let mut part = dx.index_axis_mut(*axis, i);
            part += &from;
        }
    }
}

impl<T: Real> Linear<from_diag, ()> for ArrayRef1<T> {
    type Out = Array2<T>;

    fn apply(&self, (): &()) -> Array2<T> {
        Array2::from_diag(&self.view())
    }
    fn transpose(dout: &Array2<T>, dx: &mut Self, (): &()) {
        *dx += &dout.diag();
    }
}

impl<T: Real, D: Dimension> Linear<swap_axes, (usize, usize)> for ArrayRef<T, D>
where
    Array<T, D>: Returned,
{
    type Out = Array<T, D>;

    fn apply(&self, (i, j): &(usize, usize)) -> Self::Out {
        let mut view = self.view();
        view.swap_axes(*i, *j);
        view.as_standard_layout().into_owned()
    }
    fn transpose(dout: &Self::Out, dx: &mut Self, (i, j): &(usize, usize)) {
        let mut swapped = dx.view_mut();
        swapped.swap_axes(*i, *j);
        swapped += dout;
    }
}
