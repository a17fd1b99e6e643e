//! A plain number does not say on which ranks it counts.

use coenzyme::prelude::*;
use coenzyme_collective::typed::Replicated;

#[differentiable]
fn misuse(once: Replicated<f64>, x: f64) -> Replicated<f64> {
    once + x
}

fn main() {}
