//! A partial value is no replicated one, in differentiated code.

use coenzyme::prelude::*;
use coenzyme_collective::typed::{as_partial, local, vary, varying};
use coenzyme_collective::{Along, CommError};

#[differentiable]
fn misuse(along: &Along, x: &[f64]) -> Result<f64, CommError> {
    let part = as_partial(along, &varying(along, x))?;
    let all = vary(along, &part)?;
    let own = local(&all);
    Ok(own[0] * x[0])
}

fn main() {}
