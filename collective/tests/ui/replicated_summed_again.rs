//! A replicated value counts once: its sum over ranks would be `n` times it.

use coenzyme_collective::typed::{Replicated, all_reduce};
use coenzyme_collective::{Along, CommError};

fn misuse(along: &Along, y: &Replicated<Vec<f64>>) -> Result<(), CommError> {
    all_reduce(along, y)?;
    Ok(())
}

fn main() {}
