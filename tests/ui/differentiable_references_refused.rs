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
fn chosen_together(x: &[f64], y: &[f64], first: bool) -> f64 {
    let (a, b) = if first { (x, y) } else { (y, x) };
    a[0] * b[1]
}

#[differentiable]
fn chosen_to_be_changed(x: f64, first: bool) -> f64 {
    let (mut a, mut b) = (vec![x; 2], vec![x; 3]);
    let z = if first { &mut a } else { &mut b };
    z[0] *= 3.0;
    a[0] * b[0]
}

#[differentiable]
fn pointed_to_other_memory(x: &[f64], y: &[f64]) -> f64 {
    let mut rest = &x[1..];
    if rest.len() < 2 {
        rest = &y[1..];
    }
    rest[0] * rest[1]
}

#[differentiable]
fn references_change_places<'a>(mut x: &'a mut [f64], mut y: &'a mut [f64]) {
    for _ in 0..3 {
        y[0] += x[0] * x[0];
        std::mem::swap(&mut x, &mut y);
    }
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
