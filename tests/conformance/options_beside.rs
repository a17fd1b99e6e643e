//! Local `Option`s as parts and as arguments, in functions that return an `Option` or a `Result`.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[differentiable]
fn rises(x: &[f64]) -> Option<f64> {
    let mut start: Option<f64> = None;
    let mut r = 0.0;
    for v in x {
        match (&start, *v > 0.0) {
            (None, true) => start = Some(v * v),
            (Some(s), false) => {
                r += *s;
                start = None;
            }
            _ => {}
        }
    }
    Some(r)
}

#[differentiable]
fn every_other(x: &[f64]) -> Result<f64, String> {
    let mut last: Option<(f64, usize)> = None;
    let mut r = 0.0;
    for (i, &v) in x.iter().enumerate() {
        match (&last, i % 2) {
            (Some((p, j)), 0) => {
                r += p * v * (*j as f64);
                last = None;
            }
            (Some((p, _)), _) if v > 0.0 => {
                r += p;
                last = Some((v, i));
            }
            (None, _) => last = Some((v * v, i)),
            _ => {}
        }
    }
    Ok(r)
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Held {
    option: Option<f64>,
}

#[differentiable]
fn taken(o: Option<f64>, k: f64) -> f64 {
    match o {
        Some(v) => v * k,
        None => k * k,
    }
}

#[differentiable]
fn lent(o: &Option<f64>, k: f64) -> f64 {
    match o {
        Some(v) => v.sin() * k,
        None => k,
    }
}

#[differentiable]
fn handed_on(x: &[f64]) -> Option<f64> {
    let mut best = None;
    let mut r = 0.0;
    for v in x {
        r += taken(best, *v) + lent(&best, *v);
        if *v > 0.0 {
            best = Some(v * v);
        }
        let held = Held { option: best };
        r += taken(held.option, *v);
    }
    Some(r)
}

#[differentiable]
fn all(x: &[f64]) -> f64 {
    rises(x).unwrap_or(0.0) + every_other(x).unwrap_or(0.0) + handed_on(x).unwrap_or(0.0)
}

judge! {
    all(&any(7));
}
