//! Rounds in which no cotangent arrives, since a maximum, a rectifier or a path chose others: they are not undone.

use coenzyme::differentiable;

use crate::subject::judge;

#[differentiable]
fn filter(image: &[f64], kernel: &[f64], bias: f64, out: &mut [f64]) {
    for i in 0..4 {
        let mut acc = bias;
        for a in 0..2 {
            acc += image[i + a] * kernel[a];
        }
        out[i] = if acc > 0.0 { acc } else { 0.0 };
    }
}

/// A filter whose rectified outputs compete.
#[differentiable]
fn pooled(image: &[f64], kernel: &[f64], bias: f64) -> f64 {
    let mut map = vec![0.0; 4];
    filter(image, kernel, bias, &mut map);
    let mut best = map[0];
    for i in 1..4 {
        best = best.max(map[i]);
    }
    best * best
}

#[differentiable]
fn weighted(a: f64, b: f64) -> f64 {
    a * b + a.sin()
}

/// Leaves something on the tape: the round is undone all the same.
#[differentiable]
fn taping(x: &[f64]) -> f64 {
    let mut p = 1.0;
    for e in x {
        p *= e;
    }
    p
}

/// Two results of each round, of which some are read.
#[differentiable]
fn some_are_read(x: &[f64], y: &mut [f64]) -> f64 {
    let mut z = vec![0.0; 4];
    for i in 0..4 {
        let a = weighted(x[i], y[i]);
        let b = taping(x);
        y[i] = a * x[0];
        z[i] = a + b;
    }
    z[1] * z[1] + y[2]
}

/// A round adds to what it writes, which earlier rounds read.
#[differentiable]
fn added(x: &[f64]) -> f64 {
    let mut y = vec![0.0; 5];
    let mut kept = x[0];
    for i in 0..4 {
        let a = weighted(x[i], kept);
        kept = a * 0.5;
        y[i] += a;
        y[i + 1] -= weighted(a, x[0]);
    }
    y[1] * kept
}

/// Memory of the round is written too, and a loop inside tapes.
#[differentiable]
fn inside(x: &[f64]) -> f64 {
    let mut y = vec![0.0; 3];
    for i in 0..3 {
        let mut own = [0.0; 3];
        let mut p = x[i];
        for k in 0..3 {
            p *= x[k];
            own[k] = p.sin();
        }
        y[i] = own[0] * own[1] + own[2];
    }
    y[1]
}

/// Only the value of one entry is asked for, through another function.
#[differentiable]
fn one_of(x: &[f64], at: usize) -> f64 {
    let mut y = vec![0.0; 4];
    for i in 0..4 {
        let row = weighted(x[i], x[3 - i]);
        y[i] = weighted(row, x[i]);
    }
    y[at]
}

judge! {
    pooled(&[0.4, -0.7, 0.9, 0.3, 0.8], &[0.6, -0.5], 0.1) (&[0.3, 0.2, -0.5, 0.4, 0.1], &[0.3, -0.6], 0.2);
    some_are_read(&[0.4, -0.7, 0.9, 0.3], &mut [0.6, -0.5, 0.2, 0.7]) (&[0.3, 0.2, -0.5, 0.4], &mut [0.3, -0.6, 0.1, 0.5]);
    added(&[0.4, -0.7, 0.9, 0.3]) (&[0.3, 0.2, -0.5, 0.4]);
    inside(&[0.4, -0.7, 0.9]) (&[0.3, 0.2, -0.5]);
    one_of(&[0.4, -0.7, 0.9, 0.3], 2) (&[0.3, 0.2, -0.5, 0.4], 0);
}
