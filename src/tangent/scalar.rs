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
            fn target(this: &Self) -> &$t {
                this
            }
            #[inline]
            fn write_words(this: &Self, to: &mut [u64]) {
                to[0] = u64::from(this.to_bits());
            }
            #[inline]
            fn read_words(from: &[u64]) -> $t {
                <$t>::from_bits(from[0] as _)
            }
            #[inline]
            fn zero_like(_: &Self) -> $t {
                0.0
            }
            #[inline]
            fn empty_sum(_: &Self) -> $t {
                -0.0
            }
            #[inline]
            fn zero_out(this: &mut Self) {
                *this = 0.0;
            }
            #[inline]
            fn accumulate(this: &mut Self, other: &$t) {
                *this += *other;
            }
            #[inline]
            fn accumulate_unless(this: &mut Self, other: &$t, never: bool) {
                // no branch, and with the comparison below no mask but its own: loops run in vectors
                *this += if never { 0.0 } else { *other };
            }
            #[inline]
            fn is_origin(this: &Self) -> bool {
                *this == 0.0
            }
            #[inline]
            fn is_strong_zero(this: &Self, strong: bool) -> bool {
                *this == if strong { 0.0 } else { <$t>::NAN }
            }
            #[inline]
            fn scale(this: &mut Self, by: f64) {
                *this *= by as $t;
            }
            #[inline]
            fn inner(this: &Self, other: &$t) -> f64 {
                f64::from(*this) * f64::from(*other)
            }
            #[inline]
            fn flatten_into(this: &Self, out: &mut Vec<f64>) {
                out.push(f64::from(*this));
            }
            #[inline]
            fn unflatten_from(this: &mut Self, from: &mut &[f64]) {
                *this = take(from, 1)[0] as $t;
            }
            #[inline]
            fn congruent(_: &Self, _: &$t) -> Result<(), Incongruent> {
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
        let strong = |x: f64| [false, true].map(|strong| Tangent::is_strong_zero(&x, strong));
        assert_eq!([0.0, -0.0].map(strong), [[false, true]; 2]);
        let others = [5e-324, -1e-200, 1.0, f64::INFINITY, f64::NAN];
        assert_eq!(others.map(strong), [[false; 2]; 5]);
    }

    #[test]
    fn what_is_never_added_may_be_anything() {
        let mut sum = 2.0;
        Tangent::accumulate_unless(&mut sum, &f64::NAN, true);
        Tangent::accumulate_unless(&mut sum, &1.5, false);
        assert_eq!(sum, 3.5);
    }

    #[test]
    fn a_tuple_is_a_strong_zero_in_all_of_its_parts() {
        assert!(Tangent::is_strong_zero(&(0.0, -0.0_f32), true));
        assert!(!Tangent::is_strong_zero(&(0.0, 1e-30_f32), true));
        assert!(!Tangent::is_strong_zero(&(0.0, 0.0_f32), false));
    }
}
