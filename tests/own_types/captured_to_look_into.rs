//! Closures that are passed on and look into values that cannot be copied.

use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Tangent)]
struct Rates {
    k: Vec<f64>,
    scale: f64,
}
#[differentiable]
impl Rates {
    fn made(k: f64) -> Rates {
        Rates {
            k: vec![k, k * k],
            scale: 2.0 * k,
        }
    }
    fn at(&self, t: f64) -> f64 {
        self.k[0] * t + self.k[1] * self.scale
    }
}
#[differentiable]
fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x) * f(2.0 * x)
}
#[differentiable]
fn build(k: f64) -> Vec<f64> {
    vec![k, k * k]
}
#[differentiable]
fn a_vector(k: f64, x: f64) -> f64 {
    let m: Vec<f64> = build(k);
    apply(|t| m[0] * t + m[1], x)
}
#[differentiable]
fn a_vector_and_a_number(k: f64, x: f64) -> f64 {
    let m: Vec<f64> = build(k);
    let a = k * x;
    apply(|t| m[0] * t.sin() * a + m[1] * a.cos(), x)
}
#[differentiable]
fn methods(k: f64, x: f64) -> f64 {
    let rates: Rates = Rates::made(k);
    apply(|t| rates.at(t), x)
}
#[differentiable]
fn fields(k: f64, x: f64) -> f64 {
    let rates: Rates = Rates::made(k);
    apply(|t| rates.k[1] * t + rates.scale, x)
}
#[differentiable]
fn numbers_are_numbers(k: f64, x: f64) -> f64 {
    let a: f64 = k * x;
    apply(|t| a.powi(2) * t + a.sin(), x)
}

judge! {
    a_vector(0.7, 0.4);
    a_vector_and_a_number(0.7, 0.4);
    methods(0.7, 0.4);
    fields(0.7, 0.4);
    numbers_are_numbers(0.7, 0.4);
}
