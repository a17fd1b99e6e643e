//! Lorenz's equations by steps of second order: closures that return arrays.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};

#[differentiable]
fn ahead(s: [f64; 3], h: f64, k: [f64; 3]) -> [f64; 3] {
    [s[0] + h * k[0], s[1] + h * k[1], s[2] + h * k[2]]
}

#[differentiable]
fn attractor(x: &[f64], #[constant] steps: &[f64]) -> f64 {
    let (sigma, rho, beta) = (x[3], x[4], x[5]);
    let rate = |s: [f64; 3]| {
        let [a, b, c] = s;
        [sigma * (b - a), a * (rho - c) - b, a * b - beta * c]
    };
    let mut s = [x[0], x[1], x[2]];
    let mut total = 0.0;
    for h in steps {
        let middle = ahead(s, 0.5 * h, rate(s));
        s = ahead(s, *h, rate(middle));
        total += h * s.iter().map(|v| v * v).sum::<f64>();
    }
    total
}

fn by_hand(x: &[f64], steps: &[f64], d: &mut [f64]) {
    let (sigma, rho, beta) = (x[3], x[4], x[5]);
    let rate = |s: [f64; 3]| {
        let [a, b, c] = s;
        [sigma * (b - a), a * (rho - c) - b, a * b - beta * c]
    };
    let mut states = Vec::with_capacity(steps.len());
    let mut s = [x[0], x[1], x[2]];
    for h in steps {
        states.push(s);
        let middle = ahead(s, 0.5 * h, rate(s));
        s = ahead(s, *h, rate(middle));
    }
    let (mut ds, mut dp) = ([0.0; 3], [0.0; 3]);
    let mut undo = |s: [f64; 3], dk: [f64; 3]| {
        let [a, b, c] = s;
        dp[0] += dk[0] * (b - a);
        dp[1] += dk[1] * a;
        dp[2] -= dk[2] * c;
        [
            -sigma * dk[0] + (rho - c) * dk[1] + b * dk[2],
            sigma * dk[0] - dk[1] + a * dk[2],
            -a * dk[1] - beta * dk[2],
        ]
    };
    for (h, before) in steps.iter().zip(&states).rev() {
        let middle = ahead(*before, 0.5 * h, rate(*before));
        let after = ahead(*before, *h, rate(middle));
        ds = ahead(ds, 2.0 * h, after);
        let dm = undo(middle, ds.map(|v| h * v));
        let dk = undo(*before, dm.map(|v| 0.5 * h * v));
        for i in 0..3 {
            ds[i] += dm[i] + dk[i];
        }
    }
    for i in 0..3 {
        d[i] += ds[i];
        d[3 + i] += dp[i];
    }
}

pub(crate) fn run(bench: &Bench) {
    let x = vec![1.0, 0.5, -0.3, 10.0, 28.0, 8.0 / 3.0];
    let steps = numbers(1, 2_000, 0.9e-3, 1.1e-3);
    against_hand!(bench, "lorenz", (x, steps), attractor, by_hand, |v| v);
}
