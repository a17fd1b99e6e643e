//! The entries of a replicated value are not this rank's own, in differentiated code.

use coenzyme::prelude::*;
use coenzyme_collective::typed::{all_reduce, varying};
use coenzyme_collective::{Along, CommError};

#[differentiable]
fn misuse(along: &Along, x: &[f64]) -> Result<f64, CommError> {
    let y = all_reduce(along, &varying(along, x))?;
    Ok(y[0])
}

fn main() {}
