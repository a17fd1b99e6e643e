//! A linear-chain conditional random field: emissions from features, the forward recursion in logarithms, minus the score of the labels.

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};
use coenzyme::prelude::*;

const K: usize = 7;
const F: usize = 12;
const T: usize = 60;

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(p, q)| p * q).sum()
}

#[differentiable]
fn log_sum_exp(v: &[f64]) -> f64 {
    let top = v.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
    top + v.iter().map(|e| (e - top).exp()).sum::<f64>().ln()
}

#[differentiable]
fn scores(emit: &[Vec<f64>], feature: &[f64]) -> Vec<f64> {
    emit.iter().map(|w| dot(w, feature)).collect()
}

#[differentiable]
fn advance(alpha: &[f64], trans: &[Vec<f64>], score: &[f64]) -> Vec<f64> {
    let mut next = vec![0.0; alpha.len()];
    let mut terms = vec![0.0; alpha.len()];
    for j in 0..alpha.len() {
        for i in 0..alpha.len() {
            terms[i] = alpha[i] + trans[i][j];
        }
        next[j] = log_sum_exp(&terms) + score[j];
    }
    next
}

/// `x`: emission weights, then transitions. `data`: features.
#[differentiable]
fn nll(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let mut emit = vec![vec![0.0; F]; K];
    let mut trans = vec![vec![0.0; K]; K];
    for i in 0..K {
        for j in 0..F {
            emit[i][j] = x[i * F + j];
        }
        for j in 0..K {
            trans[i][j] = x[K * F + i * K + j];
        }
    }
    let mut alpha = scores(&emit, &data[..F]);
    let mut gold = alpha[0];
    let mut last = 0;
    for t in 1..T {
        let s = scores(&emit, &data[t * F..(t + 1) * F]);
        let label = (t * t + 3 * t) % K;
        gold += s[label] + trans[last][label];
        alpha = advance(&alpha, &trans, &s);
        last = label;
    }
    log_sum_exp(&alpha) - gold
}

fn by_hand(x: &[f64], data: &[f64], d: &mut [f64]) {
    let (emit, trans) = x.split_at(K * F);
    let (de, dt) = d.split_at_mut(K * F);
    let score = |t: usize, k: usize| -> f64 {
        emit[k * F..][..F]
            .iter()
            .zip(&data[t * F..][..F])
            .map(|(a, b)| a * b)
            .sum()
    };
    let mut alphas = vec![[0.0; K]; T];
    let mut weights = vec![[[0.0; K]; K]; T];
    for k in 0..K {
        alphas[0][k] = score(0, k);
    }
    let soften = |v: &mut [f64; K]| -> f64 {
        let top = v.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
        let mut s = 0.0;
        for e in v.iter_mut() {
            *e = (*e - top).exp();
            s += *e;
        }
        for e in v.iter_mut() {
            *e /= s;
        }
        top + s.ln()
    };
    for t in 1..T {
        for j in 0..K {
            let w = &mut weights[t][j];
            for i in 0..K {
                w[i] = alphas[t - 1][i] + trans[i * K + j];
            }
            let l = soften(w);
            alphas[t][j] = l + score(t, j);
        }
    }
    let mut g = alphas[T - 1];
    soften(&mut g);
    for t in (1..T).rev() {
        let label = (t * t + 3 * t) % K;
        let last = if t == 1 {
            0
        } else {
            ((t - 1) * (t - 1) + 3 * (t - 1)) % K
        };
        dt[last * K + label] -= 1.0;
        let f = &data[t * F..][..F];
        let mut before = [0.0; K];
        for j in 0..K {
            let gs = g[j] - if j == label { 1.0 } else { 0.0 };
            for (d, f) in de[j * F..][..F].iter_mut().zip(f) {
                *d += gs * f;
            }
            for i in 0..K {
                let c = g[j] * weights[t][j][i];
                before[i] += c;
                dt[i * K + j] += c;
            }
        }
        g = before;
    }
    for j in 0..K {
        let gs = g[j] - if j == 0 { 1.0 } else { 0.0 };
        for (d, f) in de[j * F..][..F].iter_mut().zip(&data[..F]) {
            *d += gs * f;
        }
    }
}

pub(crate) fn run(bench: &Bench) {
    against_hand!(
        bench,
        "crf",
        (
            numbers(1, K * F + K * K, -1.0, 1.0),
            numbers(2, T * F, -1.0, 1.0)
        ),
        nll,
        by_hand,
        |v| v
    );
}
