#![doc = include_str!("README.md")]

mod average;
mod cell;
mod direction;
mod glance;
mod kink;
mod picture;
mod plateau;
mod precision;
mod rung;
mod steps;

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use self::cell::Climb;
use self::direction::Direction;
pub use self::precision::Precision;
use self::rung::Rung;
use crate::estimate::{Doubt, Estimate};
use crate::jacobian::Jacobian;

/// Differences on a ladder of steps: the reference that rules are judged by.
///
/// A primal is a function of flat vectors. It answers `None` where it fails (a panic caught by
/// [`guarded`], an `Err`); that costs one step of the ladder, as does an output that is not finite.
///
/// ```
/// use coenzyme_testutils::Ladder;
///
/// let reciprocal = |x: &[f64]| Some(vec![1.0 / x[0]]);
/// let jacobian = Ladder::default().jacobian(reciprocal, &[1e-3]).expect("finite at x");
/// let slope = jacobian.entry(0, 0);
/// assert!((slope.value + 1e6).abs() <= slope.bar && slope.bar < 1e-3);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    precision: Precision,
    stride: u32,
    caps: Vec<(Range<usize>, f64)>,
}

impl Default for Ladder {
    /// Double precision, steps an eighth of each other, no caps.
    fn default() -> Self {
        Ladder {
            precision: Precision::Double,
            stride: 3,
            caps: Vec::new(),
        }
    }
}

impl Ladder {
    /// Measures a primal that computes in `precision`.
    #[must_use]
    pub fn precision(mut self, precision: Precision) -> Self {
        self.precision = precision;
        self
    }

    /// The precision in which the primal computes.
    pub(crate) fn of_precision(&self) -> Precision {
        self.precision
    }

    /// Makes each step `2^-stride` of the one before: 3 by default, 4 for primals that take long.
    ///
    /// **Panics** if `stride` is zero.
    #[must_use]
    #[track_caller]
    pub fn stride(mut self, stride: u32) -> Self {
        assert!(stride > 0, "a ladder needs distinct steps");
        self.stride = stride;
        self
    }

    /// Takes no step wider than `h_max` in the coordinates of `range`: for primals which are defined,
    /// but something else, further away.
    ///
    /// **Panics** if `h_max` is not positive.
    #[must_use]
    #[track_caller]
    pub fn cap(mut self, range: Range<usize>, h_max: f64) -> Self {
        assert!(h_max > 0.0, "a ladder needs positive steps, not {h_max}");
        self.caps.push((range, h_max));
        self
    }

    /// All derivatives of `primal` at `x`, or `None` if it fails at `x` itself.
    ///
    /// Evaluates the primal at most `48·x.len() + 1` times.
    ///
    /// **Panics** if the primal changes the number of its outputs.
    #[track_caller]
    pub fn jacobian(
        &self,
        mut primal: impl FnMut(&[f64]) -> Option<Vec<f64>>,
        x: &[f64],
    ) -> Option<Jacobian> {
        let value = primal(x)?;
        let mut evaluations = 1;
        let mut columns = Vec::with_capacity(x.len());
        for index in 0..x.len() {
            let direction = Direction::Axis(index);
            let (column, cost) = self.climb(&mut primal, x, &value, direction);
            columns.push(column);
            evaluations += cost;
        }
        Some(Jacobian::from_columns(value, columns, evaluations))
    }

    /// The derivatives of `primal` at `x` along the axis number `index`, one for each output.
    ///
    /// **Panics** if `x` has no such axis, or the primal changes the number of its outputs.
    #[track_caller]
    pub fn column(
        &self,
        mut primal: impl FnMut(&[f64]) -> Option<Vec<f64>>,
        x: &[f64],
        index: usize,
    ) -> Option<Vec<Estimate>> {
        assert!(index < x.len(), "axis {index} of {} inputs", x.len());
        let value = primal(x)?;
        Some(self.climb(&mut primal, x, &value, Direction::Axis(index)).0)
    }

    /// The derivatives of `primal` at `x` along `direction`, one for each output.
    ///
    /// Exact in the displaced points if `x` and `direction` have short mantissas.
    ///
    /// **Panics** if `x` and `direction` differ in length, or the primal changes the number of its
    /// outputs.
    #[track_caller]
    pub fn directional(
        &self,
        mut primal: impl FnMut(&[f64]) -> Option<Vec<f64>>,
        x: &[f64],
        direction: &[f64],
    ) -> Option<Vec<Estimate>> {
        assert_eq!(
            x.len(),
            direction.len(),
            "a direction has one entry for each input"
        );
        let value = primal(x)?;
        Some(
            self.climb(&mut primal, x, &value, Direction::Vector(direction))
                .0,
        )
    }

    /// Climbs the ladder once for all outputs; returns their estimates and the number of evaluations.
    #[track_caller]
    fn climb(
        &self,
        primal: &mut impl FnMut(&[f64]) -> Option<Vec<f64>>,
        x: &[f64],
        value: &[f64],
        direction: Direction<'_>,
    ) -> (Vec<Estimate>, usize) {
        let magnitude = direction.magnitude(x);
        let steps = steps::steps(
            magnitude,
            self.h_max(x.len(), direction),
            self.stride,
            self.precision,
        );
        let climb = Climb {
            magnitude,
            scale: magnitude.max(1.0),
            epsilon: self.precision.epsilon(),
            ratio: f64::from(self.stride).exp2(),
        };
        let mut evaluations = 0;
        let mut rungs = vec![vec![Rung::DEAD; steps.len()]; value.len()];
        for (level, &step) in steps
            .iter()
            .enumerate()
            .filter(|(_, step)| step.is_finite())
        {
            let (minus, left) = direction.displace(x, -step, self.precision);
            let (plus, right) = direction.displace(x, step, self.precision);
            evaluations += 2;
            let (Some(minus), Some(plus)) = (primal(&minus), primal(&plus)) else {
                continue;
            };
            for found in [minus.len(), plus.len()] {
                assert_eq!(
                    found,
                    value.len(),
                    "the primal changed the number of its outputs"
                );
            }
            for (entry, rungs) in rungs.iter_mut().enumerate() {
                let quiet = 1.0 / loudness(value[entry]);
                let [minus, at, plus] =
                    [minus[entry], value[entry], plus[entry]].map(|output| output * quiet);
                rungs[level] = Rung::new(minus, at, plus, -left, right);
            }
        }
        let estimate = |(rungs, value): (Vec<Rung>, &f64)| match value.is_finite() {
            true => plateau::estimate(rungs, climb).times(loudness(*value)),
            false => Estimate::unknown(Doubt::NotFinite),
        };
        (
            rungs.into_iter().zip(value).map(estimate).collect(),
            evaluations,
        )
    }

    fn h_max(&self, inputs: usize, direction: Direction<'_>) -> f64 {
        let moves = |range: &Range<usize>| {
            (range.start..range.end.min(inputs)).any(|index| direction.component(index) != 0.0)
        };
        let caps = self.caps.iter().filter(|(range, _)| moves(range));
        caps.map(|(_, h_max)| *h_max).fold(f64::INFINITY, f64::min)
    }
}

/// Outputs that are larger are divided before they are extrapolated, …
const LOUD: f64 = 1e290;

/// … by this.
fn loudness(output: f64) -> f64 {
    match output.abs() > LOUD {
        true => 64_f64.exp2(),
        false => 1.0,
    }
}

/// Turns a panic of `primal` into `None`, for [`Ladder::jacobian`] and its kin.
///
/// The panic's message still goes to the panic hook, which prints it unless the test harness
/// captures it.
pub fn guarded(
    mut primal: impl FnMut(&[f64]) -> Vec<f64>,
) -> impl FnMut(&[f64]) -> Option<Vec<f64>> {
    move |x| catch_unwind(AssertUnwindSafe(|| primal(x))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square_and_product(x: &[f64]) -> Option<Vec<f64>> {
        Some(vec![x[0] * x[0], x[0] * x[1], x[1].sin()])
    }

    #[test]
    fn jacobian_has_a_row_for_each_output() {
        let jacobian = Ladder::default()
            .jacobian(square_and_product, &[1.5, -0.75])
            .unwrap();
        assert_eq!((jacobian.rows(), jacobian.columns()), (3, 2));
        let values = [[3.0, 0.0], [-0.75, 1.5], [0.0, 0.75_f64.cos()]];
        for (row, values) in values.into_iter().enumerate() {
            for (column, value) in values.into_iter().enumerate() {
                let entry = jacobian.entry(row, column);
                assert!((entry.value - value).abs() <= entry.bar, "{entry:?}");
            }
        }
    }

    #[test]
    fn evaluations_stay_within_the_budget() {
        for x in [[1.0, 2.75], [1e-7, 1e12], [1e-300, 0.0]] {
            let mut calls = 0;
            let counted = |x: &[f64]| {
                calls += 1;
                square_and_product(x)
            };
            let jacobian = Ladder::default().jacobian(counted, &x).unwrap();
            assert_eq!(jacobian.evaluations(), calls);
            assert!(calls <= 48 * x.len() + 1, "{calls} at {x:?}");
        }
    }

    #[test]
    fn failures_of_the_primal_cost_only_their_steps() {
        let root = |x: &[f64]| (x[0] > 0.0).then(|| vec![x[0].sqrt()]);
        let slope = Ladder::default().column(root, &[0.01], 0).unwrap()[0];
        assert!(slope.doubt.is_none() && (slope.value - 5.0).abs() <= slope.bar);

        let panicking = guarded(|x| {
            assert!(x[0] < 1.1, "out of range");
            vec![x[0] * x[0]]
        });
        assert_eq!(
            Ladder::default().column(panicking, &[1.0], 0).unwrap()[0].value,
            2.0
        );
        assert!(Ladder::default().jacobian(|_| None, &[1.0]).is_none());
    }

    #[test]
    fn outputs_choose_their_own_plateaus() {
        let both = |x: &[f64]| Some(vec![(1000.0 * x[0]).sin(), x[0].sin()]);
        let slopes = Ladder::default().column(both, &[0.75], 0).unwrap();
        let plateaus = slopes.iter().map(|slope| slope.plateau.unwrap().widest);
        assert!(plateaus.is_sorted());
        assert!(slopes[1].bar < 1e-11, "{:?}", slopes[1]);
    }

    #[test]
    fn value_that_is_not_finite_is_doubted() {
        let pole = |x: &[f64]| Some(vec![1.0 / x[0], x[0]]);
        let slopes = Ladder::default().column(pole, &[0.0], 0).unwrap();
        assert_eq!(slopes[0].doubt, Some(Doubt::NotFinite));
        assert_eq!((slopes[1].value, slopes[1].doubt), (1.0, None));
    }

    #[test]
    fn outputs_near_the_largest_number_have_slopes() {
        let sinh = |x: &[f64]| Some(vec![x[0].sinh()]);
        let slope = Ladder::default().column(sinh, &[710.0], 0).unwrap()[0];
        assert!(
            (slope.value / 710_f64.cosh() - 1.0).abs() < 1e-6,
            "{slope:?}"
        );
        assert!(slope.doubt.is_none() && slope.bar < 1e-6 * slope.value);
    }

    #[test]
    fn direction_agrees_with_the_jacobian() {
        let (x, direction) = ([1.5, -0.75], [0.5, -1.25]);
        let jacobian = Ladder::default().jacobian(square_and_product, &x).unwrap();
        let along = Ladder::default()
            .directional(square_and_product, &x, &direction)
            .unwrap();
        assert_eq!(along.len(), 3);
        for (along, projected) in along.iter().zip(jacobian.forward(&direction)) {
            assert!((along.value - projected.value).abs() <= along.bar + projected.bar);
        }
    }

    #[test]
    fn ladders_keep_what_they_were_told() {
        let cost = |ladder: Ladder| {
            let primal = |x: &[f64]| Some(vec![x[0].sin()]);
            ladder.jacobian(primal, &[1.0]).unwrap().evaluations()
        };
        // Twelve steps of a sixteenth and sixteen of an eighth, and those that single precision resolves.
        let plain = Ladder::default;
        assert_eq!(cost(plain()), 1 + 2 * 16);
        assert_eq!(cost(plain().stride(4)), 1 + 2 * 12);
        assert_eq!(cost(plain().precision(Precision::Single)), 1 + 2 * 7);
        let both = plain().stride(4).precision(Precision::Single);
        assert_eq!(both, plain().precision(Precision::Single).stride(4));
    }

    #[test]
    fn caps_keep_the_steps_inside() {
        let broken_far_away = |x: &[f64]| {
            assert!((x[0] - 1.0).abs() < 0.01);
            Some(vec![x[0].powi(3), x[1]])
        };
        let ladder = Ladder::default().cap(0..1, 0.01);
        let slope = ladder.column(broken_far_away, &[1.0, 1.0], 0).unwrap()[0];
        assert!((slope.value - 3.0).abs() <= slope.bar && slope.bar < 1e-10);
    }

    #[test]
    fn single_precision_primals_are_measured_as_such() {
        let single = |x: &[f64]| Some(vec![f64::from((x[0] as f32).sin())]);
        let ladder = Ladder::default().precision(Precision::Single);
        let slope = ladder.column(single, &[0.75], 0).unwrap()[0];
        let error = (slope.value - 0.75_f64.cos()).abs();
        assert!(error <= slope.bar && slope.bar < 1e-2, "{slope:?}");
    }

    #[test]
    #[should_panic = "changed the number of its outputs"]
    fn primal_of_changing_length_is_refused() {
        let growing = |x: &[f64]| Some(vec![0.0; if x[0] > 1.0 { 2 } else { 1 }]);
        Ladder::default().jacobian(growing, &[1.0]);
    }
}
