//! What a derivative may flow into.

use crate::differentiable::testing::{active, lowered};

#[track_caller]
fn assert_active(function: &str, wanted: &str) {
    assert_eq!(active(&lowered(function).1), wanted, "{function}");
}

#[test]
fn numbers_are_active_and_counts_are_not() {
    assert_active(
        "fn f(x: f64, n: usize) -> f64 { let y = x; let m = n; y }",
        "x",
    );
}

#[test]
fn what_is_computed_from_active_values_is_active() {
    assert_active(
        "fn f(x: f64, n: usize) -> f64 { let a = x * x; let b = n as f64; let c = a * b; c }",
        "x a c",
    );
}

#[test]
fn a_comparison_is_not() {
    assert_active(
        "fn f(x: f64) -> f64 { let big = x > 1.0; if big { 2.0 } else { 3.0 } }",
        "x",
    );
}

#[test]
fn a_length_is_not() {
    assert_active("fn f(x: &[f64]) -> f64 { let n = x.len(); n as f64 }", "x");
}

#[test]
fn a_local_is_active_if_it_is_ever_given_something_active() {
    assert_active(
        "fn f(x: f64, n: usize) -> f64 { let mut a = 0.0; for _ in 0..n { a += x; } a }",
        "a x",
    );
}

#[test]
fn a_local_that_never_is_stays_inactive() {
    assert_active(
        "fn f(x: f64, n: usize) -> f64 { let mut a = 0.0; for i in 0..n { a += i as f64; } x + a }",
        "x",
    );
}

#[test]
fn memory_is_active_after_an_entry_is() {
    assert_active(
        "fn f(x: f64) -> f64 { let mut v = vec![0.0; 3]; v[1] = x; v[0] }",
        "v x",
    );
}

#[test]
fn memory_of_counts_is_not() {
    assert_active(
        "fn f(x: f64) -> f64 { let mut v = vec![0; 3]; v[1] = 7; x * v[0] as f64 }",
        "x",
    );
}

#[test]
fn activity_goes_through_references() {
    assert_active(
        "fn f(x: f64) -> f64 { let mut a = 0.0; let r = &mut a; *r = x; a }",
        "a x",
    );
}

#[test]
fn a_call_writes_what_it_is_lent() {
    assert_active(
        "fn f(x: f64) -> f64 { let mut a = 0.0; put(&mut a, x); a }",
        "a x",
    );
}

#[test]
fn activity_goes_back_around_a_loop() {
    assert_active(
        "fn f(x: f64, n: usize) -> f64 {
            let (mut a, mut b) = (0.0, 0.0);
            for _ in 0..n { b = a; a = x; }
            b
        }",
        "a b x",
    );
}

#[test]
fn a_name_that_shadows_is_another_value() {
    assert_active(
        "fn f(x: f64, n: usize) -> f64 { let a = x; let a = n as f64; a }",
        "x",
    );
}
