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
