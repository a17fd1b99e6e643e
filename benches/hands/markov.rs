//! The likelihood of a hidden Markov model: probabilities from scores, sums of exponentials of collected vectors.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};

const STATES: usize = 5;

#[differentiable]
fn log_sum_exp(v: &[f64]) -> f64 {
    let max = v.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    max + v.iter().map(|x| (x - max).exp()).sum::<f64>().ln()
}

#[differentiable]
fn log_normalized(scores: &[f64]) -> Vec<f64> {
    let total = log_sum_exp(scores);
    scores.iter().map(|s| s - total).collect()
}

#[differentiable]
fn log_normal(x: f64, mean: f64, log_sd: f64) -> f64 {
    let z = (x - mean) * (-log_sd).exp();
    -0.5 * z * z - log_sd
}

/// `x` is the scores of the transitions, row by row, then means and logarithms of deviations.
#[differentiable]
fn likelihood(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let n = STATES;
    let transitions: Vec<Vec<f64>> = (0..n)
        .map(|i| log_normalized(&x[i * n..(i + 1) * n]))
        .collect();
    let means = &x[n * n..n * n + n];
    let deviations = &x[n * n + n..];
    let mut alpha: Vec<f64> = (0..n)
        .map(|j| log_normal(data[0], means[j], deviations[j]) - (n as f64).ln())
        .collect();
    for &seen in &data[1..] {
        let mut next = vec![0.0; n];
        for j in 0..n {
            let terms: Vec<f64> = (0..n).map(|i| alpha[i] + transitions[i][j]).collect();
            next[j] = log_sum_exp(&terms) + log_normal(seen, means[j], deviations[j]);
        }
        alpha = next;
    }
    log_sum_exp(&alpha)
}

fn by_hand(x: &[f64], data: &[f64], d: &mut [f64]) {
    let n = STATES;
    let transitions: Vec<Vec<f64>> = (0..n)
        .map(|i| log_normalized(&x[i * n..(i + 1) * n]))
        .collect();
    let (means, deviations) = (&x[n * n..n * n + n], &x[n * n + n..]);
    let emission = |seen: f64, j: usize| log_normal(seen, means[j], deviations[j]);
    let mut alphas = vec![
        (0..n)
            .map(|j| emission(data[0], j) - (n as f64).ln())
            .collect::<Vec<f64>>(),
    ];
    // the shares of the states before in each state
    let mut shares: Vec<Vec<f64>> = Vec::with_capacity(data.len() - 1);
    for (t, &seen) in data[1..].iter().enumerate() {
        let alpha = &alphas[t];
        let mut share = vec![0.0; n * n];
        let mut next = vec![0.0; n];
        for j in 0..n {
            let share = &mut share[j * n..(j + 1) * n];
            let mut max = f64::NEG_INFINITY;
            for i in 0..n {
                share[i] = alpha[i] + transitions[i][j];
                max = max.max(share[i]);
            }
            let mut sum = 0.0;
            for s in share.iter_mut() {
                *s = (*s - max).exp();
                sum += *s;
            }
            share.iter_mut().for_each(|s| *s /= sum);
            next[j] = max + sum.ln() + emission(seen, j);
        }
        shares.push(share);
        alphas.push(next);
    }
    let last = &alphas[data.len() - 1];
    let total = log_sum_exp(last);
    let mut d_alpha: Vec<f64> = last.iter().map(|a| (a - total).exp()).collect();
    let mut d_transitions = vec![0.0; n * n];
    let (d_scores, rest) = d.split_at_mut(n * n);
    let (d_means, d_deviations) = rest.split_at_mut(n);
    let mut emitted = |seen: f64, d_alpha: &[f64]| {
        for j in 0..n {
            let by = (-deviations[j]).exp();
            let z = (seen - means[j]) * by;
            d_means[j] += d_alpha[j] * z * by;
            d_deviations[j] += d_alpha[j] * (z * z - 1.0);
        }
    };
    for t in (1..data.len()).rev() {
        emitted(data[t], &d_alpha);
        let mut before = vec![0.0; n];
        for j in 0..n {
            for i in 0..n {
                let d = d_alpha[j] * shares[t - 1][j * n + i];
                before[i] += d;
                d_transitions[i * n + j] += d;
            }
        }
        d_alpha = before;
    }
    emitted(data[0], &d_alpha);
    for i in 0..n {
        let row = &d_transitions[i * n..(i + 1) * n];
        let sum: f64 = row.iter().sum();
        for j in 0..n {
            d_scores[i * n + j] += row[j] - transitions[i][j].exp() * sum;
        }
    }
}

pub(crate) fn run(bench: &Bench) {
    against_hand!(
        bench,
        "markov",
        (
            numbers(1, STATES * STATES + 2 * STATES, -0.6, 0.6),
            numbers(2, 80, -1.0, 1.0)
        ),
        likelihood,
        by_hand,
        |v| v
    );
}
