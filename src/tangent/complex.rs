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
    fn write_words(&self, mut to: &mut [u64]) {
        write_part(&self.re, &mut to);
        write_part(&self.im, &mut to);
    }
    #[inline]
    fn read_words(mut from: &[u64]) -> Self {
        Self::new(read_part::<T>(&mut from), read_part::<T>(&mut from))
    }

    #[inline]
    fn target(&self) -> &Self {
        self
    }
    #[inline]
    fn zero_like(&self) -> Self {
        Complex::new(self.re.zero_like(), self.im.zero_like())
    }
    #[inline]
    fn empty_sum(&self) -> Self {
        Complex::new(self.re.empty_sum(), self.im.empty_sum())
    }
    #[inline]
    fn zero_out(&mut self) {
        self.re.zero_out();
        self.im.zero_out();
    }
    #[inline]
    fn accumulate(&mut self, other: &Self) {
        self.re.accumulate(&other.re);
        self.im.accumulate(&other.im);
    }
    fn scale(&mut self, by: f64) {
        self.re.scale(by);
        self.im.scale(by);
    }
    fn inner(&self, other: &Self) -> f64 {
        self.re.inner(&other.re) + self.im.inner(&other.im)
    }
    fn flatten_into(&self, out: &mut Vec<f64>) {
        self.re.flatten_into(out);
        self.im.flatten_into(out);
    }
    fn unflatten_from(&mut self, from: &mut &[f64]) {
        self.re.unflatten_from(from);
        self.im.unflatten_from(from);
    }
    #[inline]
    fn congruent(&self, _: &Self) -> Result<(), Incongruent> {
        Ok(())
    }
}
