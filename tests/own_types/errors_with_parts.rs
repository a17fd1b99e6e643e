//! Errors that hold something, without `Clone`: what an arm reads of them, and what guards ask.

use coenzyme::{Inactive, differentiable};

use crate::subject::judge;

struct Place {
    code: i32,
}

enum Fault {
    Text(String, f64),
    Place(Place),
    Named { at: usize, size: f64 },
}

#[differentiable]
fn step(a: f64, k: usize) -> Result<f64, Fault> {
    match k {
        0 => Err(Fault::Text(String::from("ab"), a)),
        1 => Err(Fault::Place(Place { code: 3 })),
        2 => Err(Fault::Named { at: 4, size: 0.5 }),
        _ => Ok(a * a),
    }
}

#[differentiable]
fn guards(x: f64, y: f64) -> f64 {
    let mut s = 0.0;
    for k in 0..5 {
        s += match step(x, k) {
            Ok(v) if v > 0.7 && k > 3 => v * 2.0,
            Ok(v) => v * y,
            Err(Fault::Text(m, _)) if m.len() == 7 => 1.0,
            Err(Fault::Text(m, _)) => x * m.len() as f64,
            Err(Fault::Place(e)) => f64::from(e.code) * y,
            Err(Fault::Named { at, size: q }) if q > 0.1 => at as f64 * x,
            Err(_) => 1.0,
        };
    }
    s
}

fn weight(fault: Fault) -> usize {
    match fault {
        Fault::Text(text, _) => text.len(),
        Fault::Place(place) => place.code.unsigned_abs() as usize,
        Fault::Named { at, .. } => at,
    }
}

#[differentiable]
fn moved(x: f64, y: f64) -> f64 {
    let mut seen = Vec::new();
    let mut s = 0.0;
    for k in 0..4 {
        match step(x, k) {
            Ok(v) => s += v * y,
            Err(e) => {
                seen.push(k);
                s += x * weight(e) as f64;
            }
        }
    }
    s * seen.len() as f64
}

#[differentiable]
fn numbers_without_derivative(x: f64, y: f64) -> f64 {
    match step(x, 2) {
        Ok(v) => v,
        Err(Fault::Named { at, size }) => {
            let label = format!("{size}");
            x * Inactive(size).0 + y * (at + label.len()) as f64
        }
        Err(Fault::Text(..) | Fault::Place(_)) => y,
    }
}

#[differentiable]
fn defaults(x: f64, y: f64) -> f64 {
    let a = step(x, 1).unwrap_or_else(|e| weight(e) as f64 * y);
    let b = step(y, 3).map_or_else(|e| x * weight(e) as f64, |v| v * x);
    let c = step(y, 0).map_or_else(
        |e| match &e {
            Fault::Text(text, _) => x * text.len() as f64,
            _ => y,
        },
        f64::sin,
    );
    a * b + c
}

judge! {
    guards(0.83, 1.1) (1.37, -0.6);
    moved(0.83, 1.1) (1.37, -0.6);
    numbers_without_derivative(0.83, 1.1) (1.37, -0.6);
    defaults(0.83, 1.1) (1.37, -0.6);
}
