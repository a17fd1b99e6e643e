//! Sums and parts of arrays, and changes of their shape. What is a view in the primal is a copy here.

use ndarray::{Array, Array1, ArrayRef, ArrayRef2, Axis, Dimension, RemoveAxis, SliceArg};

use super::Linear;
use crate::real::Real;
use crate::rule::Outcome;
use crate::tangent::Tangent;

/// Types that stand for functions.
macro_rules! markers {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name {}
    )*};
}

markers! {
    /// The sum of all entries.
    sum;
    /// The mean of all entries. **Panics** if there are none.
    mean;
    /// The sums along an axis.
    sum_axis;
    /// The means along an axis. **Panics** if it has length 0.
    mean_axis;
    /// The axes in reverse order.
    t;
    /// Row `i` of a matrix.
    row;
    /// Column `j` of a matrix.
    column;
    /// What `s![…]` selects.
    slice;
    /// The entries in logical order, as an array.
    flat;
    /// The entries in logical order, as a vector.
    flatten;
    /// The array of a shape from its entries in logical order.
    shaped;
}

pub(super) use markers;

/// An array that can be returned.
pub(super) trait Returned: Outcome<Value = Self> + Tangent<Owned = Self> {}
impl<A: Outcome<Value = A> + Tangent<Owned = A>> Returned for A {}

impl<T: Real, D: Dimension> Linear<sum, ()> for ArrayRef<T, D> {
    type Out = T;

    fn apply(&self, (): &()) -> T {
        self.sum()
    }
    fn transpose(dout: &T, dx: &mut Self, (): &()) {
        dx.map_inplace(|x| *x += *dout);
    }
}

impl<T: Real, D: Dimension> Linear<mean, ()> for ArrayRef<T, D> {
    type Out = T;

    fn apply(&self, (): &()) -> T {
        assert!(!self.is_empty(), "the mean of no entries");
        self.sum() / T::lit(self.len() as f64)
    }
    fn transpose(dout: &T, dx: &mut Self, (): &()) {
        let each = *dout / T::lit(dx.len() as f64);
        dx.map_inplace(|x| *x += each);
    }
}

impl<T: Real, D: RemoveAxis> Linear<sum_axis, Axis> for ArrayRef<T, D>
where
    Array<T, D::Smaller>: Returned,
{
    type Out = Array<T, D::Smaller>;

    fn apply(&self, axis: &Axis) -> Self::Out {
        self.sum_axis(*axis)
    }
    fn transpose(dout: &Self::Out, dx: &mut Self, axis: &Axis) {
        for mut part in dx.axis_iter_mut(*axis) {
            part += dout;
        }
    }
}

impl<T: Real, D: RemoveAxis> Linear<mean_axis, Axis> for ArrayRef<T, D>
where
    Array<T, D::Smaller>: Returned,
{
    type Out = Array<T, D::Smaller>;

    fn apply(&self, axis: &Axis) -> Self::Out {
        assert!(self.len_of(*axis) > 0, "the mean along an axis of length 0");
        let n = T::lit(self.len_of(*axis) as f64);
        self.sum_axis(*axis).mapv_into(|x| x / n)
    }
    fn transpose(dout: &Self::Out, dx: &mut Self, axis: &Axis) {
        let n = T::lit(dx.len_of(*axis) as f64);
        for mut part in dx.axis_iter_mut(*axis) {
            part.zip_mut_with(dout, |x, y| *x += *y / n);
        }
    }
}

impl<T: Real, D: Dimension> Linear<t, ()> for ArrayRef<T, D>
where
    Array<T, D>: Returned,
{
    type Out = Array<T, D>;

    fn apply(&self, (): &()) -> Self::Out {
        self.t().as_standard_layout().into_owned()
    }
    fn transpose(dout: &Self::Out, dx: &mut Self, (): &()) {
        *dx += &dout.t();
    }
}

macro_rules! line {
    ($($op:ident: $get:ident, $get_mut:ident;)*) => {$(
        impl<T: Real> Linear<$op, usize> for ArrayRef2<T> {
            type Out = Array1<T>;

            fn apply(&self, i: &usize) -> Array1<T> {
                self.$get(*i).to_owned()
            }
            fn transpose(dout: &Array1<T>, dx: &mut Self, i: &usize) {
                let mut line = dx.$get_mut(*i);
                line += dout;
            }
        }
    )*};
}

line! {
    row: row, row_mut;
    column: column, column_mut;
}

impl<T: Real, D: Dimension, K> Linear<slice, K> for ArrayRef<T, D>
where
    K: SliceArg<D> + Clone,
    Array<T, K::OutDim>: Returned,
{
    type Out = Array<T, K::OutDim>;

    fn apply(&self, selected: &K) -> Self::Out {
        self.slice(selected.clone()).to_owned()
    }
    fn transpose(dout: &Self::Out, dx: &mut Self, selected: &K) {
        let mut part = dx.slice_mut(selected.clone());
        part += dout;
    }
}

impl<T: Real, D: Dimension> Linear<flat, ()> for ArrayRef<T, D> {
    type Out = Array1<T>;

    fn apply(&self, (): &()) -> Array1<T> {
        self.iter().copied().collect()
    }
    fn transpose(dout: &Array1<T>, dx: &mut Self, (): &()) {
        dx.iter_mut().zip(dout).for_each(|(x, y)| *x += *y);
    }
}

impl<T: Real, D: Dimension> Linear<flatten, ()> for ArrayRef<T, D> {
    type Out = Vec<T>;

    fn apply(&self, (): &()) -> Vec<T> {
        self.iter().copied().collect()
    }
    fn transpose(dout: &Vec<T>, dx: &mut Self, (): &()) {
        dx.iter_mut().zip(dout).for_each(|(x, y)| *x += *y);
    }
}

impl<T: Real, D: Dimension> Linear<shaped, D> for [T]
where
    Array<T, D>: Returned,
{
    type Out = Array<T, D>;

    fn apply(&self, shape: &D) -> Self::Out {
        Array::from_shape_vec(shape.clone(), self.to_vec())
            .expect("as many entries as the shape has")
    }
    fn transpose(dout: &Self::Out, dx: &mut Self, _: &D) {
        dx.iter_mut().zip(dout).for_each(|(x, y)| *x += *y);
    }
}
