//! Bindings and patterns that `#[differentiable]` refuses.

use coenzyme::differentiable;

#[differentiable]
fn let_else(x: f64, n: Option<usize>) -> f64 {
    let Some(n) = n else { return x };
    x * n as f64
}

#[differentiable]
fn bound_by_reference(x: f64) -> f64 {
    let ref y = x;
    y * y
}

#[differentiable]
fn bound_with_at(x: f64) -> f64 {
    let y @ z = x;
    y * z
}

#[differentiable]
fn rest_in_the_middle(x: f64) -> f64 {
    let [a, .., b] = [x, x * x, 2.0];
    a * b
}

#[differentiable]
fn chain_of_lets(x: f64, n: Option<usize>) -> f64 {
    if let Some(n) = n && n > 2 {
        x * n as f64
    } else {
        x
    }
}

#[differentiable]
fn option_of_an_active_value(x: Option<f64>) -> f64 {
    match x {
        Some(v) => v * v,
        None => 0.0,
    }
}

#[differentiable]
fn if_let_on_an_active_value(x: Option<f64>) -> f64 {
    if let Some(v) = x { v * v } else { 0.0 }
}

#[differentiable]
fn assigned_to_a_call(x: f64, y: &mut [f64]) {
    *y.first_mut().unwrap() = x;
}

fn main() {}
