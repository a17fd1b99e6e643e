//! The public comparison traits of `approx`, for derivatives with error bars.
//!
//! A derivative that differences know to a bar agrees with whatever lies within the bar; what is allowed beyond is up to the
//! caller. One that the differences doubt agrees with nothing.

use approx::{AbsDiffEq, RelativeEq};

use crate::estimate::Estimate;

/// The same value, known exactly.
impl PartialEq<f64> for Estimate {
    fn eq(&self, other: &f64) -> bool {
        self.doubt.is_none() && self.bar == 0.0 && self.value == *other
    }
}

/// Within the bar and `epsilon`, which is 0 by default.
///
/// ```
/// use coenzyme_testutils::approx::assert_abs_diff_eq;
/// use coenzyme_testutils::Ladder;
///
/// let slope = Ladder::default().column(|x| Some(vec![x[0].sin()]), &[1.0], 0).unwrap()[0];
/// assert_abs_diff_eq!(slope, 1_f64.cos());
/// ```
impl AbsDiffEq<f64> for Estimate {
    type Epsilon = f64;

    fn default_epsilon() -> f64 {
        0.0
    }

    fn abs_diff_eq(&self, other: &f64, epsilon: f64) -> bool {
        self.doubt.is_none() && (self.value - other).abs() <= self.bar + epsilon
    }
}

/// Within the bar and `epsilon`, or the bar and `max_relative` of the larger value; both are 0 by default.
impl RelativeEq<f64> for Estimate {
    fn default_max_relative() -> f64 {
        0.0
    }

    fn relative_eq(&self, other: &f64, epsilon: f64, max_relative: f64) -> bool {
        let larger = self.value.abs().max(other.abs());
        self.abs_diff_eq(other, epsilon.max(max_relative * larger))
    }
}

/// Within both bars and `epsilon`, which is 0 by default.
impl AbsDiffEq for Estimate {
    type Epsilon = f64;

    fn default_epsilon() -> f64 {
        0.0
    }

    fn abs_diff_eq(&self, other: &Self, epsilon: f64) -> bool {
        other.doubt.is_none() && self.abs_diff_eq(&other.value, other.bar + epsilon)
    }
}

/// Within both bars and `epsilon`, or both bars and `max_relative` of the larger value; both are 0 by default.
impl RelativeEq for Estimate {
    fn default_max_relative() -> f64 {
        0.0
    }

    fn relative_eq(&self, other: &Self, epsilon: f64, max_relative: f64) -> bool {
        let larger = self.value.abs().max(other.value.abs());
        self.abs_diff_eq(other, epsilon.max(max_relative * larger))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Doubt;
    use approx::{abs_diff_eq, assert_abs_diff_eq, assert_relative_eq, relative_eq};

    fn about(value: f64, bar: f64) -> Estimate {
        Estimate {
            bar,
            ..Estimate::exact(value)
        }
    }

    #[test]
    fn numbers_within_the_bar_agree() {
        let two = about(2.0, 0.5);
        assert_abs_diff_eq!(two, 2.5);
        assert_abs_diff_eq!(two, 1.5);
        assert!(!abs_diff_eq!(two, 2.625));
        assert_abs_diff_eq!(two, 2.625, epsilon = 0.125);
        assert!(!relative_eq!(two, 4.0, max_relative = 0.25));
        assert_relative_eq!(two, 4.0, max_relative = 0.375);
        assert_relative_eq!(about(-4.0, 0.0), -2.0, max_relative = 0.5);
        assert!(!relative_eq!(two, 2.625));
    }

    #[test]
    fn bars_of_two_estimates_add() {
        assert_abs_diff_eq!(about(2.0, 0.25), about(2.75, 0.5));
        assert!(!abs_diff_eq!(about(2.0, 0.25), about(2.875, 0.5)));
        assert_abs_diff_eq!(about(2.0, 0.25), about(2.875, 0.5), epsilon = 0.125);
        assert_relative_eq!(about(2.0, 0.0), about(4.0, 0.0), max_relative = 0.5);
        assert_relative_eq!(about(-4.0, 0.0), about(-2.0, 0.0), max_relative = 0.5);
        assert!(!relative_eq!(
            about(2.0, 0.0),
            about(4.0, 0.0),
            max_relative = 0.25
        ));
        assert!(!relative_eq!(about(2.0, 0.0), about(4.0, 0.0)));
    }

    #[test]
    fn doubtful_estimates_agree_with_nothing() {
        let doubtful = Estimate {
            doubt: Some(Doubt::Kink),
            ..about(2.0, 1.0)
        };
        assert!(!abs_diff_eq!(doubtful, 2.0) && !relative_eq!(doubtful, 2.0));
        assert!(!abs_diff_eq!(doubtful, about(2.0, 1.0)));
        assert!(!abs_diff_eq!(about(2.0, 1.0), doubtful));
    }

    #[test]
    fn only_what_is_known_exactly_is_equal_to_a_number() {
        assert_eq!(about(2.0, 0.0), 2.0);
        assert_ne!(about(2.0, 0.0), 2.5);
        assert_ne!(about(2.0, 1e-9), 2.0);
        assert_ne!(
            Estimate {
                doubt: Some(Doubt::Kink),
                ..about(2.0, 0.0)
            },
            2.0
        );
    }
}
