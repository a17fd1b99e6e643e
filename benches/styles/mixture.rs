//! The likelihood of a mixture of Gaussians with diagonal covariances: `x` is the weights, the means and the logarithms of the scales of
//! ten components in eight dimensions; the data are points.

use coenzyme::prelude::*;

use crate::measure::{Bench, numbers};
use crate::style::styles;

/// Components, and dimensions.
const K: usize = 10;
const D: usize = 8;

#[differentiable]
fn written_out(x: &[f64], #[constant] points: &[f64]) -> f64 {
    let mut terms = vec![0.0; K];
    let mut total = 0.0;
    for p in 0..points.len() / D {
        for k in 0..K {
            let mut sum = x[k];
            for i in 0..D {
                let scale = x[K + K * D + k * D + i];
                let z = (points[p * D + i] - x[K + k * D + i]) * scale;
                sum += scale - 0.5 * z * z;
            }
            terms[k] = sum;
        }
        let mut most = terms[0];
        for k in 1..K {
            if terms[k] > most {
                most = terms[k];
            }
        }
        let mut sum = 0.0;
        for k in 0..K {
            sum += (terms[k] - most).exp();
        }
        total += sum.ln() + most;
    }
    total
}

#[differentiable]
fn log_sum_exp(terms: &[f64]) -> f64 {
    let most = terms
        .iter()
        .fold(f64::NEG_INFINITY, |a, &b| if b > a { b } else { a });
    terms.iter().map(|t| (t - most).exp()).sum::<f64>().ln() + most
}

#[differentiable]
fn log_density(point: &[f64], mean: &[f64], scale: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..point.len() {
        let z = (point[i] - mean[i]) * scale[i];
        sum += scale[i] - 0.5 * z * z;
    }
    sum
}

#[differentiable]
fn functions(x: &[f64], #[constant] points: &[f64]) -> f64 {
    let (weights, means, scales) = (&x[..K], &x[K..K + K * D], &x[K + K * D..]);
    let mut terms = vec![0.0; K];
    let mut total = 0.0;
    for point in points.chunks_exact(D) {
        for k in 0..K {
            let (mean, scale) = (&means[k * D..][..D], &scales[k * D..][..D]);
            terms[k] = weights[k] + log_density(point, mean, scale);
        }
        total += log_sum_exp(&terms);
    }
    total
}

#[differentiable]
fn closures(x: &[f64], #[constant] points: &[f64]) -> f64 {
    let term = |point: &[f64], k: usize| {
        let (mean, scale) = (&x[K + k * D..][..D], &x[K + K * D + k * D..][..D]);
        let mut sum = x[k];
        for i in 0..D {
            let z = (point[i] - mean[i]) * scale[i];
            sum += scale[i] - 0.5 * z * z;
        }
        sum
    };
    let mut terms = vec![0.0; K];
    let mut total = 0.0;
    for point in points.chunks_exact(D) {
        for k in 0..K {
            terms[k] = term(point, k);
        }
        total += log_sum_exp(&terms);
    }
    total
}

#[differentiable]
fn iterators(x: &[f64], #[constant] points: &[f64]) -> f64 {
    let (weights, rest) = x.split_at(K);
    let (means, scales) = rest.split_at(K * D);
    let mut terms = vec![0.0; K];
    let mut total = 0.0;
    for point in points.chunks_exact(D) {
        let components = weights
            .iter()
            .zip(means.chunks_exact(D))
            .zip(scales.chunks_exact(D));
        for (term, ((weight, mean), scale)) in terms.iter_mut().zip(components) {
            let entries = point.iter().zip(mean).zip(scale);
            let sum: f64 = entries
                .map(|((p, m), s)| {
                    let z = (p - m) * s;
                    s - 0.5 * z * z
                })
                .sum();
            *term = weight + sum;
        }
        total += log_sum_exp(&terms);
    }
    total
}

/// Fills the terms of a point; `z` is scratch memory.
#[differentiable]
fn fill(x: &[f64], #[constant] point: &[f64], z: &mut [f64], terms: &mut [f64]) {
    for (k, term) in terms.iter_mut().enumerate() {
        let (mean, scale) = (&x[K + k * D..][..D], &x[K + K * D + k * D..][..D]);
        for ((z, p), m) in z.iter_mut().zip(point).zip(mean) {
            *z = p - m;
        }
        let mut sum = x[k];
        for (z, s) in z.iter().zip(scale) {
            sum += s - 0.5 * (z * s) * (z * s);
        }
        *term = sum;
    }
}

#[differentiable]
fn scratch(x: &[f64], #[constant] points: &[f64]) -> f64 {
    let mut z = vec![0.0; D];
    let mut terms = vec![0.0; K];
    let mut total = 0.0;
    for point in points.chunks_exact(D) {
        fill(x, point, &mut z, &mut terms);
        total += log_sum_exp(&terms);
    }
    total
}

pub(crate) fn run(bench: &Bench) {
    let mut x = numbers(1, K + K * D, -1.0, 1.0);
    x.extend(numbers(2, K * D, 0.5, 1.5));
    let points = numbers(3, 500 * D, -2.0, 2.0);
    styles!(bench, "mixture", (x, points), written_out: written_out, functions, closures, iterators, scratch);
}
