//! A loss that counts once, and one that counts on each rank, in differentiated code.

use coenzyme::prelude::*;
use coenzyme_collective::typed::{Replicated, Varying};

#[differentiable]
fn misuse(once: Replicated<f64>, each: Varying<f64>) -> Replicated<f64> {
    once + each
}

fn main() {}
