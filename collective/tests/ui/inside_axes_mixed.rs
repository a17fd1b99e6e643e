//! A sum over one axis of a value that varies along another, in differentiated code.

use coenzyme::prelude::*;
use coenzyme_collective::typed::{Replicated, all_reduce, varying};
use coenzyme_collective::{Along, Axis, CommError};

struct Dp;
impl Axis for Dp {
    const NAME: &'static str = "dp";
}

struct Tp;
impl Axis for Tp {
    const NAME: &'static str = "tp";
}

#[differentiable]
fn misuse(
    dp: &Along<Dp>,
    tp: &Along<Tp>,
    x: &[f64],
) -> Result<Replicated<Vec<f64>, Dp>, CommError> {
    let own = varying(tp, x);
    let sum = all_reduce(dp, &own)?;
    Ok(sum)
}

fn main() {}
