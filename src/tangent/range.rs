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
    fn write_words(this: &Self, mut to: &mut [u64]) {
        write_part(&this.start, &mut to);
        write_part(&this.end, &mut to);
    }
    #[inline]
    fn read_words(mut from: &[u64]) -> Self {
        read_part::<T>(&mut from)..read_part::<T>(&mut from)
    }

    #[inline]
    fn target(this: &Self) -> &Self {
        this
    }
    #[inline]
    fn zero_like(this: &Self) -> Self {
        Tangent::zero_like(&this.start)..Tangent::zero_like(&this.end)
    }
    #[inline]
    fn empty_sum(this: &Self) -> Self {
        Tangent::empty_sum(&this.start)..Tangent::empty_sum(&this.end)
    }
    #[inline]
    fn zero_out(this: &mut Self) {
        Tangent::zero_out(&mut this.start);
        Tangent::zero_out(&mut this.end);
    }
    #[inline]
    fn accumulate(this: &mut Self, other: &Self) {
        Tangent::accumulate(&mut this.start, &other.start);
        Tangent::accumulate(&mut this.end, &other.end);
    }
    fn scale(this: &mut Self, by: f64) {
        Tangent::scale(&mut this.start, by);
        Tangent::scale(&mut this.end, by);
    }
    fn inner(this: &Self, other: &Self) -> f64 {
        Tangent::inner(&this.start, &other.start) + Tangent::inner(&this.end, &other.end)
    }
    fn flatten_into(this: &Self, out: &mut Vec<f64>) {
        Tangent::flatten_into(&this.start, out);
        Tangent::flatten_into(&this.end, out);
    }
    fn unflatten_from(this: &mut Self, from: &mut &[f64]) {
        Tangent::unflatten_from(&mut this.start, from);
        Tangent::unflatten_from(&mut this.end, from);
    }
    #[inline]
    fn congruent(_: &Self, _: &Self) -> Result<(), Incongruent> {
        Ok(())
    }
}

crate::value_type!([T: Real] Range<T>);
