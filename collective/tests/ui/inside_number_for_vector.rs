//! A number where a vector is wanted, in differentiated code: `&[x]` is one.

use coenzyme::prelude::*;
use coenzyme_collective::per_rank::{all_reduce, iall_reduce, isend, send, wait};
use coenzyme_collective::typed::{Varying, varying};
use coenzyme_collective::{Along, Comm, CommError};

#[differentiable]
fn summed(comm: &Comm, x: f64) -> Result<f64, CommError> {
    let sum = all_reduce(comm, x)?;
    Ok(sum[0])
}

#[differentiable]
fn borrowed(comm: &Comm, x: f64) -> Result<f64, CommError> {
    let sum = all_reduce(comm, &x)?;
    Ok(sum[0])
}

#[differentiable]
fn marked(along: &Along, x: f64) -> Varying<Vec<f64>> {
    varying(along, x)
}

#[differentiable]
fn sent(comm: &Comm, x: f64) -> Result<f64, CommError> {
    send(comm, 1, 0, x)?;
    Ok(x)
}

#[differentiable]
fn begun(comm: &Comm, x: f64) -> Result<f64, CommError> {
    let message = isend(comm, 1, 0, x)?;
    wait(comm, &message)?;
    Ok(x)
}

#[differentiable]
fn begun_to_be_summed(comm: &Comm, x: f64) -> Result<f64, CommError> {
    let sum = iall_reduce(comm, x)?;
    let sum = wait(comm, &sum)?;
    Ok(sum[0])
}

fn main() {}
