//! The message of a report.
//!
//! ```text
//! FAIL square_sum  reverse  R1 adjoints added to non-zero shadows
//!   mix     ret=Active y=Duplicated x=Duplicated | width 1 | n=5 f64
//!   where   x.shadow lane 0: 5 wrong entries, the worst three:
//!           index  got                     differences            ±allowed
//!           [4]      5.5000000000000000      2.7500000000000000    1.1e-14
//!   spread  distance/allowed: 1e2..1e4: 2, above: 3
//!   FD      x.shadow[4]: plateau h=2^-5..2^-14 (order 2), noise 1.0 ulp
//!   likely  `reverse` assigns a shadow; it must accumulate
//!   replay  TESTUTILS_REPLAY=v1:square_sum:rev:Active,Dup,Dup:7 cargo test square_sum
//! ```

use std::collections::HashSet;
use std::fmt::{Formatter, Result, Write};

use super::{Finding, Report};
use crate::canary::{is_canary, poisoned_by};
use crate::tolerance::Judgement;
use crate::verdict::Verdict;

/// Entries of the first table, where there is room for them, and of the others; the rest is counted.
const SHOWN: [usize; 3] = [3, 1, 1];

/// Lines of a message: a screen.
const SCREEN: usize = 25;

/// Columns of a message beside its labels, so that all fits into a hundred.
const WIDTH: usize = 90;

/// Lines of a note.
const LINES: usize = 3;

/// A message, or a part of it.
#[derive(Default)]
struct Text {
    coloured: bool,
    text: String,
}

impl Text {
    fn lines(&self) -> usize {
        self.text.lines().count()
    }
}

pub(super) fn write(f: &mut Formatter<'_>, report: &Report) -> Result {
    let empty = || Text {
        coloured: f.alternate(),
        text: String::new(),
    };
    let (mut head, mut tail) = (empty(), empty());
    headline(&mut head, report)?;
    if !report.case.facts().is_empty() {
        line(&mut head, "mix", &report.case.facts())?;
    }
    after_the_tables(&mut tail, report)?;
    // As many tables as the screen has room for; the first always.
    let tables = tables(&report.findings);
    let (mut body, mut written) = (empty(), 0);
    for (table, shown) in tables.iter().zip(SHOWN) {
        let room = SCREEN.saturating_sub(head.lines() + body.lines() + tail.lines() + 1);
        let at_most = |shown: usize| -> std::result::Result<Text, std::fmt::Error> {
            let mut text = empty();
            write_table(&mut text, table, shown, written == 0)?;
            Ok(text)
        };
        let mut text = at_most(shown)?;
        if text.lines() > room {
            text = at_most(1)?;
        }
        if text.lines() > room && written > 0 {
            break;
        }
        body.text += &text.text;
        written += 1;
    }
    if tables.len() > written {
        let further = tables.len() - written;
        let text = format!("{further} further arguments, lanes or checks");
        line(&mut body, "more", &text)?;
    }
    f.write_str(&head.text)?;
    f.write_str(&body.text)?;
    f.write_str(&tail.text)
}

fn after_the_tables(out: &mut Text, report: &Report) -> Result {
    if let Verdict::Fail(check) = report.verdict() {
        line(out, "likely", check.likely())?;
    }
    for (label, text) in &report.notes {
        line(out, label, text)?;
    }
    for given in report.overrides.all() {
        line(out, "allowed", &given.to_string())?;
    }
    for (check, why) in &report.unjudged {
        line(out, "unknown", &format!("{check:?} not judged: {why}"))?;
    }
    for text in &report.advice {
        line(out, "advice", text)?;
    }
    line(out, "replay", &super::replay(&report.case, ""))
}

fn headline(out: &mut Text, report: &Report) -> Result {
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
    let word = painted(out, verdict.word(), colour);
    let (rule, mode) = (report.case.rule(), report.case.mode());
    writeln!(out.text, "{word} {rule}  {mode}  {explanation}")
}

/// The findings by check, argument and lane, in the order of the worst of each. An entry stands in one table only, that of the
/// check that tells most; how often it was wrong is counted.
fn tables(findings: &[Finding]) -> Vec<Table<'_>> {
    let mut tables: Vec<Table<'_>> = Vec::new();
    let mut seen = HashSet::new();
    for finding in findings {
        let new = seen.insert((finding.place.to_string(), finding.lane));
        let place = tables
            .iter()
            .position(|table| table.entries[0].beside(finding));
        match place {
            Some(place) => {
                tables[place].count += 1;
                if new {
                    tables[place].entries.push(finding);
                }
            }
            None if new => tables.push(Table {
                entries: vec![finding],
                count: 1,
            }),
            None => {}
        }
    }
    tables
}

/// What is said of one argument, in one lane, by one check.
struct Table<'r> {
    /// Each entry once, at its worst.
    entries: Vec<&'r Finding>,
    /// How often one of them did not pass.
    count: usize,
}

fn write_table(out: &mut Text, table: &Table<'_>, at_most: usize, first: bool) -> Result {
    let Table { entries, count } = table;
    let worst = entries[0];
    let lane = worst
        .lane
        .map_or(String::new(), |lane| format!(" lane {lane}"));
    let kind = if worst.is_wrong() { "wrong" } else { "unknown" };
    let shown = entries.len().min(at_most);
    let (argument, check) = (&worst.place.argument, worst.check);
    let text = format!("{argument}{lane}: {check:?}, {count} {kind}, {shown} shown");
    line(out, "where", &text)?;
    line(
        out,
        "",
        &row("index", "got", worst.check.source(), "±allowed"),
    )?;
    for finding in &entries[..shown] {
        let (got, expected) = (number(finding.got), number(finding.expected));
        let limit = format!("{:.1e}", finding.limit);
        let index = finding.place.subscript();
        line(out, "", &row(&index, &got, &expected, &limit))?;
        if !finding.seeds.is_empty() {
            line(out, "", &format!("  where {}", shortened(&finding.seeds)))?;
        }
    }
    if let Judgement::Inconclusive(doubt) = worst.judgement {
        line(out, "doubt", &format!("{}: {doubt}", worst.place))?;
    }
    if !first {
        return Ok(());
    }
    if entries.len() > shown && worst.is_wrong() {
        line(out, "spread", &histogram(entries))?;
    }
    match worst.plateau {
        Some(plateau) => line(out, "FD", &format!("{}: {plateau}", worst.place)),
        None => Ok(()),
    }
}

/// As much of a text as fits into one line with a word before it.
fn shortened(text: &str) -> String {
    match text.chars().count() > WIDTH - 8 {
        true => text.chars().take(WIDTH - 9).chain(['…']).collect(),
        false => text.to_owned(),
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

fn line(out: &mut Text, label: &str, text: &str) -> Result {
    let painted = painted(out, &format!("{label:<7}"), "2");
    let lines = match label {
        // drawn, line by line
        "picture" => text.lines().map(str::to_owned).collect(),
        _ => wrapped(text),
    };
    writeln!(out.text, "  {painted} {}", lines.join("\n          "))
}

/// A text in lines: a command at a place where a shell goes on with the next, a row of a table as it is, others between words.
fn wrapped(text: &str) -> Vec<String> {
    let is_long = |text: &str| text.chars().count() > WIDTH;
    if !is_long(text) && !text.contains('\n') {
        return vec![text.to_owned()];
    }
    if let Some((id, command)) = text
        .split_once(" cargo test ")
        .filter(|_| text.starts_with("TESTUTILS_REPLAY="))
    {
        return vec![format!("{id} \\"), format!("cargo test {command}")];
    }
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is one");
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= WIDTH {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
        .iter_mut()
        .for_each(|line| *line = line.chars().take(WIDTH).collect());
    if lines.len() > LINES {
        lines.truncate(LINES);
        lines[LINES - 1].push('…');
    }
    lines
}

/// `text` in colours, if the format asks for them (`{:#}`).
fn painted(out: &Text, text: &str, colour: &str) -> String {
    match out.coloured {
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
            "  replay  TESTUTILS_REPLAY=v1:square_sum:rev:Active,Dup,Dup:n5:f64:7 \\\n          cargo test ",
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
