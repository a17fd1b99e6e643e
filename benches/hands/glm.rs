//! Generalized linear regression: a link by `match`, dot products by iterators, an elastic net.
use crate::hand::against_hand;
use crate::measure::{Bench, numbers};
use coenzyme::prelude::*;
const D: usize = 12;
#[derive(Clone, Copy, PartialEq)]
enum Family {
    Logistic,
    Poisson,
}
#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b.iter()).map(|(x, y)| x * y).sum()
}
#[differentiable]
fn softplus(z: f64) -> f64 {
    if z > 0.0 {
        z + (-z).exp().ln_1p()
    } else {
        z.exp().ln_1p()
    }
}
#[differentiable]
fn loss(eta: f64, #[constant] y: f64, #[constant] family: Family) -> f64 {
    match family {
        Family::Logistic => softplus(eta) - y * eta,
        Family::Poisson => eta.exp() - y * eta,
    }
}
#[differentiable]
fn penalty(w: &[f64]) -> f64 {
    let l1: f64 = w.iter().map(|v| (v * v + 1e-6).sqrt()).sum();
    let l2: f64 = w.iter().map(|v| v * v).sum();
    0.1 * l1 + 0.05 * l2
}
/// `x`: weights and a bias; rows of data are D features, and an answer.
#[differentiable]
fn regress(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let (w, b) = (&x[..D], x[D]);
    let mut total = 0.0;
    for (n, row) in data.chunks(D + 1).enumerate() {
        let (features, y) = row.split_at(D);
        let family = if n % 3 == 0 {
            Family::Poisson
        } else {
            Family::Logistic
        };
        let eta = dot(w, features) + b;
        if eta.abs() > 20.0 {
            continue;
        }
        total += loss(eta, y[0], family);
    }
    total / (data.len() / (D + 1)) as f64 + penalty(w)
}
fn by_hand(x: &[f64], data: &[f64], d: &mut [f64]) {
    let (w, b) = (&x[..D], x[D]);
    let (dw, db) = d.split_at_mut(D);
    let scale = 1.0 / (data.len() / (D + 1)) as f64;
    for (n, row) in data.chunks_exact(D + 1).enumerate() {
        let eta = dot(w, &row[..D]) + b;
        if eta.abs() > 20.0 {
            continue;
        }
        let y = row[D];
        let g = scale
            * if n % 3 == 0 {
                eta.exp() - y
            } else {
                1.0 / (1.0 + (-eta).exp()) - y
            };
        db[0] += g;
        for (d, f) in dw.iter_mut().zip(&row[..D]) {
            *d += g * f;
        }
    }
    for (d, w) in dw.iter_mut().zip(w) {
        *d += 0.1 * w / (w * w + 1e-6).sqrt() + 0.1 * w;
    }
}
pub(crate) fn run(bench: &Bench) {
    let data: Vec<f64> = numbers(3, 400 * (D + 1), -1.0, 1.0);
    against_hand!(
        bench,
        "glm",
        (numbers(1, D + 1, -1.0, 1.0), data),
        regress,
        by_hand,
        |v| v
    );
}
