//! Heat that diffuses and is lost in a box: a method of a struct for the index in three dimensions, and the state through `&mut`.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};

const N: usize = 12;

struct Grid {
    nx: usize,
    ny: usize,
    nz: usize,
}

impl Grid {
    fn idx(&self, i: usize, j: usize, k: usize) -> usize {
        (i * self.ny + j) * self.nz + k
    }
}

#[differentiable]
fn step(#[constant] g: &Grid, u: &[f64], next: &mut [f64], kappa: f64, rate: f64) {
    for i in 1..g.nx - 1 {
        for j in 1..g.ny - 1 {
            for k in 1..g.nz - 1 {
                let c = u[g.idx(i, j, k)];
                let lap = u[g.idx(i - 1, j, k)]
                    + u[g.idx(i + 1, j, k)]
                    + u[g.idx(i, j - 1, k)]
                    + u[g.idx(i, j + 1, k)]
                    + u[g.idx(i, j, k - 1)]
                    + u[g.idx(i, j, k + 1)]
                    - 6.0 * c;
                next[g.idx(i, j, k)] = c + kappa * lap - rate * c * c;
            }
        }
    }
}

/// `x` is the conductivity, how much is lost, and what it begins with; there are as many steps as data.
#[differentiable]
fn heat(x: &[f64], #[constant] dts: &[f64]) -> f64 {
    let g = Grid {
        nx: N,
        ny: N,
        nz: N,
    };
    let mut u = x[2..].to_vec();
    let mut next = u.clone();
    for &dt in dts {
        step(&g, &u, &mut next, x[0] * dt, x[1] * dt);
        std::mem::swap(&mut u, &mut next);
    }
    u.iter().map(|v| v * v).sum()
}

fn by_hand(x: &[f64], dts: &[f64], d: &mut [f64]) {
    let g = Grid {
        nx: N,
        ny: N,
        nz: N,
    };
    let m = N * N * N;
    let mut u = x[2..].to_vec();
    let mut next = u.clone();
    let mut states = Vec::new();
    for &dt in dts {
        states.extend_from_slice(&u);
        step(&g, &u, &mut next, x[0] * dt, x[1] * dt);
        std::mem::swap(&mut u, &mut next);
    }
    let mut du: Vec<f64> = u.iter().map(|v| 2.0 * v).collect();
    let mut dn = vec![0.0; m];
    for (s, &dt) in dts.iter().enumerate().rev() {
        let u = &states[s * m..][..m];
        let (kappa, rate) = (x[0] * dt, x[1] * dt);
        // the boundary keeps what the step before the last left there
        std::mem::swap(&mut du, &mut dn);
        let (mut dk, mut dr) = (0.0, 0.0);
        for i in 1..N - 1 {
            for j in 1..N - 1 {
                for k in 1..N - 1 {
                    let o = g.idx(i, j, k);
                    let c = u[o];
                    let b = dn[o];
                    dn[o] = 0.0;
                    let nb = [
                        g.idx(i - 1, j, k),
                        g.idx(i + 1, j, k),
                        g.idx(i, j - 1, k),
                        g.idx(i, j + 1, k),
                        g.idx(i, j, k - 1),
                        g.idx(i, j, k + 1),
                    ];
                    let mut lap = -6.0 * c;
                    for n in nb {
                        lap += u[n];
                        du[n] += kappa * b;
                    }
                    du[o] += b * (1.0 - 6.0 * kappa - 2.0 * rate * c);
                    dk += b * lap;
                    dr -= b * c * c;
                }
            }
        }
        d[0] += dk * dt;
        d[1] += dr * dt;
    }
    for i in 0..m {
        d[2 + i] += du[i] + dn[i];
    }
}

pub(crate) fn run(bench: &Bench) {
    let m = N * N * N;
    let mut x = vec![0.1, 0.05];
    x.extend(numbers(2, m, 0.0, 1.0));
    against_hand!(bench, "box-heat", (x, vec![0.9; 8]), heat, by_hand, |v| v);
}
