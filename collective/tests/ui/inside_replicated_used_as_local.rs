//! A replicated value meets a rank's own data without `vary`, in differentiated code.

use coenzyme::prelude::*;
use coenzyme_collective::typed::{all_reduce, local, varying};
use coenzyme_collective::{Along, CommError};

#[differentiable]
fn misuse(along: &Along, x: f64) -> Result<f64, CommError> {
    let sum = all_reduce(along, &varying(along, &[x]))?;
    let own = local(&sum);
    Ok(own[0] * x)
}

fn main() {}
