//! Dynamic time warping: a table of vectors, the smallest of three entries by a function. By hand only the path is gone back.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};

#[differentiable]
fn min3(a: f64, b: f64, c: f64) -> f64 {
    a.min(b).min(c)
}

#[differentiable]
fn cost(a: f64, b: f64, w: f64) -> f64 {
    let d = a - b;
    w * d * d
}

#[differentiable]
fn dtw(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let n = x.len() - 1;
    let m = data.len();
    let mut table = vec![vec![f64::INFINITY; m + 1]; n + 1];
    table[0][0] = 0.0;
    for i in 1..=n {
        for j in 1..=m {
            let best = min3(table[i - 1][j], table[i][j - 1], table[i - 1][j - 1]);
            table[i][j] = cost(x[i], data[j - 1], x[0]) + best;
        }
    }
    table[n][m]
}

fn by_hand(x: &[f64], data: &[f64], d: &mut [f64]) {
    let n = x.len() - 1;
    let m = data.len();
    let w = m + 1;
    let mut t = vec![f64::INFINITY; (n + 1) * w];
    let mut from = vec![0u8; (n + 1) * w];
    t[0] = 0.0;
    for i in 1..=n {
        for j in 1..=m {
            let (a, b, c) = (t[(i - 1) * w + j], t[i * w + j - 1], t[(i - 1) * w + j - 1]);
            let (mut best, mut f) = (a, 0);
            if b < best {
                best = b;
                f = 1;
            }
            if c < best {
                best = c;
                f = 2;
            }
            let e = x[i] - data[j - 1];
            t[i * w + j] = x[0] * e * e + best;
            from[i * w + j] = f;
        }
    }
    let (mut i, mut j) = (n, m);
    while i > 0 && j > 0 {
        let e = x[i] - data[j - 1];
        d[0] += e * e;
        d[i] += 2.0 * x[0] * e;
        match from[i * w + j] {
            0 => i -= 1,
            1 => j -= 1,
            _ => {
                i -= 1;
                j -= 1
            }
        }
    }
}

pub(crate) fn run(bench: &Bench) {
    let mut x = vec![0.8];
    x.extend(numbers(1, 40, -1.0, 1.0));
    against_hand!(
        bench,
        "time warping",
        (x, numbers(2, 40, -1.0, 1.0)),
        dtw,
        by_hand,
        |v| v
    );
}
