//! The entries of a replicated value are not this rank's own.

use coenzyme_collective::typed::Replicated;

fn misuse(y: &Replicated<Vec<f64>>) -> f64 {
    y[0]
}

fn main() {}
