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
    fn target(this: &Self) -> &Self {
        this
    }
    fn zero_like(this: &Self) -> Array<T, D> {
        this.map(T::zero_like)
    }
    fn zero_out(this: &mut Self) {
        this.map_inplace(T::zero_out);
    }
    fn accumulate(this: &mut Self, other: &Self) {
        assert_eq!(
            this.shape(),
            other.shape(),
            "accumulate: arrays of different shapes"
        );
        Zip::from(this).and(other).for_each(T::accumulate);
    }
    fn scale(this: &mut Self, by: f64) {
        this.map_inplace(|a| Tangent::scale(a, by));
    }
    fn inner(this: &Self, other: &Self) -> f64 {
        assert_eq!(
            this.shape(),
            other.shape(),
            "inner: arrays of different shapes"
        );
        Zip::from(this)
            .and(other)
            .fold(0.0, |sum, a, b| sum + Tangent::inner(a, b))
    }
    fn flatten_into(this: &Self, out: &mut Vec<f64>) {
        this.iter().for_each(|a| Tangent::flatten_into(a, out));
    }
    fn unflatten_from(this: &mut Self, from: &mut &[f64]) {
        this.iter_mut()
            .for_each(|a| Tangent::unflatten_from(a, from));
    }
    fn congruent(this: &Self, other: &Self) -> Result<(), Incongruent> {
        if this.shape() != other.shape() {
            return Err(Incongruent::new(this.shape(), other.shape()));
        }
        if T::ONE_SHAPE {
            return Ok(());
        }
        this.iter()
            .zip(other)
            .try_for_each(|(a, b)| Tangent::congruent(a, b))
    }
}

impl<T: Tangent<Owned = T> + Clone, D: Dimension> Tangent for Array<T, D> {
    type Owned = Array<T, D>;
    type Target = ArrayRef<T, D>;

    const LENGTH_IS_SHAPE: bool = T::ONE_SHAPE || T::WORDS > 0;

    #[inline]
    fn target(this: &Self) -> &ArrayRef<T, D> {
        this
    }
    fn zero_like(this: &Self) -> Self {
        Tangent::zero_like(&**this)
    }
    fn see_integers(_: &mut Self, see: &mut dyn FnMut(&mut dyn Any)) {
        see(&mut Growing);
    }
    fn zero_out(this: &mut Self) {
        Tangent::zero_out(&mut **this);
    }
    /// An array without entries is the zero of every shape, as an empty vector is.
    fn accumulate(this: &mut Self, other: &Self) {
        if other.is_empty() {
            return;
        }
        if this.is_empty() {
            *this = Tangent::zero_like(other);
        }
        Tangent::accumulate(&mut **this, other);
    }
    fn scale(this: &mut Self, by: f64) {
        Tangent::scale(&mut **this, by);
    }
    fn inner(this: &Self, other: &Self) -> f64 {
        Tangent::inner(&**this, other)
    }
    fn flatten_into(this: &Self, out: &mut Vec<f64>) {
        Tangent::flatten_into(&**this, out);
    }
    fn unflatten_from(this: &mut Self, from: &mut &[f64]) {
        Tangent::unflatten_from(&mut **this, from);
    }
    fn congruent(this: &Self, other: &Self) -> Result<(), Incongruent> {
        Tangent::congruent(&**this, other)
    }
}
