//! Conduction in a box: a small function for the flux between neighbours, a function for the index, two arrays that change places.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};

const N: usize = 10;

fn at(i: usize, j: usize, k: usize) -> usize {
    (i * N + j) * N + k
}

#[differentiable]
fn flux(a: f64, b: f64, kappa: f64, bend: f64) -> f64 {
    kappa * (b - a) * (1.0 + bend * (a + b))
}

/// `x` is the conductivity, how it bends, and what it begins with; there are as many steps as data.
#[differentiable]
fn conduct(x: &[f64], #[constant] dts: &[f64]) -> f64 {
    let (kappa, bend) = (x[0], x[1]);
    let mut u = x[2..].to_vec();
    let mut next = u.clone();
    for &dt in dts {
        for i in 1..N - 1 {
            for j in 1..N - 1 {
                for k in 1..N - 1 {
                    let c = u[at(i, j, k)];
                    let gain = flux(c, u[at(i - 1, j, k)], kappa, bend)
                        + flux(c, u[at(i + 1, j, k)], kappa, bend)
                        + flux(c, u[at(i, j - 1, k)], kappa, bend)
                        + flux(c, u[at(i, j + 1, k)], kappa, bend)
                        + flux(c, u[at(i, j, k - 1)], kappa, bend)
                        + flux(c, u[at(i, j, k + 1)], kappa, bend);
                    next[at(i, j, k)] = c + dt * gain;
                }
            }
        }
        std::mem::swap(&mut u, &mut next);
    }
    u.iter().map(|v| v * v).sum()
}

fn by_hand(x: &[f64], dts: &[f64], d: &mut [f64]) {
    let (kappa, bend) = (x[0], x[1]);
    let mut u = x[2..].to_vec();
    let mut next = u.clone();
    let mut kept = Vec::with_capacity(dts.len() * u.len());
    let neighbours = |o: usize| [o - N * N, o + N * N, o - N, o + N, o - 1, o + 1];
    for &dt in dts {
        kept.extend_from_slice(&u);
        for i in 1..N - 1 {
            for j in 1..N - 1 {
                for k in 1..N - 1 {
                    let o = at(i, j, k);
                    let c = u[o];
                    let mut gain = 0.0;
                    for n in neighbours(o) {
                        gain += flux(c, u[n], kappa, bend);
                    }
                    next[o] = c + dt * gain;
                }
            }
        }
        std::mem::swap(&mut u, &mut next);
    }
    let mut du: Vec<f64> = u.iter().map(|u| 2.0 * u).collect();
    // of what stands in the other array at the border
    let mut dn = vec![0.0; u.len()];
    let (mut d_kappa, mut d_bend) = (0.0, 0.0);
    for (s, &dt) in dts.iter().enumerate().rev() {
        let u = &kept[s * u.len()..][..u.len()];
        std::mem::swap(&mut du, &mut dn);
        for i in 1..N - 1 {
            for j in 1..N - 1 {
                for k in 1..N - 1 {
                    let o = at(i, j, k);
                    let g = std::mem::take(&mut dn[o]);
                    let (by, c) = (g * dt, u[o]);
                    let mut dc = g;
                    for n in neighbours(o) {
                        let (drop, sum) = (u[n] - c, u[n] + c);
                        let (level, slope) = (1.0 + bend * sum, bend * drop);
                        d_kappa += by * drop * level;
                        d_bend += by * kappa * drop * sum;
                        dc += by * kappa * (slope - level);
                        du[n] += by * kappa * (slope + level);
                    }
                    du[o] += dc;
                }
            }
        }
    }
    d[0] += d_kappa;
    d[1] += d_bend;
    for ((d, du), dn) in d[2..].iter_mut().zip(du).zip(dn) {
        *d += du + dn;
    }
}

pub(crate) fn run(bench: &Bench) {
    let mut x = vec![0.8, 0.1];
    x.extend(numbers(1, N * N * N, 0.0, 1.0));
    against_hand!(bench, "flux", (x, vec![0.05; 8]), conduct, by_hand, |v| v);
}
