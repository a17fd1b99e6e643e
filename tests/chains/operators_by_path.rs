//! Operators and methods by the paths of their traits: `Mul::mul(x, y)`, `<f64 as Area>::area(&x)`, `fold(1.0, Mul::mul)`.

use std::ops::{Add, Mul, Neg, Sub};

use coenzyme::differentiable;

use crate::subject::judge;

trait Area {
    fn area(&self) -> f64;
    fn twice(self) -> f64;
}
#[differentiable]
impl Area for f64 {
    fn area(&self) -> f64 {
        self * self
    }
    fn twice(self) -> f64 {
        2.0 * self * self
    }
}
#[differentiable]
fn three(x: f64) -> f64 {
    <f64 as Area>::area(&x) + Area::twice(x) + x.area()
}
#[differentiable]
fn four(x: f64) -> f64 {
    f64::area(&x)
}
#[differentiable]
fn ops(x: f64, y: f64) -> f64 {
    f64::mul(x, 3.0) + Mul::mul(x, y) - <f64 as Add<f64>>::add(x, y) * Neg::neg(y)
        + Sub::sub(&x, &y)
}
#[differentiable]
fn std_paths(x: f64) -> f64 {
    <f64>::sin(x) + <f64>::max(x, 2.0) + <f64 as From<f64>>::from(x) * <f64 as From<f32>>::from(2.5)
}
#[differentiable]
fn reduced(x: &[f64]) -> f64 {
    x.iter().copied().fold(1.0, Mul::mul)
        + x.iter().copied().fold(0.0, f64::add)
        + x.iter().copied().reduce(Add::add).unwrap_or(0.0)
        + x.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}
#[differentiable]
fn zipped(x: &[f64], y: &[f64]) -> f64 {
    x.iter()
        .zip(y)
        .map(|(a, b)| Mul::mul(a, b))
        .fold(0.0, Add::add)
}

judge! {
    three(0.7);
    four(0.8);
    ops(0.7, 1.3);
    std_paths(0.7) (3.1);
    reduced(&[0.9, 1.1, 0.7]);
    zipped(&[0.9, 1.1], &[0.4, 0.2]);
}
