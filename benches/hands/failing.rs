//! A softmax regression whose callee may fail.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};

const CLASSES: usize = 10;
const FEATURES: usize = 16;

#[derive(Debug)]
struct Failed;

#[differentiable]
fn log_sum_exp(terms: &[f64]) -> Result<f64, Failed> {
    let most = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !most.is_finite() {
        return Err(Failed);
    }
    let sum: f64 = terms.iter().map(|t| (t - most).exp()).sum();
    Ok(most + sum.ln())
}

#[differentiable]
fn score(weights: &[f64], bias: f64, features: &[f64]) -> f64 {
    bias + weights
        .iter()
        .zip(features)
        .map(|(w, f)| w * f)
        .sum::<f64>()
}

/// `x` is a bias for each class, and its weights; a sample is its class and its features.
#[differentiable]
fn loss(x: &[f64], #[constant] samples: &[f64]) -> Result<f64, Failed> {
    let (biases, weights) = x.split_at(CLASSES);
    let mut scores = [0.0; CLASSES];
    let mut total = 0.0;
    for sample in samples.chunks_exact(1 + FEATURES) {
        for c in 0..CLASSES {
            scores[c] = score(
                &weights[c * FEATURES..][..FEATURES],
                biases[c],
                &sample[1..],
            );
        }
        total += log_sum_exp(&scores)? - scores[sample[0] as usize];
    }
    Ok(total)
}

fn by_hand(x: &[f64], samples: &[f64], d: &mut [f64]) {
    let (biases, weights) = x.split_at(CLASSES);
    let (d_biases, d_weights) = d.split_at_mut(CLASSES);
    let mut scores = [0.0; CLASSES];
    for sample in samples.chunks_exact(1 + FEATURES) {
        let (class, features) = (sample[0] as usize, &sample[1..]);
        for c in 0..CLASSES {
            scores[c] = score(&weights[c * FEATURES..][..FEATURES], biases[c], features);
        }
        let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut sum = 0.0;
        for s in &mut scores {
            *s = (*s - most).exp();
            sum += *s;
        }
        for c in 0..CLASSES {
            let by = scores[c] / sum - if c == class { 1.0 } else { 0.0 };
            d_biases[c] += by;
            let row = &mut d_weights[c * FEATURES..][..FEATURES];
            row.iter_mut().zip(features).for_each(|(d, f)| *d += by * f);
        }
    }
}

pub(crate) fn run(bench: &Bench) {
    let x = numbers(1, CLASSES * (1 + FEATURES), -0.5, 0.5);
    let mut samples = numbers(2, 300 * (1 + FEATURES), -1.0, 1.0);
    for (k, sample) in samples.chunks_exact_mut(1 + FEATURES).enumerate() {
        sample[0] = (k * 7 % CLASSES) as f64;
    }
    against_hand!(bench, "failing", (x, samples), loss, by_hand, |v| v
        .expect("finite"));
}
