//! Entries of vectors in what a call gives, which has no name.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Debug, Tangent)]
struct Weights {
    values: Vec<f64>,
    rows: Vec<Vec<f64>>,
    count: usize,
}

#[derive(Clone, Debug, Tangent)]
struct Layer {
    weights: Weights,
    bias: f64,
}

#[differentiable]
impl Weights {
    fn of(x: &[f64]) -> Self {
        Weights {
            values: x.to_vec(),
            rows: vec![x.to_vec(), vec![x[0] * x[1]]],
            count: x.len(),
        }
    }
    fn scaled(mut self, by: f64) -> Self {
        for v in &mut self.values {
            *v *= by;
        }
        self
    }
}

#[differentiable]
fn layer(x: &[f64]) -> Layer {
    Layer {
        weights: Weights::of(x),
        bias: x[0],
    }
}

#[differentiable]
fn pair(x: &[f64]) -> (Vec<f64>, f64) {
    (x.to_vec(), x[0] * x[1])
}

#[differentiable]
fn entry(x: &[f64]) -> f64 {
    Weights::of(x).values[2]
}

#[differentiable]
fn inside(x: &[f64]) -> f64 {
    layer(x).weights.values[2] + layer(x).bias
}

#[differentiable]
fn product(x: &[f64]) -> f64 {
    layer(x).weights.values[2] * layer(x).weights.values[0]
}

#[differentiable]
fn row(x: &[f64]) -> f64 {
    Weights::of(x).rows[0][1] + Weights::of(x).rows[1][0]
}

#[differentiable]
fn of_a_method(x: &[f64]) -> f64 {
    Weights::of(x).scaled(x[1]).values[3]
}

#[differentiable]
fn of_a_tuple(x: &[f64]) -> f64 {
    pair(x).0[1] + pair(x).1
}

#[differentiable]
fn in_rounds(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for i in 0..x.len() {
        total += Weights::of(x).values[i];
        total += layer(&x[..2]).weights.values[i % 2];
    }
    total
}

judge! {
    entry(&any(4));
    inside(&any(4));
    product(&any(4));
    row(&any(4));
    of_a_method(&any(4));
    of_a_tuple(&any(4));
    in_rounds(&any(4));
}
