//! Ranges of active numbers that have no tangent space: they passed for ranges of integers.

use coenzyme::differentiable;

#[differentiable]
fn to(t: f64) -> f64 {
    let range = ..t * t;
    range.end * 2.0
}

#[differentiable]
fn from(t: f64) -> f64 {
    let range = t * t..;
    range.start * 2.0
}

fn main() {}
