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

#[differentiable]
fn closed(t: f64) -> f64 {
    let range = t..=t * t;
    *range.end() * 2.0
}

#[differentiable]
fn asked_at_once(t: f64) -> f64 {
    *(t..=t * t).end() * 2.0
}

#[differentiable]
fn taken_apart(t: f64) -> f64 {
    let (low, high) = (t..=t * t).into_inner();
    low * high
}

fn main() {}
