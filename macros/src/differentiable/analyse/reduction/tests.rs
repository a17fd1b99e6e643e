//! Loops that do nothing but add to sums.

use crate::differentiable::plan::{Subject, slices};
use crate::differentiable::testing::{first_loop, improved, names};

/// The sums and the scratch memory of the first loop, if that is all.
fn summing(function: &str) -> Option<(String, String)> {
    let (function, program) = improved(function);
    let (variable, _, body) = first_loop(&program);
    let subject = Subject {
        function: &function,
        program: &program,
    };
    let found = program.summing(variable, body, &slices(subject))?;
    let mut sums: Vec<_> = found.sums.values().collect();
    sums.sort();
    sums.dedup();
    Some((names(&program, sums), names(&program, &found.scratch)))
}

fn found(sums: &str, scratch: &str) -> Option<(String, String)> {
    Some((sums.to_owned(), scratch.to_owned()))
}

#[test]
fn a_sum() {
    let f = "fn f(x: &[f64]) -> f64 { let mut s = 0.0; for v in x { s += v.exp(); } s }";
    assert_eq!(summing(f), found("s", ""));
}

#[test]
fn two_sums() {
    let f = "fn f(x: &[f64]) -> f64 {
        let (mut s, mut t) = (0.0, 0.0);
        for v in x { s += v.exp(); t += v * v; }
        s * t
    }";
    assert_eq!(summing(f), found("s t", ""));
}

#[test]
fn a_product_is_none() {
    let f = "fn f(x: &[f64]) -> f64 { let mut s = 1.0; for v in x { s *= v; } s }";
    assert_eq!(summing(f), None);
}

#[test]
fn a_sum_that_its_rounds_read_is_none() {
    let f = "fn f(x: &[f64]) -> f64 { let mut s = 0.0; for v in x { s += v * s; } s }";
    assert_eq!(summing(f), None);
}

#[test]
fn a_loop_that_writes_memory_is_none() {
    let f = "fn f(x: &[f64], y: &mut [f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() { s += x[i]; y[0] += x[i]; }
        s
    }";
    assert_eq!(summing(f), None);
}

#[test]
fn a_loop_that_prints_is_none() {
    let f =
        "fn f(x: &[f64]) -> f64 { let mut s = 0.0; for v in x { println!(); s += v.exp(); } s }";
    assert_eq!(summing(f), None);
}

#[test]
fn memory_that_changes_after_the_loop_is_not_read_again() {
    let f = "fn f(x: &mut [f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() { s += x[i].exp(); }
        x[0] = 1.0;
        s
    }";
    assert_eq!(summing(f), None);
}

#[test]
fn what_each_round_fills_is_scratch_memory() {
    let f = "fn f(x: &[f64]) -> f64 {
        let mut s = 0.0;
        let mut t = vec![0.0; 3];
        for v in x {
            for k in 0..3 { t[k] = v * v; }
            for k in 0..3 { s += t[k].exp(); }
        }
        s
    }";
    assert_eq!(summing(f), found("s", "t"));
}

#[test]
fn what_a_round_leaves_to_the_next_is_not() {
    let f = "fn f(x: &[f64]) -> f64 {
        let mut s = 0.0;
        let mut t = vec![0.0; 3];
        for v in x {
            for k in 0..2 { t[k] = v * v; }
            for k in 0..3 { s += t[k].exp(); }
        }
        s
    }";
    assert_eq!(summing(f), None);
}

#[test]
fn a_slice_of_the_caller_may_be_scratch_memory() {
    let f = "fn f(x: &[f64], t: &mut [f64]) -> f64 {
        let mut s = 0.0;
        for v in x {
            for k in 0..t.len() { t[k] = v * v; }
            for k in 0..t.len() { s += t[k].exp(); }
        }
        s
    }";
    assert_eq!(summing(f), found("s", "t"));
}

#[test]
fn a_call_that_may_fail_is_none() {
    let f =
        "fn f(x: &[f64]) -> Result<f64, E> { let mut s = 0.0; for v in x { s += g(*v)?; } Ok(s) }";
    assert_eq!(summing(f), None);
}

#[test]
fn a_call_that_reads_is_run_again() {
    let f = "fn f(x: &[f64]) -> f64 { let mut s = 0.0; for v in x { s += g(*v); } s }";
    assert_eq!(summing(f), found("s", ""));
}
