//! What a failure at one point is worth: differences may be wrong there.

use crate::comparison::Comparison;
use crate::report::Report;
use crate::verdict::Verdict;

/// Further points that a failed comparison with the differences is tried at.
const REPEATS: u64 = 2;

/// Whether a report refuses the rule.
pub(super) fn is_wrong(report: &Report) -> bool {
    matches!(report.verdict(), Verdict::Fail(_))
}

/// Whether a report is of a failed comparison with the differences.
pub(super) fn is_of_differences(report: &Report) -> bool {
    match report.verdict() {
        Verdict::Fail(check) => matches!(check.comparison(), Some(Comparison::Differences(_))),
        _ => false,
    }
}

/// The report, unless it is of a failed comparison with the differences that only one point shows.
pub(super) fn confirmed_if_wrong(report: Report, at: &dyn Fn(u64) -> Report) -> Report {
    match is_of_differences(&report) {
        true => confirmed(report, at),
        false => report,
    }
}

/// The report on a failed comparison with the differences: it stands if the rule fails at a point nearby too.
///
/// Differences may be wrong, about once in ten thousand hard entries, but not at three points at once. Repeating them at
/// the same point would repeat the mistake.
pub(super) fn confirmed(report: Report, at: impl Fn(u64) -> Report) -> Report {
    let mut right = 0;
    for repeat in (0..REPEATS).map(at) {
        if is_wrong(&repeat) {
            return report;
        }
        right += usize::from(repeat.verdict() == Verdict::Pass);
    }
    if right == 0 {
        return report;
    }
    let why = format!(
        "the rule and the differences disagree at one point of {}",
        REPEATS + 1
    );
    report.retracted(why)
}
