//! Structs that are copied where they would be moved.

use crate::differentiable::testing::{improved, names};

/// The names of values and locals of which copies are moved.
fn copied(function: &str) -> (String, String) {
    let (_, program) = improved(function);
    let mut values: Vec<_> = program.moves.values.iter().collect();
    values.sort();
    let values: Vec<_> = values.iter().map(|d| program.expression(**d)).collect();
    (values.join(" "), names(&program, &program.moves.locals))
}

fn both(values: &str, locals: &str) -> (String, String) {
    (values.to_owned(), locals.to_owned())
}

#[test]
fn a_struct_that_is_read_after_it_went_into_a_local() {
    let f = "fn f(x: f64, b: bool) -> f64 {
        let t = S { x, d: 0.0 };
        let mut s = t;
        if b { s = S { x: t.x * 2.0, d: x * x }; }
        s.x * s.d
    }";
    assert_eq!(copied(f).0, "t");
}

#[test]
fn a_struct_that_is_not_read_again_is_moved() {
    let f = "fn f(x: f64, b: bool) -> f64 {
        let t = S { x, d: 0.0 };
        let mut s = t;
        if b { s = S { x: x * 2.0, d: x * x }; }
        s.x * s.d
    }";
    assert_eq!(copied(f).0, "");
}

#[test]
fn a_struct_of_outside_that_goes_into_a_local_in_each_round() {
    let f = "fn f(x: f64, n: usize) -> f64 {
        let t = S { x, d: 0.0 };
        let mut s = S { x, d: x };
        for _ in 0..n { s = t; }
        s.x * s.d
    }";
    assert_eq!(copied(f).0, "t");
}

#[test]
fn numbers_are_copied_anyway() {
    assert_eq!(
        copied("fn f(x: f64) -> f64 { let a = x; let mut s = a; s += a; s }"),
        both("", "")
    );
}

#[test]
fn a_local_struct_that_is_read_twice() {
    let f = "fn f(x: f64, n: usize) -> f64 {
        let mut s = S { x, d: x };
        for _ in 0..n { s = S { x: s.d, d: s.x }; }
        let t = s;
        let u = s;
        t.x * u.x
    }";
    assert_eq!(copied(f).1, "s");
}

/// What calls give that is moved into memory.
fn handed_over(function: &str) -> String {
    let (_, program) = improved(function);
    let mut found: Vec<_> = program.moves.handed_over.keys().collect();
    found.sort();
    let names = found.iter().map(|d| program.defs[**d].name.to_string());
    names.collect::<Vec<_>>().join(" ")
}

#[test]
fn what_a_call_gives_is_moved_into_memory() {
    let f = "fn f(x: &[f64]) -> Vec<f64> { let mut c = g(x); c[0] = 2.0 * x[1]; c }";
    assert_eq!(handed_over(f), "t0");
    let f = "fn f(x: &[f64]) -> f64 { let mut m = vec![vec![0.0; 3]; 2]; m[0] = g(x); m[0][1] }";
    assert_eq!(handed_over(f), "t0");
    // its shape is looked at before
    let f =
        "fn f(x: &[f64], n: usize) -> f64 { let mut c = g(x); for _ in 0..n { c = g(&c); } c[0] }";
    assert_eq!(handed_over(f), "t1 t3");
}

#[test]
fn what_a_call_gives_and_others_name_is_not() {
    let f = "fn f(x: &[f64]) -> f64 { let mut m = vec![vec![0.0; 3]; 2]; let v = g(x); m[0] = v; m[0][1] * v[2] }";
    assert_eq!(handed_over(f), "");
    let f = "fn f(x: &[f64]) -> f64 { let mut m = vec![vec![0.0; 3]; 2]; let v = g(x); for i in 0..2 { m[i] = v; } m[0][1] }";
    assert_eq!(handed_over(f), "");
}

/// The memory that is taken for the last time, by reads and by assignments.
fn taken_last(function: &str) -> (String, String) {
    let (_, program) = improved(function);
    let last = &program.moves.last;
    let reads = last.reads.iter().map(|d| program.expression(*d));
    let mut reads: Vec<_> = reads.collect();
    reads.sort();
    (reads.join(" "), names(&program, &last.assigned))
}

#[test]
fn vectors_are_moved_into_a_struct() {
    let f = "fn f(x: &[f64]) -> S {
        let a: Vec<f64> = x.iter().map(|x| x * 2.0).collect();
        let b: Vec<f64> = a.iter().map(|a| a * a).collect();
        S { a, b }
    }";
    assert_eq!(taken_last(f), both("read a read b", ""));
}

#[test]
fn a_copy_is_moved_and_not_what_is_read_behind_it() {
    let f = "fn f(x: &[f64]) -> f64 {
        let a: Vec<f64> = x.iter().map(|x| x * 2.0).collect();
        let s = S { a: a.clone() };
        s.a[0] * a[1]
    }";
    assert_eq!(taken_last(f), both("read made", ""));
}

#[test]
fn the_vector_of_each_round_is_moved() {
    let f = "fn f(x: &[f64], n: usize) -> f64 {
        let mut old = x.to_vec();
        for _ in 0..n {
            let mut new = vec![0.0; 3];
            for i in 0..3 { new[i] = old[i] * old[(i + 1) % 3]; }
            old = new;
        }
        old[0]
    }";
    assert_eq!(taken_last(f), both("", "new"));
}

#[test]
fn a_copy_of_what_is_outside_of_the_loop_is_moved() {
    let f = "fn f(x: &[f64], n: usize) -> f64 {
        let new: Vec<f64> = x.iter().map(|x| x * 2.0).collect();
        let mut old = x.to_vec();
        for _ in 0..n { old = new.clone(); old[0] *= 2.0; }
        old[0]
    }";
    assert_eq!(taken_last(f), both("", "made"));
}

#[test]
fn an_array_that_is_assigned_twice_is_not_moved() {
    let f = "fn f(x: &[f64; 3]) -> f64 {
        let mut new = [0.0; 3];
        for i in 0..3 { new[i] = x[i] * 2.0; }
        let mut a = [0.0; 3];
        let mut b = [0.0; 3];
        a = new;
        b = new;
        a[0] * b[1]
    }";
    assert_eq!(taken_last(f), both("", ""));
}
