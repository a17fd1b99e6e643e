//! `map` of arrays and of `Option`s in fields, which tokens do not tell apart but for what becomes of the result.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Quaternion([f64; 4]);

#[differentiable]
impl Quaternion {
    fn norm(self) -> f64 {
        self.0.map(|a| a * a).iter().sum::<f64>().sqrt()
    }
    fn unit(self) -> Self {
        let n = self.norm();
        Quaternion(self.0.map(|a| a / n))
    }
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Layer {
    weights: [f64; 3],
    bias: Option<f64>,
    mask: Option<Vec<f64>>,
}

#[differentiable]
fn powers(x: f64) -> [f64; 3] {
    [x, x * x, x * x * x]
}

#[differentiable]
fn unit_quaternion(q: Quaternion, k: f64) -> f64 {
    let u = q.unit();
    let doubled = u.0.map(|c| 2.0 * c * k);
    u.0[0] * doubled[1] + doubled[3].sin()
}

#[differentiable]
fn entries_of_a_field(layer: &Layer, x: f64) -> f64 {
    let scaled = layer.weights.map(|w| w * x).map(f64::tanh);
    let mut sum = 0.0;
    for s in scaled.iter() {
        sum += s * s;
    }
    sum + layer
        .weights
        .map(f64::exp)
        .iter()
        .zip(&scaled)
        .map(|(a, b)| a * b)
        .sum::<f64>()
}

#[differentiable]
fn of_what_a_call_returned(x: f64) -> f64 {
    let p = powers(x);
    let q = p.map(|v| v + x);
    q[0] * q[2]
}

#[differentiable]
fn of_a_call(x: f64) -> f64 {
    let q = powers(x).map(|v| v + x);
    let sum: f64 = powers(x).map(f64::sin).iter().sum();
    q[0] * q[2] * sum
}

#[differentiable]
fn in_a_parameter(v: [f64; 3]) -> f64 {
    v.map(|c| c * c).iter().sum::<f64>().sqrt()
}

#[differentiable]
fn mapped_options(layer: &Layer, x: f64) -> f64 {
    let scaled = layer.bias.map(|b| b * x);
    let shift = scaled.unwrap_or(x);
    let curve = layer
        .bias
        .as_ref()
        .map(|b| b.sin())
        .map_or(0.5, |s| s * shift);
    shift * curve + layer.bias.map(f64::cos).unwrap_or_default()
}

#[differentiable]
fn lent_options(layer: &Layer, x: f64) -> f64 {
    let all = if let Some(mask) = layer.mask.as_ref() {
        mask.iter().sum::<f64>() * x
    } else {
        x
    };
    let first = match layer.mask.as_deref() {
        Some(mask) => mask[0] * all,
        None => all * all,
    };
    match layer.bias.as_ref() {
        Some(b) => b * first,
        None => first,
    }
}

const WEIGHTS: [f64; 3] = [0.3, -0.8, 1.1];

fn full() -> Layer {
    Layer {
        weights: WEIGHTS,
        bias: Some(0.4),
        mask: Some(vec![0.7, -0.2]),
    }
}

fn empty() -> Layer {
    Layer {
        weights: WEIGHTS,
        bias: None,
        mask: None,
    }
}

judge! {
    unit_quaternion(Quaternion([0.9, 0.2, -0.4, 0.3]), 0.7);
    entries_of_a_field(&full(), 0.6);
    of_what_a_call_returned(0.8);
    of_a_call(0.8);
    in_a_parameter(WEIGHTS);
    mapped_options(&full(), 0.6) (&empty(), 0.6);
    lent_options(&full(), 0.6) (&empty(), 0.6);
}
