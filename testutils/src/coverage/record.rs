//! One line of the file that `TESTUTILS_COVERAGE` names: what one test found.

use std::fmt;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;

use super::facts::Taken;

/// What one test found of one mix of one rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The path at which the rule's marker is defined.
    pub rule: String,
    /// `forward` or `reverse`; empty for a rule that is declared untested.
    pub mode: String,
    /// The activity of the return; empty if it has no floats.
    pub returned: String,
    /// Each argument that has floats: its name, its activity, how it is taken.
    pub arguments: Vec<(String, String, Taken)>,
    /// The widths in which there is a rule.
    pub widths: Vec<usize>,
    /// The verdict in one word.
    pub verdict: String,
    /// How many numbers were compared.
    pub comparisons: usize,
    /// Why there is no rule or no test.
    pub reason: String,
    /// What the author allows, and why.
    pub overrides: Vec<String>,
}

impl Taken {
    const ALL: [(Taken, &str); 4] = [
        (Taken::Value, "value"),
        (Taken::Read, "read"),
        (Taken::Written, "written"),
        (Taken::Overwritten, "overwritten"),
    ];

    fn word(self) -> &'static str {
        let row = Self::ALL.iter().find(|(taken, _)| *taken == self);
        row.expect("every way has a word").1
    }
}

impl Record {
    /// The file that the environment asks for, if it asks.
    pub const VARIABLE: &str = "TESTUTILS_COVERAGE";

    /// Adds the record to the file that the environment names; does nothing if it names none.
    ///
    /// **Panics** if the file cannot be written: a record that is lost would be reported as a missing test.
    pub fn append(&self) {
        if let Some(path) = std::env::var_os(Self::VARIABLE) {
            let path = Path::new(&path);
            if let Err(error) = self.append_to(path) {
                panic!("{}={}: {error}", Self::VARIABLE, path.display());
            }
        }
    }

    fn append_to(&self, path: &Path) -> io::Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        // One write: other tests append to the same file.
        file.write_all(format!("{self}\n").as_bytes())
    }
}

/// Tab-separated fields, in the order of the struct.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let argument = |(name, activity, taken): &(String, String, Taken)| {
            format!("{name}:{activity}:{}", taken.word())
        };
        let fields = [
            self.rule.clone(),
            self.mode.clone(),
            self.returned.clone(),
            join(self.arguments.iter().map(argument), ","),
            join(self.widths.iter().map(usize::to_string), ","),
            self.verdict.clone(),
            self.comparisons.to_string(),
            self.reason.clone(),
            join(self.overrides.iter().cloned(), "|"),
        ];
        let one_line = |field: &String| field.replace(['\t', '\n'], " ");
        f.write_str(&join(fields.iter().map(one_line), "\t"))
    }
}

fn join(words: impl Iterator<Item = String>, with: &str) -> String {
    words.collect::<Vec<_>>().join(with)
}

/// A line that is not a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseRecordError {
    line: String,
}

impl fmt::Display for ParseRecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a record of coverage: {:?}", self.line)
    }
}

impl std::error::Error for ParseRecordError {}

impl FromStr for Record {
    type Err = ParseRecordError;

    fn from_str(line: &str) -> Result<Self, ParseRecordError> {
        parse(line).ok_or_else(|| ParseRecordError { line: line.into() })
    }
}

fn parse(line: &str) -> Option<Record> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [
        rule,
        mode,
        returned,
        arguments,
        widths,
        verdict,
        comparisons,
        reason,
        overrides,
    ] = fields.as_slice()
    else {
        return None;
    };
    let argument = |text: &str| {
        let mut parts = text.split(':');
        let (name, activity, word) = (parts.next()?, parts.next()?, parts.next()?);
        let (taken, _) = Taken::ALL.iter().find(|(_, of)| *of == word)?;
        Some((name.to_owned(), activity.to_owned(), *taken))
    };
    Some(Record {
        rule: (*rule).into(),
        mode: (*mode).into(),
        returned: (*returned).into(),
        arguments: words(arguments, ',').map(argument).collect::<Option<_>>()?,
        widths: words(widths, ',')
            .map(|width| width.parse().ok())
            .collect::<Option<_>>()?,
        verdict: (*verdict).into(),
        comparisons: comparisons.parse().ok()?,
        reason: (*reason).into(),
        overrides: words(overrides, '|').map(str::to_owned).collect(),
    })
}

fn words(text: &str, at: char) -> impl Iterator<Item = &str> {
    text.split(at).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        Record {
            rule: "rules::dot".into(),
            mode: "reverse".into(),
            returned: "Active".into(),
            arguments: vec![
                ("x".into(), "Const".into(), Taken::Read),
                ("y".into(), "Duplicated".into(), Taken::Overwritten),
            ],
            widths: vec![1, 3],
            verdict: "PASS".into(),
            comparisons: 120,
            reason: String::new(),
            overrides: vec!["P1 within 8 ulp: summed in blocks".into(), "vacuous".into()],
        }
    }

    #[test]
    fn records_are_read_as_they_were_written() {
        assert_eq!(record().to_string().parse(), Ok(record()));
        let empty = Record::default();
        assert_eq!(empty.to_string().parse(), Ok(empty));
    }

    #[test]
    fn a_record_is_one_line_whatever_its_reason() {
        let reason = "first\nsecond\tthird".into();
        let record = Record { reason, ..record() };
        let read: Record = record.to_string().parse().unwrap();
        assert_eq!(read.reason, "first second third");
    }

    #[test]
    fn what_is_no_record_is_refused() {
        let wrong_way = record().to_string().replace(":read", ":stolen");
        for line in ["", "a\tb", &wrong_way] {
            let error = line.parse::<Record>().unwrap_err();
            assert!(error.to_string().contains("not a record"), "{error}");
        }
    }

    #[test]
    fn records_are_appended() {
        let path = std::env::temp_dir().join(format!("coenzyme-record-{}", std::process::id()));
        record().append_to(&path).unwrap();
        record().append_to(&path).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(text, format!("{0}\n{0}\n", record()));
    }
}
