//! Tuples that are made to be matched on: an arm takes active parts of them, and may not fit.

use std::cmp::Ordering;

use coenzyme::prelude::*;

use crate::subject::judge;

#[derive(Clone, Copy, Tangent)]
enum Motion {
    Still(f64),
    Moving(f64, f64),
}

#[differentiable]
fn by_flag(x: f64, y: f64) -> f64 {
    match (x > 0.0, y) {
        (true, v) if v > 1.0 => v.ln() * x,
        (true, v) => v.exp() * x,
        (false, v) if v < 0.0 => -v * x,
        (false, _) => x.powi(3),
    }
}

#[differentiable]
fn by_count(n: usize, x: f64, y: f64) -> f64 {
    match (n, x * y) {
        (0, v) => v * x,
        (1 | 2, v) => v.exp() * x,
        (m, v) => m as f64 * v,
    }
}

#[differentiable]
fn by_order(x: f64, y: f64) -> f64 {
    match (x.partial_cmp(&y).unwrap(), x - y) {
        (Ordering::Less, d) => d * d,
        (Ordering::Greater, d) if d > 1.0 => d * x,
        (_, d) => -d,
    }
}

#[differentiable]
fn by_length(v: &[f64]) -> f64 {
    match (v.len(), v.first(), v.last()) {
        (0, _, _) => 0.0,
        (2, Some(a), Some(b)) if a > b => a * b,
        (n, Some(a), Some(b)) => n as f64 * (a + b * b),
        _ => 1.0,
    }
}

#[differentiable]
fn of_options(x: f64, y: f64) -> f64 {
    let a = if x > 0.0 { Some(x * x) } else { None };
    let b = if y > 0.0 { Some(y.sin()) } else { None };
    match (a, b) {
        (Some(p), Some(q)) => p * q,
        (Some(p), None) | (None, Some(p)) => p * p * x,
        (None, None) => y,
    }
}

#[differentiable]
fn small_sine(x: f64) -> Option<f64> {
    if x > 1.0 { None } else { Some(x.sin()) }
}

#[differentiable]
fn of_calls(x: f64, y: f64) -> f64 {
    match (small_sine(x), small_sine(y)) {
        (Some(a), _) if a > 0.9 => a * a,
        (Some(a), None) | (None, Some(a)) => a * x,
        (Some(a), Some(b)) => a * b,
        (None, None) => x * y,
    }
}

#[differentiable]
fn of_named_calls(x: f64, y: f64) -> f64 {
    let (a, b) = (small_sine(x), small_sine(y));
    match (a, b) {
        (Some(a), _) => a * y,
        (None, Some(b)) => b * x,
        (None, None) => x * y,
    }
}

#[differentiable]
fn small_cosine(x: f64) -> Result<f64, String> {
    if x > 1.0 {
        Err(format!("{x} is large"))
    } else {
        Ok(x.cos())
    }
}

#[differentiable]
fn of_results(x: f64, y: f64) -> f64 {
    match (small_cosine(x), small_cosine(y), x > y) {
        (Ok(a), _, true) => a * y,
        (Ok(a), Ok(b), false) => a + b * b,
        (Err(_), Ok(b), _) => b * x,
        _ => x * y,
    }
}

#[differentiable]
fn of_entries(v: &[f64]) -> f64 {
    match (v.get(1), v.get(3)) {
        (Some(p), Some(q)) => p * q,
        (Some(p), None) => match (v.get(0), v.get(9), p > &0.0) {
            (Some(first), None, true) => p * p * first,
            _ => *p,
        },
        _ => v[0].sin(),
    }
}

#[differentiable]
fn of_variants(m: &Motion, n: &Motion) -> f64 {
    match (m, n) {
        (Motion::Still(p), Motion::Still(q)) => p * q,
        (Motion::Still(p), Motion::Moving(q, r)) | (Motion::Moving(q, r), Motion::Still(p)) => {
            p * q + r
        }
        (Motion::Moving(a, b), Motion::Moving(c, d)) => a * d - b * c * c,
    }
}

#[differentiable]
fn in_an_if(x: f64, y: f64) -> f64 {
    let mut sum = 0.0;
    if let (true, v) = (x > 0.0, y * x) {
        sum += v * v;
    }
    for k in 0..3 {
        sum += match (k % 2 == 0, x.sin() * k as f64) {
            (true, v) => v * y,
            (false, v) => v * v,
        };
    }
    sum
}

judge! {
    by_flag (0.7, 1.4) (0.7, 0.4) (-0.7, -0.4) (-0.7, 0.4);
    by_count (0, 0.7, -0.4) (2, 0.7, -0.4) (5, 0.7, -0.4);
    by_order (0.7, 1.4) (2.7, 1.4) (1.7, 1.4);
    by_length (&vec![]) (&vec![1.7, -0.4]) (&vec![-0.7, 0.4]) (&vec![0.7, 0.1, 0.4]);
    of_options (0.7, 0.4) (0.7, -0.4) (-0.7, 0.4) (-0.7, -0.4);
    of_calls (0.7, 0.4) (1.5, 0.4) (0.4, 1.5) (1.5, 1.4) (0.98, 0.3);
    of_named_calls (0.7, 0.4) (1.5, 0.4) (1.5, 1.4);
    of_results (0.7, 0.4) (0.4, 0.7) (1.5, 0.4) (1.5, 1.4) (0.4, 1.4);
    of_entries (&vec![0.7, 0.4, 0.1, -0.3]) (&vec![0.7, 0.4]) (&vec![0.7]);
    of_variants (&Motion::Still(0.7), &Motion::Still(-0.4))
        (&Motion::Still(0.7), &Motion::Moving(-0.4, 0.3))
        (&Motion::Moving(-0.4, 0.3), &Motion::Still(0.7))
        (&Motion::Moving(-0.4, 0.3), &Motion::Moving(0.7, 1.1));
    in_an_if (0.7, -0.4) (-0.7, 0.4);
}
