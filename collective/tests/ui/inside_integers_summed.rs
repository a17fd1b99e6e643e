//! Collectives carry numbers that have derivatives, in differentiated code.

use coenzyme::prelude::*;
use coenzyme_collective::per_rank::all_reduce;
use coenzyme_collective::typed::{local, varying};
use coenzyme_collective::{Along, Comm, CommError};

#[differentiable]
fn a_length(comm: &Comm, x: &[f64]) -> Result<f64, CommError> {
    let count = all_reduce(comm, &[x.len()])?;
    Ok(x[0] / count[0] as f64)
}

#[differentiable]
fn many(comm: &Comm, counts: &[usize], x: &[f64]) -> Result<f64, CommError> {
    let counts = all_reduce(comm, counts)?;
    Ok(x[0] / counts[0] as f64)
}

#[differentiable]
fn marked(along: &Along, n: i32, x: &[f64]) -> f64 {
    let count = varying(along, &[n]);
    let count = local(&count);
    x[0] / f64::from(count[0])
}

fn main() {}
