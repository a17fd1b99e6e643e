//! All derivatives at a point, and their projections.

use std::ops::Range;

use crate::estimate::{Doubt, Estimate};
use crate::ladder::Ladder;
use crate::tolerance::{Judgement, Tolerance};

/// The derivatives of every output by every input, each with its bar.
///
/// Computed once for a point, by [`Ladder::jacobian`](crate::Ladder::jacobian), and projected for every
/// activity mix and seed.
///
/// ```
/// use coenzyme_testutils::Ladder;
///
/// let jacobian = Ladder::default().jacobian(|x| Some(vec![x[0] * x[1]]), &[2.0, 0.5]).unwrap();
/// assert_eq!(jacobian.forward(&[1.0, 1.0])[0].value, 2.5);
/// let gradient: Vec<_> = jacobian.reverse(&[1.0]).iter().map(|entry| entry.value).collect();
/// assert_eq!(gradient, [0.5, 2.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Jacobian {
    value: Vec<f64>,
    columns: Vec<Vec<Estimate>>,
    evaluations: usize,
}

impl Jacobian {
    /// The Jacobian with these columns, at a point where the primal is `value`.
    pub(crate) fn from_columns(
        value: Vec<f64>,
        mut columns: Vec<Vec<Estimate>>,
        evaluations: usize,
    ) -> Self {
        columns.iter_mut().for_each(|column| share_scale(column));
        let mut jacobian = Jacobian {
            value,
            columns,
            evaluations,
        };
        jacobian.widen_scale_of_zeros();
        jacobian
    }

    /// The Jacobian with these rows, known without differences, at a point where the primal is `value`.
    pub(crate) fn exact(value: Vec<f64>, rows: &[Vec<f64>]) -> Self {
        let entry = |row: &Vec<f64>, column: usize| match row[column] {
            known if known.is_finite() => Estimate {
                flat: known == 0.0,
                ..Estimate::exact(known)
            },
            _ => Estimate::unknown(Doubt::NotFinite),
        };
        let columns = 0..rows.first().map_or(0, Vec::len);
        let column = |column| rows.iter().map(|row| entry(row, column)).collect();
        Jacobian::from_columns(value, columns.map(column).collect(), 0)
    }

    /// The number of outputs.
    pub fn rows(&self) -> usize {
        self.value.len()
    }

    /// The number of inputs.
    pub fn columns(&self) -> usize {
        self.columns.len()
    }

    /// The primal at the point.
    pub fn value(&self) -> &[f64] {
        &self.value
    }

    /// How often the primal was evaluated.
    pub fn evaluations(&self) -> usize {
        self.evaluations
    }

    /// The derivative of output `row` by input `column`.
    ///
    /// **Panics** if there is no such output or input.
    #[track_caller]
    pub fn entry(&self, row: usize, column: usize) -> &Estimate {
        &self.columns[column][row]
    }

    /// `J·dx`: the tangent of every output.
    ///
    /// **Panics** unless `dx` has one entry for each input.
    #[track_caller]
    pub fn forward(&self, dx: &[f64]) -> Vec<Estimate> {
        assert_eq!(
            dx.len(),
            self.columns(),
            "a tangent has one entry for each input"
        );
        let entry = |row| {
            let terms = dx.iter().zip(&self.columns);
            Estimate::combine(terms.map(|(dx, column)| (*dx, &column[row])))
        };
        (0..self.rows()).map(entry).collect()
    }

    /// `Jᵀ·dy`: the cotangent of every input.
    ///
    /// **Panics** unless `dy` has one entry for each output.
    #[track_caller]
    pub fn reverse(&self, dy: &[f64]) -> Vec<Estimate> {
        assert_eq!(
            dy.len(),
            self.rows(),
            "a cotangent has one entry for each output"
        );
        let entry = |column: &Vec<Estimate>| Estimate::combine(dy.iter().copied().zip(column));
        self.columns.iter().map(entry).collect()
    }

    /// The part of the Jacobian that belongs to some outputs and some inputs.
    ///
    /// **Panics** if a range leaves the Jacobian.
    #[must_use]
    #[track_caller]
    pub fn block(&self, rows: Range<usize>, columns: Range<usize>) -> Self {
        let cut = |column: &Vec<Estimate>| column[rows.clone()].to_vec();
        Jacobian {
            value: self.value[rows.clone()].to_vec(),
            columns: self.columns[columns].iter().map(cut).collect(),
            evaluations: self.evaluations,
        }
    }

    /// Whether a rule that answers zero everywhere would pass: no entry is known to matter.
    ///
    /// A mix whose block is vacuous tests nothing. So is an empty block.
    pub fn is_vacuous(&self) -> bool {
        !self.matters(0..self.rows(), 0..self.columns())
    }

    /// Whether `tolerance` can judge every entry.
    pub(crate) fn is_judged(&self, tolerance: Tolerance) -> bool {
        let mut entries = self.columns.iter().flatten();
        entries.all(|entry| is_judged(entry, tolerance))
    }

    /// The same derivatives, with those that `tolerance` cannot judge measured by many small looks at the primal.
    pub(crate) fn averaged(
        mut self,
        ladder: &Ladder,
        primal: &mut dyn FnMut(&[f64]) -> Option<Vec<f64>>,
        x: &[f64],
        tolerance: Tolerance,
    ) -> Self {
        for (index, column) in self.columns.iter_mut().enumerate() {
            let axis: Vec<f64> = (0..x.len())
                .map(|entry| f64::from(u8::from(entry == index)))
                .collect();
            ladder.averaged(primal, x, &axis, column, tolerance);
        }
        Jacobian::from_columns(self.value, self.columns, self.evaluations)
    }

    /// The same derivatives, with those that `tolerance` cannot judge replaced by known ones, each with how far it may be off.
    /// A kink stays one.
    pub(crate) fn decided(
        mut self,
        tolerance: Tolerance,
        known: impl Fn(usize, usize) -> Option<(f64, f64)>,
    ) -> Self {
        for (index, column) in self.columns.iter_mut().enumerate() {
            for (row, entry) in column.iter_mut().enumerate() {
                if is_judged(entry, tolerance) || entry.doubt == Some(Doubt::Kink) {
                    continue;
                }
                if let Some((value, bar)) = known(row, index) {
                    *entry = Estimate {
                        bar,
                        flat: value == 0.0,
                        ..Estimate::exact(value)
                    };
                }
            }
        }
        Jacobian::from_columns(self.value, self.columns, self.evaluations)
    }

    /// Whether no entry is at a kink.
    pub(crate) fn is_smooth(&self) -> bool {
        let mut entries = self.columns.iter().flatten();
        entries.all(|entry| entry.doubt != Some(Doubt::Kink))
    }

    /// Whether some entry of a block is known to matter.
    ///
    /// **Panics** if a range leaves the Jacobian.
    #[track_caller]
    pub fn matters(&self, rows: Range<usize>, columns: Range<usize>) -> bool {
        let mut entries = self.columns[columns]
            .iter()
            .flat_map(|column| &column[rows.clone()]);
        entries.any(Estimate::matters)
    }

    /// The same derivatives, with bars that reach to those of `other`.
    #[must_use]
    pub(crate) fn unsure_by(mut self, other: &Jacobian) -> Self {
        for (column, others) in self.columns.iter_mut().zip(&other.columns) {
            for (entry, other) in column.iter_mut().zip(others) {
                entry.bar += (entry.value - other.value).abs();
            }
        }
        self
    }

    /// The most that an output is off, in units of its last place.
    pub(crate) fn noise(&self) -> f64 {
        let plateaus = self
            .columns
            .iter()
            .flatten()
            .filter_map(|entry| entry.plateau);
        plateaus.fold(0.0, |most, plateau| most.max(plateau.noise))
    }

    /// Whether an output moves by steps, or so that no three differences agree.
    pub(crate) fn is_torn(&self) -> bool {
        let mut entries = self.columns.iter().flatten();
        entries.any(|entry| entry.stairs != 0.0 || entry.doubt == Some(Doubt::NoPlateau))
    }

    /// Widens the bars to what lies between two others, and two that are twice as far.
    pub(crate) fn be_unsure_between(&mut self, others: &[&Jacobian]) {
        for (index, column) in self.columns.iter_mut().enumerate() {
            for (row, entry) in column.iter_mut().enumerate() {
                let others: Vec<f64> = others
                    .iter()
                    .map(|of| of.columns[index][row].value)
                    .collect();
                entry.be_unsure_between(&others);
            }
        }
    }

    /// Whether a bar is much wider than that of `before`, and wide.
    pub(crate) fn is_blurred(&self, before: &Jacobian) -> bool {
        let entries = self.columns.iter().flatten();
        let mut both = entries.zip(before.columns.iter().flatten());
        both.any(|(after, before)| after.is_blurred(before))
    }

    /// In a column of zeros a zero has no scale; it borrows that of its row.
    fn widen_scale_of_zeros(&mut self) {
        for row in 0..self.rows() {
            let across = largest(self.columns.iter().map(|column| &column[row]));
            for column in &mut self.columns {
                let entry = &mut column[row];
                if entry.may_be_zero() {
                    entry.scale = entry.scale.max(across);
                }
            }
        }
    }
}

fn is_judged(entry: &Estimate, tolerance: Tolerance) -> bool {
    let judgement = tolerance.judge(entry.value, entry);
    !matches!(judgement, Judgement::Inconclusive(_))
}

/// Gives the entries of one column, or of one directional derivative, their common scale.
pub(crate) fn share_scale(column: &mut [Estimate]) {
    let scale = largest(column.iter());
    for entry in column {
        entry.scale = scale;
    }
}

/// The largest value among those that are known.
fn largest<'a>(entries: impl Iterator<Item = &'a Estimate>) -> f64 {
    let known = entries.filter(|entry| entry.doubt.is_none());
    known.map(|entry| entry.value.abs()).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Jacobian {
        let entry = |value| Estimate {
            bar: 1e-12,
            ..Estimate::exact(value)
        };
        let columns = vec![vec![entry(1.0), entry(-2.0)], vec![entry(0.0), entry(1e3)]];
        Jacobian::from_columns(vec![5.0, 6.0], columns, 7)
    }

    #[test]
    fn known_derivatives_have_no_bar_and_those_that_are_missing_no_value() {
        let rows = [vec![0.0, 2.0], vec![f64::NAN, f64::INFINITY]];
        let known = Jacobian::exact(vec![5.0, 6.0], &rows);
        let (zero, two) = (known.entry(0, 0), known.entry(0, 1));
        assert_eq!((zero.value, zero.flat, zero.bar), (0.0, true, 0.0));
        assert_eq!((two.value, two.flat, two.doubt), (2.0, false, None));
        for column in 0..2 {
            assert_eq!(known.entry(1, column).doubt, Some(Doubt::NotFinite));
        }
    }

    #[test]
    fn projections_are_those_of_the_matrix() {
        let values = |estimates: Vec<Estimate>| -> Vec<f64> {
            estimates.iter().map(|estimate| estimate.value).collect()
        };
        assert_eq!(values(example().forward(&[2.0, -0.5])), [2.0, -504.0]);
        assert_eq!(values(example().reverse(&[2.0, -0.5])), [3.0, -500.0]);
        assert_eq!(example().forward(&[2.0, -0.5])[1].terms, 504.0);
    }

    #[test]
    fn scale_is_the_largest_of_the_column() {
        assert_eq!(example().entry(0, 0).scale, 2.0);
        assert_eq!(example().entry(0, 1).scale, 1e3);
    }

    #[test]
    fn zero_column_borrows_the_scale_of_its_row() {
        let zeros = vec![vec![Estimate::exact(3.0)], vec![Estimate::exact(0.0)]];
        let jacobian = Jacobian::from_columns(vec![0.0], zeros, 0);
        assert_eq!(jacobian.entry(0, 1).scale, 3.0);
    }

    #[test]
    fn doubtful_entries_give_no_scale() {
        let column = vec![Estimate::unknown(Doubt::NoPlateau), Estimate::exact(2.0)];
        let jacobian = Jacobian::from_columns(vec![0.0; 2], vec![column], 0);
        assert_eq!(jacobian.entry(0, 0).scale, 2.0);
    }

    #[test]
    fn block_keeps_the_scale_of_the_whole() {
        let block = example().block(0..1, 1..2);
        assert_eq!((block.rows(), block.columns()), (1, 1));
        assert!(block.is_vacuous() && !example().is_vacuous());
        assert!(example().block(0..0, 0..2).is_vacuous());
    }

    #[test]
    fn doubt_about_the_inputs_widens_the_bars() {
        let moved = |by: f64| {
            let columns = vec![vec![Estimate {
                bar: 0.25,
                ..Estimate::exact(2.0 + by)
            }]];
            Jacobian::from_columns(vec![0.0], columns, 1)
        };
        let unsure = moved(0.0).unsure_by(&moved(-0.5));
        assert_eq!(
            (unsure.entry(0, 0).value, unsure.entry(0, 0).bar),
            (2.0, 0.75)
        );
        assert_eq!(
            (example().value(), example().evaluations()),
            (&[5.0, 6.0][..], 7)
        );
    }

    #[test]
    #[should_panic = "one entry for each input"]
    fn tangent_of_wrong_length_is_refused() {
        example().forward(&[1.0]);
    }
}
