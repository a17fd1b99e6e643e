//! A loss that counts once, and one that counts on each rank.

use coenzyme_collective::typed::{Replicated, Varying};

fn misuse(once: Replicated<f64>, each: Varying<f64>) -> Replicated<f64> {
    once + each
}

fn main() {}
