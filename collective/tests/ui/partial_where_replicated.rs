//! A partial value is no replicated one: it has to be summed before.

use coenzyme_collective::typed::{Partial, vary};
use coenzyme_collective::{Along, CommError};

fn misuse(along: &Along, part: &Partial<Vec<f64>>) -> Result<(), CommError> {
    vary(along, part)?;
    Ok(())
}

fn main() {}
