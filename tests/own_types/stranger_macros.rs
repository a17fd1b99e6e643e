//! Macros of other people's, as statements: they change nothing that is differentiated. Text and counts that go along with numbers.

use coenzyme::{Active, Const, Reverse, autodiff, differentiable};

use crate::subject::judge;

macro_rules! should {
    ($requirement:expr $(,)?) => {
        debug_assert!($requirement)
    };
    ($requirement:expr, $text:expr) => {
        debug_assert!($requirement, "{}", $text)
    };
}

/// A density that asks for what its parameters are.
#[differentiable]
fn density(x: f64, rate: f64) -> f64 {
    should!(x >= 0.0);
    should!(rate > 0.0, "a rate is positive");
    rate * (-rate * x).exp()
}

/// In a loop, with a local that is changed and memory.
#[differentiable]
fn walk(x: &[f64], seen: &mut [f64]) -> f64 {
    let mut at = 0.0;
    for (i, v) in x.iter().enumerate() {
        at += v * v;
        should!(at >= 0.0 && seen.len() > i);
        seen[i] = at.sqrt();
        should!(seen[i].is_finite(),);
    }
    at * seen[0]
}

/// The name of what is computed, beside it.
#[differentiable]
fn named(x: f64, name: &str) -> f64 {
    let (square, label) = labelled(x, name);
    should!(!label.is_empty());
    square * x
}

#[differentiable]
fn labelled(x: f64, name: &str) -> (f64, String) {
    (x * x, name.to_string())
}

#[differentiable]
fn month(hours: f64) -> u32 {
    (hours / 24.0).floor() as u32
}

#[differentiable]
fn status(hours: f64) -> (f64, String) {
    let text = if hours > 3.0 { "late" } else { "OK" };
    (hours * hours, text.to_string())
}

/// What it returns has no derivative, wherever it comes from.
#[differentiable]
fn kind(hours: f64) -> String {
    let (square, text) = status(hours);
    if square > 30.0 {
        return text;
    }
    String::from("small")
}

/// A count that is computed again.
#[differentiable]
fn risen(x: f64, mut count: u32) -> (f64, u32) {
    let (square, before) = (x * x, count);
    count = month(square);
    let product = square * f64::from(count + before);
    count += 1;
    (product * x, count)
}

#[differentiable]
fn counted(x: f64) -> f64 {
    let (y, count) = risen(x, 3);
    y * f64::from(count) * kind(x).len() as f64
}

judge! {
    counted (8.0) (-5.2) (1.1);
    density (0.4, 1.7);
    walk (&[0.4, 1.7, -0.3], &mut [0.1, 0.2, 0.3]);
}

/// A string goes along with a number.
#[test]
fn named_numbers() {
    let ((d, ()),) = autodiff!(Reverse, named, Active(3.0), Const("cube"));
    assert_eq!(d, 27.0);
}
