//! Loops that run over all of their memory.

use super::Lengths;
use crate::differentiable::analyse::scratch::find_inits;
use crate::differentiable::ir::*;
use crate::differentiable::testing::{first_loop, lowered};

/// Whether the first loop runs over all of this memory.
fn over_all(function: &str, name: &str) -> bool {
    let (_, program) = lowered(function);
    let (_, range, body) = first_loop(&program);
    let mut inits = Vec::new();
    find_inits(&program.body, body.id, &mut inits);
    let root: RootId = program.roots.iter().position(|r| r.name == name).unwrap();
    Lengths::of(&program, &inits).runs_over_all(&program, range, root)
}

#[test]
fn to_its_own_length() {
    let f = "fn f(x: &mut [f64]) { let n = x.len(); for i in 0..n { x[i] = 1.0; } }";
    assert!(over_all(f, "x"));
}

#[test]
fn to_the_number_that_it_was_made_with() {
    let f = "fn f(n: usize, x: f64) -> f64 { let mut t = vec![x; n]; for i in 0..n { t[i] = x; } t[0] }";
    assert!(over_all(f, "t"));
}

#[test]
fn not_to_another_number() {
    let f = "fn f(n: usize, m: usize, x: f64) -> f64 { let mut t = vec![0.0; n]; for i in 0..m { t[i] = x; } t[0] }";
    assert!(!over_all(f, "t"));
}

#[test]
fn not_from_one() {
    assert!(!over_all(
        "fn f(x: &mut [f64]) { for i in 1..x.len() { x[i] = 1.0; } }",
        "x"
    ));
}

#[test]
fn not_to_the_smaller_of_two_lengths() {
    let f = "fn f(x: &mut [f64], y: &[f64]) { for (a, b) in x.iter_mut().zip(y) { *a = *b; } }";
    assert!(!over_all(f, "x"));
}

#[test]
fn by_an_iterator_over_itself() {
    assert!(over_all(
        "fn f(x: &mut [f64], a: f64) { for v in x.iter_mut() { *v = a; } }",
        "x"
    ));
}
