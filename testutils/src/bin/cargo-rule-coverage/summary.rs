//! What became of each rule.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use coenzyme_testutils::__private::{Record, Taken};

use crate::rustdoc::Rule;

/// One rule in one mode.
#[derive(Debug, Default)]
struct Row {
    rule: String,
    mode: &'static str,
    tested: usize,
    /// Mixes whose test ended with a verdict that somebody allows, mixes without a rule, mixes without a green test.
    allowed: Vec<(Mix, String)>,
    unsupported: Vec<(Mix, String)>,
    missing: Vec<Mix>,
    widths: BTreeSet<usize>,
    comparisons: usize,
}

/// Activities: of each argument that has floats, then of the return if it has floats.
type Mix = Vec<(String, String)>;

/// What became of every rule of a library.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    rows: Vec<Row>,
    /// Rules without a test, with the reason.
    untested: Vec<(String, String)>,
    /// What is allowed, with the rules it is allowed to.
    overrides: BTreeMap<String, BTreeSet<String>>,
    rules: usize,
}

impl Summary {
    pub(crate) fn new(rules: &[Rule], records: &[Record]) -> Self {
        let mut summary = Summary {
            rules: rules.len(),
            ..Summary::default()
        };
        for rule in rules {
            let mine = || {
                records
                    .iter()
                    .filter(|record| rule.paths.contains(&record.rule))
            };
            if let Some(declared) = mine().find(|record| record.mode.is_empty()) {
                summary
                    .untested
                    .push((rule.name().into(), declared.reason.clone()));
                continue;
            }
            for given in mine().flat_map(|record| &record.overrides) {
                let of = summary.overrides.entry(given.clone()).or_default();
                of.insert(rule.name().into());
            }
            for (mode, exists) in [("forward", rule.forward), ("reverse", rule.reverse)] {
                if exists {
                    let records: Vec<_> = mine().filter(|record| record.mode == mode).collect();
                    summary.rows.push(Row::new(rule.name(), mode, &records));
                }
            }
        }
        summary
    }

    /// Whether every mix of every rule has a green test, or a reason.
    pub(crate) fn is_complete(&self) -> bool {
        self.rows.iter().all(|row| row.missing.is_empty())
    }
}

impl Row {
    /// The rule in one mode. Tests may take its arguments in several ways; the one that leaves least open counts.
    fn new(rule: &str, mode: &'static str, records: &[&Record]) -> Self {
        let mut ways: BTreeMap<Vec<&str>, Vec<&Record>> = BTreeMap::new();
        for record in records {
            let taken = record.arguments.iter().map(|(_, _, taken)| word(*taken));
            ways.entry(taken.collect()).or_default().push(record);
        }
        let rows = ways
            .into_values()
            .map(|records| Row::of_one_way(rule, mode, &records));
        let nothing = || Row {
            rule: rule.into(),
            mode,
            missing: vec![vec![("every mix".into(), "no test".into())]],
            ..Row::default()
        };
        rows.min_by_key(|row| row.missing.len())
            .unwrap_or_else(nothing)
    }

    fn of_one_way(rule: &str, mode: &'static str, records: &[&Record]) -> Self {
        let mut row = Row {
            rule: rule.into(),
            mode,
            widths: records
                .iter()
                .flat_map(|record| record.widths.clone())
                .collect(),
            comparisons: records.iter().map(|record| record.comparisons).sum(),
            ..Row::default()
        };
        for mix in legal(mode, records) {
            let activities: Vec<_> = mix.iter().map(|(_, activity)| activity.as_str()).collect();
            let of_mix = |record: &&&Record| normal(mode, record) == activities;
            let of_mix: Vec<_> = records.iter().filter(of_mix).collect();
            let verdict = |word: &str| of_mix.iter().find(|record| record.verdict == word);
            let red = of_mix.iter().find(|record| !is_green(record));
            if let (Some(_), _) | (None, []) = (red, of_mix.as_slice()) {
                row.missing.push(mix);
            } else if verdict("PASS").is_some() {
                row.tested += 1;
            } else if let Some(record) = verdict("UNSUPPORTED") {
                row.unsupported.push((mix, record.reason.clone()));
            } else {
                row.allowed.push((mix, of_mix[0].verdict.clone()));
            }
        }
        row
    }
}

fn word(taken: Taken) -> &'static str {
    match taken {
        Taken::Value => "value",
        Taken::Read => "read",
        Taken::Written => "written",
        Taken::Overwritten => "overwritten",
    }
}

/// Whether the test that left the record was green.
fn is_green(record: &Record) -> bool {
    let allowed = |prefix: &str| {
        record
            .overrides
            .iter()
            .any(|given| given.starts_with(prefix))
    };
    match record.verdict.as_str() {
        "PASS" | "UNSUPPORTED" => true,
        "VACUOUS" => allowed("vacuous allowed"),
        "INCONCLUSIVE" => allowed("inconclusive allowed"),
        _ => false,
    }
}

/// Every mix that a rule can be asked for, of arguments as the records took them.
fn legal(mode: &str, records: &[&Record]) -> Vec<Mix> {
    let Some(first) = records.first() else {
        return vec![];
    };
    let arguments = first.arguments.iter();
    let mut slots: Vec<(String, &[&str])> = arguments
        .map(|(name, _, taken)| (name.clone(), activities(*taken)))
        .collect();
    if records.iter().all(|record| !record.returned.is_empty()) {
        let of_return: &[&str] = match mode {
            "forward" => &["Const", "Duplicated", "DuplicatedNoNeed"],
            _ => &["Const", "Active"],
        };
        slots.push(("ret".into(), of_return));
    }
    let mut mixes: Vec<Mix> = vec![vec![]];
    for (name, activities) in slots {
        let with = |mix: &Mix| -> Vec<Mix> {
            let longer = activities.iter().map(|activity| {
                let mut mix = mix.clone();
                mix.push((name.clone(), (*activity).into()));
                mix
            });
            longer.collect()
        };
        mixes = mixes.iter().flat_map(with).collect();
    }
    mixes
}

fn activities(taken: Taken) -> &'static [&'static str] {
    match taken {
        Taken::Value => &["Const", "Active"],
        Taken::Read | Taken::Written => &["Const", "Duplicated"],
        Taken::Overwritten => &["Const", "Duplicated", "DuplicatedNoNeed"],
    }
}

/// The activities of a record, in the words of [`legal`]: a value that is not constant is `Active` in either mode.
fn normal<'r>(mode: &str, record: &'r Record) -> Vec<&'r str> {
    let argument =
        |(_, activity, taken): &'r (String, String, Taken)| match (activity.as_str(), taken) {
            ("Const", _) => "Const",
            (_, Taken::Value) => "Active",
            (other, _) => other,
        };
    let returned = match (record.returned.as_str(), mode) {
        ("", _) => None,
        ("Const", _) => Some("Const"),
        ("Active", "forward") => Some("Duplicated"),
        (other, "forward") => Some(other),
        (_, _) => Some("Active"),
    };
    record
        .arguments
        .iter()
        .map(argument)
        .chain(returned)
        .collect()
}

fn words(mix: &Mix) -> String {
    let words: Vec<_> = mix
        .iter()
        .map(|(name, activity)| format!("{name}={activity}"))
        .collect();
    words.join(" ")
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let longest = self
            .rows
            .iter()
            .map(|row| row.rule.len())
            .max()
            .unwrap_or(0)
            .max(4);
        writeln!(
            f,
            "{:longest$} mode    tested allowed unsupported missing  widths comparisons",
            "rule"
        )?;
        for row in &self.rows {
            let widths: Vec<_> = row.widths.iter().map(usize::to_string).collect();
            writeln!(
                f,
                "{:longest$} {} {:>6} {:>7} {:>11} {:>7} {:>7} {:>11}",
                row.rule,
                row.mode,
                row.tested,
                row.allowed.len(),
                row.unsupported.len(),
                row.missing.len(),
                widths.join(" "),
                row.comparisons,
            )?;
        }
        self.section(f, "unsupported", |row| {
            row.unsupported.iter().map(with_reason).collect()
        })?;
        self.section(f, "allowed", |row| {
            row.allowed.iter().map(with_reason).collect()
        })?;
        for (given, rules) in &self.overrides {
            let share = 100 * rules.len() / self.rules;
            let rules: Vec<_> = rules.iter().map(String::as_str).collect();
            writeln!(
                f,
                "override  {given}: {} ({share} % of rules)",
                rules.join(", ")
            )?;
        }
        for (rule, reason) in &self.untested {
            writeln!(f, "untested  {rule}: {reason}")?;
        }
        self.section(f, "missing", |row| row.missing.iter().map(words).collect())?;
        let count = |of: fn(&Row) -> usize| self.rows.iter().map(of).sum::<usize>();
        writeln!(
            f,
            "{} rules: {} mixes tested by {} comparisons, {} allowed, {} unsupported, {} missing; {} rules untested",
            self.rules,
            count(|row| row.tested),
            count(|row| row.comparisons),
            count(|row| row.allowed.len()),
            count(|row| row.unsupported.len()),
            count(|row| row.missing.len()),
            self.untested.len(),
        )
    }
}

fn with_reason((mix, reason): &(Mix, String)) -> String {
    format!("{}: {reason}", words(mix))
}

impl Summary {
    /// One line for each of some mixes of each rule.
    fn section(
        &self,
        f: &mut fmt::Formatter<'_>,
        label: &str,
        lines: impl Fn(&Row) -> Vec<String>,
    ) -> fmt::Result {
        for row in &self.rows {
            for line in lines(row) {
                writeln!(f, "{label}  {} {} {line}", row.rule, row.mode)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(forward: bool) -> Rule {
        let paths = ["rules::deep::scale".to_owned(), "rules::scale".to_owned()];
        Rule {
            paths: paths.into(),
            forward,
            reverse: true,
        }
    }

    /// A test of `y ← a·x`, which returns nothing.
    fn record(y: &str, a: &str, verdict: &str) -> Record {
        Record {
            rule: "rules::deep::scale".into(),
            mode: "reverse".into(),
            arguments: vec![
                ("y".into(), y.into(), Taken::Overwritten),
                ("a".into(), a.into(), Taken::Value),
            ],
            widths: vec![1, 2, 3],
            verdict: verdict.into(),
            comparisons: 10,
            ..Record::default()
        }
    }

    fn all() -> Vec<Record> {
        let mut records = Vec::new();
        for y in ["Const", "Duplicated", "DuplicatedNoNeed"] {
            records.extend(["Const", "Mixed"].map(|a| record(y, a, "PASS")));
        }
        records
    }

    #[test]
    fn all_mixes_are_complete() {
        let summary = Summary::new(&[rule(false)], &all());
        assert!(summary.is_complete(), "{summary}");
        let text = summary.to_string();
        assert!(text.contains("rules::scale reverse      6"), "{text}");
        assert!(text.ends_with("1 rules: 6 mixes tested by 60 comparisons, 0 allowed, 0 unsupported, 0 missing; 0 rules untested\n"), "{text}");
    }

    #[test]
    fn a_mix_without_a_test_is_missing() {
        let mut records = all();
        records.remove(3);
        let summary = Summary::new(&[rule(false)], &records);
        assert!(!summary.is_complete());
        let text = summary.to_string();
        assert!(
            text.contains("missing  rules::scale reverse y=Duplicated a=Active"),
            "{text}"
        );
    }

    #[test]
    fn a_mix_whose_test_failed_is_missing_even_if_another_passed() {
        let records = [all(), vec![record("Const", "Const", "FAIL")]].concat();
        assert!(!Summary::new(&[rule(false)], &records).is_complete());
    }

    #[test]
    fn a_mode_without_a_test_is_missing() {
        let summary = Summary::new(&[rule(true)], &all());
        assert!(!summary.is_complete());
        let text = summary.to_string();
        assert!(
            text.contains("missing  rules::scale forward every mix=no test"),
            "{text}"
        );
    }

    #[test]
    fn reasons_excuse_and_are_printed() {
        let mut records = all();
        records[0] = Record {
            reason: "of no use".into(),
            ..record("Const", "Const", "UNSUPPORTED")
        };
        let overrides = vec!["vacuous allowed: flat here".into()];
        records[1] = Record {
            overrides,
            ..record("Const", "Active", "VACUOUS")
        };
        let summary = Summary::new(&[rule(false)], &records);
        assert!(summary.is_complete(), "{summary}");
        let text = summary.to_string();
        for line in [
            "unsupported  rules::scale reverse y=Const a=Const: of no use",
            "allowed  rules::scale reverse y=Const a=Active: VACUOUS",
            "override  vacuous allowed: flat here: rules::scale (100 % of rules)",
        ] {
            assert!(text.contains(line), "{text}");
        }
        records[1].overrides.clear();
        assert!(!Summary::new(&[rule(false)], &records).is_complete());
    }

    #[test]
    fn an_untested_rule_needs_its_line() {
        let rules = [rule(true)];
        assert!(!Summary::new(&rules, &[]).is_complete());
        let declared = Record {
            rule: "rules::scale".into(),
            verdict: "UNTESTED".into(),
            reason: "needs a device".into(),
            ..Record::default()
        };
        let summary = Summary::new(&rules, &[declared]);
        assert!(summary.is_complete());
        assert!(
            summary
                .to_string()
                .contains("untested  rules::scale: needs a device")
        );
    }

    #[test]
    fn active_returns_must_be_tested_if_there_are_floats_to_return() {
        let with = |mode: &str, returned: &str| Record {
            mode: mode.into(),
            returned: returned.into(),
            arguments: vec![],
            ..record("", "", "PASS")
        };
        let complete = |records: &[Record]| Summary::new(&[rule(true)], records).is_complete();
        let forward = ["Const", "Duplicated", "DuplicatedNoNeed"].map(|ret| with("forward", ret));
        let reverse = ["Const", "Duplicated"].map(|ret| with("reverse", ret));
        assert!(complete(&[forward.to_vec(), reverse.to_vec()].concat()));
        assert!(!complete(
            &[forward.to_vec(), reverse[..1].to_vec()].concat()
        ));
        assert!(complete(&[with("forward", ""), with("reverse", "")]));
    }
}
