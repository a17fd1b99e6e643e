//! Functions as polynomials.

use crate::differentiable::testing::lowered;

/// The degree in the first argument, in the second, and in both.
fn degree(function: &str) -> Option<(usize, usize, usize)> {
    let found = lowered(function).1.degree()?;
    Some((found.degree.left, found.degree.right, found.degree.total))
}

#[test]
fn a_sum_is_linear() {
    assert_eq!(
        degree("fn f(a: f64, b: f64) -> f64 { a + b }"),
        Some((1, 1, 1))
    );
}

#[test]
fn a_product_is_bilinear() {
    assert_eq!(
        degree("fn f(a: f64, b: f64) -> f64 { a * b }"),
        Some((1, 1, 2))
    );
}

#[test]
fn a_square_is_quadratic() {
    assert_eq!(
        degree("fn f(a: f64, b: f64) -> f64 { a * a + b }"),
        Some((2, 1, 2))
    );
}

#[test]
fn a_sine_is_no_polynomial() {
    assert_eq!(degree("fn f(a: f64, b: f64) -> f64 { a.sin() + b }"), None);
}

#[test]
fn a_quotient_is_none() {
    assert_eq!(degree("fn f(a: f64, b: f64) -> f64 { a / b }"), None);
}

#[test]
fn a_constant_has_no_degree() {
    assert_eq!(
        degree("fn f(a: f64, b: f64) -> f64 { a * 2.0 }"),
        Some((1, 0, 1))
    );
}

#[test]
fn a_local_has_the_degree_of_what_was_put_into_it() {
    for (body, found) in [
        ("let mut s = a; s.x = s.x + b; s", Some((1, 1, 1))),
        ("let mut s = a; s.x = s.x * b; s", Some((1, 1, 2))),
        (
            "let mut s = a; s.x *= b; s.y = b; s.x = b; s",
            Some((1, 1, 2)),
        ),
        ("S { x: a.x + b, ..a }", Some((1, 1, 1))),
        ("S { x: b.sin(), ..a }", None),
        ("let mut s = a; if b > 0.0 { s.x = b; } s", None),
    ] {
        let text = format!("fn f(a: S, b: f64) -> S {{ {body} }}");
        assert_eq!(degree(&text), found, "{body}");
    }
}

#[test]
fn the_entries_of_a_fixed_array_are_gone_through() {
    for (body, degree_of_it) in [
        ("V(std::array::from_fn(|i| a.0[i] + b.0[i]))", (1, 1, 1)),
        ("V(a.0.map(|c| c * 2.0))", (1, 0, 1)),
        (
            "V(std::array::from_fn(|i| std::array::from_fn(|j| a.0[i][j] - b.0[i][j])))",
            (1, 1, 1),
        ),
        (
            "let mut out = [[0.0; N]; N]; for i in 0..N { for k in 0..N { out[i][0] += a.0[i][k] * b.0[k][0]; } } V(out)",
            (1, 1, 2),
        ),
        (
            "let mut out = a; for i in 0..3 { out.0[i] += b.0[i]; } out",
            (1, 1, 1),
        ),
    ] {
        let f = format!("fn f(a: V, b: V) -> V {{ {body} }}");
        assert_eq!(degree(&f), Some(degree_of_it), "{body}");
    }
}

#[test]
fn a_degree_that_grows_round_by_round_is_not_known() {
    let power =
        "fn f(a: V, b: V) -> V { let mut p = 1.0; for i in 0..3 { p *= a.0[i]; } V([p; 3]) }";
    assert_eq!(degree(power), None);
}

#[test]
fn a_length_that_an_operand_has_is_not_known() {
    let scaled =
        "fn f(a: V, b: f64) -> V { let mut out = a; for i in 0..a.0.len() { out.0[i] *= b; } out }";
    assert_eq!(degree(scaled), None);
}
