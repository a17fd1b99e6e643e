//! The message of a report.
//!
//! ```text
//! FAIL square_sum  reverse  R1 adjoints added to non-zero shadows
//!   mix     ret=Active y=Duplicated x=Duplicated | width 1 | n=5 f64
//!   where   x.shadow lane 0: 5 wrong entries, the worst three:
//!           index  got                     differences             allowed
//!           [4]      5.5000000000000000      2.7500000000000000    1.1e-14
//!   spread  distance/allowed: 1e2..1e4: 2, above: 3
//!   FD      x.shadow[4]: plateau h=2^-5..2^-14 (order 2), noise 1.0 ulp
//!   likely  `reverse` assigns a shadow; it must accumulate
//!   replay  TESTUTILS_REPLAY=v1:square_sum:rev:Active,Dup,Dup:7 cargo test square_sum
//! ```

use std::fmt::{Formatter, Result};

use super::{Finding, Report};
use crate::canary::{is_canary, poisoned_by};
use crate::tolerance::Judgement;
use crate::verdict::Verdict;

/// Entries and tables shown; the rest is counted.
const SHOWN: usize = 3;

pub(super) fn write(f: &mut Formatter<'_>, report: &Report) -> Result {
    headline(f, report)?;
    if !report.case.facts().is_empty() {
        line(f, "mix", &report.case.facts())?;
    }
    let tables = tables(&report.findings);
    for table in tables.iter().take(SHOWN) {
        write_table(f, table)?;
    }
    if tables.len() > SHOWN {
        line(
            f,
            "more",
            &format!(
                "{} further arguments, lanes or checks",
                tables.len() - SHOWN
            ),
        )?;
    }
    if let Verdict::Fail(check) = report.verdict() {
        line(f, "likely", check.likely())?;
    }
    for (label, text) in &report.notes {
        line(f, label, text)?;
    }
    for given in report.overrides.all() {
        line(f, "allowed", &given.to_string())?;
    }
    for (check, why) in &report.unjudged {
        line(f, "unknown", &format!("{check:?} not judged: {why}"))?;
    }
    for text in &report.advice {
        line(f, "advice", text)?;
    }
    line(f, "replay", &super::replay(&report.case, ""))
}

fn headline(f: &mut Formatter<'_>, report: &Report) -> Result {
    let verdict = report.verdict();
    let colour = match &verdict {
        Verdict::Fail(_) => "31;1",
        Verdict::Inconclusive(_) | Verdict::Vacuous(_) => "33;1",
        Verdict::Pass | Verdict::Unsupported(_) => "32;1",
    };
    let text = verdict.to_string();
    let explanation = text
        .strip_prefix(verdict.word())
        .unwrap_or_default()
        .trim_start();
    let word = painted(f, verdict.word(), colour);
    let (rule, mode) = (report.case.rule(), report.case.mode());
    writeln!(f, "{word} {rule}  {mode}  {explanation}")
}

/// The findings by check, argument and lane, in the order of the worst of each.
fn tables(findings: &[Finding]) -> Vec<Vec<&Finding>> {
    let mut tables: Vec<Vec<&Finding>> = Vec::new();
    for finding in findings {
        match tables.iter_mut().find(|table| table[0].beside(finding)) {
            Some(table) => table.push(finding),
            None => tables.push(vec![finding]),
        }
    }
    tables
}

fn write_table(f: &mut Formatter<'_>, table: &[&Finding]) -> Result {
    let worst = table[0];
    let lane = worst
        .lane
        .map_or(String::new(), |lane| format!(" lane {lane}"));
    let kind = if worst.is_wrong() { "wrong" } else { "unknown" };
    // An entry is shown once, at its worst; how often it was wrong is counted.
    let mut distinct: Vec<&Finding> = Vec::new();
    for finding in table {
        if distinct.iter().all(|known| known.place != finding.place) {
            distinct.push(finding);
        }
    }
    let shown = distinct.len().min(SHOWN);
    let (argument, check) = (&worst.place.argument, worst.check);
    let count = format!(
        "{argument}{lane}: {check:?}, {} {kind}, {shown} shown",
        table.len()
    );
    line(f, "where", &count)?;
    line(f, "", &row("index", "got", worst.check.source(), "allowed"))?;
    for finding in distinct.iter().take(SHOWN) {
        let (got, expected) = (number(finding.got), number(finding.expected));
        let limit = format!("{:.1e}", finding.limit);
        let index = finding.place.subscript();
        let row = row(&index, &got, &expected, &limit);
        line(f, "", &format!("{row}{}", beside_row(&finding.seeds)))?;
    }
    if table.len() > SHOWN && worst.is_wrong() {
        line(f, "spread", &histogram(table))?;
    }
    if let Judgement::Inconclusive(doubt) = worst.judgement {
        line(f, "doubt", &format!("{}: {doubt}", worst.place))?;
    }
    match worst.plateau {
        Some(plateau) => line(f, "FD", &format!("{}: {plateau}", worst.place)),
        None => Ok(()),
    }
}

/// Which seeds it was, where they were not all those drawn.
fn beside_row(seeds: &str) -> String {
    match seeds {
        "" => String::new(),
        seeds => format!("  where {seeds}"),
    }
}

fn row(index: &str, got: &str, expected: &str, limit: &str) -> String {
    format!("{index:<8} {got:>24} {expected:>24} {limit:>8}")
}

/// How many entries are wrong by how much.
fn histogram(table: &[&Finding]) -> String {
    let between = |low: f64, high: f64| {
        table
            .iter()
            .filter(|finding| (low..high).contains(&finding.excess()))
            .count()
    };
    let far = table
        .iter()
        .filter(|finding| finding.excess() == f64::INFINITY)
        .count();
    let classes = [
        ("under 1e2", between(0.0, 1e2)),
        ("1e2 to 1e6", between(1e2, 1e6)),
        ("over 1e6", between(1e6, f64::INFINITY)),
        ("beyond measure", far),
    ];
    let present = classes.iter().filter(|(_, count)| *count > 0);
    let counts: Vec<_> = present
        .map(|(class, count)| format!("{count} {class}"))
        .collect();
    format!("distance/allowed: {}", counts.join(", "))
}

/// A number with all its digits, or the name of who left it there.
fn number(value: f64) -> String {
    match poisoned_by(value) {
        Some(argument) => format!("NaN from argument {argument}"),
        None if is_canary(value) => "NaN canary".to_owned(),
        None if value == 0.0 || (1e-3..1e4).contains(&value.abs()) => format!("{value:.16}"),
        None => format!("{value:.16e}"),
    }
}

fn line(f: &mut Formatter<'_>, label: &str, text: &str) -> Result {
    let label = painted(f, &format!("{label:<7}"), "2");
    let text = text.replace('\n', "\n          ");
    writeln!(f, "  {label} {text}")
}

/// `text` in colours, if the format asks for them (`{:#}`).
fn painted(f: &Formatter<'_>, text: &str, colour: &str) -> String {
    match f.alternate() {
        true => format!("\x1b[{colour}m{text}\x1b[0m"),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Case, Check, Estimate, Layout, Mode, Overrides, Report, Verdict, canary, poison};

    fn report() -> Report {
        let case = Case::new("square_sum", Mode::Reverse)
            .fact("ret=Active y=Duplicated x=Duplicated", "Active,Dup,Dup")
            .fact("n=5 f64", "n5:f64")
            .seed(7);
        Report::new(case, Overrides::none())
    }

    #[test]
    fn failure_tells_the_whole_story() {
        let mut report = report();
        let x = Layout::new().with("x.shadow", &[5]);
        let got = [poison(1), canary(), 3.0, 1e-9, 7.25];
        for (index, got) in got.into_iter().enumerate() {
            report.compare(
                Check::R6,
                x.place(index),
                Some(0),
                got,
                &Estimate::exact(7.25),
            );
        }
        report.note("shrunk", "n=1 x=[1.5] (14 steps)");
        let text = report.to_string();
        for part in [
            "FAIL square_sum  reverse  R6 tape independent of overwritten arguments\n",
            "  mix     ret=Active y=Duplicated x=Duplicated | n=5 f64\n",
            "  where   x.shadow lane 0: R6, 4 wrong, 3 shown\n",
            "unpoisoned",
            "[0]           NaN from argument 1       7.2500000000000000    0.0e0\n",
            "NaN canary",
            "  spread  distance/allowed: 4 beyond measure\n",
            "  likely  `reverse` reads a primal",
            "  shrunk  n=1 x=[1.5] (14 steps)\n",
            "  replay  TESTUTILS_REPLAY=v1:square_sum:rev:Active,Dup,Dup:n5:f64:7 cargo test ",
        ] {
            assert!(text.contains(part), "{part:?} is missing in\n{text}");
        }
        assert!(
            !text.contains("[3]"),
            "only three entries are shown\n{text}"
        );
    }

    #[test]
    fn colours_are_asked_for() {
        assert!(!report().to_string().contains('\x1b'));
        assert!(format!("{:#}", report()).starts_with("\x1b[33;1mVACUOUS\x1b[0m square_sum"));
    }

    #[test]
    fn differences_say_where_they_were_taken() {
        let slopes = crate::Ladder::default().column(|x| Some(vec![x[0].sin()]), &[1.0], 0);
        let mut report = report();
        let x = Layout::new().with("x.shadow", &[]);
        report.compare(Check::R1z, x.place(0), None, 0.5, &slopes.unwrap()[0]);
        let text = report.to_string();
        assert!(text.contains("FD      x.shadow: plateau h=2^-"), "{text}");
        assert!(text.contains("differences"), "{text}");
    }

    #[test]
    fn doubts_are_explained() {
        let slopes = crate::Ladder::default().column(|x| Some(vec![x[0].max(1.0)]), &[1.0], 0);
        let mut report = report();
        let x = Layout::new().with("x.shadow", &[]);
        report.compare(Check::R1z, x.place(0), None, 0.5, &slopes.unwrap()[0]);
        let text = report.to_string();
        assert!(
            text.starts_with("INCONCLUSIVE")
                && text.contains("doubt   x.shadow: the primal has a kink")
        );
    }

    #[test]
    fn further_tables_are_counted() {
        let mut report = report();
        let x = Layout::new().with("x.shadow", &[]);
        for lane in 0..5 {
            report.compare(
                Check::R4,
                x.place(0),
                Some(lane),
                1.0,
                &Estimate::exact(0.0),
            );
        }
        report.pronounce(Verdict::Vacuous("J = 0".into()));
        assert!(
            report
                .to_string()
                .contains("more    2 further arguments, lanes or checks")
        );
    }
}
