//! What is scattered are the parts of a sum, and a varying value has none.

use coenzyme::prelude::*;
use coenzyme_collective::typed::{local, reduce_scatter_v, varying};
use coenzyme_collective::{Along, CommError};

#[differentiable]
fn misuse(along: &Along, counts: &[usize], x: &[f64]) -> Result<f64, CommError> {
    let own = reduce_scatter_v(along, counts, &varying(along, x))?;
    let own = local(&own);
    Ok(own[0])
}

fn main() {}
