//! Fixed arrays of slices that may have another length.

use crate::subject::judge;
use coenzyme::differentiable;

#[derive(Debug, PartialEq)]
enum Error {
    Size(usize),
    Negative,
}
struct Any;
impl From<Error> for Any {
    fn from(_: Error) -> Self {
        Any
    }
}

#[differentiable]
fn with_an_error(x: &[f64]) -> Result<f64, Error> {
    let r: [f64; 3] = x.try_into().map_err(|_| Error::Size(x.len()))?;
    if r[0] < 0.0 {
        return Err(Error::Negative);
    }
    Ok(r[0] * r[1] + r[2].sqrt())
}
#[differentiable]
fn with_another_error(x: &[f64]) -> Result<f64, Any> {
    let [a, b]: [f64; 2] = x[1..].try_into().map_err(|_| Error::Size(x.len()))?;
    Ok(a * b)
}
#[differentiable]
fn with_none(x: &[f64], n: usize) -> Option<f64> {
    let r: [f64; 2] = x[..n].try_into().ok()?;
    Some(r[0] * r[1])
}
#[differentiable]
fn without(x: &[f64]) -> f64 {
    let r: &[f64; 2] = x[..2].try_into().unwrap();
    let s: [f64; 2] = x[1..3].try_into().unwrap();
    r[0] * r[1] + s[0] * s[1]
}
#[differentiable]
fn or_else(x: &[f64], n: usize) -> f64 {
    let Ok(r) = <[f64; 2]>::try_from(&x[n..n + 2]) else {
        return x[0];
    };
    let Ok([a, b]) = <[f64; 2]>::try_from(&x[..n]) else {
        return r[0] * r[1];
    };
    a * b
}
#[differentiable]
fn given(x: &[f64], n: usize) -> f64 {
    with_an_error(x).unwrap_or(1.0) * with_none(x, n).unwrap_or(x[0])
        + with_another_error(x).unwrap_or(2.0)
        + without(x)
}

judge! {
    given(&[0.5, 0.3, 0.6], 2);
    or_else(&[0.5, 0.3, 0.6], 1) (&[0.5, 0.3, 0.6], 0);
}
