//! Rows that are normalized, scaled and squared. `x` is the scales and the shifts of 64 columns, and rows behind them; the data are
//! weights of the entries.

use coenzyme::prelude::*;

use crate::measure::{Bench, numbers};
use crate::style::styles;

const COLUMNS: usize = 64;

#[differentiable]
fn written_out(x: &[f64], #[constant] weights: &[f64]) -> f64 {
    let n = COLUMNS as f64;
    let mut total = 0.0;
    for r in 0..weights.len() / COLUMNS {
        let row = 2 * COLUMNS + r * COLUMNS;
        let mut mean = 0.0;
        for c in 0..COLUMNS {
            mean += x[row + c];
        }
        mean /= n;
        let mut variance = 0.0;
        for c in 0..COLUMNS {
            variance += (x[row + c] - mean) * (x[row + c] - mean);
        }
        let inverse = 1.0 / (variance / n + 1e-5).sqrt();
        for c in 0..COLUMNS {
            let y = (x[row + c] - mean) * inverse * x[c] + x[COLUMNS + c];
            total += weights[r * COLUMNS + c] * y * y;
        }
    }
    total
}

#[differentiable]
fn mean(row: &[f64]) -> f64 {
    row.iter().sum::<f64>() / row.len() as f64
}

#[differentiable]
fn inverse_deviation(row: &[f64], mean: f64) -> f64 {
    let squares: f64 = row.iter().map(|v| (v - mean) * (v - mean)).sum();
    1.0 / (squares / row.len() as f64 + 1e-5).sqrt()
}

#[differentiable]
fn square(v: f64) -> f64 {
    v * v
}

#[differentiable]
fn functions(x: &[f64], #[constant] weights: &[f64]) -> f64 {
    let (scales, shifts, rows) = (&x[..COLUMNS], &x[COLUMNS..2 * COLUMNS], &x[2 * COLUMNS..]);
    let mut total = 0.0;
    for (row, weights) in rows
        .chunks_exact(COLUMNS)
        .zip(weights.chunks_exact(COLUMNS))
    {
        let m = mean(row);
        let inverse = inverse_deviation(row, m);
        for c in 0..COLUMNS {
            total += weights[c] * square((row[c] - m) * inverse * scales[c] + shifts[c]);
        }
    }
    total
}

#[differentiable]
fn iterators(x: &[f64], #[constant] weights: &[f64]) -> f64 {
    let (parameters, rows) = x.split_at(2 * COLUMNS);
    let (scales, shifts) = parameters.split_at(COLUMNS);
    rows.chunks_exact(COLUMNS)
        .zip(weights.chunks_exact(COLUMNS))
        .map(|(row, weights)| {
            let mean = row.iter().sum::<f64>() / COLUMNS as f64;
            let squares: f64 = row.iter().map(|v| (v - mean) * (v - mean)).sum();
            let inverse = 1.0 / (squares / COLUMNS as f64 + 1e-5).sqrt();
            row.iter()
                .zip(scales)
                .zip(shifts)
                .zip(weights)
                .map(|(((v, scale), shift), w)| {
                    let y = (v - mean) * inverse * scale + shift;
                    w * y * y
                })
                .sum::<f64>()
        })
        .sum()
}

#[differentiable]
fn closures(x: &[f64], #[constant] weights: &[f64]) -> f64 {
    let n = COLUMNS as f64;
    let at = |r: usize, c: usize| x[2 * COLUMNS + r * COLUMNS + c];
    let mut total = 0.0;
    for r in 0..weights.len() / COLUMNS {
        let mean = (0..COLUMNS).map(|c| at(r, c)).sum::<f64>() / n;
        let centered = |c: usize| at(r, c) - mean;
        let squares: f64 = (0..COLUMNS).map(|c| centered(c) * centered(c)).sum();
        let inverse = 1.0 / (squares / n + 1e-5).sqrt();
        for c in 0..COLUMNS {
            let y = centered(c) * inverse * x[c] + x[COLUMNS + c];
            total += weights[r * COLUMNS + c] * y * y;
        }
    }
    total
}

#[differentiable]
fn scratch(x: &[f64], #[constant] weights: &[f64]) -> f64 {
    let n = COLUMNS as f64;
    let mut centered = vec![0.0; COLUMNS];
    let mut total = 0.0;
    for (row, weights) in x[2 * COLUMNS..]
        .chunks_exact(COLUMNS)
        .zip(weights.chunks_exact(COLUMNS))
    {
        let mean = row.iter().sum::<f64>() / n;
        for (z, v) in centered.iter_mut().zip(row) {
            *z = v - mean;
        }
        let squares: f64 = centered.iter().map(|z| z * z).sum();
        let inverse = 1.0 / (squares / n + 1e-5).sqrt();
        for c in 0..COLUMNS {
            let y = centered[c] * inverse * x[c] + x[COLUMNS + c];
            total += weights[c] * y * y;
        }
    }
    total
}

pub(crate) fn run(bench: &Bench) {
    let rows = 64;
    let x = numbers(1, (2 + rows) * COLUMNS, 0.5, 1.5);
    let weights = numbers(2, rows * COLUMNS, -1.0, 1.0);
    styles!(bench, "layer norm", (x, weights), written_out: written_out, functions, closures, iterators, scratch);
}
