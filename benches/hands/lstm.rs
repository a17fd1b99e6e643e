//! A long short-term memory: a method that takes its state as slices and returns the next one as vectors.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};

const H: usize = 8;
/// A weight for the input, one for each entry of the state, and a bias.
const ROW: usize = H + 2;

struct Cell<'a> {
    weights: &'a [f64],
}

#[differentiable]
fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[differentiable]
fn row(weights: &[f64], k: usize, input: f64, h: &[f64]) -> f64 {
    let w = &weights[k * ROW..(k + 1) * ROW];
    let recurrent: f64 = w[1..=H].iter().zip(h).map(|(w, h)| w * h).sum();
    w[0] * input + recurrent + w[H + 1]
}

#[differentiable]
fn step(weights: &[f64], input: f64, h: &[f64], c: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let mut next_h = Vec::with_capacity(H);
    let mut next_c = Vec::with_capacity(H);
    for j in 0..H {
        let forget = sigmoid(row(weights, j, input, h));
        let write = sigmoid(row(weights, H + j, input, h));
        let read = sigmoid(row(weights, 2 * H + j, input, h));
        let new = row(weights, 3 * H + j, input, h).tanh();
        let cell = forget * c[j] + write * new;
        next_c.push(cell);
        next_h.push(read * cell.tanh());
    }
    (next_h, next_c)
}

/// `x` is the weights; the sum of the state tells the next number.
#[differentiable]
fn lstm(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let mut h = vec![0.0; H];
    let mut c = vec![0.0; H];
    let mut loss = 0.0;
    for t in 0..data.len() - 1 {
        let (next_h, next_c) = step(x, data[t], &h, &c);
        h = next_h;
        c = next_c;
        let told: f64 = h.iter().sum();
        loss += (told - data[t + 1]).powi(2);
    }
    loss
}

struct Kept {
    h: Vec<f64>,
    c: Vec<f64>,
    forget: Vec<f64>,
    write: Vec<f64>,
    read: Vec<f64>,
    new: Vec<f64>,
    tanh: Vec<f64>,
    told: f64,
}

impl Cell<'_> {
    fn kept(&self, input: f64, h: Vec<f64>, c: Vec<f64>) -> (Kept, Vec<f64>, Vec<f64>) {
        let gates = |k: usize| -> Vec<f64> {
            (0..H)
                .map(|j| row(self.weights, k * H + j, input, &h))
                .collect()
        };
        let squashed = |k: usize| -> Vec<f64> { gates(k).into_iter().map(sigmoid).collect() };
        let (forget, write, read) = (squashed(0), squashed(1), squashed(2));
        let new: Vec<f64> = gates(3).into_iter().map(f64::tanh).collect();
        let next_c: Vec<f64> = (0..H)
            .map(|j| forget[j] * c[j] + write[j] * new[j])
            .collect();
        let tanh: Vec<f64> = next_c.iter().map(|c| c.tanh()).collect();
        let next_h: Vec<f64> = read.iter().zip(&tanh).map(|(r, t)| r * t).collect();
        let told = next_h.iter().sum();
        let kept = Kept {
            h,
            c,
            forget,
            write,
            read,
            new,
            tanh,
            told,
        };
        (kept, next_h, next_c)
    }
}

fn by_hand(x: &[f64], data: &[f64], d: &mut [f64]) {
    let cell = Cell { weights: x };
    let (mut h, mut c) = (vec![0.0; H], vec![0.0; H]);
    let mut steps = Vec::with_capacity(data.len() - 1);
    for t in 0..data.len() - 1 {
        let (kept, next_h, next_c) = cell.kept(data[t], h, c);
        steps.push(kept);
        (h, c) = (next_h, next_c);
    }
    let (mut dh, mut dc) = (vec![0.0; H], vec![0.0; H]);
    for (t, s) in steps.iter().enumerate().rev() {
        let by = 2.0 * (s.told - data[t + 1]);
        let (mut before_h, mut before_c) = (vec![0.0; H], vec![0.0; H]);
        for j in 0..H {
            let dh = dh[j] + by;
            let d_cell = dc[j] + dh * s.read[j] * (1.0 - s.tanh[j] * s.tanh[j]);
            let pre = [
                d_cell * s.c[j] * s.forget[j] * (1.0 - s.forget[j]),
                d_cell * s.new[j] * s.write[j] * (1.0 - s.write[j]),
                dh * s.tanh[j] * s.read[j] * (1.0 - s.read[j]),
                d_cell * s.write[j] * (1.0 - s.new[j] * s.new[j]),
            ];
            before_c[j] = d_cell * s.forget[j];
            for (k, p) in pre.into_iter().enumerate() {
                let own = (k * H + j) * ROW..(k * H + j + 1) * ROW;
                let (w, d) = (&x[own.clone()], &mut d[own]);
                d[0] += p * data[t];
                d[H + 1] += p;
                for i in 0..H {
                    d[1 + i] += p * s.h[i];
                    before_h[i] += p * w[1 + i];
                }
            }
        }
        (dh, dc) = (before_h, before_c);
    }
}

pub(crate) fn run(bench: &Bench) {
    against_hand!(
        bench,
        "lstm",
        (
            numbers(1, 4 * H * ROW, -0.6, 0.6),
            numbers(2, 61, -1.0, 1.0)
        ),
        lstm,
        by_hand,
        |v| v
    );
}
