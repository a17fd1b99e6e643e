//! Options that a condition makes where a function is called with them, and chains over what a fold gives.

use coenzyme::differentiable;

use crate::judge::any;
use crate::subject::judge;

#[differentiable]
fn first_of(a: Option<f64>, b: Option<f64>, k: f64) -> f64 {
    match (a, b) {
        (Some(x), Some(y)) => y - x * k,
        (Some(z), None) | (None, Some(z)) => z.powi(2),
        (None, None) => k,
    }
}

#[differentiable]
fn by_then_some(x: f64, k: f64) -> f64 {
    first_of((x > 0.0).then_some(x * k), Some(k), x)
        + first_of(None, (x > k).then_some(x * x), k)
        + first_of((x < k).then_some(k), None, x)
}

#[differentiable]
fn by_then(x: f64, k: f64) -> f64 {
    first_of(
        (x > 0.0).then(|| x * k),
        (k > 0.5).then(|| (x * k).sin()),
        x,
    )
}

#[differentiable]
fn layer(w: f64, x: &[f64]) -> Vec<f64> {
    x.iter().map(|x| (w * x).tanh()).collect()
}

#[differentiable]
fn over_a_fold(weights: &[f64], input: &[f64]) -> f64 {
    weights
        .iter()
        .fold(input.to_vec(), |x, w| layer(*w, &x))
        .iter()
        .map(|x| x * x)
        .sum()
}

judge! {
    by_then_some(0.3, 0.7) (-0.3, 0.7) (0.9, 0.4);
    by_then(0.3, 0.7) (-0.3, 0.4);
    over_a_fold(&any(3), &any(2));
}
