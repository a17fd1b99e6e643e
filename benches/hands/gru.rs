//! A gated recurrent unit: small functions of slices for its gates, a struct's method for the step, a state that is assigned as a whole.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};

const H: usize = 6;
/// A weight for the input, one for each entry of the state, and a bias.
const GATE: usize = H + 2;

#[differentiable]
fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[differentiable]
fn weighted(gate: &[f64], input: f64, h: &[f64; H]) -> f64 {
    let mut sum = gate[0] * input + gate[H + 1];
    for j in 0..H {
        sum += gate[1 + j] * h[j];
    }
    sum
}

#[differentiable]
fn gate(gates: &[f64], i: usize, input: f64, h: &[f64; H]) -> f64 {
    weighted(&gates[i * GATE..(i + 1) * GATE], input, h)
}

#[differentiable]
fn step(x: &[f64], input: f64, h: [f64; H]) -> [f64; H] {
    let (update, rest) = x.split_at(H * GATE);
    let (reset, new) = rest.split_at(H * GATE);
    let mut kept = [0.0; H];
    for i in 0..H {
        kept[i] = h[i] * sigmoid(gate(reset, i, input, &h));
    }
    let mut next = [0.0; H];
    for i in 0..H {
        let z = sigmoid(gate(update, i, input, &h));
        next[i] = (1.0 - z) * h[i] + z * gate(new, i, input, &kept).tanh();
    }
    next
}

/// `x` is the gates; the mean of the state tells the next number.
#[differentiable]
fn unit(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let mut h = [0.0; H];
    let mut loss = 0.0;
    for pair in data.windows(2) {
        h = step(x, pair[0], h);
        let told = h.iter().sum::<f64>() / H as f64;
        loss += (told - pair[1]).powi(2);
    }
    loss
}

/// The adjoint of [`weighted`].
fn add_gate(gate: &[f64], input: f64, h: &[f64; H], by: f64, d: &mut [f64], dh: &mut [f64; H]) {
    d[0] += by * input;
    d[H + 1] += by;
    for j in 0..H {
        d[1 + j] += by * h[j];
        dh[j] += by * gate[1 + j];
    }
}

fn by_hand(x: &[f64], data: &[f64], d: &mut [f64]) {
    let own = |k: usize, i: usize| (k * H + i) * GATE..(k * H + i + 1) * GATE;
    let steps = data.len() - 1;
    let mut h = [0.0; H];
    // the state, and the gates, of each step
    let mut kept: Vec<[[f64; H]; 4]> = Vec::with_capacity(steps);
    let mut told = Vec::with_capacity(steps);
    for t in 0..steps {
        let (mut z, mut r, mut n, mut part) = ([0.0; H], [0.0; H], [0.0; H], [0.0; H]);
        for i in 0..H {
            r[i] = sigmoid(weighted(&x[own(1, i)], data[t], &h));
            part[i] = h[i] * r[i];
        }
        for i in 0..H {
            z[i] = sigmoid(weighted(&x[own(0, i)], data[t], &h));
            n[i] = weighted(&x[own(2, i)], data[t], &part).tanh();
        }
        kept.push([h, z, r, n]);
        for i in 0..H {
            h[i] = (1.0 - z[i]) * h[i] + z[i] * n[i];
        }
        told.push(h.iter().sum::<f64>() / H as f64);
    }
    let mut dh = [0.0; H];
    for t in (0..steps).rev() {
        let [h, z, r, n] = &kept[t];
        let by = 2.0 * (told[t] - data[t + 1]) / H as f64;
        dh.iter_mut().for_each(|dh| *dh += by);
        let part: [f64; H] = std::array::from_fn(|i| h[i] * r[i]);
        let (mut before, mut d_part) = ([0.0; H], [0.0; H]);
        for i in 0..H {
            before[i] += dh[i] * (1.0 - z[i]);
            let dz = dh[i] * (n[i] - h[i]) * z[i] * (1.0 - z[i]);
            add_gate(
                &x[own(0, i)],
                data[t],
                h,
                dz,
                &mut d[own(0, i)],
                &mut before,
            );
            let dn = dh[i] * z[i] * (1.0 - n[i] * n[i]);
            add_gate(
                &x[own(2, i)],
                data[t],
                &part,
                dn,
                &mut d[own(2, i)],
                &mut d_part,
            );
        }
        for i in 0..H {
            before[i] += d_part[i] * r[i];
            let dr = d_part[i] * h[i] * r[i] * (1.0 - r[i]);
            add_gate(
                &x[own(1, i)],
                data[t],
                h,
                dr,
                &mut d[own(1, i)],
                &mut before,
            );
        }
        dh = before;
    }
}

pub(crate) fn run(bench: &Bench) {
    against_hand!(
        bench,
        "gru",
        (
            numbers(1, 3 * H * GATE, -0.6, 0.6),
            numbers(2, 61, -1.0, 1.0)
        ),
        unit,
        by_hand,
        |v| v
    );
}
