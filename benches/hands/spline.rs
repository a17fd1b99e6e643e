//! A fit of a curve by cubic pieces: a search for the interval, a closure for the knots.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};

const K: usize = 32;

#[differentiable]
fn find(t: f64) -> usize {
    let (mut lo, mut hi) = (0, K - 1);
    while hi - lo > 1 {
        let mid = (lo + hi) / 2;
        if mid as f64 / (K - 1) as f64 > t {
            hi = mid;
        } else {
            lo = mid;
        }
    }
    lo
}

#[differentiable]
fn hermite(t: f64, a: [f64; 2], b: [f64; 2]) -> f64 {
    let (t2, t3) = (t * t, t * t * t);
    (2.0 * t3 - 3.0 * t2 + 1.0) * a[0]
        + (t3 - 2.0 * t2 + t) * a[1]
        + (3.0 * t2 - 2.0 * t3) * b[0]
        + (t3 - t2) * b[1]
}

#[differentiable]
fn eval(x: &[f64], at: f64) -> f64 {
    let k = find(at);
    let h = 1.0 / (K - 1) as f64;
    let t = (at - k as f64 * h) / h;
    let knot = |i: usize| -> [f64; 2] { [x[2 * i], x[2 * i + 1]] };
    hermite(t, knot(k), knot(k + 1))
}

/// `x` is a value and a slope at each knot; a sample is a point and what it is there.
#[differentiable]
fn fit(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let mut loss = 0.0;
    for point in data.chunks_exact(2) {
        let miss = eval(x, point[0]) - point[1];
        loss += miss * miss;
    }
    loss
}

fn by_hand(x: &[f64], data: &[f64], d: &mut [f64]) {
    let h = 1.0 / (K - 1) as f64;
    for p in data.chunks_exact(2) {
        let k = find(p[0]);
        let t = (p[0] - k as f64 * h) / h;
        let (t2, t3) = (t * t, t * t * t);
        let w = [
            2.0 * t3 - 3.0 * t2 + 1.0,
            t3 - 2.0 * t2 + t,
            3.0 * t2 - 2.0 * t3,
            t3 - t2,
        ];
        let v = w[0] * x[2 * k] + w[1] * x[2 * k + 1] + w[2] * x[2 * k + 2] + w[3] * x[2 * k + 3];
        let g = 2.0 * (v - p[1]);
        for i in 0..4 {
            d[2 * k + i] += g * w[i];
        }
    }
}

pub(crate) fn run(bench: &Bench) {
    let mut data = numbers(2, 4000, 0.0, 1.0);
    for i in 0..2000 {
        data[2 * i] = 0.999 * data[2 * i].abs();
    }
    against_hand!(
        bench,
        "spline",
        (numbers(1, 2 * K, -1.0, 1.0), data),
        fit,
        by_hand,
        |v| v
    );
}
