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
