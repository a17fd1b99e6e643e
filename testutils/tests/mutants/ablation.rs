//! What each check is for: the mutants that survive without it.

use std::collections::BTreeMap;
use std::fmt::Write;

use coenzyme_testutils::Check;

/// The table in `ABLATION.md`: for each check, how many mutants fail it, and which fail nothing else.
fn table() -> String {
    let mut rows: BTreeMap<Check, (usize, Vec<String>)> = BTreeMap::new();
    for mutant in &*crate::ALL {
        let failures = mutant.report.failures();
        for check in failures {
            let (count, alone) = rows.entry(*check).or_default();
            *count += 1;
            if failures.len() == 1 {
                alone.push(mutant.name.trim_start_matches("mutants::").to_owned());
            }
        }
    }
    let mut table = String::from(
        "# What each check is for\n\n\
         Written by `UPDATE=1 cargo test -p coenzyme-testutils --test mutants`; a test compares.\n\n\
         | check | mutants that fail it | survive without it | for instance |\n|---|--:|--:|---|\n",
    );
    for (check, (count, alone)) in rows {
        let example = alone.first().map_or("", String::as_str);
        writeln!(table, "| {check} | {count} | {} | {example} |", alone.len())
            .expect("strings take all");
    }
    table
}

#[test]
fn table_of_the_ablation_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mutants/ABLATION.md");
    let table = table();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &table).expect("the table can be written");
    }
    let written = std::fs::read_to_string(path).expect("the table is committed");
    assert_eq!(
        without_counts(&written),
        without_counts(&table),
        "run it with UPDATE=1"
    );
}

/// The lines without the column of all that fail a check: a mutant that keeps something for all threads fails another beside, as these happen to
/// meet.
fn without_counts(table: &str) -> Vec<String> {
    let lines = table.lines().map(|line| {
        let columns = line.split('|').enumerate();
        let kept = columns.filter(|(i, _)| *i != 2).map(|(_, column)| column);
        kept.collect::<Vec<_>>().join("|")
    });
    lines.collect()
}

#[test]
fn without_any_one_check_some_mutant_survives() {
    let mutants = &*crate::ALL;
    let tried: std::collections::BTreeSet<Check> =
        mutants.iter().map(|mutant| mutant.check).collect();
    for check in tried {
        let alone = mutants
            .iter()
            .any(|mutant| mutant.report.failures().iter().eq([&check]));
        assert!(alone, "{check}: no mutant is killed by it alone");
    }
}
