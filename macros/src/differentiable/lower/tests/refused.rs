//! What is not understood is refused, with what to write instead.

use crate::differentiable::testing::{self, refused};

#[track_caller]
fn assert_refused(function: &str, words: &str) {
    let found = refused(function);
    assert!(found.contains(words), "{found}");
}

#[test]
fn unsafe_code() {
    assert_refused(
        "fn f(x: f64) -> f64 { unsafe { g(x) } }",
        "a function marked `#[primitive]`",
    );
}

#[test]
fn waiting() {
    assert_refused(
        "fn f(x: f64) -> f64 { let y = g(x).await; y }",
        "`.await` cannot be",
    );
}

#[test]
fn unknown_macros() {
    assert_refused(
        "fn f(x: f64) -> f64 { mystery!(x) }",
        "the macro `mystery!` is not known",
    );
}

#[test]
fn two_wishes_at_once() {
    let f = "fn f(x: f64) -> f64 { #[store] #[recompute] let a = x + 1.0; a }";
    assert_refused(f, "one of `#[store]`, `#[recompute]` and `#[checkpoint]`");
}

#[test]
fn tasks() {
    assert_refused(
        "fn f(x: f64) -> f64 { async { x } }",
        "is not supported on active values",
    );
}

#[test]
fn labels_of_no_loop() {
    let f = "fn f(x: f64) -> f64 { let y = 'a: loop { break 'b x; }; y }";
    assert_refused(f, "there is no such loop");
}

#[test]
fn numbers_that_go_through_text() {
    let f = "fn f(x: f64) -> f64 { let s = x.to_string(); s.parse::<f64>().unwrap() }";
    assert_refused(
        f,
        "a number that goes through its text loses its derivative",
    );
}

#[test]
fn unknown_adaptors() {
    let f = "fn f(x: &[f64]) -> f64 { x.iter().map(|v| v * v).unheard_of() }";
    assert_refused(f, "is not known on active values");
}

#[test]
fn what_is_refused_without_derivative_is_accepted() {
    let item = "fn f(x: f64, n: u64) -> f64 { let k = mystery(n); x * k as f64 }";
    let (_, program) = testing::lowered(item);
    assert!(program.to_string().contains("let k = once mystery(n)"));
}

#[test]
fn a_mutable_reference_beside_the_rest_by_value() {
    assert_refused(
        "fn f(x: f64) -> f64 { let mut t = [x, 1.0, 2.0]; let [ref mut a, rest @ ..] = t; *a += rest[1]; t[0] }",
        "`ref mut` refers to a part that has no name here",
    );
}

#[test]
fn the_error_of_a_call_beside_something_else() {
    let f = "fn f(x: f64, y: f64) -> f64 { match (g(x), y > 0.0) { (Ok(a), true) => a * y, (Ok(a), false) => a, (Err(e), _) => e.size() * x } }";
    assert_refused(f, "is matched by itself");
}

#[test]
fn advanced_iterators_over_names_that_are_hidden() {
    for hidden in [
        "fn f(x: &[f64]) -> f64 { let mut it = x.iter(); let x = [2.0, 3.0]; let mut s = 1.0; while let Some(v) = it.next() { s *= v; } s * x[0] }",
        "fn f(k: f64) -> f64 { let n = vec![1usize]; let mut it = n.iter(); let n = vec![5usize]; let mut s = k; while let Some(v) = it.next() { s *= *v as f64; } s }",
    ] {
        assert_ne!(refused(hidden), "", "{hidden}");
    }
}
