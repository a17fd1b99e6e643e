//! `(Σ xᵣ)·(Σ yᵣ)` is not `Σ xᵣ·yᵣ`: parts have no product.

use coenzyme_collective::typed::Partial;

fn misuse(x: Partial<f64>, y: Partial<f64>) -> Partial<f64> {
    x * y
}

fn main() {}
