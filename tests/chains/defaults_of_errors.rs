//! Defaults that look at the error.

use crate::subject::judge;
use coenzyme::differentiable;

#[derive(Debug, Clone)]
enum Failure {
    Negative,
    Large(String),
}
#[differentiable]
fn root(x: f64) -> Result<f64, Failure> {
    if x < 0.0 {
        return Err(Failure::Negative);
    }
    if x > 4.0 {
        return Err(Failure::Large("large".to_string()));
    }
    Ok(x.sqrt())
}
#[differentiable]
fn reported(x: f64, y: f64) -> f64 {
    root(x).unwrap_or_else(|err| {
        eprintln!("{err:?}");
        0.5
    }) * y
}
#[differentiable]
fn bound(x: f64, y: f64) -> f64 {
    let r = root(x).unwrap_or_else(|e| {
        if matches!(e, Failure::Negative) {
            0.25
        } else {
            2.0
        }
    });
    r * y
}
judge! {
    reported(0.9, 1.1) (-0.9, 1.1);
    bound(0.9, 1.1) (-0.9, 1.1) (4.9, 1.1);
}
