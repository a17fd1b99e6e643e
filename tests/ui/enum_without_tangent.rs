//! A parameter of a type of one's own that carries no derivative, and is not marked.

use coenzyme::prelude::*;

#[derive(Clone, Copy)]
enum Kind {
    Call,
    Put,
}

#[differentiable]
fn payoff(kind: Kind, spot: f64, strike: f64) -> f64 {
    match kind {
        Kind::Call => (spot - strike).max(0.0),
        Kind::Put => (strike - spot).max(0.0),
    }
}

#[differentiable]
fn straddle(spot: f64) -> f64 {
    payoff(Kind::Call, spot, 1.0) + payoff(Kind::Put, spot, 1.0)
}

fn main() {}
