//! The point of a test: the numbers, what the primal makes of them, and all its derivatives.

mod coarse;
mod slopes;

use std::ops::Range;
use std::sync::OnceLock;

use super::bench::Flat;
use super::domain::Outside;
use super::signature::{Parameter, Signature};
use crate::argument::Access;
use crate::jacobian::Jacobian;
use crate::ladder::{Ladder, Precision};
use crate::probe::Probes;
use crate::sample::Stream;
use crate::subject::{Fault, Primal};
use crate::tolerance::Tolerance;

/// What is off by more of its last places has lost digits in between.
const PLACES: f64 = 64.0;

/// So much better than a verdict needs are derivatives to be known that are added up.
const IN_A_SUM: f64 = 16.0;

/// This part of all digits.
const NEARLY_HALF: f64 = 0.4;

/// The outputs of the total map as a function of the floats of one argument.
type Total<'t> = dyn FnMut(&[f64]) -> Option<Vec<f64>> + 't;

/// The numbers of a test, with the reference.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    /// The floats of each argument.
    pub(crate) primals: Vec<Vec<f64>>,
    /// What the primal made of them, or why it did not.
    pub(crate) primal: Result<Primal, Fault>,
    /// All derivatives of the total map: from every argument to the returned value and every argument that can be written.
    pub(crate) jacobian: Option<Jacobian>,
    /// In place of the Jacobian where the arguments are too long for one: probes of each argument.
    pub(crate) probes: Option<Vec<Probes>>,
    /// The inputs that the function overwrites unread, by their numbers.
    overwritten: Vec<usize>,
    /// Points nearby at which the function fails, once somebody has looked for them.
    pub(super) outside: OnceLock<Outside>,
    /// An output has a kink, though its slopes do not tell.
    bent: bool,
    inputs: Vec<Range<usize>>,
    returned: Range<usize>,
    outputs: Vec<Option<Range<usize>>>,
}

impl Point {
    /// A point of a function in single precision, of which `double` is the same in double precision.
    ///
    /// The rule cannot know its arguments better than to one unit in the last place: what the derivatives change by there is
    /// part of their bars.
    pub(crate) fn in_single(
        signature: &Signature,
        ladder: &Ladder,
        primals: Vec<Vec<f64>>,
        call: impl Fn(&[Vec<f64>]) -> Result<Primal, Fault>,
        double: impl Fn(&[Vec<f64>]) -> Result<Primal, Fault>,
    ) -> Self {
        let displaced = |floats: &Vec<f64>| {
            floats
                .iter()
                .map(|x| x * (1.0 + Precision::Single.epsilon()))
                .collect()
        };
        let beside = primals.iter().map(displaced).collect();
        let beside = Point::new(signature, ladder, beside, &double, &double);
        let mut point = Point::new(signature, ladder, primals, call, &double);
        point.jacobian = point
            .jacobian
            .zip(beside.jacobian)
            .map(|(at, beside)| at.unsure_by(&beside));
        point
    }

    /// Runs the primal `call` at `primals`, and differentiates `reference` there.
    pub(crate) fn new(
        signature: &Signature,
        ladder: &Ladder,
        primals: Vec<Vec<f64>>,
        call: impl Fn(&[Vec<f64>]) -> Result<Primal, Fault>,
        reference: impl Fn(&[Vec<f64>]) -> Result<Primal, Fault>,
    ) -> Self {
        let mut point = Point::placed(signature, primals, &call);
        if point.primal.is_ok() && signature.length() <= Probes::JACOBIAN_UP_TO {
            let total = |flat: &[f64]| point.total(reference(&point.split(flat)));
            point.jacobian = ladder.jacobian(total, &point.primals.concat());
            point.overwritten = point.unread(call);
        } else {
            point.probes = point.probed(signature, ladder, reference, |ladder, f, x, stream| {
                Probes::new(ladder, f, x, stream)
            });
        }
        point
    }

    /// Runs the primal at `primals`, of which `rows` knows the derivatives: a row for each output of the total map, a column
    /// for each input.
    ///
    /// **Panics** if there are other rows and columns than that.
    pub(crate) fn known(
        signature: &Signature,
        primals: Vec<Vec<f64>>,
        call: impl Fn(&[Vec<f64>]) -> Result<Primal, Fault>,
        rows: impl Fn(&Self) -> Option<Vec<Vec<f64>>>,
    ) -> Self {
        let mut point = Point::placed(signature, primals, &call);
        let known = point.primal.is_ok().then(|| rows(&point)).flatten();
        point.jacobian = known.map(|rows| {
            let (outputs, inputs) = (point.rows(), signature.length());
            let found = (
                rows.len(),
                rows.iter().map(Vec::len).max().unwrap_or(inputs),
            );
            let even = rows.iter().all(|row| row.len() == found.1);
            assert!(
                even && found == (outputs, inputs),
                "the known derivatives have {found:?} rows and columns, expected {:?}",
                (outputs, inputs)
            );
            Jacobian::exact(point.total(point.primal.clone()).unwrap_or_default(), &rows)
        });
        point.overwritten = point.unread(call);
        point
    }

    /// Runs the primal at `primals`, and differentiates it along one direction for each argument; at a `glance`, by two steps.
    pub(crate) fn beside(
        signature: &Signature,
        ladder: &Ladder,
        primals: Vec<Vec<f64>>,
        call: impl Fn(&[Vec<f64>]) -> Result<Primal, Fault>,
        reference: impl Fn(&[Vec<f64>]) -> Result<Primal, Fault>,
        glance: bool,
    ) -> Self {
        let mut point = Point::placed(signature, primals, &call);
        point.probes =
            point.probed(
                signature,
                ladder,
                reference,
                |ladder, f, x, stream| match glance {
                    true => Probes::glanced(ladder, f, x, stream),
                    false => Probes::single(ladder, f, x, stream),
                },
            );
        point
    }

    /// The same point, where rules compute in single precision, though the differences did not.
    pub(crate) fn judged_in_single(mut self) -> Self {
        let probes = self.probes.iter_mut().flatten();
        probes.for_each(Probes::judge_in_single);
        self
    }

    /// By how much each output is off that has lost digits, as far as the differences tell.
    pub(crate) fn noise(&self) -> Vec<f64> {
        let Some(jacobian) = &self.jacobian else {
            return vec![];
        };
        let outputs = self.total(self.primal.clone()).unwrap_or_default();
        let noise = |(row, output): (usize, &f64)| {
            let plateaus =
                (0..jacobian.columns()).filter_map(|column| jacobian.entry(row, column).plateau);
            let units = plateaus.fold(0.0, |most: f64, plateau| most.max(plateau.noise));
            let lost = if units > PLACES { units } else { 0.0 };
            lost * f64::EPSILON * output.abs()
        };
        outputs.iter().enumerate().map(noise).collect()
    }

    /// Whether the function takes the point, and all that it makes of it is numbers.
    pub(crate) fn has_value(&self) -> bool {
        self.primal.as_ref().is_ok_and(Primal::is_finite)
    }

    /// Whether the differences know a derivative of every output.
    pub(crate) fn is_smooth(&self) -> bool {
        let probes = self.probes.as_ref();
        !self.bent && probes.is_some_and(|probes| probes.iter().all(Probes::is_smooth))
    }

    /// The precision in which the function was differentiated.
    fn precision(&self) -> Precision {
        let probes = self.probes.as_ref().and_then(|probes| probes.first());
        probes.map_or(Precision::Double, Probes::precision)
    }

    /// Runs the primal `call` at `primals`.
    fn placed(
        signature: &Signature,
        primals: Vec<Vec<f64>>,
        call: impl Fn(&[Vec<f64>]) -> Result<Primal, Fault>,
    ) -> Self {
        let mut inputs = Vec::new();
        let mut next = 0;
        for primal in &primals {
            inputs.push(next..next + primal.len());
            next += primal.len();
        }
        let primal = call(&primals);
        let returned = primal.as_ref().map_or(0, |primal| primal.returned.len());
        let mut next = returned;
        let mut outputs = Vec::new();
        for (parameter, primal) in signature.arguments.iter().zip(&primals) {
            outputs.push(match parameter.access {
                Access::Exclusive => {
                    next += primal.len();
                    Some(next - primal.len()..next)
                }
                Access::Shared | Access::Value => None,
            });
        }
        Point {
            primals,
            primal,
            jacobian: None,
            probes: None,
            overwritten: Vec::new(),
            outside: OnceLock::new(),
            bent: false,
            inputs,
            returned: 0..returned,
            outputs,
        }
    }

    /// Probes of each argument by `reference`, on a ladder of fewer steps; `None` if the primal failed.
    fn probed(
        &self,
        signature: &Signature,
        ladder: &Ladder,
        reference: impl Fn(&[Vec<f64>]) -> Result<Primal, Fault>,
        probe: impl Fn(&Ladder, &mut Total<'_>, &[f64], &mut Stream) -> Option<Probes>,
    ) -> Option<Vec<Probes>> {
        self.primal.as_ref().ok()?;
        // In single precision few steps are neither wide beside what the function does nor lost in rounding.
        let stride = match ladder.of_precision() {
            Precision::Single if signature.is_short() => 1,
            _ => 4,
        };
        let (ladder, flat) = (ladder.clone().stride(stride), self.primals.concat());
        let rows = self.inputs.iter().zip(&signature.arguments);
        let probe = |(range, parameter): (&Range<usize>, &Parameter)| {
            let mut along = |part: &[f64]| {
                let whole = replaced(&flat, range, part);
                self.total(reference(&self.split(&whole)))
            };
            let mut stream = Stream::of_case(&parameter.name, 0);
            probe(&ladder, &mut along, &flat[range.clone()], &mut stream)
        };
        rows.map(probe).collect()
    }

    /// The tolerance by which a function in this precision is judged.
    pub(super) fn tolerance(precision: Precision) -> Tolerance {
        match precision {
            Precision::Double => Tolerance::DOUBLE,
            Precision::Single => Tolerance::SINGLE,
        }
    }

    /// Whether the differences can judge every entry.
    pub(crate) fn is_judged(&self, precision: Precision) -> bool {
        let tolerance = Point::tolerance(precision);
        let jacobian = self.jacobian.as_ref();
        jacobian.is_none_or(|jacobian| jacobian.is_judged(tolerance))
    }

    /// The same point, where what the differences cannot judge is measured by many small looks at `call`.
    pub(crate) fn averaged(
        mut self,
        ladder: &Ladder,
        precision: Precision,
        call: impl Fn(&[Vec<f64>]) -> Result<Primal, Fault>,
    ) -> Self {
        let flat = self.primals.concat();
        // A sum of derivatives may cancel: each must be better known than the sum. In single precision a ladder hardly knows any.
        let tolerance = Tolerance {
            needed: Tolerance::DOUBLE.needed / IN_A_SUM,
            ..Point::tolerance(precision)
        };
        let (jacobian, probes) = (self.jacobian.take(), self.probes.take());
        let mut total = |x: &[f64]| self.total(call(&self.split(x)));
        let jacobian = jacobian.map(|of| of.averaged(ladder, &mut total, &flat, tolerance));
        let each = |(of, range): (Probes, &Range<usize>)| {
            let mut along =
                |part: &[f64]| self.total(call(&self.split(&replaced(&flat, range, part))));
            of.averaged(ladder, &mut along, &flat[range.clone()], tolerance)
        };
        let probes = probes.map(|all| all.into_iter().zip(&self.inputs).map(each).collect());
        Point {
            jacobian,
            probes,
            ..self
        }
    }

    /// The numbers of two points, on both sides of this one, each a `part` of itself away or a few times as much.
    pub(crate) fn neighbours(&self, part: f64) -> [Vec<Vec<f64>>; 2] {
        let mut stream = Stream::of_case("neighbours", 0);
        let mut both = [self.primals.clone(), self.primals.clone()];
        let [above, below] = &mut both;
        for (above, below) in above
            .iter_mut()
            .zip(below)
            .flat_map(|(a, b)| a.iter_mut().zip(b))
        {
            let part = part * (1 + stream.below(4)) as f64;
            *above *= 1.0 + part;
            *below *= 1.0 - part;
        }
        both
    }

    /// The same point with bars that reach to the derivatives between two neighbours, and two that are twice as far.
    pub(crate) fn unsure_by(mut self, near: [Point; 2], far: [Point; 2]) -> Self {
        let all = [near, far].concat();
        let jacobians: Option<Vec<_>> = all.iter().map(|point| point.jacobian.as_ref()).collect();
        if let (Some(jacobian), Some(others)) = (&mut self.jacobian, jacobians) {
            jacobian.be_unsure_between(&others);
        }
        let probes: Option<Vec<_>> = all.iter().map(|point| point.probes.as_ref()).collect();
        if let (Some(probes), Some(others)) = (&mut self.probes, probes) {
            for (argument, probes) in probes.iter_mut().enumerate() {
                let others: Vec<_> = others.iter().map(|of| &of[argument]).collect();
                probes.be_unsure_between(&others);
            }
        }
        self
    }

    /// The same probes, with bars that reach to those at its neighbours.
    pub(crate) fn unsure_to(mut self, neighbours: [Point; 2]) -> Self {
        for neighbour in &neighbours {
            let rows = self.probes.iter_mut().flatten();
            rows.zip(neighbour.probes.iter().flatten())
                .for_each(|(probes, other)| probes.be_unsure_to(other));
        }
        self
    }

    /// Whether an output has lost nearly half of its digits.
    pub(crate) fn is_rough(&self, precision: Precision) -> bool {
        let rough = precision.epsilon().powf(-NEARLY_HALF);
        let mut jacobians = self.jacobian.iter();
        jacobians.any(|jacobian| jacobian.noise() > rough || jacobian.is_torn())
    }

    /// Whether an output is known to lose digits.
    pub(crate) fn is_noisy(&self) -> bool {
        let mut probes = self.probes.iter().flatten();
        self.noise().iter().any(|noise| *noise > 0.0) || probes.any(|of| of.noise() > PLACES)
    }

    /// Whether some bar is much wider than that of `sharp`, and wide.
    pub(crate) fn is_blurred(&self, sharp: &Point) -> bool {
        let jacobians = self.jacobian.iter().zip(&sharp.jacobian);
        let probes = self.probes.iter().flatten();
        let mut probes = probes.zip(sharp.probes.iter().flatten());
        jacobians
            .into_iter()
            .any(|(of, sharp)| of.is_blurred(sharp))
            || probes.any(|(of, sharp)| of.is_blurred(sharp))
    }

    /// The same point, where what the differences cannot judge is known from a function of dual numbers. What the derivative
    /// changes by where the point moves by its last place is part of the bar.
    pub(crate) fn decided(mut self, dual: &Flat<'_>, precision: Precision) -> Self {
        let unit = 2.0 * precision.epsilon();
        let moved = |by: f64| -> Vec<Vec<f64>> {
            let floats = self.primals.iter();
            floats
                .map(|x| x.iter().map(|x| x * (1.0 + by)).collect())
                .collect()
        };
        let at = |by: f64| self.columns_by(dual, &moved(by));
        let (Some(known), Some(left), Some(right)) = (at(0.0), at(-unit), at(unit)) else {
            return self;
        };
        let entry = |row: usize, column: usize| {
            let of = |columns: &[Vec<f64>]| columns.get(column)?.get(row).copied();
            let (value, left, right) = (of(&known)?, of(&left)?, of(&right)?);
            let spread = (left - value).abs().max((right - value).abs());
            let bar = 4.0 * spread + 4.0 * precision.epsilon() * value.abs();
            (value.is_finite() && bar.is_finite()).then_some((value, bar))
        };
        let tolerance = Point::tolerance(precision);
        let jacobian = self.jacobian.take();
        self.jacobian = jacobian.map(|jacobian| jacobian.decided(tolerance, entry));
        self
    }

    /// The derivatives of every output by each input, by a function of dual numbers; `None` where it fails.
    pub(crate) fn columns_by(
        &self,
        dual: &Flat<'_>,
        primals: &[Vec<f64>],
    ) -> Option<Vec<Vec<f64>>> {
        let mut columns: Vec<Vec<f64>> = Vec::new();
        for (argument, floats) in primals.iter().enumerate() {
            for entry in 0..floats.len() {
                let seeded = |(index, floats): (usize, &Vec<f64>)| -> Vec<f64> {
                    let seed = |at| f64::from(u8::from((index, at) == (argument, entry)));
                    let pairs = floats.iter().enumerate().map(|(at, x)| [*x, seed(at)]);
                    pairs.flatten().collect()
                };
                let x: Vec<_> = primals.iter().enumerate().map(seeded).collect();
                columns.push(self.total(dual(&x).map(|primal| primal.tangents()))?);
            }
        }
        Some(columns)
    }

    /// The floats of each argument.
    pub(crate) fn split(&self, flat: &[f64]) -> Vec<Vec<f64>> {
        let split = self.inputs.iter().map(|range| flat[range.clone()].to_vec());
        split.collect()
    }

    /// The outputs of the total map, from a call of the primal that did not fail.
    pub(crate) fn total(&self, primal: Result<Primal, Fault>) -> Option<Vec<f64>> {
        let Primal {
            mut returned,
            arguments,
        } = primal.ok()?;
        let written = arguments.into_iter().zip(&self.outputs);
        let written = written.filter(|(_, output)| output.is_some());
        returned.extend(written.flat_map(|(argument, _)| argument));
        Some(returned)
    }

    /// How many outputs the total map has.
    pub(crate) fn rows(&self) -> usize {
        let ends = self.outputs.iter().flatten().map(|output| output.end);
        ends.max().unwrap_or(0).max(self.returned.end)
    }

    /// Where an argument stands in the inputs of the total map.
    pub(crate) fn input(&self, argument: usize) -> Range<usize> {
        self.inputs[argument].clone()
    }

    /// Where the returned value stands in the outputs of the total map.
    pub(crate) fn returned(&self) -> Range<usize> {
        self.returned.clone()
    }

    /// Where an argument stands in the outputs of the total map, if the function can write it.
    pub(crate) fn output(&self, argument: usize) -> Option<Range<usize>> {
        self.outputs[argument].clone()
    }

    /// Whether the function overwrites entry `entry` of `argument` unread.
    pub(crate) fn is_overwritten(&self, argument: usize, entry: usize) -> bool {
        self.overwritten
            .contains(&(self.inputs[argument].start + entry))
    }

    /// The inputs on which no output depends: no derivative does, and no bit changes where they are no numbers. A derivative
    /// alone does not tell, since what is far below the outputs' last place is zero to differences.
    fn unread(&self, call: impl Fn(&[Vec<f64>]) -> Result<Primal, Fault>) -> Vec<usize> {
        let Some(jacobian) = &self.jacobian else {
            return Vec::new();
        };
        let silent = |column: &usize| {
            (0..jacobian.rows()).all(|row| {
                let entry = jacobian.entry(row, *column);
                entry.flat && entry.value == 0.0
            })
        };
        let writable = (0..self.inputs.len()).filter(|argument| self.outputs[*argument].is_some());
        let candidates: Vec<_> = writable
            .flat_map(|argument| self.inputs[argument].clone())
            .filter(silent)
            .collect();
        let bits = |total: Option<Vec<f64>>| -> Option<Vec<u64>> {
            Some(total?.into_iter().map(f64::to_bits).collect())
        };
        let before = bits(self.total(self.primal.clone()));
        let without = |columns: &[usize]| {
            let mut flat = self.primals.concat();
            columns.iter().for_each(|column| flat[*column] = f64::NAN);
            bits(self.total(call(&self.split(&flat)))) == before
        };
        if candidates.is_empty() || without(&candidates) {
            return candidates;
        }
        let alone = |column: &usize| without(&[*column]);
        candidates.into_iter().filter(alone).collect()
    }
}

/// `flat` with `part` in the place of `range`.
fn replaced(flat: &[f64], range: &Range<usize>, part: &[f64]) -> Vec<f64> {
    let mut replaced = flat.to_vec();
    replaced[range.clone()].copy_from_slice(part);
    replaced
}
