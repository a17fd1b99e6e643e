//! Calls that may fail, or find nothing: `Result<Option<T>, E>`, whose patterns look into both.

use coenzyme::prelude::*;

use crate::subject::judge;

#[derive(Clone, Debug, PartialEq)]
enum Refused {
    TooFar,
    Negative,
}

/// The crossing of a line within the interval, if there is one.
#[differentiable]
fn crossing(slope: f64, at: f64) -> Result<Option<f64>, Refused> {
    if slope.abs() > 100.0 {
        return Err(Refused::TooFar);
    }
    let root = -at / slope;
    if root < 0.0 {
        return Ok(None);
    }
    Ok(Some(root * root))
}

#[differentiable]
fn all_three(x: f64, y: f64) -> f64 {
    let each = |_: f64| 0.0;
    let first = match crossing(x, y) {
        Ok(Some(root)) => root * y,
        Ok(None) => x * y,
        Err(_) => each(x),
    };
    let far = match crossing(x * 1000.0, y) {
        Ok(Some(root)) => root,
        Ok(None) => x,
        Err(_) => y * y,
    };
    first + far
}

#[differentiable]
fn with_a_condition(x: f64, y: f64) -> f64 {
    match crossing(x, y) {
        Ok(Some(root)) if root > 1.0 => root * 3.0,
        Ok(Some(root)) => root.sqrt() * y,
        _ => x.sin() * y,
    }
}

#[differentiable]
fn in_conditions(x: f64, y: f64) -> f64 {
    let mut sum = 0.0;
    for k in 1..4 {
        if let Ok(Some(root)) = crossing(x * k as f64, y) {
            sum += root * x;
        } else {
            sum -= y;
        }
    }
    if let Ok(None) = crossing(x, y) {
        sum *= y;
    }
    sum
}

#[differentiable]
fn or_refused(x: f64, y: f64) -> Result<f64, Refused> {
    let kept = match crossing(-x, y) {
        Ok(Some(root)) => root,
        Ok(None) => return Ok(x * x * y),
        Err(refused) => return Err(refused),
    };
    let Ok(Some(again)) = crossing(-y, kept) else {
        return Err(Refused::Negative);
    };
    Ok(again * kept)
}

#[differentiable]
fn handed_on(x: f64, y: f64) -> f64 {
    or_refused(x, y).unwrap_or(x) * or_refused(-x, y).unwrap_or(y)
}

judge! {
    all_three (0.7, 1.3) (-0.4, 0.6) (0.8, -0.5);
    with_a_condition (0.7, 1.3) (-0.4, 0.6) (0.8, -0.5);
    in_conditions (0.7, 1.3) (-0.4, 0.6) (0.8, -0.5);
    handed_on (0.7, 1.3) (-0.4, 0.6) (0.8, -0.5);
}
