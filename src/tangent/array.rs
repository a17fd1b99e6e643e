//! Tangent spaces of `ndarray` arrays. Element order is logical (row-major) order, whatever the strides.

use ndarray::{Array, ArrayRef, Dimension, Zip};

use std::any::Any;

use super::{Growing, Tangent};
use crate::error::Incongruent;

/// Any array or view, through the reference type that all of them deref to. Operations on two arrays panic if the shapes
/// differ: nothing is broadcast.
impl<T: Tangent<Owned = T> + Clone, D: Dimension> Tangent for ArrayRef<T, D> {
    type Owned = Array<T, D>;
    type Target = ArrayRef<T, D>;

    #[inline]
    fn target(&self) -> &Self {
        self
    }
    fn zero_like(&self) -> Array<T, D> {
        self.map(T::zero_like)
    }
    fn zero_out(&mut self) {
        self.map_inplace(T::zero_out);
    }
    fn accumulate(&mut self, other: &Self) {
        assert_eq!(
            self.shape(),
            other.shape(),
            "accumulate: arrays of different shapes"
        );
        Zip::from(self).and(other).for_each(T::accumulate);
    }
    fn scale(&mut self, by: f64) {
        self.map_inplace(|a| a.scale(by));
    }
    fn inner(&self, other: &Self) -> f64 {
        assert_eq!(
            self.shape(),
            other.shape(),
            "inner: arrays of different shapes"
        );
        Zip::from(self)
            .and(other)
            .fold(0.0, |sum, a, b| sum + a.inner(b))
    }
    fn flatten_into(&self, out: &mut Vec<f64>) {
        self.iter().for_each(|a| a.flatten_into(out));
    }
    fn unflatten_from(&mut self, from: &mut &[f64]) {
        self.iter_mut().for_each(|a| a.unflatten_from(from));
    }
    fn congruent(&self, other: &Self) -> Result<(), Incongruent> {
        if self.shape() != other.shape() {
            return Err(Incongruent::new(self.shape(), other.shape()));
        }
        if T::ONE_SHAPE {
            return Ok(());
        }
        self.iter().zip(other).try_for_each(|(a, b)| a.congruent(b))
    }
}

impl<T: Tangent<Owned = T> + Clone, D: Dimension> Tangent for Array<T, D> {
    type Owned = Array<T, D>;
    type Target = ArrayRef<T, D>;

    const LENGTH_IS_SHAPE: bool = T::ONE_SHAPE || T::WORDS > 0;

    #[inline]
    fn target(&self) -> &ArrayRef<T, D> {
        self
    }
    fn zero_like(&self) -> Self {
        (**self).zero_like()
    }
    fn see_integers(&mut self, see: &mut dyn FnMut(&mut dyn Any)) {
        see(&mut Growing);
    }
    fn zero_out(&mut self) {
        (**self).zero_out();
    }
    /// An array without entries is the zero of every shape, as an empty vector is.
    fn accumulate(&mut self, other: &Self) {
        if other.is_empty() {
            return;
        }
        if self.is_empty() {
            *self = other.zero_like();
        }
        (**self).accumulate(other);
    }
    fn scale(&mut self, by: f64) {
        (**self).scale(by);
    }
    fn inner(&self, other: &Self) -> f64 {
        (**self).inner(other)
    }
    fn flatten_into(&self, out: &mut Vec<f64>) {
        (**self).flatten_into(out);
    }
    fn unflatten_from(&mut self, from: &mut &[f64]) {
        (**self).unflatten_from(from);
    }
    fn congruent(&self, other: &Self) -> Result<(), Incongruent> {
        (**self).congruent(other)
    }
}
