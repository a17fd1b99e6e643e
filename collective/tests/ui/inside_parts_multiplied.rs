//! `(Σ xᵣ)·(Σ yᵣ)` is not `Σ xᵣ·yᵣ`: parts have no product, in differentiated code.

use coenzyme::prelude::*;
use coenzyme_collective::typed::Partial;

#[differentiable]
fn misuse(x: Partial<f64>, y: Partial<f64>) -> Partial<f64> {
    x * y
}

fn main() {}
