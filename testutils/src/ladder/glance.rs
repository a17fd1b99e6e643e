//! The derivative along a direction by two steps only: not enough for a verdict, and enough for a suspicion.

use super::{Direction, Ladder, Precision};
use crate::estimate::Estimate;

/// The second step is this part of the first.
const PART: f64 = 0.25;

/// Roundings that an output may have come through.
const ROUNDINGS: f64 = 64.0;

impl Ladder {
    /// The derivatives of `primal` at `x` along `direction`, one for each output; `None` if it fails at one of four points. The bar
    /// is what the second step changes: where the function bends or has a kink between the two, it is wide.
    pub(crate) fn glance(
        &self,
        primal: &mut dyn FnMut(&[f64]) -> Option<Vec<f64>>,
        x: &[f64],
        direction: &[f64],
    ) -> Option<Vec<Estimate>> {
        let along = Direction::Vector(direction);
        // Far out a step is no longer than what a sine takes straight, while numbers are that near to each other.
        let [part, straight, least] = match self.precision {
            Precision::Double => [10, 6, 30],
            Precision::Single => [5, 3, 8],
        }
        .map(|places| 0.5_f64.powi(places));
        let scale = along.magnitude(x).max(1.0).log2().floor().exp2();
        let first = (part * scale).min(straight.max(least * scale));
        let mut slopes = |step: f64| -> Option<Vec<(f64, f64)>> {
            let (minus, _) = along.displace(x, -step, self.precision);
            let (plus, _) = along.displace(x, step, self.precision);
            let (minus, plus) = (primal(&minus)?, primal(&plus)?);
            let slope = |(minus, plus): (f64, f64)| {
                let noise = ROUNDINGS * self.precision.epsilon() * (minus.abs() + plus.abs());
                ((plus - minus) / (2.0 * step), noise / step)
            };
            Some(minus.into_iter().zip(plus).map(slope).collect())
        };
        let (wide, narrow) = (slopes(first)?, slopes(PART * first)?);
        let estimate = |((wide, _), (narrow, noise)): ((f64, f64), (f64, f64))| {
            let correction = (narrow - wide) / (PART.powi(-2) - 1.0);
            Estimate {
                bar: correction.abs() + noise,
                ..Estimate::exact(narrow + correction)
            }
        };
        Some(wide.into_iter().zip(narrow).map(estimate).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glance(f: impl Fn(f64) -> f64, x: f64) -> Estimate {
        let mut primal = |x: &[f64]| Some(vec![f(x[0])]);
        let known = Ladder::default().glance(&mut primal, &[x], &[1.0]);
        known.expect("it never fails")[0]
    }

    #[test]
    fn a_glance_knows_its_error() {
        for x in [0.3, -2.0, 40.0] {
            let sine = glance(f64::sin, x);
            assert!(
                (sine.value - x.cos()).abs() <= sine.bar && sine.bar < 1e-3,
                "{sine:?}"
            );
        }
        assert!(glance(f64::exp, 1.0).bar < 1e-6);
    }

    #[test]
    fn a_sine_far_out_is_still_one() {
        let sine = glance(f64::sin, 4000.0);
        assert!(
            (sine.value - 4000_f64.cos()).abs() <= sine.bar && sine.bar < 1e-3,
            "{sine:?}"
        );
        let square = glance(|x| x * x, 1.25e9);
        assert!(
            (square.value / 2.5e9 - 1.0).abs() < 1e-4 && square.bar < 1e-3 * square.value,
            "{square:?}"
        );
    }

    #[test]
    fn a_kink_between_the_steps_is_no_slope() {
        let kink = glance(|x| (x - 1.0005).max(0.0), 1.0);
        assert!(kink.bar > 0.01, "{kink:?}");
    }

    #[test]
    fn single_precision_takes_wider_steps() {
        let ladder = Ladder::default().precision(Precision::Single);
        let mut sine = |x: &[f64]| Some(vec![f64::from((x[0] as f32).sin())]);
        let slope = ladder.glance(&mut sine, &[0.75], &[1.0]).unwrap()[0];
        let error = (slope.value - 0.75_f64.cos()).abs();
        assert!(error <= slope.bar && slope.bar < 2e-3, "{slope:?}");
        assert_eq!(ladder.glance(&mut |_| None, &[0.75], &[1.0]), None);
    }
}
