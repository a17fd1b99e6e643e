//! Collectives carry numbers that have derivatives.

use coenzyme_collective::per_rank::all_reduce;
use coenzyme_collective::{Comm, CommError};

fn misuse(comm: &Comm, x: &[f64]) -> Result<f64, CommError> {
    let count = all_reduce(comm, &[x.len()])?;
    Ok(x[0] / count[0] as f64)
}

fn main() {}
