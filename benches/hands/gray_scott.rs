//! Gray and Scott's reaction of two substances that diffuse on a torus: a function for the index.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};

const N: usize = 32;
const STEP: f64 = 0.8;

fn at(i: usize, j: usize) -> usize {
    (i % N) * N + j % N
}

#[differentiable]
fn laplacian(w: &[f64], i: usize, j: usize) -> f64 {
    w[at(i + 1, j)] + w[at(i + N - 1, j)] + w[at(i, j + 1)] + w[at(i, j + N - 1)]
        - 4.0 * w[at(i, j)]
}

/// `x` is how fast both diffuse, feed and kill, and what both begin with; there are as many steps as data.
#[differentiable]
fn reaction(x: &[f64], #[constant] feeds: &[f64]) -> f64 {
    let mut u = x[4..4 + N * N].to_vec();
    let mut v = x[4 + N * N..].to_vec();
    let mut next_u = vec![0.0; N * N];
    let mut next_v = vec![0.0; N * N];
    for feed in feeds {
        for i in 0..N {
            for j in 0..N {
                let k = at(i, j);
                let reacts = u[k] * v[k] * v[k];
                let (lu, lv) = (laplacian(&u, i, j), laplacian(&v, i, j));
                next_u[k] = u[k] + STEP * (x[0] * lu - reacts + (x[2] + feed) * (1.0 - u[k]));
                next_v[k] = v[k] + STEP * (x[1] * lv + reacts - (x[2] + x[3]) * v[k]);
            }
        }
        std::mem::swap(&mut u, &mut next_u);
        std::mem::swap(&mut v, &mut next_v);
    }
    u.iter().zip(&v).map(|(u, v)| u * u + v).sum()
}

fn by_hand(x: &[f64], feeds: &[f64], d: &mut [f64]) {
    let mut u = x[4..4 + N * N].to_vec();
    let mut v = x[4 + N * N..].to_vec();
    let (mut next_u, mut next_v) = (u.clone(), v.clone());
    let mut states: Vec<f64> = Vec::with_capacity(2 * N * N * feeds.len());
    for feed in feeds {
        states.extend(&u);
        states.extend(&v);
        for i in 0..N {
            for j in 0..N {
                let k = at(i, j);
                let reacts = u[k] * v[k] * v[k];
                let (lu, lv) = (laplacian(&u, i, j), laplacian(&v, i, j));
                next_u[k] = u[k] + STEP * (x[0] * lu - reacts + (x[2] + feed) * (1.0 - u[k]));
                next_v[k] = v[k] + STEP * (x[1] * lv + reacts - (x[2] + x[3]) * v[k]);
            }
        }
        std::mem::swap(&mut u, &mut next_u);
        std::mem::swap(&mut v, &mut next_v);
    }
    let mut du: Vec<f64> = u.iter().map(|u| 2.0 * u).collect();
    let mut dv = vec![1.0; N * N];
    let (mut before_u, mut before_v) = (vec![0.0; N * N], vec![0.0; N * N]);
    for (feed, state) in feeds.iter().zip(states.chunks_exact(2 * N * N)).rev() {
        let (u, v) = state.split_at(N * N);
        for i in 0..N {
            for j in 0..N {
                let k = at(i, j);
                let (du_, dv_) = (STEP * du[k], STEP * dv[k]);
                let (lu, lv) = (laplacian(u, i, j), laplacian(v, i, j));
                let dr = dv_ - du_;
                d[0] += du_ * lu;
                d[1] += dv_ * lv;
                d[2] += du_ * (1.0 - u[k]) - dv_ * v[k];
                d[3] -= dv_ * v[k];
                // the Laplacian is its own adjoint
                let (ldu, ldv) = (laplacian(&du, i, j), laplacian(&dv, i, j));
                before_u[k] = du[k] - du_ * (x[2] + feed) + dr * v[k] * v[k] + STEP * x[0] * ldu;
                before_v[k] =
                    dv[k] - dv_ * (x[2] + x[3]) + dr * 2.0 * u[k] * v[k] + STEP * x[1] * ldv;
            }
        }
        std::mem::swap(&mut du, &mut before_u);
        std::mem::swap(&mut dv, &mut before_v);
    }
    d[4..4 + N * N]
        .iter_mut()
        .zip(&du)
        .for_each(|(d, du)| *d += du);
    d[4 + N * N..]
        .iter_mut()
        .zip(&dv)
        .for_each(|(d, dv)| *d += dv);
}

pub(crate) fn run(bench: &Bench) {
    let mut x = vec![0.16, 0.08, 0.035, 0.06];
    x.extend(numbers(1, N * N, 0.5, 1.0));
    x.extend(numbers(2, N * N, 0.0, 0.5));
    let feeds = numbers(3, 20, 0.0, 0.01);
    against_hand!(bench, "gray-scott", (x, feeds), reaction, by_hand, |v| v);
}
