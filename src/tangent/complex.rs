//! Tangent space of complex numbers: the real plane.
//!
//! The cotangent of a real loss `L` is `∂L/∂Re + i·∂L/∂Im`, and the pairing is `Re(conj(a)·b)`.

use num_complex::Complex;

use super::{Tangent, read_part, write_part};
use crate::error::Incongruent;
use crate::real::Real;

impl<T: Real> Tangent for Complex<T> {
    type Owned = Self;
    type Target = Self;

    const ONE_SHAPE: bool = true;
    const WORDS: usize = 2 * T::WORDS;

    #[inline]
    fn write_words(this: &Self, mut to: &mut [u64]) {
        write_part(&this.re, &mut to);
        write_part(&this.im, &mut to);
    }
    #[inline]
    fn read_words(mut from: &[u64]) -> Self {
        Self::new(read_part::<T>(&mut from), read_part::<T>(&mut from))
    }

    #[inline]
    fn target(this: &Self) -> &Self {
        this
    }
    #[inline]
    fn zero_like(this: &Self) -> Self {
        Complex::new(Tangent::zero_like(&this.re), Tangent::zero_like(&this.im))
    }
    #[inline]
    fn empty_sum(this: &Self) -> Self {
        Complex::new(Tangent::empty_sum(&this.re), Tangent::empty_sum(&this.im))
    }
    #[inline]
    fn zero_out(this: &mut Self) {
        Tangent::zero_out(&mut this.re);
        Tangent::zero_out(&mut this.im);
    }
    #[inline]
    fn accumulate(this: &mut Self, other: &Self) {
        Tangent::accumulate(&mut this.re, &other.re);
        Tangent::accumulate(&mut this.im, &other.im);
    }
    fn scale(this: &mut Self, by: f64) {
        Tangent::scale(&mut this.re, by);
        Tangent::scale(&mut this.im, by);
    }
    fn inner(this: &Self, other: &Self) -> f64 {
        Tangent::inner(&this.re, &other.re) + Tangent::inner(&this.im, &other.im)
    }
    fn flatten_into(this: &Self, out: &mut Vec<f64>) {
        Tangent::flatten_into(&this.re, out);
        Tangent::flatten_into(&this.im, out);
    }
    fn unflatten_from(this: &mut Self, from: &mut &[f64]) {
        Tangent::unflatten_from(&mut this.re, from);
        Tangent::unflatten_from(&mut this.im, from);
    }
    #[inline]
    fn congruent(_: &Self, _: &Self) -> Result<(), Incongruent> {
        Ok(())
    }
}
