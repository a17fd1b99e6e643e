//! Which reads find what they found at the end of the function.

use crate::differentiable::ir::*;
use crate::differentiable::testing::lowered;

/// Whether each read of `y` is of an entry that is left behind.
fn behind(function: &str) -> Vec<bool> {
    let (function, program) = lowered(function);
    let found = program.behind(&program.floats(&function).numbers);
    let root = program.roots.iter().position(|r| r.name == "y").unwrap();
    let reads = program.defs.iter().enumerate().filter(
        |(_, def)| matches!(&def.kind, DefKind::Read(place) if place.base == Base::Root(root)),
    );
    reads.map(|(d, _)| found.contains(&d)).collect()
}

fn loops(text: &str) -> Vec<bool> {
    behind(&format!(
        "fn f(x: &[f64], n: usize) -> f64 {{ let mut y = vec![0.0; 9]; {text} x[0] }}"
    ))
}

fn table(text: &str) -> Vec<bool> {
    behind(&format!(
        "fn f(x: &[f64], n: usize) -> f64 {{ let mut y = vec![vec![0.0; 9]; 9]; {text} x[0] }}"
    ))
}

#[test]
fn the_entry_before() {
    assert_eq!(loops("for i in 1..n { y[i] = x[i] * y[i - 1]; }"), [true]);
    assert_eq!(loops("for i in 0..n { y[i] = x[i] * y[i + 1]; }"), [false]);
    assert_eq!(loops("for i in 1..n { y[i] = x[i] * y[i]; }"), [false]);
    assert_eq!(loops("for i in 0..n { y[i + 1] = x[i] * y[i]; }"), [true]);
}

#[test]
fn a_loop_that_runs_backwards() {
    assert_eq!(
        loops("for i in (0..n).rev() { y[i] = x[i] * y[i + 1]; }"),
        [true]
    );
    assert_eq!(
        loops("for i in (1..n).rev() { y[i] = x[i] * y[i - 1]; }"),
        [false]
    );
}

#[test]
fn a_loop_around_comes_again() {
    assert_eq!(
        loops("for t in 0..n { for i in 1..n { y[i] = x[i] * y[i - 1]; } }"),
        [false]
    );
}

#[test]
fn another_loop_writes_afterwards() {
    assert_eq!(
        loops("for i in 1..n { y[i] = x[i] * y[i - 1]; } y[0] = x[0];"),
        [false]
    );
    assert_eq!(
        loops("y[0] = x[0]; for i in 1..n { y[i] = x[i] * y[i - 1]; }"),
        [true]
    );
    assert_eq!(
        loops("for i in 1..n { y[i] = x[i] * y[i - 1]; } y.fill(x[0]);"),
        [false]
    );
    assert_eq!(
        loops("for i in 1..n { y[i] = x[i] * y[i - 1]; y.swap(0, 1); }"),
        [false]
    );
}

#[test]
fn substitution() {
    assert_eq!(
        loops("for i in 0..n { for k in 0..i { y[i] -= x[k] * y[k]; } y[i] = y[i] / x[i]; }"),
        [true, false]
    );
    assert_eq!(
        loops("for i in 0..n { for k in 0..=i { y[i] -= x[k] * y[k]; } }"),
        [false]
    );
    assert_eq!(
        loops("for i in (0..n).rev() { for k in i + 1..n { y[i] -= x[k] * y[k]; } }"),
        [true]
    );
    assert_eq!(
        loops("for i in (0..n).rev() { for k in i..n { y[i] -= x[k] * y[k]; } }"),
        [false]
    );
}

#[test]
fn a_table() {
    assert_eq!(
        table(
            "for i in 1..n { for j in 1..n { y[i][j] = x[0] * y[i - 1][j] * y[i][j - 1] * y[i - 1][j + 1]; } }"
        ),
        [true, true, true]
    );
    assert_eq!(
        table("for i in 1..n { for j in 1..n { y[i][j] = x[0] * y[i][j + 1] * y[i + 1][j]; } }"),
        [false, false]
    );
    // the loops the other way round
    assert_eq!(
        table(
            "for j in 1..n { for i in 1..n { y[i][j] = x[0] * y[i - 1][j + 1] * y[i + 1][j - 1]; } }"
        ),
        [false, true]
    );
}

#[test]
fn a_statement_of_the_same_round() {
    assert_eq!(
        loops("for i in 0..n { y[i] = x[i]; let a = y[i] * x[0]; }"),
        [true]
    );
    assert_eq!(
        loops("for i in 0..n { y[i] = x[i]; let a = y[i] * x[0]; y[i] = a; }"),
        [false]
    );
}

#[test]
fn an_index_of_another_kind() {
    assert_eq!(
        loops("for i in 1..n { y[i * i] = x[i] * y[i - 1]; }"),
        [false]
    );
    assert_eq!(loops("for i in 1..n { y[i] = x[i] * y[n - i]; }"), [false]);
    assert_eq!(
        loops("let mut i = 1; while i < n { y[i] = x[i] * y[i - 1]; i += 1; }"),
        [false]
    );
}
