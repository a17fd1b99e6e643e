//! A communicator that says no axis, in differentiated code.

use coenzyme::Inactive;
use coenzyme::prelude::*;
use coenzyme_collective::typed::{Replicated, Varying, all_reduce, map, varying};
use coenzyme_collective::{Comm, CommError};

#[differentiable]
fn marked(comm: &Comm, x: &[f64]) -> Varying<Vec<f64>> {
    varying(comm, x)
}

#[differentiable]
fn summed(comm: &Comm, x: &Varying<Vec<f64>>) -> Result<Replicated<Vec<f64>>, CommError> {
    let sum = all_reduce(comm, x)?;
    Ok(sum)
}

#[differentiable]
fn first(x: &[f64]) -> f64 {
    x[0]
}

#[differentiable]
fn mapped(comm: &Comm, x: &Replicated<Vec<f64>>) -> Replicated<f64> {
    map(comm, Inactive(first {}), x)
}

fn main() {}
