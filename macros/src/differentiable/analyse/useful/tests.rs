//! What is active and of no use.

use crate::differentiable::testing::{active, improved, lowered};

/// What is active before and after.
#[track_caller]
fn assert_useful(function: &str, before: &str, after: &str) {
    assert_eq!(active(&lowered(function).1), before);
    assert_eq!(active(&improved(function).1), after);
}

#[test]
fn a_sum_that_nobody_reads_is_inactive() {
    assert_useful(
        "fn f(x: &[f64]) -> f64 { let mut s = 0.0; for v in x { s += v * v; } x[0] }",
        "x s",
        "x",
    );
}

#[test]
fn a_value_that_nobody_reads_is_inactive() {
    assert_useful(
        "fn f(x: f64) -> f64 { let a = x * x; let b = x + 1.0; b }",
        "x a b",
        "x b",
    );
}

#[test]
fn what_a_branch_uses_is_useful() {
    assert_useful(
        "fn f(x: f64, k: bool) -> f64 { let a = x * x; if k { a } else { x } }",
        "chosen x a",
        "chosen x a",
    );
}

#[test]
fn what_a_call_may_read_is_useful() {
    assert_useful(
        "fn f(x: f64) -> f64 { let a = x * x; g(a); x }",
        "x a",
        "x a",
    );
}

#[test]
fn what_goes_to_memory_of_the_caller_is_useful() {
    assert_useful(
        "fn f(x: f64, y: &mut [f64]) { let a = x * x; y[0] = a; }",
        "y x a",
        "y x a",
    );
}

#[test]
fn a_circle_of_locals_that_nothing_leaves_is_inactive() {
    assert_useful(
        "fn f(x: f64, n: usize) -> f64 {
            let (mut a, mut b) = (x, x);
            for _ in 0..n { a = b * 2.0; b = a + x; }
            x
        }",
        "a b x",
        "x",
    );
}
