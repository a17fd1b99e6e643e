//! Where differences decide if they cannot at the point: where the numbers of an argument are alike, or nearer to zero.
//!
//! The derivative of a sum by its smallest term is lost in the rounding of the largest, and near a singular matrix every
//! difference loses its digits. The rule is right or wrong all the same. It is judged by all other checks at the point, must not
//! contradict what the differences do know there, and is judged by differences at tamer points: for every magnitude that the
//! point has, one at which all numbers have it.

use super::points::Drawn;
use crate::argument::Draw;
use crate::estimate::Doubt;
use crate::judge::{Parameter, Signature};
use crate::report::{Finding, Report};
use crate::tolerance::Judgement;
use crate::verdict::Verdict;

/// A tamer point.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tame {
    /// All entries of every argument are about as large as this one, or the last that there is.
    Level(usize),
    /// All numbers are divided by this power of two.
    Shrunk(i32),
    /// Both: as large as this one, divided by this power of two.
    Low(usize, i32),
    /// All that is read is about as large as this argument.
    Even(usize),
}

use Tame::{Even, Level, Low, Shrunk};

/// Entries beyond these have the magnitude of one that has been tried.
const LEVELS: usize = 8;

/// Farther out by these powers of two.
const FARTHER: [i32; 4] = [3, 6, 10, 14];

/// How far entries of one level are apart, so that none are equal.
const APART: f64 = 1.0 / 16.0;

impl Tame {
    /// How many powers of two lie between the steps of its ladder.
    pub(super) fn stride(self) -> u32 {
        match self {
            Level(_) | Shrunk(_) | Even(_) => 3,
            Low(..) => 2,
        }
    }

    /// Takes the numbers of a point there, if they may go there.
    pub(super) fn apply(self, signature: &Signature, primals: &mut [Vec<f64>]) {
        let even = match self {
            Even(argument) => primals[argument].first().copied(),
            _ => None,
        };
        for (parameter, floats) in signature.arguments.iter().zip(primals) {
            let (level, shrunk) = match self {
                Level(entry) => (Some(entry), 0),
                Shrunk(power) => (None, power),
                Low(entry, power) => (Some(entry), power),
                Even(_) => (None, 0),
            };
            let of_level = |entry: usize| {
                let last = floats.len().checked_sub(1)?;
                floats.get(entry.min(last)).copied()
            };
            let like = even.or(level.and_then(of_level));
            for (entry, float) in floats.iter_mut().enumerate() {
                let size = match like {
                    Some(like) if like != 0.0 => like.abs() * (1.0 + APART * (entry % 8) as f64),
                    _ => float.abs(),
                };
                let there = (size * 0.5_f64.powi(shrunk)).copysign(*float);
                if may_be(parameter, there) {
                    *float = there;
                }
            }
        }
    }
}

fn may_be(parameter: &Parameter, value: f64) -> bool {
    match &parameter.draw {
        Draw::Within(range) => parameter.free || range.contains(&value),
        Draw::Given => true,
    }
}

/// Whether the differences know too little of every entry in doubt, and the rule contradicts none of what they do know.
fn is_coarse(report: &Report) -> bool {
    let unknown = |finding: &Finding| match finding.judgement {
        Judgement::Inconclusive(Doubt::TooWide { .. }) => {
            let far = (finding.got - finding.expected).abs();
            far <= 4.0 * finding.limit + 1e-2 * finding.expected.abs()
        }
        Judgement::Inconclusive(Doubt::NoPlateau) => finding.got.is_finite(),
        _ => false,
    };
    let findings = report.entries();
    matches!(report.verdict(), Verdict::Inconclusive(_))
        && !findings.is_empty()
        && findings.iter().all(unknown)
}

/// The report on a point, on the other side of zero if it is `mirrored`; if the differences know too little there, with what many
/// small looks say, or differences at tamer points.
pub(super) fn tamed(
    report: Report,
    signature: &Signature,
    mirrored: bool,
    rough: bool,
    at: &dyn Fn(Drawn) -> Report,
) -> Report {
    if !is_coarse(&report) {
        return report;
    }
    match at(Drawn::Averaged(mirrored)).verdict() {
        Verdict::Pass => return report.decided_elsewhere(),
        // Then it is not known, for one witness is none.
        Verdict::Fail(_) => return report,
        _ => {}
    }
    match decided(signature, rough, at) {
        Err(found) => report.worse(*found),
        Ok(true) => report.decided_elsewhere(),
        Ok(false) => report,
    }
}

/// Whether the rule is right at tamer points, as the differences there know; or what fails there.
fn decided(
    signature: &Signature,
    rough: bool,
    at: &dyn Fn(Drawn) -> Report,
) -> Result<bool, Box<Report>> {
    // Far out wide steps see more than rounding.
    let farther = FARTHER.map(|power| at(Drawn::Tamed(Shrunk(-power))));
    let farther = farther.iter().any(|found| found.verdict() == Verdict::Pass);
    if rough {
        // A function that has lost its digits hardly moves nearer to zero.
        return Ok(farther);
    }
    let longest = signature.arguments.iter().map(Parameter::length).max();
    let levels = longest.unwrap_or(0).min(LEVELS);
    if decided_at((0..levels).map(Level), true, at)? || farther {
        return Ok(true);
    }
    let read = signature.arguments.iter().enumerate();
    let read = read.filter(|(_, parameter)| !parameter.write_only && parameter.length() > 0);
    let even: Vec<_> = read.map(|(argument, _)| Even(argument)).collect();
    if even.len() > 1 && decided_at(even.into_iter(), true, at)? {
        return Ok(true);
    }
    let powers = [1, 2, 3, 5];
    let low = (0..4).flat_map(|entry| powers.map(|power| Low(entry, power)));
    decided_at(powers.map(Shrunk).into_iter().chain(low), false, at)
}

/// Whether the rule is right at one of these points; or what fails at the first that fails. `all`: none is left out after one that passes.
fn decided_at(
    points: impl Iterator<Item = Tame>,
    all: bool,
    at: &dyn Fn(Drawn) -> Report,
) -> Result<bool, Box<Report>> {
    let mut decided = false;
    for tame in points {
        let found = at(Drawn::Tamed(tame));
        match found.verdict() {
            Verdict::Fail(_) => return Err(Box::new(found)),
            Verdict::Pass if !all => return Ok(true),
            verdict => decided |= verdict == Verdict::Pass,
        }
    }
    Ok(decided)
}
