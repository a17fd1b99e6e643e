//! A plate that is cut in slabs of rows, one for each rank.

use coenzyme::prelude::*;
use coenzyme_collective::per_rank::{all_gather, shift};
use coenzyme_collective::{Comm, CommError, Process};

/// The plate has so many rows and columns.
pub(crate) const N: usize = 12;
/// Time steps of an experiment.
const STEPS: usize = 20;
/// Heat that passes between two cells in a step, at conductivity one and a kelvin.
const RATE: f64 = 0.08;

/// For each row of the slab the squares of what the temperatures differ by from those that were `seen`, after all steps.
///
/// `log_k` is the logarithm of the conductivity of each cell, `u` the temperature at the beginning. Rows at the edges of slabs are
/// exchanged in each step; the plate is insulated.
#[differentiable]
fn misfit_of_rows(
    comm: &Comm,
    log_k: &[f64],
    u: &[f64],
    seen: &[f64],
) -> Result<Vec<f64>, CommError> {
    let h = u.len() / N;
    let mut k = vec![0.0; h * N];
    for i in 0..h * N {
        k[i] = log_k[i].exp();
    }
    let k_above = shift(comm, 1, &k[(h - 1) * N..])?;
    let k_below = shift(comm, -1, &k[..N])?;
    let first = comm.rank() == 0;
    let last = comm.rank() + 1 == comm.size();
    let mut u = u.to_vec();
    for _ in 0..STEPS {
        let above = shift(comm, 1, &u[(h - 1) * N..])?;
        let below = shift(comm, -1, &u[..N])?;
        let mut new = vec![0.0; h * N];
        for i in 0..h {
            for j in 0..N {
                let c = i * N + j;
                let mut flow = 0.0;
                if i > 0 {
                    flow += 0.5 * (k[c] + k[c - N]) * (u[c - N] - u[c]);
                } else if !first {
                    flow += 0.5 * (k[c] + k_above[j]) * (above[j] - u[c]);
                }
                if i + 1 < h {
                    flow += 0.5 * (k[c] + k[c + N]) * (u[c + N] - u[c]);
                } else if !last {
                    flow += 0.5 * (k[c] + k_below[j]) * (below[j] - u[c]);
                }
                if j > 0 {
                    flow += 0.5 * (k[c] + k[c - 1]) * (u[c - 1] - u[c]);
                }
                if j + 1 < N {
                    flow += 0.5 * (k[c] + k[c + 1]) * (u[c + 1] - u[c]);
                }
                new[c] = u[c] + RATE * flow;
            }
        }
        u = new;
    }
    let mut rows = vec![0.0; h];
    for i in 0..h {
        for j in 0..N {
            let d = u[i * N + j] - seen[i * N + j];
            rows[i] += d * d;
        }
    }
    Ok(rows)
}

/// This rank's share of the misfit.
#[differentiable]
fn share(comm: &Comm, log_k: &[f64], u: &[f64], seen: &[f64]) -> Result<f64, CommError> {
    let rows = misfit_of_rows(comm, log_k, u, seen)?;
    let mut sum = 0.0;
    for i in 0..rows.len() {
        sum += rows[i];
    }
    Ok(sum)
}

/// The conductivities inside: a bar across a plate of conductivity one.
fn truth(row: usize, column: usize) -> f64 {
    if row + 2 > column && row < column + 2 {
        0.8
    } else {
        0.0
    }
}

/// Heated here and there.
fn heated(row: usize, column: usize) -> f64 {
    if (row / 2 + column / 3).is_multiple_of(2) {
        1.0
    } else {
        0.0
    }
}

/// What a program has found.
pub(crate) struct Found {
    /// The misfit now and then: the sum over all rows, in their order, so that it has the same digits however the plate is cut.
    pub(crate) misfits: Vec<f64>,
    /// The conductivities of the whole plate.
    pub(crate) log_k: Vec<f64>,
}

/// Finds the conductivities from one picture of the temperatures, by Adam.
pub(crate) fn calibrate(process: &Process) -> Result<Found, CommError> {
    let comm = process.world();
    let h = N / comm.size();
    let of = |f: fn(usize, usize) -> f64| -> Vec<f64> {
        let cells = (0..h * N).map(|c| f(comm.rank() * h + c / N, c % N));
        cells.collect()
    };
    let u = of(heated);
    let seen = picture(comm, &of(truth), &u)?;
    let mut log_k = vec![0.0; h * N];
    let (mut mean, mut square) = (log_k.clone(), log_k.clone());
    let mut misfits = Vec::new();
    for round in 1..=120 {
        if round % 20 == 1 {
            let rows = misfit_of_rows(comm, &log_k, &u, &seen)?;
            misfits.push(all_gather(comm, &rows)?.iter().sum());
        }
        let mut d = vec![0.0; h * N];
        autodiff!(
            Reverse,
            share,
            Const(comm),
            Duplicated(&log_k, &mut d),
            Const(&u),
            Const(&seen)
        )?;
        for c in 0..h * N {
            mean[c] = 0.9 * mean[c] + 0.1 * d[c];
            square[c] = 0.99 * square[c] + 0.01 * d[c] * d[c];
            let (m, s) = (
                mean[c] / (1.0 - 0.9_f64.powi(round)),
                square[c] / (1.0 - 0.99_f64.powi(round)),
            );
            log_k[c] -= 0.05 * m / (s.sqrt() + 1e-6);
        }
    }
    let log_k = all_gather(comm, &log_k)?;
    Ok(Found { misfits, log_k })
}

/// The temperatures after all steps. The misfit knows them: `∂(u − s)²/∂s = −2·u` at `s = 0`.
fn picture(comm: &Comm, log_k: &[f64], u: &[f64]) -> Result<Vec<f64>, CommError> {
    let seen = vec![0.0; u.len()];
    let mut d = vec![0.0; u.len()];
    autodiff!(
        Reverse,
        share,
        Const(comm),
        Const(log_k),
        Const(u),
        Duplicated(&seen, &mut d)
    )?;
    Ok(d.iter().map(|d| -0.5 * d).collect())
}

/// What all programs print, line by line.
pub(crate) fn report(found: &Found) {
    for (i, misfit) in found.misfits.iter().enumerate() {
        println!("round {:3}  misfit {misfit:.12e}", 20 * i);
    }
    let error = |k: &[f64]| -> f64 {
        let cells = k.iter().enumerate();
        cells
            .map(|(c, k)| (k - truth(c / N, c % N)).powi(2))
            .sum::<f64>()
            .sqrt()
    };
    println!(
        "error of ln k  {:.12}, at first {:.12}",
        error(&found.log_k),
        error(&[0.0; N * N])
    );
}
