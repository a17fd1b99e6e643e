//! NaN payloads which say who wrote them.
//!
//! Before a call, everything a rule must not touch holds [`CANARY`]: padding, the gaps of a strided
//! view, the primal of a `DuplicatedNoNeed` output. Between the halves of a reverse rule, an
//! overwritten argument is filled with a [`poison`] that carries its number. Arithmetic keeps the
//! payload of its first NaN on the machines we know, so a poisoned gradient often names its source;
//! nothing relies on it.

/// The bits found in memory that belongs to nobody.
pub const CANARY: u64 = 0x7ff8_dead_beef_0001;

/// The bits of [`CANARY`] for single precision.
pub const CANARY_SINGLE: u32 = 0x7fc0_beef;

const POISON: u64 = 0x7ff8_dead_0000_0000;

/// The number whose bits are [`CANARY`].
pub const fn canary() -> f64 {
    f64::from_bits(CANARY)
}

/// Whether `value` is the canary, bit by bit: any other NaN has been computed by somebody.
pub const fn is_canary(value: f64) -> bool {
    value.to_bits() == CANARY
}

/// A NaN that says it came from the overwritten argument number `argument`.
///
/// ```
/// use coenzyme_testutils::{poison, poisoned_by};
///
/// assert!(poison(2).is_nan());
/// assert_eq!(poisoned_by(poison(2)), Some(2));
/// ```
pub const fn poison(argument: u16) -> f64 {
    f64::from_bits(POISON | argument as u64)
}

/// The argument whose [`poison`] is `value`, or `None` if it is not a poison.
pub const fn poisoned_by(value: f64) -> Option<u16> {
    let bits = value.to_bits();
    if bits & !0xffff == POISON {
        Some(bits as u16)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canary_and_poison_are_distinct_quiet_nans() {
        assert!(canary().is_nan() && is_canary(canary()));
        assert!(f32::from_bits(CANARY_SINGLE).is_nan());
        assert!(!is_canary(f64::NAN) && !is_canary(poison(1)));
        assert_eq!(poisoned_by(canary()), None);
        assert_eq!(poisoned_by(f64::NAN), None);
    }

    #[test]
    fn poison_remembers_every_argument() {
        for argument in [0, 1, 7, u16::MAX] {
            assert!(poison(argument).is_nan());
            assert_eq!(poisoned_by(poison(argument)), Some(argument));
        }
    }
}
