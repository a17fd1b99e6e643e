//! Implicit steps of diffusion: a tridiagonal solver that returns a vector.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};

const N: usize = 64;

#[differentiable]
fn thomas(lower: &[f64], diag: &[f64], upper: &[f64], rhs: &[f64]) -> Vec<f64> {
    let n = diag.len();
    let mut c = vec![0.0; n];
    let mut d = vec![0.0; n];
    c[0] = upper[0] / diag[0];
    d[0] = rhs[0] / diag[0];
    for i in 1..n {
        let m = diag[i] - lower[i] * c[i - 1];
        c[i] = upper[i] / m;
        d[i] = (rhs[i] - lower[i] * d[i - 1]) / m;
    }
    let mut x = vec![0.0; n];
    x[n - 1] = d[n - 1];
    for i in (0..n - 1).rev() {
        x[i] = d[i] - c[i] * x[i + 1];
    }
    x
}

/// `x` is conductivities and what it begins with; there are as many steps as data.
#[differentiable]
fn diffuse(x: &[f64], #[constant] dts: &[f64]) -> f64 {
    let k = &x[..N];
    let mut u = x[N..].to_vec();
    for dt in dts {
        let mut lower = vec![0.0; N];
        let mut diag = vec![1.0; N];
        let mut upper = vec![0.0; N];
        for i in 0..N {
            if i > 0 {
                let w = dt * 0.5 * (k[i - 1] + k[i]);
                lower[i] = -w;
                diag[i] += w;
            }
            if i + 1 < N {
                let w = dt * 0.5 * (k[i] + k[i + 1]);
                upper[i] = -w;
                diag[i] += w;
            }
        }
        u = thomas(&lower, &diag, &upper, &u);
    }
    u.iter()
        .enumerate()
        .map(|(i, v)| (i as f64 / N as f64) * v * v)
        .sum()
}

fn by_hand(x: &[f64], dts: &[f64], dx: &mut [f64]) {
    let k = &x[..N];
    let (dk, du0) = dx.split_at_mut(N);
    let build = |dt: f64| {
        let (mut lower, mut diag, mut upper) = (vec![0.0; N], vec![1.0; N], vec![0.0; N]);
        for i in 0..N {
            if i > 0 {
                let w = dt * 0.5 * (k[i - 1] + k[i]);
                lower[i] = -w;
                diag[i] += w;
            }
            if i + 1 < N {
                let w = dt * 0.5 * (k[i] + k[i + 1]);
                upper[i] = -w;
                diag[i] += w;
            }
        }
        (lower, diag, upper)
    };
    let mut states = vec![x[N..].to_vec()];
    for dt in dts {
        let (l, d, u) = build(*dt);
        let next = thomas(&l, &d, &u, states.last().unwrap());
        states.push(next);
    }
    let mut du: Vec<f64> = states[dts.len()]
        .iter()
        .enumerate()
        .map(|(i, v)| 2.0 * (i as f64 / N as f64) * v)
        .collect();
    for (s, dt) in dts.iter().enumerate().rev() {
        let (l, d, u) = build(*dt);
        let sol = &states[s + 1];
        // the transposed equations
        let mut lt = vec![0.0; N];
        let mut ut = vec![0.0; N];
        lt[1..].copy_from_slice(&u[..N - 1]);
        ut[..N - 1].copy_from_slice(&l[1..]);
        let lam = thomas(&lt, &d, &ut, &du);
        for i in 0..N {
            let dd = -lam[i] * sol[i];
            if i > 0 {
                let w = dd + lam[i] * sol[i - 1];
                let g = dt * 0.5 * w;
                dk[i - 1] += g;
                dk[i] += g;
            }
            if i + 1 < N {
                let w = dd + lam[i] * sol[i + 1];
                let g = dt * 0.5 * w;
                dk[i] += g;
                dk[i + 1] += g;
            }
        }
        du = lam;
    }
    du0.iter_mut().zip(&du).for_each(|(a, b)| *a += b);
}

pub(crate) fn run(bench: &Bench) {
    let mut x = numbers(1, N, 0.5, 2.0);
    x.extend(numbers(2, N, 0.0, 1.0));
    against_hand!(
        bench,
        "tridiagonal",
        (x, vec![0.3; 20]),
        diffuse,
        by_hand,
        |v| v
    );
}
