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

#[cfg(test)]
mod tests {
    use crate::Tangent;

    #[test]
    fn only_zero_is_a_strong_zero_and_only_where_zeros_are_strong() {
        let strong = |x: f64| [false, true].map(|strong| x.is_strong_zero(strong));
        assert_eq!([0.0, -0.0].map(strong), [[false, true]; 2]);
        let others = [5e-324, -1e-200, 1.0, f64::INFINITY, f64::NAN];
        assert_eq!(others.map(strong), [[false; 2]; 5]);
    }

    #[test]
    fn what_is_never_added_may_be_anything() {
        let mut sum = 2.0;
        sum.accumulate_unless(&f64::NAN, true);
        sum.accumulate_unless(&1.5, false);
        assert_eq!(sum, 3.5);
    }

    #[test]
    fn a_tuple_is_a_strong_zero_in_all_of_its_parts() {
        assert!((0.0, -0.0_f32).is_strong_zero(true));
        assert!(!(0.0, 1e-30_f32).is_strong_zero(true));
        assert!(!(0.0, 0.0_f32).is_strong_zero(false));
    }
}
