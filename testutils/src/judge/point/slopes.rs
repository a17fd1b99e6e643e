//! Whether a function has slopes at a point: what bends, and what narrow steps see otherwise.

use std::ops::Range;

use super::{Point, replaced};
use crate::ladder::Precision;
use crate::probe::Probes;
use crate::sample::Stream;
use crate::subject::{Fault, Primal};

/// The steps by which a kink is told from a curve: a wide one and a narrow one, and both once more; in double precision and in single.
const STEPS: [[(f64, f64); 2]; 2] = [[(1e-3, 1e-5), (1e-4, 1e-6)], [(1e-1, 3e-3), (3e-2, 1e-3)]];

/// Steps that do not grow with the numbers; in single precision wide ones for what is flat, and narrower ones for what turns.
const NARROW: [[f64; 2]; 1] = [[1.0 / 256.0, 1.0 / 2048.0]];
const NARROW_SINGLE: [[f64; 2]; 2] = [[1.0 / 8.0, 1.0 / 32.0], [1.0 / 32.0, 1.0 / 128.0]];

/// A slope is the same to either side to this part of it, and between both to the square of that, …
const STEADY: f64 = 1.0 / 16.0;

/// … or, where there is none, if no more than this could hide in rounding.
const STILL: f64 = 1e-8;

/// Roundings that an output may have come through.
const ROUNDINGS: f64 = 16.0;

impl Point {
    /// Whether some output bends more sharply in a narrow step, relative to its length, than two derivatives allow. Between
    /// directions too: where the middle one of equal numbers is chosen, every direction has a slope, and there is no
    /// derivative. And where the slope grows as a root does, differences beside a zero know too few digits.
    pub(super) fn is_bent(&self, call: impl Fn(&[Vec<f64>]) -> Result<Primal, Fault>) -> bool {
        let Some(middle) = self.total(self.primal.clone()) else {
            return true;
        };
        let precision = self.precision();
        let mut stream = Stream::of_case("bent", 0);
        let flat = self.primals.concat();
        let mut directions: Vec<Vec<f64>> = (0..3).map(|_| stream.seeds(flat.len())).collect();
        directions.push(directions[0].iter().map(|d| -d).collect());
        let at = |step: f64, along: &dyn Fn(usize) -> f64| {
            let moved = |(entry, x): (usize, &f64)| x + step * x.abs().max(1.0) * along(entry);
            let moved: Vec<f64> = flat.iter().enumerate().map(moved).collect();
            self.total(call(&self.split(&moved)))
        };
        // |f(x + a + b) − f(x + a) − f(x + b) + f(x)| and its noise, by the step: of every output, for all pairs of directions.
        let bends = |step: f64| -> Option<Vec<(f64, f64)>> {
            let alone: Option<Vec<_>> = directions
                .iter()
                .map(|d| at(step, &|entry| d[entry]))
                .collect();
            let alone = alone?;
            let mut bends = Vec::new();
            for (a, b) in [(0, 1), (1, 2), (2, 0), (0, 3)] {
                let (d, e) = (&directions[a], &directions[b]);
                let both = at(step, &|entry| d[entry] + e[entry])?;
                for (row, middle) in middle.iter().enumerate() {
                    let (one, other, both) = (alone[a][row], alone[b][row], both[row]);
                    let size = one.abs() + other.abs() + both.abs() + middle.abs();
                    let bend = ((both - one) - (other - middle)).abs();
                    bends.push((bend / step, 64.0 * precision.epsilon() * size / step));
                }
            }
            Some(bends)
        };
        // What bends within its wide step looks like a kink, and less so in steps that are narrower.
        STEPS[usize::from(precision == Precision::Single)]
            .iter()
            .all(|(wide, narrow)| {
                let allowed = 2.0 * narrow / wide;
                let (Some(wide), Some(narrow)) = (bends(*wide), bends(*narrow)) else {
                    return false;
                };
                let mut rows = wide.iter().zip(&narrow);
                let sharp = |((wide, _), (narrow, noise)): (&(f64, f64), &(f64, f64))| {
                    *narrow > 10.0 * noise && *narrow > allowed * wide
                };
                rows.any(sharp)
            })
    }

    /// For each argument and each output, whether steps that do not grow with the numbers see the same slope, to both sides, and
    /// not lost in rounding. Far out the steps of the ladder are wide: what turns within one of them, beside what is large, they take
    /// for flat; and a function that is known at whole numbers only, as a power of a negative number is, for one that is known.
    pub(super) fn steady(
        &self,
        call: impl Fn(&[Vec<f64>]) -> Result<Primal, Fault>,
    ) -> Vec<Vec<bool>> {
        let (Some(middle), Some(probes)) = (self.total(self.primal.clone()), &self.probes) else {
            return vec![];
        };
        let (flat, precision) = (self.primals.concat(), self.precision());
        let at = |range: &Range<usize>, direction: &[f64], step: f64| {
            let part = flat[range.clone()].iter().zip(direction);
            let part: Vec<f64> = part.map(|(x, d)| x + step * d).collect();
            self.total(call(&self.split(&replaced(&flat, range, &part))))
        };
        let of_steps = |probes: &Probes, range: &Range<usize>, steps: &[f64; 2]| {
            let mut steady = vec![true; middle.len()];
            let directions = probes.directions();
            for (direction, slopes) in directions.filter(|(direction, _)| !direction.is_empty()) {
                for step in *steps {
                    let sides = at(range, direction, -step).zip(at(range, direction, step));
                    let Some((minus, plus)) = sides else {
                        return vec![false; middle.len()];
                    };
                    for (row, slope) in slopes.iter().enumerate() {
                        let (minus, at, plus) = (minus[row], middle[row], plus[row]);
                        let size = minus.abs() + at.abs() + plus.abs();
                        let noise = ROUNDINGS * precision.epsilon() * size / step;
                        let allowed = STEADY * slope.value.abs();
                        let same = |rise: f64, run: f64, allowed: f64| {
                            (rise / run - slope.value).abs() <= allowed + noise
                        };
                        let sides =
                            same(plus - at, step, allowed) && same(at - minus, step, allowed);
                        let both = same(plus - minus, 2.0 * step, STEADY * allowed);
                        steady[row] &= noise <= allowed.max(STILL) && sides && both;
                    }
                }
            }
            steady
        };
        let narrow: &[_] = match precision {
            Precision::Double => &NARROW,
            Precision::Single => &NARROW_SINGLE,
        };
        let of_one = |(probes, range): (&Probes, &Range<usize>)| {
            let each = narrow.iter().map(|steps| of_steps(probes, range, steps));
            let either = |one: Vec<bool>, other: Vec<bool>| {
                one.into_iter().zip(other).map(|(a, b)| a || b).collect()
            };
            each.reduce(either).unwrap_or_default()
        };
        probes.iter().zip(&self.inputs).map(of_one).collect()
    }
}
