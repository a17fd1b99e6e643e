//! Chains of iterators that go through lists which calls make.

use coenzyme::differentiable;

use crate::judge::any;
use crate::subject::judge;

#[differentiable]
fn squares(x: &[f64]) -> Vec<f64> {
    x.iter().map(|x| x * x).collect()
}

#[differentiable]
fn pair(x: f64) -> [f64; 2] {
    [x, x * x]
}

#[differentiable]
fn drawn(state: &mut f64, n: usize) -> Vec<f64> {
    let mut all = Vec::new();
    for _ in 0..n {
        *state *= 1.5;
        all.push(*state * *state);
    }
    all
}

#[differentiable]
fn zipped(x: &[f64]) -> f64 {
    let by_value: f64 = x.iter().zip(squares(x)).map(|(k, a)| k * a).sum();
    let by_reference: f64 = x.iter().zip(&squares(x)).map(|(k, a)| k * a * a).sum();
    let mut sum = 0.0;
    for (x, y) in x.iter().zip(pair(x[2])) {
        sum += x * y;
    }
    by_value * by_reference + sum
}

#[differentiable]
fn both(x: &[f64]) -> f64 {
    squares(x)
        .iter()
        .zip(&squares(&x[1..]))
        .map(|(a, b)| a * b)
        .sum()
}

/// The lists are made one after the other.
#[differentiable]
fn in_order(x: f64) -> f64 {
    let mut state = x;
    let sum: f64 = drawn(&mut state, 2)
        .iter()
        .zip(drawn(&mut state, 2))
        .map(|(a, b)| a * a * b)
        .sum();
    sum + state
}

#[differentiable]
fn extended(x: f64) -> f64 {
    let mut log = squares(&[x, 1.0]);
    log.extend(squares(&[x * x, x]));
    log.extend(pair(x));
    log.extend_from_slice(&squares(&[x]));
    log.iter().map(|v| v * v).sum()
}

judge! {
    zipped(&any(3));
    both(&any(4));
    in_order(0.7);
    extended(0.7);
}
