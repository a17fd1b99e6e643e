//! What is run, in which order.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

use coenzyme_testutils::__private::{ParseRecordError, Record};

use crate::rustdoc;
use crate::summary::Summary;

/// The command line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Command {
    package: Option<String>,
    /// The records of tests that have run.
    records: Option<PathBuf>,
    /// Options of `cargo doc` and of `cargo test`.
    both: Vec<String>,
    /// Options of `cargo test` alone.
    tests: Vec<String>,
}

impl Command {
    /// Reads the arguments, after the name of the program. Cargo adds the name of the subcommand.
    pub(crate) fn new(arguments: impl Iterator<Item = String>) -> Self {
        let mut command = Command::default();
        let mut arguments = arguments.peekable();
        arguments.next_if_eq("rule-coverage");
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "-p" | "--package" => command.package = arguments.next(),
                "--records" => command.records = arguments.next().map(PathBuf::from),
                "--" => command.tests.extend(arguments.by_ref()),
                _ => command.both.push(argument),
            }
        }
        command
    }

    /// Documents, tests unless that is done, prints; whether nothing is missing.
    pub(crate) fn run(&self) -> Result<bool, String> {
        let package = match &self.package {
            Some(package) => package.clone(),
            None => package_of(&output(&["pkgid"])?)?,
        };
        let metadata = output(&["metadata", "--no-deps", "--format-version", "1"])?;
        let target = PathBuf::from(field(&metadata, "target_directory")?);

        self.document(&package)?;
        let library = package.replace('-', "_");
        let rules = rustdoc::rules(&target.join("doc"), &library)
            .map_err(|error| format!("the documentation of {library}: {error}"))?;
        if rules.is_empty() {
            return Err(format!("no rules in the documentation of {library}"));
        }

        let (green, file) = match &self.records {
            Some(file) => (true, file.clone()),
            None => self.test(&package, &target)?,
        };
        let summary = Summary::new(&rules, &records(&file)?);
        print!("{summary}");
        if !green {
            println!("the tests failed");
        }
        Ok(green && summary.is_complete())
    }

    /// Documents the library, private items too.
    fn document(&self, package: &str) -> Result<(), String> {
        let docs = [
            "doc",
            "--no-deps",
            "--lib",
            "--document-private-items",
            "-p",
        ];
        match self.cargo(&docs, package, &[], None)? {
            true => Ok(()),
            false => Err(format!(
                "{package} has no documentation to list its rules by"
            )),
        }
    }

    /// Runs the tests; whether they succeeded, and the file of their records.
    fn test(&self, package: &str, target: &Path) -> Result<(bool, PathBuf), String> {
        let file = target.join(format!("rule-coverage-{package}.tsv"));
        forget(&file)?;
        let green = self.cargo(&["test", "-p"], package, &self.tests, Some(&file))?;
        Ok((green, file))
    }

    /// Runs cargo; whether it succeeded.
    fn cargo(
        &self,
        before: &[&str],
        package: &str,
        after: &[String],
        records: Option<&Path>,
    ) -> Result<bool, String> {
        let mut process = cargo();
        process
            .args(before)
            .arg(package)
            .args(&self.both)
            .args(after);
        if let Some(path) = records {
            process.env(Record::VARIABLE, path);
        }
        let status = process.status();
        Ok(status.map_err(|error| format!("cargo: {error}"))?.success())
    }
}

fn cargo() -> Process {
    Process::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

fn output(arguments: &[&str]) -> Result<String, String> {
    let output = cargo().args(arguments).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cargo: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("`cargo {}` failed", arguments.join(" "))),
    }
}

/// The name in a package id: `path+file:///a/b#name@1.0.0`, or `path+file:///a/name#1.0.0`.
fn package_of(id: &str) -> Result<String, String> {
    let (path, version) = id.trim().rsplit_once('#').ok_or("no package here")?;
    let name = match version.split_once('@') {
        Some((name, _)) => name,
        None => path.rsplit('/').next().unwrap_or_default(),
    };
    Ok(name.to_owned())
}

/// The text of a field of a JSON object.
fn field(json: &str, name: &str) -> Result<String, String> {
    let key = format!("\"{name}\":\"");
    let rest = json.split_once(&key).map(|(_, rest)| rest);
    let text = rest.and_then(|rest| rest.split('"').next());
    let text = text.ok_or_else(|| format!("`cargo metadata` has no {name}"))?;
    Ok(text.replace("\\\\", "\\"))
}

/// Removes the records of another run.
fn forget(file: &Path) -> Result<(), String> {
    fs::write(file, "").map_err(|error| format!("{}: {error}", file.display()))
}

/// The records in a file.
fn records(file: &Path) -> Result<Vec<Record>, String> {
    let text = fs::read_to_string(file);
    let text = text.map_err(|error| format!("{}: {error}", file.display()))?;
    let records: Result<_, ParseRecordError> = text.lines().map(str::parse).collect();
    records.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Command {
        Command::new(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn options_go_to_both_commands_and_those_after_the_dashes_to_the_tests() {
        let command = parse("rule-coverage -p rules --all-features -- --release --lib");
        assert_eq!(command.package.as_deref(), Some("rules"));
        assert_eq!(command.both, ["--all-features"]);
        assert_eq!(command.tests, ["--release", "--lib"]);
        assert_eq!(parse(""), Command::default());
    }

    #[test]
    fn records_may_be_there() {
        let command = parse("rule-coverage --records target/records.tsv -p rules");
        assert_eq!(
            command.records.as_deref(),
            Some(Path::new("target/records.tsv"))
        );
        assert_eq!(command.package.as_deref(), Some("rules"));
    }

    #[test]
    fn packages_are_named_by_their_id() {
        for id in [
            "path+file:///a/b#rules@0.1.0\n",
            "path+file:///a/rules#0.1.0",
        ] {
            assert_eq!(package_of(id).as_deref(), Ok("rules"));
        }
        assert!(package_of("rules").is_err());
    }

    #[test]
    fn fields_are_found_in_what_cargo_prints() {
        let json = r#"{"packages":[],"target_directory":"C:\\work\\target","version":1}"#;
        assert_eq!(
            field(json, "target_directory").as_deref(),
            Ok(r"C:\work\target")
        );
        assert!(field(json, "workspace_root").is_err());
    }
}
