//! A derivative by differences, with what it is worth.

use std::fmt;

/// A derivative by differences.
pub(super) struct Difference {
    value: f64,
    /// How far from it the derivative may lie.
    bar: f64,
    kink: bool,
    /// No bit changed at any step.
    flat: bool,
}

/// What a difference says of a derivative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Judged {
    Right,
    Wrong,
    Unknown,
}

const LEVELS: usize = 8;

/// How far a staircase is looked for: a step eight times as wide each time.
const WIDER: i32 = 8;

impl Difference {
    /// The derivative of `f` at 0: of central differences at steps that are an eighth of each other, extrapolated, the one
    /// that agrees best with its neighbours. `None` if too few steps have a value.
    pub(super) fn of(mut f: impl FnMut(f64) -> Option<f64>) -> Option<Self> {
        let middle = f(0.0).filter(|middle| middle.is_finite())?;
        let mut slopes: Vec<(f64, f64, f64)> = Vec::new();
        let mut flat = true;
        for level in 0..LEVELS {
            let step = 0.125 * 0.125_f64.powi(level as i32);
            let (Some(right), Some(left)) = (f(step), f(-step)) else {
                slopes.clear();
                continue;
            };
            if !(right.is_finite() && left.is_finite()) {
                slopes.clear();
                continue;
            }
            if right == middle && left == middle && !flat {
                // The step is below the last place of what the function computes with: no difference has a digit from here on.
                break;
            }
            flat &= right == middle && left == middle;
            let noise = 4.0 * f64::EPSILON * (right.abs() + left.abs()) / step;
            let bend = ((right - middle) + (left - middle)).abs() / step;
            slopes.push(((right - left) / (2.0 * step), noise, bend));
        }
        let extrapolated = slopes
            .windows(2)
            .map(|pair| (64.0 * pair[1].0 - pair[0].0) / 63.0);
        let extrapolated: Vec<f64> = extrapolated.collect();
        let bars = extrapolated.windows(3).enumerate().map(|(index, three)| {
            let spread = (three[1] - three[0]).abs().max((three[1] - three[2]).abs());
            (three[1], spread + slopes[index + 3].1)
        });
        let (value, bar) = bars.min_by(|a, b| a.1.total_cmp(&b.1))?;
        // The two sides of a kink disagree as much in a narrow step as in a wide one.
        let sharp = slopes.windows(3).any(|three| {
            let (wide, narrow) = (three[0].2, three[2].2);
            narrow > 100.0 * three[2].1 && narrow > 0.1 * wide && narrow > 1e-4 * value.abs()
        });
        Some(Difference {
            value,
            bar,
            kink: sharp,
            flat,
        })
    }

    /// Whether `f` did not change because it is a staircase, as `(1e20 + t) − 1e20` is, which rises like `slope·t` on both
    /// sides where the step is wide enough. Then the difference says nothing of the derivative.
    pub(super) fn is_staircase(&self, slope: f64, mut f: impl FnMut(f64) -> Option<f64>) -> bool {
        let Some(middle) = f(0.0).filter(|_| self.flat) else {
            return false;
        };
        let near = |rise: f64, step: f64| (rise - slope * step).abs() <= 0.1 * (slope * step).abs();
        let mut rises = |step: f64| {
            let (right, left) = (f(step)?, f(-step)?);
            Some(near(right - middle, step) && near(middle - left, step))
        };
        (0..WIDER).any(|level| rises(8_f64.powi(level)) == Some(true))
    }

    /// Whether `got` is the derivative.
    pub(super) fn judge(&self, got: f64) -> Judged {
        let size = self.value.abs().max(got.abs());
        // Beside an infinity everything is small.
        let near = got.is_finite() && (got - self.value).abs() <= 10.0 * self.bar + 1e-7 * size;
        match near {
            _ if self.kink && got.is_finite() => Judged::Unknown,
            true => Judged::Right,
            // A number that is no number is wrong wherever differences have one.
            false if got.is_finite() && self.bar > 1e-3 * size => Judged::Unknown,
            false => Judged::Wrong,
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ± {:.0e}", self.value, self.bar)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smooth_functions_are_known_and_judged() {
        let of = |f: fn(f64) -> f64| Difference::of(|t| Some(f(t))).unwrap();
        for (f, slope) in [
            (f64::exp as fn(f64) -> f64, 1.0),
            (|t| (1.0 + t).ln(), 1.0),
            (|t| (30.0 * t).sin(), 30.0),
            (|t| 1e8 + t, 1.0),
            (|_| 5.0, 0.0),
        ] {
            let difference = of(f);
            assert_eq!(
                difference.judge(slope),
                Judged::Right,
                "{difference} is {slope}"
            );
            assert_eq!(
                difference.judge(slope + 0.5),
                Judged::Wrong,
                "{difference} is {slope}"
            );
            for no_number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                assert_eq!(difference.judge(no_number), Judged::Wrong);
            }
        }
    }

    #[test]
    fn nothing_is_said_of_kinks_and_noise() {
        let kink = Difference::of(|t| Some(t.abs())).unwrap();
        assert_eq!(kink.judge(1.0), Judged::Unknown);
        assert!(Difference::of(|t| (t >= 0.0).then_some(t)).is_none());
    }
    #[test]
    fn nothing_is_said_where_a_function_loses_its_digits() {
        for magnitude in 7..22 {
            let lost = 10_f64.powi(magnitude) * 1.1;
            let rough = |t: f64| Some((lost + t) - lost);
            let difference = Difference::of(rough);
            let wrong = difference.is_some_and(|difference| {
                difference.judge(1.0) == Judged::Wrong && !difference.is_staircase(1.0, rough)
            });
            assert!(!wrong, "{lost:e}");
        }
    }

    #[test]
    fn what_is_flat_has_no_slope() {
        let functions: [fn(f64) -> f64; 2] = [|_| 5.0, |t| (t - 40.0).max(0.0)];
        for flat in functions {
            let flat = |t: f64| Some(flat(t));
            let difference = Difference::of(flat).unwrap();
            assert_eq!(difference.judge(1.0), Judged::Wrong);
            assert!(!difference.is_staircase(1.0, flat));
            assert_eq!(difference.judge(0.0), Judged::Right);
        }
    }
}
