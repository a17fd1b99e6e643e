//! What all checks share: the point, the mix, the seeds, and the report they write.

use crate::argument::Access;
use crate::canary::canary;
use crate::check::Check;
use crate::estimate::Estimate;
use crate::jacobian::Jacobian;
use crate::ladder::Precision;
use crate::layout::Block;
use crate::mix::Activity;
use crate::probe::Probes;
use crate::report::Report;
use crate::sample::Stream;
use crate::subject::{Fault, Mix, Primal, State};
use crate::verdict::Verdict;

use super::budget::Budgets;
use super::long::Blame;
use super::pass::Failure;
use super::places::SMALL_SEEDS;
use super::point::Point;
use super::projections::Projections;
use super::signature::{Parameter, Signature};

/// A primal on the floats of its arguments.
pub(crate) type Flat<'a> = dyn Fn(&[Vec<f64>]) -> Result<Primal, Fault> + 'a;

/// The floats of the arguments after a call of the primal, however it ended.
pub(crate) type Left<'a> = dyn Fn(&[Vec<f64>]) -> Vec<Vec<f64>> + 'a;

/// One mix and width at one point, under judgement.
pub(crate) struct Bench<'a> {
    pub(crate) signature: &'a Signature,
    pub(crate) point: &'a Point,
    pub(crate) mix: Mix,
    /// Where the seeds come from.
    pub(crate) stream: Stream,
    pub(crate) report: Report,
    /// The reference, if it can judge this mix.
    pub(crate) jacobian: Option<&'a Jacobian>,
    /// The projections of the reference so far.
    pub(crate) projections: Projections,
    /// The probes in place of the reference where the arguments are long, if they can judge this mix.
    pub(crate) probes: Option<&'a [Probes]>,
    /// Whom to blame when a probe disagrees.
    pub(crate) blame: &'a Blame<'a>,
    /// The precision of the arguments.
    pub(crate) precision: Precision,
    /// In how many ways the memory of the arguments can be laid out.
    pub(crate) layouts: usize,
    /// Whether some argument is a view.
    pub(crate) views: bool,
    /// How many more layouts there are, of views that are one row repeated, and one column.
    pub(crate) broadcasts: usize,
    /// The primal.
    pub(crate) primal: &'a Flat<'a>,
    /// What the primal leaves in its arguments, also where it fails.
    pub(crate) left: &'a Left<'a>,
    /// What the rule may keep and allocate.
    pub(crate) budgets: &'a Budgets,
    /// Whether the point alone is looked at, and no more than once.
    pub(crate) brief: bool,
    /// Whether this is not one of many mixes, or the one in which all is active: what is wrong in a formula shows there.
    pub(crate) whole: bool,
    /// Whether time does not matter.
    pub(crate) thorough: bool,
    /// Whether the rule is tried on threads too.
    pub(crate) threads: bool,
    /// The check by which a second look judges, if it is not that of the number.
    pub(crate) near: Option<Check>,
    /// The pairs of arguments that can be one memory.
    pub(crate) aliases: Vec<(usize, usize)>,
    /// The pairs of which the second can begin where the first ends.
    pub(crate) adjacent: Vec<(usize, usize)>,
}

impl Bench<'_> {
    /// Whether there are more lanes than it takes to tell them apart: then only what lanes are mistaken about is asked.
    pub(crate) fn is_wide(&self) -> bool {
        self.mix.width > 3 && !self.thorough
    }

    /// The arguments: index, parameter, activity.
    pub(crate) fn arguments(
        &self,
    ) -> impl Iterator<Item = (usize, &Parameter, Activity)> + use<'_> {
        let activities = self.mix.arguments.iter().copied();
        let rows = self.signature.arguments.iter().zip(activities).enumerate();
        rows.map(|(index, (parameter, activity))| (index, parameter, activity))
    }

    /// The shadows of a call: one array for each lane of each argument, filled by `fill`.
    pub(crate) fn shadows(
        &self,
        mut fill: impl FnMut(usize, usize, &Parameter, Activity) -> Vec<f64>,
    ) -> Vec<Vec<Vec<f64>>> {
        let lanes = |index, parameter, activity: Activity| match activity {
            Activity::Const | Activity::Active => vec![],
            _ => (0..self.mix.width)
                .map(|lane| fill(index, lane, parameter, activity))
                .collect(),
        };
        let mut lanes = lanes;
        self.arguments()
            .map(|(index, parameter, activity)| lanes(index, parameter, activity))
            .collect()
    }

    /// Random numbers, the same for the same label and lane whatever the mix and the width.
    pub(crate) fn seeds(&self, label: &str, lane: usize, length: usize) -> Vec<f64> {
        let mut seeds = self
            .stream
            .fork(&format!("{label} {lane}"))
            .full_seeds(length);
        seeds
            .iter_mut()
            .for_each(|seed| *seed = self.precision.round(*seed));
        seeds
    }

    /// The seeds of each lane of the returned value; no lanes if it is inactive.
    pub(crate) fn returned_seeds(&self) -> Vec<Vec<f64>> {
        let length = self.point.returned().len();
        match self.mix.returned.is_active() {
            true => (0..self.mix.width)
                .map(|lane| self.seeds("ret", lane, length))
                .collect(),
            false => vec![],
        }
    }

    /// The primals a call starts from. An output that is not needed holds nothing that may be read.
    pub(crate) fn primals(&self) -> Vec<Vec<f64>> {
        let start = |(index, _, activity): (usize, _, Activity)| match activity.needs_primal() {
            true => self.point.primals[index].clone(),
            false => vec![canary(); self.point.primals[index].len()],
        };
        self.arguments().map(start).collect()
    }

    /// Compares arrays that must agree by themselves.
    pub(crate) fn same(
        &mut self,
        check: Check,
        block: &Block,
        lane: Option<usize>,
        got: &[f64],
        expected: &[f64],
    ) {
        let (got, expected) = (got.iter().copied(), expected.iter().copied());
        self.report.compare_exact(check, block, lane, got, expected);
    }

    /// P1, I1: the primal is returned if and only if it is needed, and right.
    pub(crate) fn returned_primal(&mut self, needed: bool, returned: Option<&[f64]>) {
        if returned.is_some() != needed {
            self.report.pronounce(Verdict::Fail(Check::I1));
            let found = if needed {
                "no primal was returned"
            } else {
                "a primal was returned"
            };
            self.report
                .note("what", format!("needs_primal = {needed}, but {found}"));
        }
        if let (Some(returned), Ok(primal)) = (returned, &self.point.primal) {
            let expected = primal.returned.clone();
            let returned = self.as_good(returned, &expected);
            let block = self.block_of_return("");
            self.same(Check::P1, &block, None, &returned, &expected);
        }
    }

    /// What was computed, or what was expected where that is as good.
    fn as_good(&self, got: &[f64], expected: &[f64]) -> Vec<f64> {
        // Where the input is much larger than what is made of it, its squares say nothing.
        let largest = expected.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let most = self.precision.epsilon().sqrt() * largest;
        // What is no number allows nothing.
        let rounding = match self.rounding() {
            rounding if rounding > most => most,
            rounding => rounding,
        };
        let mut good = got.to_vec();
        for (got, expected) in good.iter_mut().zip(expected) {
            // Zeros of different signs stay apart.
            if got != expected && (*got - expected).abs() <= rounding {
                *got = *expected;
            }
        }
        good
    }

    /// How far off the sum of an input may be that is added up in another order, where its numbers have the whole mantissa: at sizes
    /// that were not given, and where it is long.
    fn rounding(&self) -> f64 {
        let long = self.signature.length() > Probes::JACOBIAN_UP_TO;
        match long || self.probes.is_some() {
            true => {
                let squares = self.point.primals.iter().flatten().map(|x| x * x);
                16.0 * self.precision.epsilon() * squares.sum::<f64>()
            }
            false => 0.0,
        }
    }

    /// P2, P3: the arguments afterwards are those that the primal leaves; what is computed may be added up in another order.
    pub(crate) fn primals_after(&mut self, after: &State) {
        let Ok(primal) = &self.point.primal else {
            return;
        };
        for index in 0..self.signature.arguments.len() {
            let parameter = &self.signature.arguments[index];
            let check = match parameter.access {
                Access::Exclusive => Check::P2,
                Access::Shared => Check::P3,
                Access::Value => continue,
            };
            if self.mix.arguments[index].needs_primal() {
                let block = parameter.block("");
                let (after, expected) = (&after.primals[index], &primal.arguments[index]);
                let after = match check {
                    Check::P2 => self.as_good(after, expected),
                    _ => after.clone(),
                };
                self.same(check, &block, None, &after, expected);
            }
        }
    }

    /// Every primal that is needed agrees with that of another state, bit by bit.
    pub(crate) fn same_primals(&mut self, check: Check, got: &State, expected: &State) {
        for index in 0..self.signature.arguments.len() {
            if self.mix.arguments[index].needs_primal() {
                let block = self.signature.arguments[index].block("");
                let (got, expected) = (&got.primals[index], &expected.primals[index]);
                self.same(check, &block, None, got, expected);
            }
        }
    }

    /// Every shadow of the arguments that `keep` names agrees with that of another state, bit by bit.
    pub(crate) fn same_shadows(
        &mut self,
        check: Check,
        got: &State,
        expected: &State,
        keep: impl Fn(&Parameter) -> bool,
    ) {
        for index in 0..self.signature.arguments.len() {
            if keep(&self.signature.arguments[index]) {
                self.same_shadow(check, index, got, expected);
            }
        }
    }

    /// The shadow of an argument agrees with that of another state in every lane, bit by bit.
    pub(crate) fn same_shadow(
        &mut self,
        check: Check,
        index: usize,
        got: &State,
        expected: &State,
    ) {
        let block = self.signature.arguments[index].block(".shadow");
        let lanes = got.shadows[index].iter().zip(&expected.shadows[index]);
        for (lane, (got, expected)) in lanes.enumerate() {
            self.same(check, &block, Some(lane), got, expected);
        }
    }

    /// A hint: all derivatives that the rule gives are zero, though those of the function are not.
    pub(crate) fn silent<'e>(
        &mut self,
        silent: bool,
        mut expected: impl Iterator<Item = &'e Estimate>,
    ) {
        if silent && expected.any(|entry| entry.doubt.is_none() && !entry.may_be_zero()) {
            self.report.note(
                "likely",
                "all derivatives are zero: is the function marked `#[inactive]`?",
            );
        }
    }

    /// P4: what lies beside the entries of a slice or a view still holds the canary, or what single precision keeps of it.
    pub(crate) fn gaps(&mut self, after: &State) {
        let single = f64::from(canary() as f32).to_bits();
        let kept = |gap: &f64| match gap.to_bits() == single {
            true => canary(),
            false => *gap,
        };
        for (index, gaps) in after.gaps.iter().enumerate() {
            let block = Block::alone(
                format!("beside {}", self.signature.arguments[index].name),
                &[gaps.len()],
            );
            let gaps: Vec<f64> = gaps.iter().map(kept).collect();
            self.same(Check::P4, &block, None, &gaps, &vec![canary(); gaps.len()]);
        }
    }

    /// The returned value, or something of its shape.
    pub(crate) fn block_of_return(&self, suffix: &str) -> Block {
        let shape: &[usize] = match self.point.returned().len() {
            1 => &[],
            length => &[length],
        };
        Block::alone(format!("ret{suffix}"), shape)
    }

    /// A check that compares no numbers failed, for this reason.
    pub(crate) fn refuse(&mut self, check: Check, what: String) {
        self.report.pronounce(Verdict::Fail(check));
        self.report.note("what", what);
    }

    /// E1: the rule failed where the primal did not.
    pub(crate) fn fault(&mut self, half: &str, fault: &Fault) {
        self.report.pronounce(Verdict::Fail(Check::E1));
        let text = match fault {
            Fault::Refused(error) => {
                format!("`{half}` returned an error where the primal did not: {error}")
            }
            Fault::Panicked(message) => format!("`{half}` panicked: {message}"),
        };
        self.report.note("what", text);
    }

    /// What a second look compares: at the extremes whether there is a number, and the first two digits of it.
    pub(super) fn looked_at(&self, got: f64, expected: &Estimate) -> f64 {
        if self.near != Some(Check::N2) {
            return got;
        }
        let roughly = TWO_DIGITS * expected.value.abs().max(expected.terms);
        let allowed = roughly + 4.0 * expected.bar + SMALL_SLOPE * self.loudness();
        // Where the last place of the point is wider than what the function does in between, differences see something else.
        let mut floats = self.point.primals.iter().flatten();
        let unresolved = got.is_finite() && floats.any(|x| x.abs() > RESOLVED);
        match (got - expected.value).abs() <= allowed || unresolved {
            true => expected.value,
            false => got,
        }
    }

    /// What seeds are multiplied by: at the extremes partials are near the largest number.
    pub(super) fn loudness(&self) -> f64 {
        match self.near {
            Some(Check::N2) => SMALL_SEEDS,
            _ => 1.0,
        }
    }

    /// How many numbers are known to be wrong.
    pub(crate) fn wrong(&self) -> usize {
        let entries = self.report.entries().iter();
        entries.filter(|finding| finding.is_wrong()).count()
    }

    /// A hint: which seeds alone make the derivatives wrong.
    pub(super) fn suspects(&mut self, kind: &str, names: &[String], guilty: &[usize]) {
        if !guilty.is_empty() && guilty.len() < names.len() {
            let guilty: Vec<_> = guilty.iter().map(|index| names[*index].as_str()).collect();
            let plural = if guilty.len() > 1 { "s" } else { "" };
            let text = format!("the {kind}{plural} of {}", guilty.join(", "));
            self.report.note("from", text);
        }
    }

    /// E1 at another point: the rule failed there, and that is wrong unless the primal fails there too.
    pub(super) fn failed_alone(&mut self, primals: &[Vec<f64>], (half, fault): Failure) {
        let rows = primals.iter().zip(&self.point.primals).enumerate();
        let known = rows.map(|(index, (floats, at_the_point))| {
            match self.mix.arguments[index].needs_primal() {
                true => floats.clone(),
                false => at_the_point.clone(),
            }
        });
        let primals: Vec<_> = known.collect();
        if (self.primal)(&primals).is_ok() {
            self.fault(half, &fault);
            let floats: Vec<String> = primals.iter().map(|floats| format!("{floats:?}")).collect();
            self.report.note("at", floats.join(" "));
        }
    }

    /// Whether the differences can judge: there is a reference, and it has not been set aside.
    pub(crate) fn reference(&self) -> Option<&Jacobian> {
        self.jacobian
    }
}

/// Two digits of a derivative, at the extremes.
const TWO_DIGITS: f64 = 0.02;

/// Beside other slopes of about one this is none.
const SMALL_SLOPE: f64 = 1e-3;

/// Numbers beyond this differ by more than a millionth from their neighbours.
const RESOLVED: f64 = 1e9;

/// Below this a product has underflowed on the way: twice the seed does not give twice the result to the last bit.
const UNDERFLOW: f64 = f64::MIN_POSITIVE / f64::EPSILON;

/// A result of a rule as a check compares it with another.
///
/// `+ 0.0` makes the two zeros one: their sign says nothing about linearity, nor about the strong zero.
pub(super) fn comparable(check: Check, value: f64) -> f64 {
    match check {
        Check::L1 | Check::L2 if value.abs() < UNDERFLOW => 0.0,
        Check::L1 | Check::L2 | Check::N1 => value + 0.0,
        _ => value,
    }
}

/// Numbers that are larger may be the sum of some that are too large to be numbers.
const OVERFLOW: f64 = 1e290;

/// Whether seeds are so large that a rule need not be linear in them.
pub(super) fn overflows(check: Check, mut expected: impl Iterator<Item = f64>) -> bool {
    let linear = matches!(check, Check::L1 | Check::L2);
    linear && expected.any(|value| value.abs() > OVERFLOW)
}
