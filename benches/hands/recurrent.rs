//! A recurrent network: a closure that returns an array, and back-propagation through time.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};

const H: usize = 8;
/// `x` is the weights of the input, of the state, the biases, and the weights of the output, which tells the next number.
#[differentiable]
fn rnn(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let (u, rest) = x.split_at(H);
    let (w, rest) = rest.split_at(H * H);
    let (b, o) = rest.split_at(H);
    let step = |h: [f64; H], input: f64| -> [f64; H] {
        let mut next = [0.0; H];
        for i in 0..H {
            let mut a = b[i] + u[i] * input;
            for j in 0..H {
                a += w[i * H + j] * h[j];
            }
            next[i] = a.tanh();
        }
        next
    };
    let mut h = [0.0; H];
    let mut loss = 0.0;
    for t in 0..data.len() - 1 {
        h = step(h, data[t]);
        let mut y = 0.0;
        for i in 0..H {
            y += o[i] * h[i];
        }
        loss += (y - data[t + 1]).powi(2);
    }
    loss
}

fn by_hand(x: &[f64], data: &[f64], d: &mut [f64]) {
    let (u, rest) = x.split_at(H);
    let (w, rest) = rest.split_at(H * H);
    let (b, o) = rest.split_at(H);
    let n = data.len() - 1;
    let mut hs = vec![[0.0; H]; n + 1];
    for t in 0..n {
        for i in 0..H {
            let mut a = b[i] + u[i] * data[t];
            for j in 0..H {
                a += w[i * H + j] * hs[t][j];
            }
            hs[t + 1][i] = a.tanh();
        }
    }
    let (du, rest) = d.split_at_mut(H);
    let (dw, rest) = rest.split_at_mut(H * H);
    let (db, do_) = rest.split_at_mut(H);
    let mut dh = [0.0; H];
    for t in (0..n).rev() {
        let h = &hs[t + 1];
        let mut y = 0.0;
        for i in 0..H {
            y += o[i] * h[i];
        }
        let g = 2.0 * (y - data[t + 1]);
        let mut before = [0.0; H];
        for i in 0..H {
            do_[i] += g * h[i];
            let da = (dh[i] + g * o[i]) * (1.0 - h[i] * h[i]);
            db[i] += da;
            du[i] += da * data[t];
            for j in 0..H {
                dw[i * H + j] += da * hs[t][j];
                before[j] += da * w[i * H + j];
            }
        }
        dh = before;
    }
}

pub(crate) fn run(bench: &Bench) {
    against_hand!(
        bench,
        "recurrent",
        (
            numbers(1, H * H + 3 * H, -0.5, 0.5),
            numbers(2, 101, -1.0, 1.0)
        ),
        rnn,
        by_hand,
        |v| v
    );
}
