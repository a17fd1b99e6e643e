//! A differential equation whose right-hand side is a small network, by Runge and Kutta: vectors made by iterators, a closure handed on.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};

const D: usize = 3;
const H: usize = 8;
const STEPS: usize = 20;
const DT: f64 = 0.1;

#[differentiable]
fn dense(w: &[f64], b: &[f64], x: &[f64]) -> Vec<f64> {
    b.iter()
        .zip(w.chunks_exact(x.len()))
        .map(|(b, row)| b + row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>())
        .collect()
}

#[differentiable]
fn rhs(p: &[f64], y: &[f64]) -> Vec<f64> {
    let (w1, rest) = p.split_at(H * D);
    let (b1, rest) = rest.split_at(H);
    let (w2, b2) = rest.split_at(D * H);
    let hidden: Vec<f64> = dense(w1, b1, y).iter().map(|z| z.tanh()).collect();
    dense(w2, b2, &hidden)
}

#[differentiable]
fn axpy(a: f64, x: &[f64], y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| y + a * x).collect()
}

#[differentiable]
fn rk4(y: &[f64], h: f64, f: impl Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let k1 = f(y);
    let k2 = f(&axpy(h / 2.0, &k1, y));
    let k3 = f(&axpy(h / 2.0, &k2, y));
    let k4 = f(&axpy(h, &k3, y));
    (0..y.len())
        .map(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
        .collect()
}

/// `data` is where it starts, then where it is after each step.
#[differentiable]
fn fit(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let mut y = data[..D].to_vec();
    let mut loss = 0.0;
    for target in data[D..].chunks_exact(D) {
        y = rk4(&y, DT, |y| rhs(x, y));
        loss += y
            .iter()
            .zip(target)
            .map(|(y, t)| (y - t).powi(2))
            .sum::<f64>();
    }
    loss
}

/// The value of [`rhs`], and what its adjoint reads.
fn rhs_kept(p: &[f64], y: Vec<f64>) -> (Vec<f64>, [Vec<f64>; 2]) {
    let (w1, rest) = p.split_at(H * D);
    let (b1, rest) = rest.split_at(H);
    let (w2, b2) = rest.split_at(D * H);
    let mut hidden = dense(w1, b1, &y);
    hidden.iter_mut().for_each(|z| *z = z.tanh());
    (dense(w2, b2, &hidden), [y, hidden])
}

/// Adds to `d` and `dy`.
fn rhs_adjoint(p: &[f64], kept: &[Vec<f64>; 2], dout: &[f64], d: &mut [f64], dy: &mut [f64]) {
    let [y, hidden] = kept;
    let (w1, rest) = p.split_at(H * D);
    let w2 = &rest[H..H + D * H];
    let (d_w1, rest) = d.split_at_mut(H * D);
    let (d_b1, rest) = rest.split_at_mut(H);
    let (d_w2, d_b2) = rest.split_at_mut(D * H);
    let mut d_hidden = [0.0; H];
    for i in 0..D {
        d_b2[i] += dout[i];
        for j in 0..H {
            d_w2[i * H + j] += dout[i] * hidden[j];
            d_hidden[j] += dout[i] * w2[i * H + j];
        }
    }
    for j in 0..H {
        let dz = d_hidden[j] * (1.0 - hidden[j] * hidden[j]);
        d_b1[j] += dz;
        for i in 0..D {
            d_w1[j * D + i] += dz * y[i];
            dy[i] += dz * w1[j * D + i];
        }
    }
}

fn by_hand(x: &[f64], data: &[f64], d: &mut [f64]) {
    let h = DT;
    let mut y = data[..D].to_vec();
    let mut kept = Vec::with_capacity(STEPS);
    let mut ends = Vec::with_capacity(STEPS);
    for _ in 0..STEPS {
        let (k1, kept1) = rhs_kept(x, y.clone());
        let (k2, kept2) = rhs_kept(x, axpy(h / 2.0, &k1, &y));
        let (k3, kept3) = rhs_kept(x, axpy(h / 2.0, &k2, &y));
        let (k4, kept4) = rhs_kept(x, axpy(h, &k3, &y));
        for i in 0..D {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
        kept.push([kept1, kept2, kept3, kept4]);
        ends.push(y.clone());
    }
    let mut dy = [0.0; D];
    for t in (0..STEPS).rev() {
        for i in 0..D {
            dy[i] += 2.0 * (ends[t][i] - data[(t + 1) * D + i]);
        }
        let [kept1, kept2, kept3, kept4] = &kept[t];
        let weight = |w: f64, dy: &[f64; D]| dy.map(|d| w * h / 6.0 * d);
        let mut back = |kept: &[Vec<f64>; 2], dk: &[f64; D], dy: &mut [f64; D]| -> [f64; D] {
            let mut at = [0.0; D];
            rhs_adjoint(x, kept, dk, d, &mut at);
            add(dy, 1.0, &at);
            at
        };
        let (mut d1, mut d2, mut d3) = (weight(1.0, &dy), weight(2.0, &dy), weight(2.0, &dy));
        let d4 = d1;
        let at = back(kept4, &d4, &mut dy);
        add(&mut d3, h, &at);
        let at = back(kept3, &d3, &mut dy);
        add(&mut d2, h / 2.0, &at);
        let at = back(kept2, &d2, &mut dy);
        add(&mut d1, h / 2.0, &at);
        back(kept1, &d1, &mut dy);
    }
}

fn add(x: &mut [f64; D], by: f64, y: &[f64; D]) {
    for i in 0..D {
        x[i] += by * y[i];
    }
}

pub(crate) fn run(bench: &Bench) {
    against_hand!(
        bench,
        "neural_ode",
        (
            numbers(1, H * D + H + D * H + D, -0.6, 0.6),
            numbers(2, D * (STEPS + 1), -1.0, 1.0)
        ),
        fit,
        by_hand,
        |v| v
    );
}
