//! Tangent space of a range of numbers, `t0..t1`: the plane of its ends.

use std::ops::Range;

use super::{Tangent, read_part, write_part};
use crate::error::Incongruent;
use crate::real::Real;

impl<T: Real> Tangent for Range<T> {
    type Owned = Self;
    type Target = Self;

    const ONE_SHAPE: bool = true;
    const WORDS: usize = 2 * T::WORDS;

    #[inline]
    fn write_words(&self, mut to: &mut [u64]) {
        write_part(&self.start, &mut to);
        write_part(&self.end, &mut to);
    }
    #[inline]
    fn read_words(mut from: &[u64]) -> Self {
        read_part::<T>(&mut from)..read_part::<T>(&mut from)
    }

    #[inline]
    fn target(&self) -> &Self {
        self
    }
    #[inline]
    fn zero_like(&self) -> Self {
        self.start.zero_like()..self.end.zero_like()
    }
    #[inline]
    fn empty_sum(&self) -> Self {
        self.start.empty_sum()..self.end.empty_sum()
    }
    #[inline]
    fn zero_out(&mut self) {
        self.start.zero_out();
        self.end.zero_out();
    }
    #[inline]
    fn accumulate(&mut self, other: &Self) {
        self.start.accumulate(&other.start);
        self.end.accumulate(&other.end);
    }
    fn scale(&mut self, by: f64) {
        self.start.scale(by);
        self.end.scale(by);
    }
    fn inner(&self, other: &Self) -> f64 {
        self.start.inner(&other.start) + self.end.inner(&other.end)
    }
    fn flatten_into(&self, out: &mut Vec<f64>) {
        self.start.flatten_into(out);
        self.end.flatten_into(out);
    }
    fn unflatten_from(&mut self, from: &mut &[f64]) {
        self.start.unflatten_from(from);
        self.end.unflatten_from(from);
    }
    #[inline]
    fn congruent(&self, _: &Self) -> Result<(), Incongruent> {
        Ok(())
    }
}

crate::value_type!([T: Real] Range<T>);
