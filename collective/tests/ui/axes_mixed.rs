//! A sum over one axis of a value that varies along another.

use coenzyme_collective::typed::{Varying, all_reduce};
use coenzyme_collective::{Along, Axis, CommError};

struct Dp;
impl Axis for Dp {
    const NAME: &'static str = "dp";
}

struct Tp;
impl Axis for Tp {
    const NAME: &'static str = "tp";
}

fn misuse(along: &Along<Dp>, x: &Varying<Vec<f64>, Tp>) -> Result<(), CommError> {
    all_reduce(along, x)?;
    Ok(())
}

fn main() {}
