//! What to tell the author of a rule.

mod finding;
mod message;

use std::collections::BTreeSet;
use std::fmt;
use std::io::{IsTerminal, stderr};

pub use self::finding::Finding;
use crate::case::Case;
use crate::check::Check;
use crate::comparison::{Comparison, same_bits};
use crate::estimate::Estimate;
use crate::ladder::Precision;
use crate::layout::{Block, Place};
use crate::overrides::Overrides;
use crate::tolerance::Judgement;
use crate::verdict::Verdict;

/// Everything that came of one case.
///
/// Numbers go in by [`Report::compare`]; what did not pass comes out worst first. `{}` is the message,
/// `{:#}` the message in colours.
///
/// ```
/// use coenzyme_testutils::{Case, Check, Estimate, Layout, Mode, Overrides, Report, Verdict};
///
/// let x = Layout::new().with("x.shadow", &[2]);
/// let mut report = Report::new(Case::new("sum", Mode::Reverse), Overrides::none());
/// report.compare(Check::R4, x.place(0), None, 0.0, &Estimate::exact(0.0));
/// report.compare(Check::R4, x.place(1), None, 1.5, &Estimate::exact(0.0));
/// assert_eq!(report.verdict(), Verdict::Fail(Check::R4));
/// assert_eq!(report.entries()[0].place.to_string(), "x.shadow[1]");
/// assert!(report.to_string().contains("without zeroing it"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    case: Case,
    overrides: Overrides,
    precision: Precision,
    findings: Vec<Finding>,
    failures: BTreeSet<Check>,
    unjudged: BTreeSet<(Check, &'static str)>,
    advice: BTreeSet<String>,
    spoken: Verdict,
    notes: Vec<(String, String)>,
    comparisons: usize,
    /// Which seeds are compared now, for the findings.
    seeds: String,
}

impl Report {
    /// A report on `case`, still empty.
    pub fn new(case: Case, overrides: Overrides) -> Self {
        Report {
            case,
            overrides,
            precision: Precision::Double,
            findings: Vec::new(),
            failures: BTreeSet::new(),
            unjudged: BTreeSet::new(),
            advice: BTreeSet::new(),
            spoken: Verdict::Pass,
            notes: Vec::new(),
            comparisons: 0,
            seeds: String::new(),
        }
    }

    /// Says of what is compared from now on which seeds it was; nothing if they are those drawn.
    pub(crate) fn under(&mut self, seeds: impl Into<String>) {
        self.seeds = seeds.into();
    }

    /// A report on numbers of another precision than double.
    #[must_use]
    pub fn precision(mut self, precision: Precision) -> Self {
        self.precision = precision;
        self
    }

    /// Compares one number, in the way that `check` and the overrides prescribe.
    ///
    /// **Panics** if `check` compares no numbers.
    #[track_caller]
    pub fn compare(
        &mut self,
        check: Check,
        place: Place,
        lane: Option<usize>,
        got: f64,
        expected: &Estimate,
    ) -> Judgement {
        let before = self.findings.len();
        let judgement = self.compare_at(
            (check, self.comparison(check)),
            || place,
            lane,
            got,
            expected,
        );
        if self.findings.len() > before {
            self.sort();
        }
        judgement
    }

    /// Compares an array, entry by entry, and names its entries by `block`.
    ///
    /// An array of another length fails the check as a whole.
    ///
    /// **Panics** if `check` compares no numbers.
    #[track_caller]
    pub fn compare_block(
        &mut self,
        check: Check,
        block: &Block,
        lane: Option<usize>,
        got: &[f64],
        expected: &[Estimate],
    ) {
        if got.len() != expected.len() {
            let (name, got, expected) = (block.name(), got.len(), expected.len());
            self.note(
                "shape",
                format!("{name} has {got} floats, expected {expected}"),
            );
            return self.pronounce(Verdict::Fail(check));
        }
        let before = self.findings.len();
        let by = (check, self.comparison(check));
        for (index, (got, expected)) in got.iter().zip(expected).enumerate() {
            self.compare_at(by, || block.place(index), lane, *got, expected);
        }
        if self.findings.len() > before {
            self.sort();
        }
    }

    /// Compares an array with what it must be by itself. Nearly always all bits are the same, and then nothing is done for each entry.
    #[track_caller]
    pub(crate) fn compare_exact(
        &mut self,
        check: Check,
        block: &Block,
        lane: Option<usize>,
        got: impl ExactSizeIterator<Item = f64> + Clone,
        expected: impl ExactSizeIterator<Item = f64> + Clone,
    ) {
        let bits = |(got, expected): (f64, f64)| same_bits(got, expected);
        if self.comparison(check).passes_same_bits()
            && got.len() == expected.len()
            && got.clone().zip(expected.clone()).all(bits)
        {
            self.comparisons += got.len();
            return;
        }
        let got: Vec<f64> = got.collect();
        let expected: Vec<_> = expected.map(Estimate::exact).collect();
        self.compare_block(check, block, lane, &got, &expected);
    }

    /// How `check` compares numbers of the report's precision, with what the overrides allow.
    #[track_caller]
    fn comparison(&self, check: Check) -> Comparison {
        let comparison = self.overrides.comparison(check);
        let comparison = comparison.unwrap_or_else(|| panic!("{check:?} compares no numbers"));
        comparison.in_precision(self.precision)
    }

    /// Compares one number in this way, and puts it last if it does not pass.
    fn compare_at(
        &mut self,
        (check, comparison): (Check, Comparison),
        place: impl FnOnce() -> Place,
        lane: Option<usize>,
        got: f64,
        expected: &Estimate,
    ) -> Judgement {
        let judgement = comparison.judge(got, expected);
        self.comparisons += 1;
        if judgement != Judgement::Pass {
            self.insert(Finding {
                check,
                place: place(),
                lane,
                got,
                expected: expected.value,
                limit: comparison.limit(expected),
                judgement,
                seeds: self.seeds.clone(),
                plateau: expected.plateau,
            });
        }
        judgement
    }

    /// Takes the findings away, to be given back with [`Report::and_what_is_sure`].
    pub(crate) fn set_aside(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.findings)
    }

    /// Gives the findings back. Of those found since, only what is known to be wrong counts.
    pub(crate) fn and_what_is_sure(&mut self, before: Vec<Finding>) {
        self.findings.retain(Finding::is_wrong);
        self.findings.extend(before);
        self.sort();
    }

    /// Takes back what was found wrong: the case is inconclusive.
    pub(crate) fn retracted(mut self, why: String) -> Self {
        if let Some(worst) = self.findings.first() {
            let text = format!(
                "{} {}: got {}, differences {}",
                worst.check, worst.place, worst.got, worst.expected
            );
            self.note("found", text);
        }
        self.findings.clear();
        self.failures.clear();
        self.spoken = Verdict::Inconclusive(why);
        self
    }

    /// What was unknown is known from elsewhere.
    pub(crate) fn decided_elsewhere(mut self) -> Self {
        self.findings.clear();
        self.spoken = Verdict::Pass;
        self
    }

    /// What was found wrong counts as a mistake about sizes, by `check`: it is right at others, as `why` says.
    pub(crate) fn only_at_this_size(mut self, check: Check, why: String) -> Self {
        let found = self.verdict().to_string();
        self.findings
            .iter_mut()
            .for_each(|finding| finding.check = check);
        self.failures = BTreeSet::from([check]);
        self.spoken = Verdict::Fail(check);
        self.note("size", format!("{why} ({found})"));
        self
    }

    /// The worst of several reports, with the comparisons of all.
    ///
    /// **Panics** if there are none.
    #[track_caller]
    pub fn worst(reports: impl IntoIterator<Item = Report>) -> Report {
        let worst = reports.into_iter().reduce(Report::worse);
        worst.expect("something has been tested")
    }

    /// The worse of two reports, with the comparisons of both; of two failures, the more telling.
    #[must_use]
    pub fn worse(self, other: Report) -> Report {
        let comparisons = self.comparisons + other.comparisons;
        let failures = self.failures.union(&other.failures).copied().collect();
        let unjudged = self.unjudged.union(&other.unjudged).copied().collect();
        let advice = self.advice.union(&other.advice).cloned().collect();
        let others_counts = match (self.verdict(), other.verdict()) {
            (Verdict::Fail(mine), Verdict::Fail(others)) => others.precedence() < mine.precedence(),
            (mine, others) => mine.clone().worse(others) != mine,
        };
        let worse = if others_counts { other } else { self };
        Report {
            comparisons,
            failures,
            unjudged,
            advice,
            ..worse
        }
    }

    /// This report, with the failures and comparisons of another.
    #[must_use]
    pub(crate) fn counting(mut self, other: Report) -> Self {
        self.comparisons += other.comparisons;
        self.failures.extend(other.failures);
        self.unjudged.extend(other.unjudged);
        self.advice.extend(other.advice);
        self
    }

    /// Pronounces a verdict that no single number explains; the worst of all counts.
    pub fn pronounce(&mut self, verdict: Verdict) {
        if let Verdict::Fail(check) = verdict {
            self.failures.insert(check);
        }
        let before = std::mem::replace(&mut self.spoken, Verdict::Pass);
        self.spoken = match (&before, &verdict) {
            (Verdict::Fail(a), Verdict::Fail(b)) if b.precedence() < a.precedence() => verdict,
            _ => before.worse(verdict),
        };
    }

    /// Says that a check could not be judged, and why. It is printed in every run, once for each reason.
    pub fn not_judged(&mut self, check: Check, why: &'static str) {
        self.unjudged.insert((check, why));
    }

    /// Says what is not wrong and might be better. It is printed in every run, and fails nothing.
    pub(crate) fn advise(&mut self, text: String) {
        self.advice.insert(text);
    }

    /// What is not wrong and might be better, here or in the reports that this one is the worst of.
    pub fn advice(&self) -> &BTreeSet<String> {
        &self.advice
    }

    /// The checks that could not be judged, here or in the reports that this one is the worst of, each with the reason.
    pub fn unjudged(&self) -> &BTreeSet<(Check, &'static str)> {
        &self.unjudged
    }

    /// Adds a line to the message: a label of one word, such as `shrunk`, and a text. The same line is added once.
    pub fn note(&mut self, label: impl Into<String>, text: impl Into<String>) {
        let line = (label.into(), text.into());
        if !self.notes.contains(&line) {
            self.notes.push(line);
        }
    }

    /// The text of the first line with this label, if there is one.
    pub fn noted(&self, label: &str) -> Option<&str> {
        let line = self.notes.iter().find(|(of, _)| of == label);
        line.map(|(_, text)| text.as_str())
    }

    /// The case reported on.
    pub fn case(&self) -> &Case {
        &self.case
    }

    /// The size at which the case was, if it has one.
    pub(crate) fn size(&self) -> Option<&str> {
        self.case.words_beginning("size ")
    }

    /// The permissions in force.
    pub fn overrides(&self) -> &Overrides {
        &self.overrides
    }

    /// What did not pass, worst first.
    pub fn entries(&self) -> &[Finding] {
        &self.findings
    }

    /// Every check that failed, here or in the reports that this one is the worst of.
    pub fn failures(&self) -> &BTreeSet<Check> {
        &self.failures
    }

    /// How many numbers were compared.
    pub fn comparisons(&self) -> usize {
        self.comparisons
    }

    /// What came of the case.
    ///
    /// A case that compared nothing and about which nothing was said is vacuous.
    pub fn verdict(&self) -> Verdict {
        let found = match self.findings.first() {
            Some(Finding {
                judgement: Judgement::Inconclusive(doubt),
                ..
            }) => Verdict::Inconclusive(doubt.to_string()),
            Some(worst) => Verdict::Fail(worst.check),
            None if self.comparisons == 0 && self.spoken == Verdict::Pass => {
                Verdict::Vacuous("nothing was compared".into())
            }
            None => Verdict::Pass,
        };
        match (&self.spoken, &found) {
            (Verdict::Fail(spoken), Verdict::Fail(check))
                if check.precedence() < spoken.precedence() =>
            {
                found
            }
            _ => self.spoken.clone().worse(found),
        }
    }

    /// Ends the test: prints the permissions in force, and fails unless the verdict is allowed.
    ///
    /// **Panics** with the message if it is not.
    #[track_caller]
    pub fn assert(&self) {
        for given in self.overrides.all() {
            eprintln!("override {}: {given}", self.case.stem());
        }
        for (check, why) in &self.unjudged {
            eprintln!("{}: {check:?} not judged: {why}", self.case.stem());
        }
        for text in &self.advice {
            eprintln!("{}: advice: {text}", self.case.stem());
        }
        if self.overrides.allow(&self.verdict()) {
            return;
        }
        let coloured = stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        if coloured {
            panic!("{self:#}")
        } else {
            panic!("{self}")
        }
    }

    /// Puts a finding last.
    fn insert(&mut self, finding: Finding) {
        if finding.is_wrong() {
            self.failures.insert(finding.check);
        }
        self.findings.push(finding);
    }

    /// Sorts the findings: the wrong before the unknown, the more telling check first, the worst of it first, else as they
    /// came.
    fn sort(&mut self) {
        let key = |finding: &Finding| (!finding.is_wrong(), finding.check.precedence());
        self.findings.sort_by(|a, b| {
            let by_excess = || b.excess().total_cmp(&a.excess());
            key(a).cmp(&key(b)).then_with(by_excess)
        });
    }
}

/// The command that runs a case again, in the test that is running; `simpler` is what its id ends with.
pub(crate) fn replay(case: &Case, simpler: &str) -> String {
    let thread = std::thread::current();
    let test = thread.name().filter(|name| *name != "main");
    let test = test.map_or(case.rule().to_owned(), |path| format!("{path} -- --exact"));
    format!("TESTUTILS_REPLAY={}{simpler} cargo test {test}", case.id())
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        message::write(f, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Mode;
    use crate::estimate::Doubt;
    use crate::layout::Layout;

    fn empty(overrides: Overrides) -> Report {
        Report::new(Case::new("rule", Mode::Forward), overrides)
    }

    fn place() -> Place {
        Layout::new().with("y", &[]).place(0)
    }

    #[test]
    fn worst_finding_comes_first_and_the_wrong_before_the_unknown() {
        let mut report = empty(Overrides::none());
        let unknown = Estimate::unknown(Doubt::Kink);
        let one = Estimate {
            bar: 1e-9,
            ..Estimate::exact(1.0)
        };
        report.compare(Check::F2, place(), None, 1.0, &unknown);
        report.compare(Check::F2, place(), Some(0), 1.1, &one);
        report.compare(Check::F1, place(), Some(1), f64::NAN, &one);
        report.compare(Check::F1, place(), Some(2), 1.0, &one);
        let lanes: Vec<_> = report
            .entries()
            .iter()
            .map(|finding| finding.lane)
            .collect();
        assert_eq!(lanes, [Some(1), Some(0), None]);
        assert_eq!(
            (report.verdict(), report.comparisons()),
            (Verdict::Fail(Check::F1), 4)
        );
    }

    #[test]
    fn unknown_alone_is_inconclusive() {
        let mut report = empty(Overrides::none());
        report.compare(
            Check::F1,
            place(),
            None,
            1.0,
            &Estimate::unknown(Doubt::Kink),
        );
        assert!(matches!(report.verdict(), Verdict::Inconclusive(_)));
    }

    #[test]
    fn nothing_compared_is_vacuous_unless_somebody_spoke() {
        let mut report = empty(Overrides::none());
        assert!(matches!(report.verdict(), Verdict::Vacuous(_)));
        report.pronounce(Verdict::Unsupported("the return reads y".into()));
        assert!(report.verdict().is_green());
        report.pronounce(Verdict::Fail(Check::I1));
        report.pronounce(Verdict::Vacuous("J = 0".into()));
        assert_eq!(report.verdict(), Verdict::Fail(Check::I1));
    }

    #[test]
    fn overrides_change_the_comparison_and_the_outcome() {
        let reason = "summed in blocks";
        let mut report = empty(Overrides::none().compare(Check::L1, Comparison::Ulps(2), reason));
        let judgement = report.compare(
            Check::L1,
            place(),
            None,
            1.0 + f64::EPSILON,
            &Estimate::exact(1.0),
        );
        assert_eq!(
            (judgement, report.verdict()),
            (Judgement::Pass, Verdict::Pass)
        );
        report.assert();
        empty(Overrides::none().allow_vacuous("nothing to compare yet")).assert();
    }

    #[test]
    #[should_panic = "VACUOUS rule  forward  nothing was compared"]
    fn assert_refuses_what_is_not_allowed() {
        empty(Overrides::none().allow_inconclusive("noisy")).assert();
    }

    #[test]
    #[should_panic = "I1 compares no numbers"]
    fn checks_without_numbers_are_refused() {
        empty(Overrides::none()).compare(Check::I1, place(), None, 0.0, &Estimate::exact(0.0));
    }
}
