//! The simplest point at which a rule still fails.

use crate::argument::Draw;
use crate::check::Check;
use crate::judge::Signature;
use crate::report::Report;
use crate::verdict::Verdict;

/// What a simple argument is filled with: points of the lattice, far from zero and from one, where wrong rules hide.
const SIMPLE: [f64; 3] = [1.5, -1.5, 0.5];

/// Which arguments are filled with one simple number, two bits for each: zero for one that is left as it was drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Simplified(u64);

impl Simplified {
    /// As the id of a case says it.
    pub(super) fn from_bits(bits: u64) -> Self {
        Simplified(bits)
    }

    /// The same with one argument filled with the simple number `choice`.
    fn with(self, argument: usize, choice: usize) -> Self {
        Simplified(self.0 | (choice as u64 + 1) << (2 * argument))
    }

    fn choice(self, argument: usize) -> Option<f64> {
        let bits = self.0 >> (2 * argument) & 3;
        bits.checked_sub(1).map(|choice| SIMPLE[choice as usize])
    }

    /// Fills the arguments of a point.
    pub(super) fn apply(self, signature: &Signature, primals: &mut [Vec<f64>]) {
        for (index, (parameter, floats)) in signature.arguments.iter().zip(primals).enumerate() {
            if let (Some(simple), Draw::Within(range)) = (self.choice(index), &parameter.draw)
                && range.contains(&simple)
            {
                floats.fill(simple);
            }
        }
    }
}

impl std::fmt::LowerHex for Simplified {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// The simplest point, and the report there, at which `at` still fails `check`; `None` if the point is as simple as it gets.
pub(super) fn shrink(
    signature: &Signature,
    check: Check,
    at: impl Fn(Simplified) -> Report,
) -> Option<(Simplified, Report)> {
    let rows = signature.arguments.iter().enumerate();
    let drawn = rows.filter(|(_, parameter)| parameter.draw != Draw::Given);
    let drawn: Vec<usize> = drawn.map(|(index, _)| index).take(32).collect();
    let still_fails = |candidate: Simplified| {
        let report = at(candidate);
        (report.verdict() == Verdict::Fail(check)).then_some((candidate, report))
    };
    // Most rules fail wherever they are called.
    let all = drawn
        .iter()
        .fold(Simplified::default(), |simplified, index| {
            simplified.with(*index, 0)
        });
    if let Some(simplest) = (!drawn.is_empty()).then(|| still_fails(all)).flatten() {
        return Some(simplest);
    }
    let mut simplest = None;
    for index in drawn {
        let base = simplest
            .as_ref()
            .map_or(Simplified::default(), |(base, _)| *base);
        let mut candidates = (0..SIMPLE.len()).map(|choice| base.with(index, choice));
        simplest = candidates.find_map(still_fails).or(simplest);
    }
    simplest
}

#[cfg(test)]
mod tests {
    use crate::{Setting, inout, input};

    #[test]
    fn simple_points_stay_in_range() {
        use super::*;
        let tester = Setting::new((input(2), inout(1).within(0.25..1.0)));
        let signature = Signature::new(tester.specs(), vec![vec![2], vec![1]], tester.access());
        let mut primals = vec![vec![2.0, 2.5], vec![0.75]];
        Simplified::default()
            .with(0, 1)
            .with(1, 0)
            .apply(&signature, &mut primals);
        assert_eq!(primals, [vec![-1.5, -1.5], vec![0.75]]);
        Simplified::default()
            .with(1, 2)
            .apply(&signature, &mut primals);
        assert_eq!(primals, [vec![-1.5, -1.5], vec![0.5]]);
    }
}
