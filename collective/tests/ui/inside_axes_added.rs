//! Losses that count along different axes.

use coenzyme::prelude::*;
use coenzyme_collective::Axis;
use coenzyme_collective::typed::Replicated;

struct Dp;
impl Axis for Dp {
    const NAME: &'static str = "dp";
}

struct Tp;
impl Axis for Tp {
    const NAME: &'static str = "tp";
}

#[differentiable]
fn misuse(a: Replicated<f64, Dp>, b: Replicated<f64, Tp>) -> Replicated<f64, Dp> {
    a + b
}

fn main() {}
