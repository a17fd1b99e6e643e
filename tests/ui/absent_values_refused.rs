//! Values that may be missing: what cannot be differentiated of them, and what to write.

use coenzyme::{Tangent, differentiable};

#[differentiable]
fn root(a: f64, k: usize) -> Result<f64, f64> {
    if k == 0 { Err(2.0 * a) } else { Ok(a.sqrt()) }
}

// the error was made of something active
#[differentiable]
fn read_of_an_error(x: f64) -> f64 {
    match root(x, 0) {
        Ok(v) => v,
        Err(e) => e * x,
    }
}

#[differentiable]
fn inverse(a: f64) -> Option<f64> {
    if a == 0.0 { None } else { Some(1.0 / a) }
}

// a closure that gives a `Result`
#[differentiable]
fn asked_in_a_closure(x: f64) -> f64 {
    let twice = |a: f64| -> Result<f64, f64> {
        let b = root(a, 1)?;
        Ok(2.0 * b)
    };
    twice(x).unwrap()
}

// it would leave the function instead of the closure
#[differentiable]
fn asked_in_a_closure_of_a_chain(x: &[f64]) -> Result<f64, f64> {
    let s: f64 = x
        .iter()
        .map(|a| -> Result<f64, f64> {
            let b = root(*a, 1)?;
            Ok(2.0 * b)
        })
        .map(|r| r.unwrap_or(0.0))
        .sum();
    Ok(s)
}

#[differentiable]
fn all_at_once(x: &[f64]) -> f64 {
    let all: Option<f64> = x.iter().map(|a| inverse(*a)).sum();
    all.unwrap_or(1.0)
}

#[derive(Clone, Copy, Tangent)]
struct Pair {
    a: f64,
    b: f64,
}

// which of the two is named depends on numbers that the derivative has not
#[differentiable]
fn told_by_numbers(p: Pair) -> f64 {
    match p {
        Pair { a: 0.0, b: v } | Pair { a: v, b: 0.0..=1.0 } => v * v,
        Pair { a, .. } => a,
    }
}

fn main() {}
