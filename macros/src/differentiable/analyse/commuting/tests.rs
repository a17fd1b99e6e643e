//! Rounds that commute, and running sums.

use std::collections::HashSet;

use crate::differentiable::testing::{first_loop, lowered};

/// Whether the rounds of the first loop commute.
fn commute(function: &str) -> bool {
    let (_, program) = lowered(function);
    let (_, _, body) = first_loop(&program);
    program.rounds_commute(body, &[])
}

#[test]
fn sums_commute() {
    assert!(commute(
        "fn f(x: &[f64]) -> f64 { let mut s = 0.0; for v in x { s += v * v; } s }"
    ));
}

#[test]
fn a_recurrence_does_not() {
    assert!(!commute(
        "fn f(x: f64, n: usize) -> f64 { let mut y = x; for _ in 0..n { y = y.sin(); } y }"
    ));
}

#[test]
fn a_difference_commutes() {
    assert!(commute(
        "fn f(x: &[f64]) -> f64 { let mut s = 1.0; for v in x { s -= v; } s }"
    ));
}

#[test]
fn a_sum_that_is_scaled_does_not() {
    assert!(!commute(
        "fn f(x: &[f64]) -> f64 { let mut s = 0.0; for v in x { s = s * 0.5 + v; } s }"
    ));
}

#[test]
fn adding_to_memory_commutes() {
    assert!(commute(
        "fn f(x: &[f64], y: &mut [f64]) { for i in 0..x.len() { y[0] += x[i] * x[i]; } }"
    ));
}

#[test]
fn reading_what_is_added_to_does_not() {
    assert!(!commute(
        "fn f(y: &mut [f64]) { for i in 1..y.len() { y[i] += y[i - 1]; } }"
    ));
}

#[test]
fn overwriting_memory_does_not() {
    assert!(!commute(
        "fn f(x: &[f64], y: &mut [f64]) { for i in 0..x.len() { y[0] = x[i]; } }"
    ));
}

#[test]
fn memory_of_which_each_round_has_its_own_entry_does() {
    let (_, program) =
        lowered("fn f(x: &[f64], y: &mut [f64]) { for i in 0..x.len() { y[i] = x[i] * x[i]; } }");
    let (_, _, body) = first_loop(&program);
    let y = program.roots.iter().position(|r| r.name == "y").unwrap();
    assert!(!program.rounds_commute(body, &[]));
    assert!(program.rounds_commute(body, &[y]));
}

#[test]
fn memory_of_a_round_does_not_matter() {
    assert!(commute(
        "fn f(x: &[f64]) -> f64 {
            let mut s = 0.0;
            for v in x { let mut t = [0.0; 2]; t[0] = v * v; t[1] = t[0] * v; s += t[1]; }
            s
        }"
    ));
}

#[test]
fn sums_in_branches_commute() {
    assert!(commute(
        "fn f(x: &[f64]) -> f64 { let mut s = 0.0; for v in x { if *v > 0.0 { s += v.ln(); } } s }"
    ));
}

#[test]
fn a_running_sum_begins_with_its_local() {
    let (_, program) = lowered(
        "fn f(x: &[f64]) -> f64 {
            let (mut s, mut p) = (0.0, 1.0);
            for v in x { s += v; p *= v; }
            s + p
        }",
    );
    let (_, _, body) = first_loop(&program);
    let sums = program.running_sums(body, &HashSet::new());
    let of = |name: &str| {
        let root = program.roots.iter().position(|r| r.name == name).unwrap();
        sums.values().filter(|r| **r == root).count()
    };
    // what it holds and what it becomes; of the product what it holds, in the loop and after
    assert_eq!((of("s"), of("p")), (4, 2));
}
