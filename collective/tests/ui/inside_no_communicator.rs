//! Something else where a communicator is wanted, in differentiated code.

use coenzyme::prelude::*;
use coenzyme_collective::CommError;
use coenzyme_collective::per_rank::all_reduce;

#[differentiable]
fn misuse(rank: &f64, x: &[f64]) -> Result<f64, CommError> {
    let sum = all_reduce(rank, x)?;
    Ok(sum[0])
}

fn main() {}
