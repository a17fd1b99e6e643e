//! Lists of combinations that cannot be.

use coenzyme::differentiable;

#[differentiable(combinations(Reverse(Active)))]
fn too_few(x: f64, y: f64) -> f64 {
    x * y
}

#[differentiable(combinations(Forward(Active)))]
fn active_in_forward(x: f64) -> f64 {
    x * x
}

#[differentiable(combinations(Reverse(Active)))]
fn active_memory(x: &[f64]) -> f64 {
    x[0]
}

#[differentiable(combinations(Reverse(Duplicated)))]
fn duplicated_value(x: f64) -> f64 {
    x * x
}

#[differentiable(combinations(Reverse(Mixed)))]
fn unknown_activity(x: f64) -> f64 {
    x * x
}

#[differentiable(combinations(Backward(Active)))]
fn unknown_mode(x: f64) -> f64 {
    x * x
}

#[differentiable(combinations(Reverse(Active), Reverse(Active)))]
fn twice(x: f64) -> f64 {
    x * x
}

#[differentiable(fast)]
fn unknown_option(x: f64) -> f64 {
    x * x
}

fn main() {}
