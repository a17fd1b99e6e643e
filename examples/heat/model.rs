//! Heat in a square plate of uneven conductivity, and how far pictures of it are from what the model says.

use coenzyme::prelude::*;
use coenzyme_rules::loops::{Schedule, iterate};

/// Cells along a side.
pub(crate) const N: usize = 20;
/// Time step over the square of a cell's side: stable below `1/(4k)`.
const DT: f64 = 0.05;

/// An experiment: the temperatures at its start, and those that a camera sees at its end (both `N·N`, row by row).
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    pub(crate) before: Vec<f64>,
    pub(crate) after: Vec<f64>,
}

/// One explicit step of `∂u/∂t = ∇·(k∇u)` in an insulated plate: through the face between cells `a` and `b` flows heat in
/// proportion to the difference of their temperatures and the harmonic mean of their conductivities.
#[differentiable]
pub(crate) fn step(u: &mut [f64], k: &[f64], _t: usize) {
    let old = u.to_vec();
    for i in 0..N {
        for j in 0..N - 1 {
            let (a, b) = (i * N + j, i * N + j + 1);
            let flow = DT * 2.0 * k[a] * k[b] / (k[a] + k[b]) * (old[b] - old[a]);
            u[a] += flow;
            u[b] -= flow;
        }
    }
    for i in 0..N - 1 {
        for j in 0..N {
            let (a, b) = (i * N + j, i * N + j + N);
            let flow = DT * 2.0 * k[a] * k[b] / (k[a] + k[b]) * (old[b] - old[a]);
            u[a] += flow;
            u[b] -= flow;
        }
    }
}

/// `Σ (u − seen)²` over the cells of all pictures, for the logarithms of the conductivities.
#[differentiable]
pub(crate) fn misfit(
    log_k: &[f64],
    #[constant] pictures: &[Picture],
    steps: usize,
    #[constant] schedule: Schedule,
) -> f64 {
    let k: Vec<f64> = log_k.iter().map(|m| m.exp()).collect();
    let mut sum = 0.0;
    for picture in pictures {
        let mut u = picture.before.to_vec();
        iterate(&mut u, &k, Inactive(step {}), steps, schedule);
        for i in 0..N * N {
            let d = u[i] - picture.after[i];
            sum += d * d;
        }
    }
    sum
}

/// The same with the loop as it stands: every step leaves its tape.
#[differentiable]
pub(crate) fn misfit_taped(log_k: &[f64], #[constant] pictures: &[Picture], steps: usize) -> f64 {
    let k: Vec<f64> = log_k.iter().map(|m| m.exp()).collect();
    let mut sum = 0.0;
    for picture in pictures {
        let mut u = picture.before.to_vec();
        for t in 0..steps {
            step(&mut u, &k, t);
        }
        for i in 0..N * N {
            let d = u[i] - picture.after[i];
            sum += d * d;
        }
    }
    sum
}

/// The adjoint of [`misfit`] by hand: adds to `dlog_k`, and keeps every state.
pub(crate) fn by_hand(log_k: &[f64], pictures: &[Picture], steps: usize, dlog_k: &mut [f64]) {
    let k: Vec<f64> = log_k.iter().map(|m| m.exp()).collect();
    let mut dk = vec![0.0; N * N];
    let mut states = vec![0.0; (steps + 1) * N * N];
    let mut old_du = vec![0.0; N * N];
    for picture in pictures {
        states[..N * N].copy_from_slice(&picture.before);
        for t in 0..steps {
            let (old, new) = states[t * N * N..(t + 2) * N * N].split_at_mut(N * N);
            new.copy_from_slice(old);
            step(new, &k, t);
        }
        let last = &states[steps * N * N..];
        let mut du: Vec<f64> = last
            .iter()
            .zip(&picture.after)
            .map(|(u, seen)| 2.0 * (u - seen))
            .collect();
        for t in (0..steps).rev() {
            let old = &states[t * N * N..(t + 1) * N * N];
            old_du.copy_from_slice(&du);
            let mut face = |a: usize, b: usize| {
                let (sum, through) = (k[a] + k[b], old_du[a] - old_du[b]);
                let g = DT * 2.0 * k[a] * k[b] / sum;
                du[b] += g * through;
                du[a] -= g * through;
                let dg = DT * 2.0 / (sum * sum) * (old[b] - old[a]) * through;
                dk[a] += dg * k[b] * k[b];
                dk[b] += dg * k[a] * k[a];
            };
            for i in 0..N {
                for j in 0..N - 1 {
                    face(i * N + j, i * N + j + 1);
                }
            }
            for i in 0..N - 1 {
                for j in 0..N {
                    face(i * N + j, i * N + j + N);
                }
            }
        }
    }
    for ((dm, dk), k) in dlog_k.iter_mut().zip(&dk).zip(&k) {
        *dm += dk * k;
    }
}

/// The plate that is to be found: conductivity 1, with a bad conductor in it and a good one.
pub(crate) fn plate() -> Vec<f64> {
    let inside =
        |i: usize, j: usize, (y, x): (f64, f64), r: f64| (i as f64 - y).hypot(j as f64 - x) < r;
    let cell = |c: usize| match (c / N, c % N) {
        (i, j) if inside(i, j, (6.0, 6.5), 3.2) => 0.2_f64,
        (i, j) if inside(i, j, (13.0, 12.5), 3.6) => 2.5,
        _ => 1.0,
    };
    (0..N * N).map(|c| cell(c).ln()).collect()
}

/// Experiments with the plate `log_k`: a lamp heats a spot, and `steps` later the camera takes the picture.
pub(crate) fn experiments(log_k: &[f64], steps: usize) -> Vec<Picture> {
    let k: Vec<f64> = log_k.iter().map(|m| m.exp()).collect();
    let place = |i: usize| (2.0 + 5.0 * (i / 4) as f64, 2.0 + 5.0 * (i % 4) as f64);
    let experiment = |(y, x): (f64, f64)| {
        let heat = |c: usize| {
            let (i, j) = ((c / N) as f64 - y, (c % N) as f64 - x);
            10.0 * (-(i * i + j * j) / 8.0).exp()
        };
        let before: Vec<f64> = (0..N * N).map(heat).collect();
        let mut after = before.clone();
        for t in 0..steps {
            step(&mut after, &k, t);
        }
        Picture { before, after }
    };
    (0..16).map(place).map(experiment).collect()
}
