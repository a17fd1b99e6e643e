//! The ways in which two numbers may be required to agree.

use std::fmt;

use crate::estimate::Estimate;
use crate::ladder::Precision;
use crate::tolerance::{Judgement, Tolerance};

/// How near a number must be to its reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Comparison {
    /// The same bits: nothing legitimate differs. Tells `0.0` from `-0.0` and one NaN from another.
    Bits,
    /// At most so many representable numbers apart: another order of summation.
    Ulps(u64),
    /// Exactly zero, of either sign: assigned, not computed.
    Zero,
    /// At most so many roundings of the sum of the terms' magnitudes apart.
    Terms(f64),
    /// At most this fraction of the largest number beside it apart: what is computed in another way.
    Largest(f64),
    /// As near as the differences can tell.
    Differences(Tolerance),
}

/// How many digits single precision has fewer, of numbers that are compared by the largest beside them.
const SINGLE_IS_COARSER: f64 = 1e4;

impl Comparison {
    /// Judges `got` by `expected`, of which all but [`Comparison::Terms`],
    /// [`Comparison::Largest`] and [`Comparison::Differences`] use the value only.
    ///
    /// ```
    /// use coenzyme_testutils::{Comparison, Estimate, Judgement};
    ///
    /// let third = Estimate::exact(1.0 / 3.0);
    /// assert_eq!(Comparison::Bits.judge(1.0 / 3.0, &third), Judgement::Pass);
    /// assert_ne!(Comparison::Bits.judge(1.0 - 2.0 / 3.0, &third), Judgement::Pass);
    /// assert_eq!(Comparison::Ulps(1).judge(1.0 - 2.0 / 3.0, &third), Judgement::Pass);
    /// ```
    pub fn judge(&self, got: f64, expected: &Estimate) -> Judgement {
        match self {
            Comparison::Differences(tolerance) => tolerance.judge(got, expected),
            Comparison::Zero if got == 0.0 => Judgement::Pass,
            Comparison::Bits if same_bits(got, expected.value) => Judgement::Pass,
            Comparison::Zero | Comparison::Bits => Judgement::Fail {
                excess: f64::INFINITY,
            },
            Comparison::Ulps(allowed) => match ulps(got, expected.value) {
                Some(apart) => Judgement::of(apart as f64, *allowed as f64),
                None => Judgement::Fail {
                    excess: f64::INFINITY,
                },
            },
            Comparison::Terms(_) | Comparison::Largest(_) if same_bits(got, expected.value) => {
                Judgement::Pass
            }
            Comparison::Terms(_) | Comparison::Largest(_) => {
                Judgement::of((got - expected.value).abs(), self.limit(expected))
            }
        }
    }

    /// Whether a number passes that has the same bits as its reference, whatever it is.
    pub(crate) const fn passes_same_bits(&self) -> bool {
        match self {
            Comparison::Bits
            | Comparison::Ulps(_)
            | Comparison::Terms(_)
            | Comparison::Largest(_) => true,
            Comparison::Zero | Comparison::Differences(_) => false,
        }
    }

    /// The same strictness for numbers of another precision.
    ///
    /// ```
    /// use coenzyme_testutils::{Comparison, Precision};
    ///
    /// let single = Comparison::Ulps(4).in_precision(Precision::Single);
    /// assert_eq!(single, Comparison::Ulps(4 << 29));
    /// ```
    #[must_use]
    pub fn in_precision(self, precision: Precision) -> Self {
        let coarser = precision.epsilon() / f64::EPSILON;
        match (self, precision) {
            (Comparison::Ulps(allowed), _) => Comparison::Ulps(allowed * coarser as u64),
            (Comparison::Terms(roundings), _) => Comparison::Terms(roundings * coarser),
            (Comparison::Largest(fraction), Precision::Single) => {
                Comparison::Largest(fraction * SINGLE_IS_COARSER)
            }
            (Comparison::Differences(Tolerance::DOUBLE), Precision::Single) => {
                Comparison::Differences(Tolerance::SINGLE)
            }
            (Comparison::Differences(Tolerance::COARSE), Precision::Single) => {
                Comparison::Differences(Tolerance::COARSE_SINGLE)
            }
            (other, _) => other,
        }
    }

    /// The distance from `expected` that is allowed.
    pub fn limit(&self, expected: &Estimate) -> f64 {
        match self {
            Comparison::Bits | Comparison::Zero => 0.0,
            Comparison::Ulps(allowed) => *allowed as f64 * f64::EPSILON * expected.value.abs(),
            Comparison::Terms(roundings) => roundings * f64::EPSILON * expected.terms,
            Comparison::Largest(fraction) => fraction * expected.scale,
            Comparison::Differences(tolerance) => tolerance.limit(expected),
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Comparison::Bits => f.write_str("bit-equal"),
            Comparison::Ulps(allowed) => write!(f, "{allowed} ulp"),
            Comparison::Zero => f.write_str("exactly zero"),
            Comparison::Terms(roundings) => write!(f, "{roundings} ε·Σ|terms|"),
            Comparison::Largest(fraction) => write!(f, "{fraction:.0e} of the largest"),
            Comparison::Differences(tolerance) => write!(f, "{} error bars", tolerance.bars),
        }
    }
}

/// Whether two numbers are the same in every bit.
pub const fn same_bits(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits()
}

/// How many representable numbers `a` and `b` are apart: 0 if equal, 1 for neighbours, counted
/// through zero for opposite signs. `None` if either is NaN and they are not the same NaN.
///
/// ```
/// use coenzyme_testutils::ulps;
///
/// assert_eq!(ulps(1.0, 1.0 + f64::EPSILON), Some(1));
/// assert_eq!(ulps(-0.0, 0.0), Some(0));
/// assert_eq!(ulps(f64::NAN, 0.0), None);
/// ```
pub const fn ulps(a: f64, b: f64) -> Option<u64> {
    if same_bits(a, b) {
        Some(0)
    } else if a.is_nan() || b.is_nan() {
        None
    } else {
        Some(rank(a).abs_diff(rank(b)))
    }
}

/// The position of a number in the order of all numbers; both zeros are at 0.
const fn rank(x: f64) -> i64 {
    let magnitude = (x.to_bits() & !(1 << 63)) as i64;
    if x.is_sign_negative() {
        -magnitude
    } else {
        magnitude
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INFINITE: Judgement = Judgement::Fail {
        excess: f64::INFINITY,
    };

    #[test]
    fn bits_tell_zeros_and_nans_apart() {
        let judge = |got, value| Comparison::Bits.judge(got, &Estimate::exact(value));
        assert_eq!(judge(f64::NAN, f64::NAN), Judgement::Pass);
        assert_eq!(judge(-0.0, 0.0), INFINITE);
        assert_eq!(judge(crate::poison(1), f64::NAN), INFINITE);
    }

    #[test]
    fn what_passes_with_the_same_bits_needs_no_look() {
        let numbers = [0.0, -0.0, 1.5, f64::INFINITY, f64::NAN, 5e-324];
        let ways = [
            Comparison::Bits,
            Comparison::Ulps(4),
            Comparison::Terms(4.0),
            Comparison::Largest(4.0),
        ];
        for way in ways {
            assert!(way.passes_same_bits());
            for number in numbers {
                let judgement = way.judge(number, &Estimate::exact(number));
                assert_eq!(judgement, Judgement::Pass, "{way:?} {number}");
            }
        }
        assert!(!Comparison::Zero.passes_same_bits());
        assert!(!Comparison::Differences(Tolerance::DOUBLE).passes_same_bits());
    }

    #[test]
    fn zero_means_zero() {
        let judge = |got| Comparison::Zero.judge(got, &Estimate::exact(0.0));
        assert_eq!(
            (judge(0.0), judge(-0.0)),
            (Judgement::Pass, Judgement::Pass)
        );
        assert_eq!((judge(5e-324), judge(f64::NAN)), (INFINITE, INFINITE));
    }

    #[test]
    fn ulps_count_across_zero_and_binades() {
        assert_eq!(ulps(5e-324, -5e-324), Some(2));
        assert_eq!(ulps(2.0, 2.0_f64.next_down().next_down()), Some(2));
        assert_eq!(ulps(f64::MAX, f64::INFINITY), Some(1));
        assert_eq!(
            ulps(f64::INFINITY, f64::NEG_INFINITY).map(|n| n > 1 << 62),
            Some(true)
        );
    }

    #[test]
    fn equal_bits_are_no_ulps_apart() {
        for x in [0.0, -1.5, f64::INFINITY, f64::NAN, crate::poison(3)] {
            assert_eq!(ulps(x, x), Some(0));
        }
        assert_eq!(ulps(f64::NAN, crate::poison(3)), None);
        assert_eq!(ulps(1.0, f64::NAN), None);
        assert_eq!(
            (ulps(1.0, -1.0), ulps(0.0, 1e-323)),
            (ulps(-1.0, 1.0), Some(2))
        );
    }

    #[test]
    fn comparisons_say_what_they_allow() {
        let words = [
            (Comparison::Bits, "bit-equal"),
            (Comparison::Ulps(4), "4 ulp"),
            (Comparison::Zero, "exactly zero"),
            (Comparison::Terms(16.0), "16 ε·Σ|terms|"),
            (Comparison::Differences(Tolerance::DOUBLE), "4 error bars"),
        ];
        for (comparison, words) in words {
            assert_eq!(comparison.to_string(), words);
        }
    }

    #[test]
    fn ulps_fail_by_their_excess() {
        let judge = |got| Comparison::Ulps(4).judge(got, &Estimate::exact(1.0));
        assert_eq!(judge(1.0 + 4.0 * f64::EPSILON), Judgement::Pass);
        assert_eq!(
            judge(1.0 + 8.0 * f64::EPSILON),
            Judgement::Fail { excess: 2.0 }
        );
        assert_eq!(judge(f64::NAN), INFINITE);
    }

    #[test]
    fn terms_allow_what_cancels() {
        let sum = Estimate {
            terms: 100.0,
            ..Estimate::exact(0.0)
        };
        let judge = |got| Comparison::Terms(16.0).judge(got, &sum);
        assert_eq!(judge(1600.0 * f64::EPSILON), Judgement::Pass);
        assert!(matches!(judge(1e-12), Judgement::Fail { excess } if excess > 2.0));
        let infinite = Estimate::exact(f64::INFINITY);
        assert_eq!(
            Comparison::Terms(8.0).judge(f64::INFINITY, &infinite),
            Judgement::Pass
        );
    }

    #[test]
    fn terms_are_judged_by_their_distance() {
        let two = Estimate::exact(2.0);
        let judge = |got: f64| Comparison::Terms(8.0).judge(got, &two);
        assert_eq!(judge(2.0 + 16.0 * f64::EPSILON), Judgement::Pass);
        let wrong = judge(2.0 + 32.0 * f64::EPSILON);
        assert_eq!(wrong, Judgement::Fail { excess: 2.0 });
        assert!(matches!(judge(-2.0), Judgement::Fail { .. }));
    }

    #[test]
    fn what_is_computed_in_another_way_is_judged_by_the_largest() {
        let beside = Estimate {
            scale: 4.0,
            ..Estimate::exact(0.0)
        };
        let judge = |got| Comparison::Largest(0.25).judge(got, &beside);
        assert_eq!(judge(-1.0), Judgement::Pass);
        assert_eq!(judge(2.0), Judgement::Fail { excess: 2.0 });
        assert_eq!(judge(f64::NAN), INFINITE);
        let single = Comparison::Largest(1e-6).in_precision(Precision::Single);
        assert!(matches!(single, Comparison::Largest(fraction) if (fraction - 1e-2).abs() < 1e-9));
    }

    #[test]
    fn single_precision_is_as_strict_in_its_own_units() {
        let in_single = |comparison: Comparison| comparison.in_precision(Precision::Single);
        let fd = Comparison::Differences(Tolerance::DOUBLE);
        assert_eq!(in_single(fd), Comparison::Differences(Tolerance::SINGLE));
        assert_eq!(
            in_single(Comparison::Terms(16.0)),
            Comparison::Terms(16.0 * (1_u64 << 29) as f64)
        );
        assert_eq!(in_single(Comparison::Ulps(4)), Comparison::Ulps(4 << 29));
        assert_eq!(in_single(Comparison::Bits), Comparison::Bits);
        assert_eq!(fd.in_precision(Precision::Double), fd);
    }

    #[test]
    fn limits_are_those_of_the_table() {
        let two = Estimate {
            bar: 1e-9,
            terms: 3.0,
            ..Estimate::exact(2.0)
        };
        assert_eq!(Comparison::Bits.limit(&two), 0.0);
        assert_eq!(Comparison::Ulps(4).limit(&two), 8.0 * f64::EPSILON);
        assert_eq!(Comparison::Terms(16.0).limit(&two), 48.0 * f64::EPSILON);
        assert!(Comparison::Differences(Tolerance::DOUBLE).limit(&two) >= 4e-9);
    }
}
