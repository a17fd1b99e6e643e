//! References that `#[differentiable]` cannot follow.

use coenzyme::differentiable;

#[differentiable]
fn optional_slice(x: f64, w: Option<&[f64]>) -> f64 {
    match w {
        Some(w) => x * w[0],
        None => x,
    }
}

#[differentiable]
fn rows(m: &[&[f64]]) -> f64 {
    m[0][0] * m[1][1]
}

#[differentiable]
fn chosen_argument(x: &[f64], y: &[f64], first: bool) -> f64 {
    let z = if first { x } else { y };
    z[0] * z[1]
}

#[differentiable]
fn box_of_a_number(x: Box<f64>, y: f64) -> f64 {
    *x * y
}

#[differentiable]
fn boxed(x: f64) -> f64 {
    let b = Box::new(x * x);
    *b
}

#[differentiable]
fn shared(x: f64) -> f64 {
    let c = std::cell::Cell::new(x);
    x
}

/// Calls of what was refused give no errors of their own.
#[differentiable]
fn calls_the_refused(x: f64) -> f64 {
    boxed(x) * shared(x)
}

#[differentiable]
fn taken(x: &mut Vec<f64>) -> f64 {
    let v = std::mem::take(x);
    v[0]
}

fn main() {}
