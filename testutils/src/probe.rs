//! The reference for inputs too long for a Jacobian.
//!
//! Three random directions see every entry at once; sixteen sampled columns see some alone. When a
//! direction disagrees, [`culprit`] bisects to the entry that is to blame.

use crate::comparison::Comparison;
use crate::estimate::{Doubt, Estimate};
use crate::jacobian::share_scale;
use crate::ladder::{Ladder, Precision};
use crate::sample::Stream;
use crate::tolerance::{Judgement, Tolerance};

const COLUMNS: usize = 16;

/// What an iteration that has converged leaves of a derivative that is zero.
const NOTHING: f64 = 1e-13;

/// Slopes below this are known as far as zeros are.
const LITTLE: f64 = 1e-9;

/// A slope is zero that differences find below this, not knowing more.
const ZERO_SLOPE: f64 = 1e-6;

/// Where a function in double precision stands still, its slope is no more than this.
const STILL: f64 = 1e-11;

/// The same of a function in single precision whose values are all equal.
const STILL_SINGLE: f64 = 8.0 * f32::EPSILON as f64;

/// Derivatives along a few directions and a few axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Probes {
    directions: Vec<(Vec<f64>, Vec<Estimate>)>,
    columns: Vec<(usize, Vec<Estimate>)>,
    precision: Precision,
}

impl Probes {
    /// Inputs up to this length have a whole Jacobian instead.
    pub const JACOBIAN_UP_TO: usize = 64;

    /// How many directions are probed.
    pub const DIRECTIONS: usize = 3;

    /// Probes `primal` at `x` along 3 directions and at most 16 axes, drawn from `stream`; `None` if it
    /// fails at `x` itself.
    pub fn new(
        ladder: &Ladder,
        primal: impl FnMut(&[f64]) -> Option<Vec<f64>>,
        x: &[f64],
        stream: &mut Stream,
    ) -> Option<Self> {
        Self::drawn(ladder, primal, x, stream, Self::DIRECTIONS, COLUMNS)
    }

    /// Probes `primal` at `x` along one direction only: for a second look at a function that has a Jacobian elsewhere.
    pub(crate) fn single(
        ladder: &Ladder,
        primal: impl FnMut(&[f64]) -> Option<Vec<f64>>,
        x: &[f64],
        stream: &mut Stream,
    ) -> Option<Self> {
        Self::drawn(ladder, primal, x, stream, 1, 0)
    }

    /// Probes `primal` at `x` along one direction, by two steps; `None` if it fails there.
    pub(crate) fn glanced(
        ladder: &Ladder,
        primal: &mut dyn FnMut(&[f64]) -> Option<Vec<f64>>,
        x: &[f64],
        stream: &mut Stream,
    ) -> Option<Self> {
        let direction = in_proportion(stream.seeds(x.len()), x);
        let mut tangent = ladder.glance(primal, x, &direction)?;
        share_scale(&mut tangent);
        Some(Probes {
            directions: vec![(direction, tangent)],
            columns: vec![],
            precision: ladder.of_precision(),
        })
    }

    /// The same probes, where slopes that are zero as far as differences can tell are zero, give or take what a rule rounds.
    pub(crate) fn with_zero_slopes(mut self) -> Self {
        let coarse = Tolerance::coarse(self.precision);
        for entry in self.directions.iter_mut().flat_map(|(_, tangent)| tangent) {
            // What stands still may have been rounded away: beside zero `1 − cos x` is nothing, and its slope is not.
            if entry.flat && entry.value == 0.0 {
                entry.bar = entry.bar.max(match self.precision {
                    Precision::Double => STILL,
                    Precision::Single => STILL_SINGLE,
                });
            }
            let judgement = coarse.judge(entry.value, entry);
            let Judgement::Inconclusive(Doubt::TooWide { limit, .. }) = judgement else {
                continue;
            };
            if entry.value.abs() + limit <= ZERO_SLOPE {
                entry.bar = entry.bar.max(ZERO_SLOPE);
                entry.flat = true;
            }
        }
        self
    }

    /// The same probes, no bar narrower than a rule needs that cancels a few digits; `None` if an output is not known here, for
    /// then a partial may be infinite, and zero times it no number. Where the function may be `wild`, any finite number passes.
    pub(crate) fn in_eight_digits(mut self, wild: bool) -> Option<Self> {
        let tangents = self.directions.iter_mut().flat_map(|(_, tangent)| tangent);
        for entry in tangents {
            if !matches!(entry.doubt, None | Some(Doubt::Kink)) {
                return None;
            }
            entry.bar = entry.bar.max(1e-9 * entry.value.abs());
            entry.doubt = entry.doubt.or(wild.then_some(Doubt::Kink));
        }
        Some(self)
    }

    /// The same probes, no bar narrower than a rule needs that cancels many digits; `None` if an output is not known here.
    /// Where the function is `wild`, any finite number passes.
    /// `floors` says for each output how far a slope may be off at least.
    pub(crate) fn in_five_digits(mut self, wild: bool, floors: &[f64]) -> Option<Self> {
        let known = self.widen_to_five_digits(floors);
        let entries = self.directions.iter_mut().flat_map(|(_, tangent)| tangent);
        entries.for_each(|entry| entry.doubt = entry.doubt.or(wild.then_some(Doubt::Kink)));
        known.then_some(self)
    }

    /// Leaves no bar narrower than a rule needs that cancels many digits, and a doubt where an output is not known; whether all are.
    pub(crate) fn widen_to_five_digits(&mut self, floors: &[f64]) -> bool {
        let (coarse, digits) = match self.precision {
            Precision::Double => (Tolerance::COARSE, 1e-5),
            Precision::Single => (Tolerance::COARSE_SINGLE, 3e-3),
        };
        let mut all = true;
        for (_, tangent) in &mut self.directions {
            for (entry, floor) in tangent.iter_mut().zip(floors) {
                entry.bar = entry.bar.max(*floor);
                match coarse.judge(entry.value, entry) {
                    Judgement::Pass | Judgement::Inconclusive(Doubt::Kink) => {}
                    _ => {
                        entry.doubt = entry.doubt.or(Some(Doubt::NoPlateau));
                        all = false;
                    }
                }
                entry.bar = entry.bar.max(digits * entry.value.abs()).max(NOTHING);
                entry.flat |= entry.value.abs() < LITTLE;
            }
        }
        all
    }

    /// Takes the outputs that are not `known` for unknown.
    pub(crate) fn doubt_all_but(&mut self, known: &[bool]) {
        for (_, tangent) in &mut self.directions {
            let unknown = tangent.iter_mut().zip(known).filter(|(_, known)| !**known);
            unknown.for_each(|(entry, _)| entry.doubt = Some(Doubt::NoPlateau));
        }
    }

    /// The same probes, with what `tolerance` cannot judge measured by many small looks at the primal.
    pub(crate) fn averaged(
        mut self,
        ladder: &Ladder,
        primal: &mut dyn FnMut(&[f64]) -> Option<Vec<f64>>,
        x: &[f64],
        tolerance: Tolerance,
    ) -> Self {
        for (direction, tangent) in &mut self.directions {
            ladder.averaged(primal, x, direction, tangent, tolerance);
            share_scale(tangent);
        }
        for (index, column) in &mut self.columns {
            let mut axis = vec![0.0; x.len()];
            axis[*index] = 1.0;
            ladder.averaged(primal, x, &axis, column, tolerance);
            share_scale(column);
        }
        self
    }

    /// Widens the bars to what lies between two others, and two that are twice as far.
    pub(crate) fn be_unsure_between(&mut self, others: &[&Probes]) {
        let mut others: Vec<_> = others.iter().map(|of| of.entries()).collect();
        for entry in self.entries_mut() {
            let values = others.iter_mut().filter_map(|of| Some(of.next()?.value));
            let values: Vec<f64> = values.collect();
            entry.be_unsure_between(&values);
        }
    }

    /// Widens the bars to what another one knows.
    pub(crate) fn be_unsure_to(&mut self, other: &Probes) {
        for (entry, other) in self.entries_mut().zip(other.entries()) {
            let off = (other.value - entry.value).abs();
            entry.bar = entry.bar.max(if off.is_finite() { off } else { 0.0 });
        }
    }

    /// Whether a bar is much wider than that of `sharp`, and wide.
    pub(crate) fn is_blurred(&self, sharp: &Probes) -> bool {
        let mut pairs = self.entries().zip(sharp.entries());
        pairs.any(|(entry, sharp)| entry.is_blurred(sharp))
    }

    fn entries(&self) -> impl Iterator<Item = &Estimate> {
        let directions = self.directions.iter().flat_map(|(_, tangent)| tangent);
        directions.chain(self.columns.iter().flat_map(|(_, column)| column))
    }

    fn entries_mut(&mut self) -> impl Iterator<Item = &mut Estimate> {
        let directions = self.directions.iter_mut().flat_map(|(_, tangent)| tangent);
        directions.chain(self.columns.iter_mut().flat_map(|(_, column)| column))
    }

    /// Judges in single precision what was measured in double.
    pub(crate) fn judge_in_single(&mut self) {
        self.precision = Precision::Single;
    }

    /// The precision in which the primal computes.
    pub(crate) fn precision(&self) -> Precision {
        self.precision
    }

    /// The most that an output is off, in units of its last place.
    pub(crate) fn noise(&self) -> f64 {
        let tangents = self.directions.iter().flat_map(|(_, tangent)| tangent);
        let noise = tangents
            .filter_map(|entry| entry.plateau)
            .map(|plateau| plateau.noise);
        noise.fold(0.0, f64::max)
    }

    /// Whether every output has a derivative along the directions.
    pub(crate) fn is_smooth(&self) -> bool {
        let mut entries = self.directions.iter().flat_map(|(_, tangent)| tangent);
        let coarse = Tolerance::coarse(self.precision);
        let unknown = |entry: &Estimate| {
            let judgement = coarse.judge(entry.value, entry);
            matches!(judgement, Judgement::Inconclusive(_))
        };
        !entries.any(unknown)
    }

    fn drawn(
        ladder: &Ladder,
        mut primal: impl FnMut(&[f64]) -> Option<Vec<f64>>,
        x: &[f64],
        stream: &mut Stream,
        turns: usize,
        axes: usize,
    ) -> Option<Self> {
        let mut directions = Vec::with_capacity(turns);
        for _ in 0..turns {
            let direction = in_proportion(stream.seeds(x.len()), x);
            let mut tangent = ladder.directional(&mut primal, x, &direction)?;
            share_scale(&mut tangent);
            directions.push((direction, tangent));
        }
        let mut columns = Vec::with_capacity(axes);
        for _ in 0..axes.min(x.len()) {
            let index = stream.below(x.len() as u64) as usize;
            let mut column = ladder.column(&mut primal, x, index)?;
            share_scale(&mut column);
            columns.push((index, column));
        }
        Some(Probes {
            directions,
            columns,
            precision: ladder.of_precision(),
        })
    }

    /// The direction number `turn`, counted round and round, with the tangent of every output; `None` if there are no inputs.
    pub(crate) fn direction(&self, turn: usize) -> Option<(Vec<f64>, Vec<Estimate>)> {
        let (direction, tangent) = &self.directions[turn % self.directions.len()];
        (!direction.is_empty()).then(|| (direction.clone(), tangent.clone()))
    }

    /// Whether some of the outputs of `rows` are known to depend on the inputs.
    pub(crate) fn matters(&self, rows: std::ops::Range<usize>) -> bool {
        let tangents = self.directions.iter().map(|(_, tangent)| tangent);
        let mut entries = tangents.flat_map(|tangent| &tangent[rows.clone()]);
        entries.any(Estimate::matters)
    }

    /// The directions, each with the tangent of every output.
    pub fn directions(&self) -> impl Iterator<Item = (&[f64], &[Estimate])> {
        self.directions
            .iter()
            .map(|(direction, tangent)| (&direction[..], &tangent[..]))
    }

    /// The sampled inputs, each with the derivative of every output.
    pub fn columns(&self) -> impl Iterator<Item = (usize, &[Estimate])> {
        self.columns
            .iter()
            .map(|(index, column)| (*index, &column[..]))
    }

    /// `dyᵀ·J·d` for every direction `d`, to be compared with `gradient·d`.
    ///
    /// **Panics** unless `dy` has one entry for each output.
    #[track_caller]
    pub fn reverse(&self, dy: &[f64]) -> Vec<Estimate> {
        self.directions()
            .map(|(_, tangent)| weigh(dy, tangent))
            .collect()
    }

    /// `dyᵀ·J·e` for the sampled inputs `e`, each with its index.
    ///
    /// **Panics** unless `dy` has one entry for each output.
    #[track_caller]
    pub fn gradient(&self, dy: &[f64]) -> Vec<(usize, Estimate)> {
        self.columns()
            .map(|(index, column)| (index, weigh(dy, column)))
            .collect()
    }
}

/// Coordinates are of one size up to this power of two.
const OTHER: f64 = -6.0;

/// More coordinates than these keep their components: among many some are near zero by chance, and smaller components cost long sums
/// their last digits.
const FEW: usize = 64;

/// The direction with the components of small coordinates as much smaller, by powers of two: a step that is right for 10⁸ takes
/// 10⁻⁸ across whatever lies at zero. Coordinates of one size, and zeros, keep theirs.
fn in_proportion(mut direction: Vec<f64>, x: &[f64]) -> Vec<f64> {
    if x.len() > FEW {
        return direction;
    }
    let largest = x
        .iter()
        .filter(|x| x.is_finite())
        .fold(0.0, |largest: f64, x| largest.max(x.abs()));
    for (component, x) in direction.iter_mut().zip(x) {
        let part = (x.abs() / largest).log2().round();
        if part.is_finite() && part < OTHER {
            *component *= part.max(-100.0).exp2();
        }
    }
    direction
}

#[track_caller]
fn weigh(dy: &[f64], tangent: &[Estimate]) -> Estimate {
    assert_eq!(
        dy.len(),
        tangent.len(),
        "a cotangent has one entry for each output"
    );
    Estimate::combine(dy.iter().copied().zip(tangent))
}

/// The input whose cotangent is wrong, found by halving; `None` if no entry can be blamed.
///
/// Costs `log2(x.len())` directional derivatives. If several entries are wrong it names one.
///
/// **Panics** unless `gradient` has one entry for each input and `dy` one for each output.
#[track_caller]
pub fn culprit(
    ladder: &Ladder,
    mut primal: impl FnMut(&[f64]) -> Option<Vec<f64>>,
    x: &[f64],
    dy: &[f64],
    gradient: &[f64],
    comparison: Comparison,
) -> Option<usize> {
    assert_eq!(
        gradient.len(),
        x.len(),
        "a gradient has one entry for each input"
    );
    let mut wrong = |suspects: &std::ops::Range<usize>| -> Option<bool> {
        let mut direction = vec![0.0; x.len()];
        direction[suspects.clone()].fill(1.0);
        let tangent = ladder.directional(&mut primal, x, &direction)?;
        let got = gradient[suspects.clone()].iter().sum();
        let judgement = comparison.judge(got, &weigh(dy, &tangent));
        Some(matches!(judgement, Judgement::Fail { .. }))
    };
    let mut suspects = 0..x.len();
    while suspects.len() > 1 {
        let middle = suspects.start + suspects.len() / 2;
        let left = suspects.start..middle;
        suspects = if wrong(&left)? {
            left
        } else {
            middle..suspects.end
        };
    }
    (!suspects.is_empty() && wrong(&suspects)?).then_some(suspects.start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Points;
    use crate::tolerance::Tolerance;

    const FD: Comparison = Comparison::Differences(Tolerance::DOUBLE);

    /// `Σ xᵢ²` and its gradient.
    fn energy(x: &[f64]) -> Option<Vec<f64>> {
        Some(vec![x.iter().map(|x| x * x).sum()])
    }

    fn point(n: usize, seed: u64) -> Vec<f64> {
        let mut stream = Stream::of_case("probe", seed);
        (0..n)
            .map(|_| stream.point(Points::Lattice, -9.0..9.0))
            .collect()
    }

    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn right_gradient_passes_every_probe() {
        let x = point(300, 0);
        let gradient: Vec<f64> = x.iter().map(|x| 3.0 * x).collect();
        let mut stream = Stream::of_case("probe", 1);
        let probes = Probes::new(&Ladder::default(), energy, &x, &mut stream).unwrap();
        for ((direction, _), expected) in probes.directions().zip(probes.reverse(&[1.5])) {
            assert_eq!(
                FD.judge(dot(&gradient, direction), &expected),
                Judgement::Pass
            );
        }
        assert_eq!(probes.gradient(&[1.5]).len(), COLUMNS);
        for (index, expected) in probes.gradient(&[1.5]) {
            assert_eq!(FD.judge(gradient[index], &expected), Judgement::Pass);
        }
    }

    #[test]
    fn one_dropped_entry_in_ten_thousand_is_seen_and_named() {
        let ladder = Ladder::default().stride(4);
        // A thousand seeds: four points and directions, with an entry of its own for each seed.
        for place in 0..4 {
            let x = point(10_000, place);
            let mut gradient: Vec<f64> = x.iter().map(|x| 2.0 * x).collect();
            let direction = Stream::of_case("direction", place).seeds(x.len());
            let tangent = ladder.directional(energy, &x, &direction).unwrap();
            for seed in 0..250 {
                let bad = Stream::of_case("bad", 250 * place + seed).below(10_000) as usize;
                let right = std::mem::take(&mut gradient[bad]);
                let judgement = FD.judge(dot(&gradient, &direction), &tangent[0]);
                assert!(matches!(judgement, Judgement::Fail { .. }), "seed {seed}");
                if place == 0 && seed == 0 {
                    let blamed = culprit(&ladder, energy, &x, &[1.0], &gradient, FD);
                    assert_eq!(blamed, Some(bad));
                }
                gradient[bad] = right;
            }
        }
    }

    #[test]
    fn nobody_is_blamed_without_cause() {
        let x = point(9, 0);
        let gradient: Vec<f64> = x.iter().map(|x| 2.0 * x).collect();
        assert_eq!(
            culprit(&Ladder::default(), energy, &x, &[1.0], &gradient, FD),
            None
        );
        assert_eq!(
            culprit(&Ladder::default(), energy, &[], &[1.0], &[], FD),
            None
        );
    }
}
