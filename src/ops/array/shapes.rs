//! Arrays in another shape: methods that fail if it does not fit. What is a view in the primal is a copy here.

use ndarray::{Array, ArrayRef, Axis, Dimension, IntoDimension, ShapeError};

use super::Linear;
use super::parts::{Returned, markers};
use crate::real::Real;

markers! {
    /// The entries repeated along axes of length 1, and new axes in front; `None` if the shape does not fit.
    broadcast;
    /// The same entries, row by row, in a shape of as many.
    into_shape_with_order;
    /// The same entries, row by row, in a shape of as many.
    to_shape;
}

macro_rules! reshaped {
    ($($op:ident),*) => {$(
        impl<T: Real, D: Dimension, K: IntoDimension + Clone> Linear<$op, K> for ArrayRef<T, D>
        where
            Array<T, K::Dim>: Returned,
        {
            type Out = Result<Array<T, K::Dim>, ShapeError>;

            fn apply(&self, shape: &K) -> Self::Out {
                let view = self.to_shape(shape.clone().into_dimension())?;
                Ok(view.into_owned())
            }
            fn transpose(dout: &Array<T, K::Dim>, dx: &mut Self, _: &K) {
                dx.iter_mut().zip(dout).for_each(|(x, y)| *x += *y);
            }
        }
    )*};
}

reshaped!(into_shape_with_order, to_shape);

impl<T: Real, D: Dimension, K: IntoDimension + Clone> Linear<broadcast, K> for ArrayRef<T, D>
where
    Array<T, K::Dim>: Returned,
{
    type Out = Option<Array<T, K::Dim>>;

    fn apply(&self, shape: &K) -> Self::Out {
        Some(self.broadcast(shape.clone())?.to_owned())
    }
    fn transpose(dout: &Array<T, K::Dim>, dx: &mut Self, _: &K) {
        let mut sum = dout.view().into_dyn().into_owned();
        for _ in dx.ndim()..sum.ndim() {
            sum = sum.sum_axis(Axis(0));
        }
        for (axis, &length) in dx.shape().iter().enumerate() {
            if length != sum.len_of(Axis(axis)) {
                sum = sum.sum_axis(Axis(axis)).insert_axis(Axis(axis));
            }
        }
        dx.iter_mut().zip(&sum).for_each(|(x, y)| *x += *y);
    }
}
