//! A vector that has not been marked, in differentiated code.

use coenzyme::prelude::*;
use coenzyme_collective::typed::{Replicated, all_reduce};
use coenzyme_collective::{Along, CommError};

#[differentiable]
fn misuse(along: &Along, x: &[f64]) -> Result<Replicated<Vec<f64>>, CommError> {
    let sum = all_reduce(along, x)?;
    Ok(sum)
}

fn main() {}
