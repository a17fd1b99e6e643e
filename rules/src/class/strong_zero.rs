//! Strong zeros of whole seeds.

use coenzyme::Tangent;

/// The seed; `None` if strong zeros are asked for and it is zero everywhere, for then nothing may come of it, whatever it
/// would be multiplied by.
#[inline]
pub(crate) fn effective<T: Tangent + ?Sized>(seed: Option<&T>, strong_zero: bool) -> Option<&T> {
    seed.filter(|seed| !(strong_zero && is_zero(*seed)))
}

fn is_zero<T: Tangent + ?Sized>(seed: &T) -> bool {
    // The inner product of what is not zero may underflow, but needs no memory.
    Tangent::inner(seed, seed) == 0.0 && Tangent::to_flat(seed).iter().all(|x| *x == 0.0)
}

#[cfg(test)]
mod tests {
    use coenzyme::Dual;

    use super::*;

    #[test]
    fn only_zeros_are_zero() {
        assert_eq!(effective(Some(&0.0), true), None);
        assert_eq!(effective(Some(&0.0), false), Some(&0.0));
        assert_eq!(effective(Some(&1e-200), true), Some(&1e-200));
        let variable = Dual::variable(0.0_f64);
        assert!(effective(Some(&variable), true).is_some());
        assert!(effective(Some(&[0.0, f64::NAN][..]), true).is_some());
    }
}
