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
         Written by `UPDATE=1 cargo test -p coenzyme-testutils --test mutants`; a test compares its checks with those of the mutants.\n\n\
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
    // The numbers are those of one run: mutants that race fail another number of checks in another run.
    assert_eq!(checks(&written), checks(&table), "run it with UPDATE=1");
}

/// The first column of a table.
fn checks(table: &str) -> Vec<&str> {
    let rows = table.lines().filter(|line| line.starts_with("| "));
    rows.filter_map(|row| row.split(" | ").next()).collect()
}

/// Checks that are never the only one to fail, each with the reason to keep it.
const SHADOWED: &[(Check, &str)] = &[
    (
        Check::D1,
        "a rule that does not repeat itself fails every check that runs it twice; D1 alone says so",
    ),
    (
        Check::D2,
        "tapes in shared memory also fail H1 if another thread happens to come between",
    ),
];

#[test]
fn without_any_one_check_some_mutant_survives() {
    let mutants = &*crate::ALL;
    let tried: std::collections::BTreeSet<Check> =
        mutants.iter().map(|mutant| mutant.check).collect();
    for check in tried {
        let alone = mutants
            .iter()
            .any(|mutant| mutant.report.failures().iter().eq([&check]));
        let shadowed = SHADOWED.iter().any(|(shadowed, _)| *shadowed == check);
        assert!(
            alone || shadowed,
            "{check}: no mutant is killed by it alone"
        );
    }
}
