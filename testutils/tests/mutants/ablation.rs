//! What each check is for: the mutants that survive without it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use coenzyme_testutils::Check;

use crate::Mutant;

/// Whether a mutant is killed by one check alone, in every run.
///
/// H1 calls a rule on several threads at once. A mutant that keeps something for all threads fails it only if two of them meet at
/// the wrong moment, which is for the scheduler to say. So it counts for the mutants that are named for it, of which another test
/// demands that they fail it, and is overlooked in all others.
fn survives_without(check: Check, mutant: &Mutant) -> bool {
    let certain = |failure: &&Check| **failure != Check::H1 || mutant.check == Check::H1;
    mutant.report.failures().iter().filter(certain).eq([&check])
}

/// The table in `ABLATION.md`: for each check, how many mutants are named for it, and which would survive without it.
///
/// How many fail a check that they are not named for is not in it: some mutants are wrong by chance, by an address, or by what
/// another thread does, and what they fail beside their own check differs from run to run.
fn table() -> String {
    let mut rows: BTreeMap<Check, (usize, Vec<&str>)> = BTreeMap::new();
    for mutant in &*crate::ALL {
        let (named, alone) = rows.entry(mutant.check).or_default();
        *named += 1;
        if survives_without(mutant.check, mutant) {
            alone.push(mutant.name.trim_start_matches("mutants::"));
        }
    }
    let mut table = String::from(
        "# What each check is for\n\n\
         Written by `UPDATE=1 cargo test -p coenzyme-testutils --test mutants`; a test compares.\n\n\
         | check | mutants named for it | survive without it | for instance |\n|---|--:|--:|---|\n",
    );
    for (check, (named, alone)) in rows {
        let example = alone.first().unwrap_or(&"");
        writeln!(table, "| {check} | {named} | {} | {example} |", alone.len())
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
    assert_eq!(written, table, "run it with UPDATE=1");
}

#[test]
fn without_any_one_check_some_mutant_survives() {
    let mutants = &*crate::ALL;
    let tried: BTreeSet<Check> = mutants.iter().map(|mutant| mutant.check).collect();
    for check in tried {
        let alone = mutants.iter().any(|mutant| survives_without(check, mutant));
        assert!(alone, "{check}: no mutant is killed by it alone");
    }
}
