//! Iterators of iterators, and slices cut into slices.

use coenzyme::differentiable;

use crate::judge::any;
use crate::subject::judge;

#[differentiable]
fn chunks_plain(y: &[f64]) -> f64 {
    let mut s = 0.0;
    for c in y.chunks(2) {
        s += c.iter().sum::<f64>() * c[0];
    }
    s
}

#[differentiable]
fn chunks_mut(y: &mut [f64], k: f64) {
    for c in y.chunks_mut(2) {
        c[0] *= k;
        for v in c.iter_mut() {
            *v *= *v;
        }
    }
}

#[differentiable]
fn flat_map(a: &[Vec<f64>]) -> f64 {
    a.iter()
        .flat_map(|r| r.iter().map(|v| v * v))
        .map(|v| v * v)
        .sum()
}

#[differentiable]
fn flatten(a: &[Vec<f64>]) -> f64 {
    let mut s = 0.0;
    for v in a.iter().flatten() {
        s += v * v * s + v;
    }
    s
}

#[differentiable]
fn flatten_mut(a: &mut [Vec<f64>], k: f64) {
    for v in a.iter_mut().flatten() {
        *v *= *v * k;
    }
}

#[differentiable]
fn flat_windows(a: &[f64], rows: &[[f64; 3]]) -> f64 {
    let edges = a.chunks_exact(4).flat_map(|row| row.windows(2));
    let inside: f64 = edges.map(|w| (w[1] - w[0]).powi(2)).sum();
    let between = rows.iter().flat_map(|row| row.windows(2));
    inside * between.map(|w| w[0] * w[1]).sum::<f64>()
}

#[differentiable]
fn flat_products(a: &[f64]) -> f64 {
    a.chunks(3)
        .flat_map(|row| row.windows(2).map(|w| w[0] * w[1]))
        .fold(0.3, |sum, v| sum * v + v)
}

judge! {
    chunks_plain(&any(5)) (&any(4));
    chunks_mut(&mut any(5), 0.7);
    flat_map(&vec![any(2), any(3)]);
    flatten(&vec![any(2), any(3)]);
    flatten_mut(&mut vec![any(2), any(3)], 0.7);
    flat_windows(&any(8), &[[0.1, 0.5, 0.9], [0.2, 1.1, 0.4]]);
    flat_products(&any(7));
}
