//! Tangent spaces of the real scalars.

use super::{Tangent, take};
use crate::error::Incongruent;

macro_rules! real_scalar {
    ($($t:ty),*) => {$(
        impl Tangent for $t {
            type Owned = $t;
            type Target = $t;

            const ONE_SHAPE: bool = true;
            const WORDS: usize = 1;

            #[inline]
            fn target(&self) -> &$t {
                self
            }
            #[inline]
            fn write_words(&self, to: &mut [u64]) {
                to[0] = u64::from(self.to_bits());
            }
            #[inline]
            fn read_words(from: &[u64]) -> $t {
                <$t>::from_bits(from[0] as _)
            }
            #[inline]
            fn zero_like(&self) -> $t {
                0.0
            }
            #[inline]
            fn empty_sum(&self) -> $t {
                -0.0
            }
            #[inline]
            fn zero_out(&mut self) {
                *self = 0.0;
            }
            #[inline]
            fn accumulate(&mut self, other: &$t) {
                *self += *other;
            }
            #[inline]
            fn accumulate_unless(&mut self, other: &$t, never: bool) {
                // no branch, and with the comparison below no mask but its own: loops run in vectors
                *self += if never { 0.0 } else { *other };
            }
            #[inline]
            fn is_origin(&self) -> bool {
                *self == 0.0
            }
            #[inline]
            fn is_strong_zero(&self, strong: bool) -> bool {
                *self == if strong { 0.0 } else { <$t>::NAN }
            }
            #[inline]
            fn scale(&mut self, by: f64) {
                *self *= by as $t;
            }
            #[inline]
            fn inner(&self, other: &$t) -> f64 {
                f64::from(*self) * f64::from(*other)
            }
            #[inline]
            fn flatten_into(&self, out: &mut Vec<f64>) {
                out.push(f64::from(*self));
            }
            #[inline]
            fn unflatten_from(&mut self, from: &mut &[f64]) {
                *self = take(from, 1)[0] as $t;
            }
            #[inline]
            fn congruent(&self, _: &$t) -> Result<(), Incongruent> {
                Ok(())
            }
        }
    )*};
}

real_scalar!(f32, f64);
