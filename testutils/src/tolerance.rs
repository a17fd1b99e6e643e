//! How far from the differences is too far.

use crate::estimate::{Doubt, Estimate};
use crate::ladder::Precision;

/// A value this far below the largest of its column need not be known to as many digits.
const SMALL: f64 = 1e-3;

/// A sum that cancels need not be known to more digits than this part of its terms: each of them is looked at alone, too.
const IN_A_SUM: f64 = 1.0 / 32.0;

/// What came of comparing one number with its reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Judgement {
    /// Near enough.
    Pass,
    /// Too far.
    Fail {
        /// The distance over the distance allowed; infinite if a number is missing.
        excess: f64,
    },
    /// The reference cannot decide.
    Inconclusive(Doubt),
}

impl Judgement {
    /// The judgement of a `distance` where `limit` is allowed.
    pub(crate) fn of(distance: f64, limit: f64) -> Self {
        if distance <= limit {
            Judgement::Pass
        } else if distance.is_nan() {
            Judgement::Fail {
                excess: f64::INFINITY,
            }
        } else {
            Judgement::Fail {
                excess: distance / limit,
            }
        }
    }
}

/// The distance from the differences at which an entry fails, `bars·bar + rounding·terms + slack`, and
/// the precision without which it is not judged.
///
/// It knows the entry's own error and the sum of its terms' magnitudes, and nothing of the array it
/// stands in: a tolerance that grows with the array hides one wrong entry in a long one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Error bars allowed.
    pub bars: f64,
    /// Allowed for the rule's own rounding, relative to `Σ|terms|`.
    pub rounding: f64,
    /// Allowed for the primal's conditioning, absolute.
    pub slack: f64,
    /// Inconclusive if bars and slack exceed this fraction of the value.
    pub needed: f64,
}

impl Tolerance {
    /// Double precision. `tests/calibration.rs` requires that of right entries at most one in 1000 fails,
    /// and that of entries wrong by 10⁻⁵ none passes; measured on 6.6 million, 3 and 0.
    pub const DOUBLE: Self = Tolerance {
        bars: 4.0,
        rounding: 64.0 * f64::EPSILON,
        slack: 0.0,
        needed: 1e-6,
    };

    /// Beside singular points, where right rules cancel digits, and differences more of them.
    pub const COARSE: Self = Tolerance {
        needed: 1e-3,
        ..Tolerance::DOUBLE
    };

    /// Single precision, when the primal can be had in no other. A third of hard cases are
    /// inconclusive: prefer [`Tolerance::single`].
    pub const SINGLE: Self = Tolerance {
        bars: 4.0,
        rounding: 64.0 * f32::EPSILON as f64,
        slack: 0.0,
        needed: 1e-2,
    };

    /// Beside singular points in single precision.
    pub const COARSE_SINGLE: Self = Tolerance {
        needed: 3e-2,
        ..Tolerance::SINGLE
    };

    /// Beside singular points in a precision.
    pub(crate) const fn coarse(precision: Precision) -> Self {
        match precision {
            Precision::Double => Tolerance::COARSE,
            Precision::Single => Tolerance::COARSE_SINGLE,
        }
    }

    /// Single precision, with a reference in double precision.
    ///
    /// `sigma` is how much the reference itself changes when the input moves by one unit in the last
    /// place of single precision: the rule cannot be expected to know its input better.
    pub const fn single(sigma: f64) -> Self {
        let rounding = 64.0 * f32::EPSILON as f64;
        Tolerance {
            bars: 2.0,
            rounding,
            slack: 4.0 * sigma,
            needed: 5e-4,
        }
    }

    /// The distance from `reference` that is allowed.
    pub fn limit(&self, reference: &Estimate) -> f64 {
        self.uncertainty(reference) + self.rounding * reference.terms
    }

    /// Judges `got` by its reference.
    ///
    /// A zero whose primal did not change in one bit has nothing to be relative to: it is judged if its
    /// limit is below `needed` as it stands. At a kink any finite number may be right, and of a staircase the slope is, and zero.
    pub fn judge(&self, got: f64, reference: &Estimate) -> Judgement {
        match reference.doubt {
            Some(Doubt::Kink) if !got.is_finite() => return Judgement::of(f64::NAN, 0.0),
            Some(doubt) => return Judgement::Inconclusive(doubt),
            None => {}
        }
        let still = (got - (reference.value - reference.stairs)).abs();
        if reference.stairs != 0.0 && still <= self.rounding * reference.terms {
            return Judgement::Pass;
        }
        let limit = self.uncertainty(reference);
        if !reference.value.is_finite() || limit.is_nan() {
            return Judgement::Inconclusive(Doubt::NotFinite);
        }
        let typical = (SMALL * reference.scale).max(IN_A_SUM * reference.terms);
        let needed = self.needed * reference.value.abs().max(typical);
        let known_zero = reference.flat && limit <= self.needed;
        if limit > needed && !known_zero {
            return Judgement::Inconclusive(Doubt::TooWide { limit, needed });
        }
        Judgement::of((got - reference.value).abs(), self.limit(reference))
    }

    fn uncertainty(&self, reference: &Estimate) -> f64 {
        self.bars * reference.bar + self.slack
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(value: f64, bar: f64) -> Estimate {
        Estimate {
            bar,
            ..Estimate::exact(value)
        }
    }

    fn judge(got: f64, value: f64, bar: f64) -> Judgement {
        Tolerance::DOUBLE.judge(got, &reference(value, bar))
    }

    #[test]
    fn four_bars_pass_and_five_fail() {
        assert_eq!(judge(2.0 + 3.9e-8, 2.0, 1e-8), Judgement::Pass);
        let five = judge(2.0 + 5.2e-8, 2.0, 1e-8);
        assert!(
            matches!(five, Judgement::Fail { excess } if (1.2..1.4).contains(&excess)),
            "{five:?}"
        );
    }

    #[test]
    fn wide_bar_is_inconclusive_whatever_was_got() {
        for got in [1.0, 2.0, f64::NAN] {
            let judgement = judge(got, 1.0, 1e-6);
            assert!(matches!(
                judgement,
                Judgement::Inconclusive(Doubt::TooWide { .. })
            ));
        }
    }

    #[test]
    fn missing_numbers_fail() {
        for got in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(
                judge(got, 1.0, 1e-12),
                Judgement::Fail {
                    excess: f64::INFINITY
                }
            );
        }
    }

    #[test]
    fn a_reference_that_is_no_number_decides_nothing() {
        for (value, bar) in [(f64::NAN, 0.0), (f64::INFINITY, 0.0), (1.0, f64::NAN)] {
            let judgement = judge(value, value, bar);
            assert_eq!(judgement, Judgement::Inconclusive(Doubt::NotFinite));
        }
    }

    #[test]
    fn at_a_kink_only_finite_numbers_may_be_right() {
        let kink = Estimate::unknown(Doubt::Kink);
        for got in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let judgement = Tolerance::DOUBLE.judge(got, &kink);
            let excess = f64::INFINITY;
            assert_eq!(judgement, Judgement::Fail { excess }, "{got}");
        }
        let none = Estimate::unknown(Doubt::NotFinite);
        let judgement = Tolerance::DOUBLE.judge(f64::NAN, &none);
        assert_eq!(judgement, Judgement::Inconclusive(Doubt::NotFinite));
    }

    #[test]
    fn a_staircase_has_its_slope_and_none() {
        let stairs = Estimate {
            stairs: 2.0,
            ..reference(3.0, 1e-9)
        };
        let judge = |got| Tolerance::DOUBLE.judge(got, &stairs);
        assert_eq!([judge(3.0), judge(1.0)], [Judgement::Pass; 2]);
        assert!(matches!(judge(2.0), Judgement::Fail { .. }));
    }

    #[test]
    fn doubt_is_passed_on() {
        let kink = Estimate::unknown(Doubt::Kink);
        assert_eq!(
            Tolerance::DOUBLE.judge(1.0, &kink),
            Judgement::Inconclusive(Doubt::Kink)
        );
    }

    #[test]
    fn small_value_is_judged_on_the_scale_of_its_column() {
        let small = Estimate {
            scale: 10.0,
            ..reference(1e-7, 1e-9)
        };
        assert_eq!(Tolerance::DOUBLE.judge(1e-7, &small), Judgement::Pass);
        assert!(matches!(
            judge(1e-7, 1e-7, 1e-9),
            Judgement::Inconclusive(_)
        ));
    }

    #[test]
    fn limits_are_bars_rounding_and_slack() {
        let two = Estimate {
            bar: 0.5,
            terms: 4.0,
            ..Estimate::exact(2.0)
        };
        let ulp = f64::from(f32::EPSILON);
        assert_eq!(Tolerance::DOUBLE.limit(&two), 2.0 + 256.0 * f64::EPSILON);
        assert_eq!(Tolerance::SINGLE.limit(&two), 2.0 + 256.0 * ulp);
        assert_eq!(Tolerance::single(0.25).limit(&two), 2.0 + 256.0 * ulp);
    }

    #[test]
    fn the_widest_bar_that_is_needed_still_judges() {
        let eighth = Tolerance {
            needed: 0.125,
            ..Tolerance::DOUBLE
        };
        let judge = |reference: &Estimate| eighth.judge(reference.value, reference);
        assert_eq!(judge(&reference(8.0, 0.25)), Judgement::Pass);
        let wide = judge(&reference(8.0, 0.250001));
        assert!(matches!(wide, Judgement::Inconclusive(_)), "{wide:?}");
        // A value of its own size, and one a thousandth of its column's.
        let beside = |scale| Estimate {
            scale,
            ..reference(1.0, 0.0625)
        };
        assert!(matches!(judge(&beside(1.0)), Judgement::Inconclusive(_)));
        assert!(matches!(judge(&beside(1000.0)), Judgement::Inconclusive(_)));
        assert_eq!(judge(&beside(2001.0)), Judgement::Pass);
    }

    #[test]
    fn flat_entry_is_judged_by_its_rounding() {
        let flat = Estimate {
            flat: true,
            ..reference(0.0, 1e-15)
        };
        assert_eq!(Tolerance::DOUBLE.judge(0.0, &flat), Judgement::Pass);
        assert!(matches!(
            Tolerance::DOUBLE.judge(1e-9, &flat),
            Judgement::Fail { .. }
        ));
    }

    #[test]
    fn cancelling_terms_allow_for_their_rounding() {
        let cancelling = Estimate {
            terms: 1e6,
            ..reference(1.0, 0.0)
        };
        assert_eq!(
            Tolerance::DOUBLE.judge(1.0 + 1e-8, &cancelling),
            Judgement::Pass
        );
    }

    #[test]
    fn single_precision_is_judged_by_its_conditioning() {
        let value = reference(1.0, 1e-12);
        assert_eq!(
            Tolerance::single(1e-5).judge(1.0 + 4e-5, &value),
            Judgement::Pass
        );
        assert!(matches!(
            Tolerance::single(1e-5).judge(1.001, &value),
            Judgement::Fail { .. }
        ));
        assert!(matches!(
            Tolerance::single(1e-3).judge(1.0, &value),
            Judgement::Inconclusive(_)
        ));
    }
}
