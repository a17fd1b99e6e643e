//! Values whose type is written.

use quote::quote;

use super::is_integer;
use crate::differentiable::testing::lowered;

/// The names of the values that are floats for certain, each with its type, in the order of the text.
fn floats(function: &str) -> String {
    let (function, program) = lowered(function);
    let floats = program.floats(&function);
    let defs = program.defs.iter().enumerate();
    let found =
        defs.filter_map(|(id, def)| Some(format!("{}: {}", def.name, floats.defs.get(&id)?)));
    found.collect::<Vec<_>>().join(", ")
}

#[test]
fn entries_and_what_is_computed_from_them() {
    assert_eq!(
        floats("fn f(x: &[f32], y: f32) -> f32 { let a = x[0] * y; (a + 1.0).sin() }"),
        "y: f32, t1: f32, a: f32, t3: f32, t4: f32"
    );
}

#[test]
fn unknown_indices_are_not_entries() {
    assert_eq!(
        floats("fn f(x: &[f64], k: Key) -> f64 { g(&x[1..]) + x[k] }"),
        ""
    );
}

#[test]
fn ranges_are_no_integers() {
    assert!(is_integer(quote!((i + 1) * 3)));
    assert!(!is_integer(quote!(1..)) && !is_integer(quote!((i..j))) && !is_integer(quote!(k.at)));
}

#[test]
fn values_of_other_types_are_unknown_and_so_is_what_operators_make_of_them() {
    assert_eq!(
        floats("fn f(x: f64, v: V) -> f64 { let w = x * v; let u = v.sin(); (w + u).norm() }"),
        "x: f64"
    );
}

#[test]
fn locals_have_the_type_of_what_is_assigned() {
    let found = floats(
        "fn f(x: &[f64]) -> f64 { let mut s = 0.0; for i in 0..x.len() { s += x[i]; } s.cos() }",
    );
    assert!(
        found.ends_with("f64") && found.matches("f64").count() >= 4,
        "{found}"
    );
}

#[test]
fn numbers_are_what_begins_with_one_and_entries_of_rows() {
    let (function, program) = lowered(
        "fn f(x: &[f64], k: usize, v: V) -> f64 {
            let mut s = 0.0;
            let mut row = vec![1.0; 3];
            let mut of_own = vec![one(); 3];
            row[0] *= x[0];
            of_own[0] = v * x[0];
            s += x[k];
            let (a, b, c) = (row[k] - x[k], of_own[k] - v, v / 2.0);
            s / 2.0
        }",
    );
    let numbers = program.floats(&function).numbers;
    let texts = numbers.iter().map(|d| program.expression(*d));
    let mut texts: Vec<_> = texts.collect();
    texts.sort();
    let found = [
        "a",
        "add(t2, t8)",
        "div(t9, 2.0)",
        "mul(read row[0], t4)",
        "read row[0]",
        "read row[k]",
        "read x[0]",
        "read x[k]",
    ];
    assert_eq!(texts, found);
}

#[test]
fn entries_of_rows_of_rows_are_numbers() {
    let (function, program) = lowered(
        "fn f(x: &[f64]) -> f64 {
            let mut m = [[1.0, 0.0], [0.0, 1.0]];
            let mut s = 0.0;
            for k in 0..2 {
                m = g(&m, x[k]);
                s += (m[0][0] + m[1][1]).ln();
            }
            -(s + m[0][1].ln()) / 3.0
        }",
    );
    let numbers = program.floats(&function).numbers;
    let mut texts = numbers.iter().map(|d| program.expression(*d));
    assert!(texts.any(|text| text == "div(neg(add(load s, ln(read m[0][1]))), 3.0)"));
}
