//! Chains with a state, chains that are bound to a name, arrays that are made entry by entry.

use coenzyme::differentiable;

use crate::judge::any;
use crate::subject::judge;

#[differentiable]
fn stateful_map(x: &[f64]) -> f64 {
    let mut prev = 1.0;
    x.iter()
        .map(|v| {
            let d = v - prev;
            prev = *v;
            d * d
        })
        .sum()
}

#[differentiable]
fn stateful_collect(x: &[f64]) -> Vec<f64> {
    let mut acc = 1.0;
    x.iter()
        .map(|v| {
            acc *= v;
            acc
        })
        .collect()
}

#[differentiable]
fn cumulative(xs: &[f64]) -> Vec<f64> {
    xs.iter()
        .scan(0.0, |acc, &x| {
            *acc += x * x;
            Some(*acc)
        })
        .collect()
}

#[differentiable]
fn pairwise(xs: &[f64]) -> f64 {
    (0..xs.len())
        .flat_map(|i| (0..i).map(move |j| (xs[i] - xs[j]).powi(2)))
        .sum()
}

#[differentiable]
fn array_map(x: [f64; 3], k: f64) -> [f64; 3] {
    x.map(|v| v * k + v.sin())
}

#[differentiable]
fn from_fn(x: &[f64], k: f64) -> [f64; 3] {
    std::array::from_fn(|i| x[i] * k * (i + 1) as f64)
}

#[differentiable]
fn chunk_means(x: &[f64]) -> Vec<f64> {
    x.chunks(2)
        .map(|c| c.iter().sum::<f64>() / c.len() as f64)
        .collect()
}

#[differentiable]
fn signed(x: f64) -> f64 {
    let sign = if x < 0.0 { -1.0 } else { 1.0 };
    let mut n = 5_u32;
    let mut base = x.abs();
    let mut acc = 1.0;
    while n > 0 {
        if n & 1 == 1 {
            acc *= base;
        }
        base *= base;
        n >>= 1;
    }
    sign * acc
}

judge! {
    stateful_map(&any(4));
    stateful_collect(&any(4));
    cumulative(&any(4));
    pairwise(&any(4));
    array_map([0.1, 0.5, 0.7], 0.3);
    from_fn(&any(3), 0.3);
    chunk_means(&any(5));
    signed(0.7) (-0.7);
}
