//! Memory that still holds what was read.

use crate::differentiable::ir::*;
use crate::differentiable::testing::lowered;

/// Whether each read of this memory can be read again when the function ends.
fn stable(function: &str, name: &str) -> Vec<bool> {
    let (_, program) = lowered(function);
    let root: RootId = program.roots.iter().position(|r| r.name == name).unwrap();
    let reads = program
        .defs
        .iter()
        .filter(|def| matches!(&def.kind, DefKind::Read(place) if place.base == Base::Root(root)));
    let outside = program.roots[root].loops.len();
    reads
        .map(|def| program.stable(root, &def.point, outside))
        .collect()
}

#[test]
fn what_is_never_written() {
    assert_eq!(
        stable("fn f(x: &[f64]) -> f64 { x[0] * x[1] }", "x"),
        [true, true]
    );
}

#[test]
fn what_was_written_before() {
    assert_eq!(
        stable("fn f(x: &mut [f64]) -> f64 { x[0] = 1.0; x[1] }", "x"),
        [true]
    );
}

#[test]
fn not_what_is_written_later() {
    assert_eq!(
        stable(
            "fn f(x: &mut [f64]) -> f64 { let a = x[1]; x[0] = 1.0; a }",
            "x"
        ),
        [false]
    );
}

#[test]
fn not_what_another_round_writes() {
    let f = "fn f(x: &mut [f64]) -> f64 { let mut s = 0.0; for i in 1..4 { x[i] = 1.0; s += x[i - 1]; } s }";
    assert_eq!(stable(f, "x"), [false]);
}

#[test]
fn what_lives_for_a_round_is_not_written_by_another() {
    let f = "fn f(y: f64) -> f64 { let mut s = 0.0; for i in 0..4 { let mut x = vec![y; 2]; x[1] = y; s += x[0]; } s }";
    assert_eq!(stable(f, "x"), [true]);
}
