//! C1: every legal mix has a rule, or a line that says why not; and no line says so of a mix that has one.

use crate::case::{Case, Mode};
use crate::check::Check;
use crate::overrides::Overrides;
use crate::report::Report;
use crate::tester::NOT_REPLAYED;
use crate::verdict::Verdict;

use super::facts::{Facts, of_type};
use super::record::Record;

/// One line of `unsupported`: what mixes it speaks of, and why they have no rule.
#[derive(Clone, Copy, Debug)]
pub struct Unsupported {
    /// Names and values that a mix must have: `("y", "DuplicatedNoNeed")`, `("mode", "reverse")`.
    pub of: &'static [(&'static str, &'static str)],
    /// Why.
    pub reason: &'static str,
}

impl Unsupported {
    fn covers(&self, mix: &[(&str, &str)]) -> bool {
        self.of.iter().all(|fact| mix.contains(fact))
    }
}

/// A mix: its mode, each argument with its activity, the activity of the return.
pub type Mix = [(&'static str, &'static str)];

/// Whether two mixes are the same.
pub fn is_mix(one: &Mix, other: &Mix) -> bool {
    one == other
}

/// What came of one mix in all its widths and sizes.
pub struct Outcomes {
    name: &'static str,
    mix: Vec<(&'static str, &'static str)>,
    declared: Option<&'static str>,
    reports: Vec<Report>,
    missing: Vec<usize>,
    present: Vec<usize>,
    /// The facts and the reports of each size that is done.
    sizes: Vec<(Facts, Vec<Report>)>,
}

impl Outcomes {
    /// Nothing yet, of the rule `name` in the mix `mix`.
    pub fn new(name: &'static str, mix: &Mix, unsupported: &[Unsupported]) -> Self {
        let line = unsupported.iter().find(|line| line.covers(mix));
        Outcomes {
            name,
            mix: mix.to_vec(),
            declared: line.map(|line| line.reason),
            reports: Vec::new(),
            missing: Vec::new(),
            present: Vec::new(),
            sizes: Vec::new(),
        }
    }

    /// Ends one size: what is known of the function there.
    pub fn of(&mut self, facts: Facts) {
        self.sizes.push((facts, std::mem::take(&mut self.reports)));
    }

    /// What is known of the function at all sizes.
    fn facts(&self) -> Option<Facts> {
        let facts = self.sizes.iter().map(|(facts, _)| facts.clone());
        facts.reduce(Facts::or)
    }

    /// The reports of all sizes. That nothing depends on nothing, where an argument is empty, need not be said if there is
    /// more to say at other sizes.
    fn telling(self) -> Vec<Report> {
        let anywhere = self.facts();
        let mut telling = self.reports;
        let mut silent = Vec::new();
        for (facts, reports) in attributed(self.sizes) {
            let hollow = anywhere
                .as_ref()
                .is_some_and(|all| facts.is_emptier_than(all));
            for report in reports {
                let says_nothing = hollow && matches!(report.verdict(), Verdict::Vacuous(_));
                let pile = if says_nothing {
                    &mut silent
                } else {
                    &mut telling
                };
                pile.push(report);
            }
        }
        if telling.is_empty() { silent } else { telling }
    }

    /// Whether a case is to be replayed, and none of this test is it.
    fn is_another(&self) -> bool {
        let reports = self.sizes.iter().flat_map(|(_, reports)| reports);
        let mut reports = self.reports.iter().chain(reports).peekable();
        let another =
            |report: &Report| report.verdict() == Verdict::Unsupported(NOT_REPLAYED.into());
        reports.peek().is_some() && reports.all(another)
    }

    /// Adds the report on one width, or that there is no rule for it.
    pub fn add(&mut self, width: usize, report: Option<Report>) {
        match report {
            Some(report) => {
                self.present.push(width);
                self.reports.push(report);
            }
            None => self.missing.push(width),
        }
    }

    /// Adds a report that is welcome, but may be missing, or have nothing to say of this mix.
    pub fn add_if_any(&mut self, report: Option<Report>) {
        let speaks = |report: &Report| {
            report.comparisons() > 0 || matches!(report.verdict(), Verdict::Fail(_))
        };
        self.reports.extend(report.filter(speaks));
    }

    /// Ends the test: records what came of it, and fails unless that is allowed.
    ///
    /// **Panics** with the message of the report if it is not.
    #[track_caller]
    pub fn finish(self) {
        let unfinished = self.record();
        let report = self.report();
        let record = unfinished.map(|record| Record {
            verdict: report.verdict().word().into(),
            comparisons: report.comparisons(),
            overrides: report
                .overrides()
                .all()
                .iter()
                .map(ToString::to_string)
                .collect(),
            ..record
        });
        record.inspect(Record::append);
        report.assert();
    }

    /// The record of the mix, but for what is known when the reports are taken together.
    fn record(&self) -> Option<Record> {
        let facts = self.facts()?;
        // The mode comes first, then the arguments in order, then the return.
        let activities: Vec<_> = self.mix.iter().map(|(_, value)| *value).collect();
        let (returned, activities) = activities[1..].split_last()?;
        let arguments = facts.arguments.iter().zip(activities);
        let mut widths = self.present.clone();
        widths.sort_unstable();
        widths.dedup();
        Some(Record {
            rule: facts.rule.clone(),
            mode: self.mode().to_string(),
            returned: match facts.returned {
                Some(0) => String::new(),
                Some(_) | None => (*returned).into(),
            },
            arguments: arguments
                .filter(|(argument, _)| argument.floats > 0)
                .map(|(argument, activity)| {
                    (argument.name.clone(), activity.to_string(), argument.taken)
                })
                .collect(),
            widths,
            reason: self.declared.unwrap_or_default().into(),
            ..Record::default()
        })
    }

    /// Everything together: the worst report, or what is wrong with the coverage.
    pub fn report(self) -> Report {
        match self.declared {
            Some(reason) if self.present.is_empty() => {
                self.coverage(Verdict::Unsupported(reason.into()), None)
            }
            Some(reason) => {
                let what = format!(
                    "a line says `unsupported` ({reason}), but there is a rule in width {:?}",
                    self.present
                );
                self.coverage(Verdict::Fail(Check::C1), Some(what))
            }
            None if !self.missing.is_empty() => {
                let (mode, widths) = (self.mode(), &self.missing);
                let what = format!(
                    "no {mode} rule in width {widths:?}: write one, or list the mix as `unsupported`"
                );
                self.coverage(Verdict::Fail(Check::C1), Some(what))
            }
            None if self.is_another() => {
                let what = "TESTUTILS_REPLAY names no case of this test: run the test of the line `replay`";
                self.coverage(Verdict::Fail(Check::C1), Some(what.into()))
            }
            None => headlined(self.telling()),
        }
    }

    fn mode(&self) -> Mode {
        match self.mix.contains(&("mode", "forward")) {
            true => Mode::Forward,
            false => Mode::Reverse,
        }
    }

    fn coverage(&self, verdict: Verdict, what: Option<String>) -> Report {
        let activities = self.mix.iter().filter(|(name, _)| *name != "mode");
        let (words, keys): (Vec<_>, Vec<_>) = activities
            .map(|(name, value)| (format!("{name}={value}"), *value))
            .unzip();
        let case = Case::new(self.name, self.mode()).fact(words.join(" "), keys.join(","));
        let mut report = Report::new(case, Overrides::none());
        report.pronounce(verdict);
        if let Some(what) = what {
            report.note("what", what);
        }
        report
    }
}

/// The reports of sizes, the smallest that fails first. What fails at some and passes at others is a mistake about sizes; that
/// a wrong formula is right where there is nothing to differentiate, or only one number, is none.
fn attributed(mut sizes: Vec<(Facts, Vec<Report>)>) -> Vec<(Facts, Vec<Report>)> {
    sizes.sort_by_key(|(facts, reports)| (!reports.iter().any(fails), facts.floats()));
    let smallest = sizes.first().map_or(0, |(facts, _)| facts.floats());
    let right: Vec<usize> = sizes
        .iter()
        .filter(|(_, reports)| reports.iter().all(passes))
        .map(|(facts, _)| facts.floats())
        .collect();
    let some = right.iter().filter(|floats| **floats > 0).count();
    let larger = right.iter().any(|floats| *floats > smallest);
    if !larger && some < 2 {
        return sizes;
    }
    let why = format!(
        "right at {} of {} sizes, not at this",
        right.len(),
        sizes.len()
    );
    let attribute = |report: Report| match report.verdict() {
        Verdict::Fail(check) if DEPENDS_ON_SIZE.contains(&check) => {
            report.only_at_this_size(Check::Z1, why.clone())
        }
        _ => report,
    };
    let attribute = |(facts, reports): (Facts, Vec<Report>)| {
        (facts, reports.into_iter().map(attribute).collect())
    };
    sizes.into_iter().map(attribute).collect()
}

/// The worst report, but of those that fail one at the smallest size at which anything does: the first.
fn headlined(reports: Vec<Report>) -> Report {
    let Some(first) = reports.iter().find(|report| fails(report)) else {
        return Report::worst(reports);
    };
    let size = first.size().map(str::to_owned);
    let (here, elsewhere): (Vec<_>, Vec<_>) = reports
        .into_iter()
        .partition(|report| report.size() == size.as_deref());
    elsewhere
        .into_iter()
        .fold(Report::worst(here), Report::counting)
}

/// Whether the rule is right at the size that was given; beside it others may have been tried.
fn passes(report: &Report) -> bool {
    let others = [Check::Z2, Check::Z3, Check::Z4].map(Verdict::Fail);
    report.verdict() == Verdict::Pass || others.contains(&report.verdict())
}

fn fails(report: &Report) -> bool {
    matches!(report.verdict(), Verdict::Fail(_))
}

/// Checks that a loop fails which is wrong at some sizes only.
const DEPENDS_ON_SIZE: [Check; 7] = [
    Check::P1,
    Check::P2,
    Check::F1,
    Check::F2,
    Check::R1,
    Check::R1z,
    Check::E1,
];

/// Records that the rule of `_f` has no test, and why.
///
/// **Panics** without a reason.
#[track_caller]
pub fn untested<F>(_f: F, reason: &str) {
    assert!(!reason.trim().is_empty(), "an untested rule needs a reason");
    let record = Record {
        rule: of_type(std::any::type_name::<F>()),
        verdict: "UNTESTED".into(),
        reason: reason.into(),
        ..Record::default()
    };
    record.append();
}

/// Whether as much is active in a mix as in any of those `tested`: all but what is never anything but `Const`.
pub fn is_fullest(mix: &[(&str, &str)], tested: &[(&str, &[&str])]) -> bool {
    let fullest = |name: &str| {
        let values = tested.iter().find(|(tested, _)| *tested == name)?.1;
        let active = values.iter().find(|value| **value != "Const");
        active.or(values.first()).copied()
    };
    mix.iter().all(|(name, value)| match fullest(name) {
        // in forward mode it is a tangent
        Some("Active") => matches!(*value, "Active" | "Duplicated"),
        Some(fullest) => fullest == *value || *name == "mode",
        None => true,
    })
}

/// Requires every line of `unsupported` to speak of some mix.
///
/// **Panics** if one names an argument or an activity that is not tested.
#[track_caller]
pub fn assert_lines_apply(unsupported: &[Unsupported], tested: &[(&str, &[&str])]) {
    for line in unsupported {
        assert!(
            !line.reason.trim().is_empty(),
            "an unsupported mix needs a reason: {:?}",
            line.of
        );
        for (name, value) in line.of {
            // in forward mode an active return is asked for with and without the primal
            let known = ["Duplicated", "DuplicatedNoNeed"].contains(value) && *name == "ret"
                || tested
                    .iter()
                    .any(|(tested, values)| tested == name && values.contains(value));
            assert!(
                known,
                "stale line in `unsupported`: no mix has {name}: {value}"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::facts::{ArgumentFacts, Taken};
    use super::*;

    const LINE: Unsupported = Unsupported {
        of: &[("y", "Const"), ("mode", "reverse")],
        reason: "y is all there is",
    };
    const MIX: [(&str, &str); 3] = [("mode", "reverse"), ("y", "Const"), ("ret", "Active")];

    fn passed() -> Report {
        let mut report = Report::new(Case::new("f", Mode::Reverse), Overrides::none());
        report.compare_block(
            Check::R4,
            &crate::Block::alone("y", &[]),
            None,
            &[0.0],
            &[crate::Estimate::exact(0.0)],
        );
        report
    }

    #[test]
    fn missing_rule_fails_unless_a_line_says_so() {
        let mut missing = Outcomes::new("f", &MIX, &[]);
        missing.add(1, None);
        let report = missing.report();
        assert_eq!(report.verdict(), Verdict::Fail(Check::C1));
        assert!(
            report.to_string().contains("no reverse rule in width [1]"),
            "{report}"
        );

        let mut declared = Outcomes::new("f", &MIX, &[LINE]);
        declared.add(1, None);
        assert_eq!(
            declared.report().verdict(),
            Verdict::Unsupported(LINE.reason.into())
        );
    }

    #[test]
    fn line_about_a_mix_that_has_a_rule_is_stale() {
        let mut stale = Outcomes::new("f", &MIX, &[LINE]);
        stale.add(1, Some(passed()));
        let report = stale.report();
        assert_eq!(report.verdict(), Verdict::Fail(Check::C1));
        assert!(
            report
                .to_string()
                .contains("but there is a rule in width [1]"),
            "{report}"
        );
    }

    #[test]
    fn line_about_another_mix_does_not_count() {
        let mut other = Outcomes::new("f", &[("mode", "forward"), ("y", "Const")], &[LINE]);
        other.add(1, Some(passed()));
        other.add_if_any(None);
        assert_eq!(other.report().verdict(), Verdict::Pass);
    }

    /// A function of one argument with so many floats.
    fn facts(floats: usize) -> Facts {
        Facts {
            rule: "f".into(),
            arguments: vec![ArgumentFacts {
                name: "y".into(),
                taken: Taken::Read,
                floats,
            }],
            returned: Some(1),
        }
    }

    fn vacuous() -> Report {
        let mut report = passed();
        report.pronounce(Verdict::Vacuous("all zero".into()));
        report
    }

    /// The verdict of a mix from those at some sizes.
    fn of_sizes(sizes: impl IntoIterator<Item = (usize, Report)>) -> Verdict {
        let mut outcomes = Outcomes::new("f", &MIX, &[]);
        for (floats, report) in sizes {
            outcomes.add(1, Some(report));
            outcomes.of(facts(floats));
        }
        outcomes.report().verdict()
    }

    #[test]
    fn empty_arguments_may_be_vacuous_if_others_are_not() {
        assert_eq!(of_sizes([(3, passed()), (0, vacuous())]), Verdict::Pass);
        assert!(matches!(
            of_sizes([(3, vacuous()), (0, passed())]),
            Verdict::Vacuous(_)
        ));
        assert!(matches!(
            of_sizes([(3, passed()), (2, vacuous())]),
            Verdict::Vacuous(_)
        ));
        assert!(matches!(of_sizes([(0, vacuous())]), Verdict::Vacuous(_)));
        let mut failed = vacuous();
        failed.pronounce(Verdict::Fail(Check::P3));
        assert_eq!(
            of_sizes([(3, passed()), (0, failed)]),
            Verdict::Fail(Check::P3)
        );
    }

    #[test]
    fn records_say_what_was_active_and_how_it_went() {
        let mut outcomes = Outcomes::new("f", &MIX, &[]);
        for (width, floats) in [(1, 0), (3, 4), (1, 2)] {
            outcomes.add(width, Some(passed()));
            outcomes.of(facts(floats));
        }
        let record = outcomes.record().unwrap();
        assert_eq!(
            (record.rule.as_str(), record.mode.as_str()),
            ("f", "reverse")
        );
        assert_eq!(
            record.arguments,
            [("y".into(), "Const".into(), Taken::Read)]
        );
        assert_eq!(
            (record.returned.as_str(), record.widths),
            ("Active", vec![1, 3])
        );
    }

    #[test]
    fn arguments_and_returns_without_floats_have_no_activity() {
        let mut outcomes = Outcomes::new("f", &MIX, &[]);
        outcomes.add(1, Some(passed()));
        outcomes.of(Facts {
            returned: Some(0),
            ..facts(0)
        });
        let record = outcomes.record().unwrap();
        assert_eq!((record.arguments, record.returned.as_str()), (vec![], ""));
    }

    #[test]
    #[should_panic = "an untested rule needs a reason"]
    fn untested_without_a_reason_is_refused() {
        untested((), " ");
    }

    #[test]
    #[should_panic = "stale line in `unsupported`: no mix has y: Const"]
    fn line_about_no_mix_is_refused() {
        assert_lines_apply(&[LINE], &[("y", &["Duplicated"]), ("mode", &["reverse"])]);
    }
}
