//! A convolution with several channels, bias and ReLU, max pooling and a dense layer: flat slices by index helpers.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};

const C: usize = 4;
const K: usize = 3;
const N: usize = 18;
const M: usize = N - K + 1;
const P: usize = M / 2;

#[differentiable]
fn conv2d(image: &[f64], kernel: &[f64], bias: f64, out: &mut [f64]) {
    for i in 0..M {
        for j in 0..M {
            let mut acc = bias;
            for a in 0..K {
                for b in 0..K {
                    acc += image[(i + a) * N + j + b] * kernel[a * K + b];
                }
            }
            out[i * M + j] = if acc > 0.0 { acc } else { 0.0 };
        }
    }
}

#[differentiable]
fn max_pool(map: &[f64], out: &mut [f64]) {
    for i in 0..P {
        for j in 0..P {
            let mut m = map[2 * i * M + 2 * j];
            m = m.max(map[2 * i * M + 2 * j + 1]);
            m = m.max(map[(2 * i + 1) * M + 2 * j]);
            m = m.max(map[(2 * i + 1) * M + 2 * j + 1]);
            out[i * P + j] = m;
        }
    }
}

#[differentiable]
fn network(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let mut score = 0.0;
    let mut map = vec![0.0; M * M];
    let mut pooled = vec![0.0; P * P];
    for c in 0..C {
        conv2d(data, &x[c * 9..(c + 1) * 9], x[C * 9 + c], &mut map);
        max_pool(&map, &mut pooled);
        let w = &x[C * 10 + c * P * P..];
        for k in 0..P * P {
            score += w[k] * pooled[k];
        }
    }
    (1.0 + (-score).exp()).ln()
}

fn by_hand(x: &[f64], data: &[f64], d: &mut [f64]) {
    let mut maps = vec![0.0; C * M * M];
    let mut score = 0.0;
    let mut best = vec![0usize; C * P * P];
    for c in 0..C {
        let k = &x[c * 9..][..9];
        let map = &mut maps[c * M * M..][..M * M];
        for i in 0..M {
            for j in 0..M {
                let mut acc = x[C * 9 + c];
                for a in 0..K {
                    for b in 0..K {
                        acc += data[(i + a) * N + j + b] * k[a * K + b];
                    }
                }
                map[i * M + j] = if acc > 0.0 { acc } else { 0.0 };
            }
        }
        let w = &x[C * 10 + c * P * P..][..P * P];
        for i in 0..P {
            for j in 0..P {
                let mut at = 2 * i * M + 2 * j;
                for o in [at + 1, at + M, at + M + 1] {
                    if map[o] > map[at] {
                        at = o;
                    }
                }
                best[c * P * P + i * P + j] = at;
                score += w[i * P + j] * map[at];
            }
        }
    }
    let g = -1.0 / (1.0 + score.exp());
    for c in 0..C {
        let map = &maps[c * M * M..][..M * M];
        for k in 0..P * P {
            let at = best[c * P * P + k];
            d[C * 10 + c * P * P + k] += g * map[at];
            if map[at] > 0.0 {
                let dm = g * x[C * 10 + c * P * P + k];
                let (i, j) = (at / M, at % M);
                d[C * 9 + c] += dm;
                for a in 0..K {
                    for b in 0..K {
                        d[c * 9 + a * K + b] += dm * data[(i + a) * N + j + b];
                    }
                }
            }
        }
    }
}

pub(crate) fn run(bench: &Bench) {
    let mut x = numbers(1, C * 10, -0.5, 0.5);
    for c in 0..C {
        x[C * 9 + c] = 0.4;
    }
    x.extend(numbers(4, C * P * P, -0.2, 0.2));
    against_hand!(
        bench,
        "convolution",
        (x, numbers(2, N * N, 0.0, 1.0)),
        network,
        by_hand,
        |v| v
    );
}
