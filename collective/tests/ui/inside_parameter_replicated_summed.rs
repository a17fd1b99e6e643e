//! A parameter of a differentiated function that is replicated already.

use coenzyme::prelude::*;
use coenzyme_collective::typed::{Replicated, all_reduce};
use coenzyme_collective::{Along, CommError};

#[differentiable]
fn misuse(along: &Along, y: &Replicated<Vec<f64>>) -> Result<Replicated<Vec<f64>>, CommError> {
    let sum = all_reduce(along, y)?;
    Ok(sum)
}

fn main() {}
