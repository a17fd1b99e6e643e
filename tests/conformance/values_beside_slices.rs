//! Calls that get a slice as it came and values of other types than numbers beside it: options, structs, tuples, arrays.

use coenzyme::{Tangent, differentiable};
use num_traits::Float;

use crate::subject::judge;

#[differentiable]
fn squares<T: Float>(x: &[T], center: Option<T>) -> T {
    let center = match center {
        Some(center) => center,
        None => x[0],
    };
    let squares = x.iter().map(|v| (*v - center) * (*v - center));
    squares.fold(T::zero(), |sum, square| sum + square)
}

#[differentiable]
fn variance<T: Float>(x: &[T], center: Option<T>) -> T {
    let sum = squares(x, center);
    sum / T::from(x.len()).unwrap()
}

#[differentiable]
fn moments<T: Float>(x: &[T], center: Option<T>, spread: Option<T>) -> T {
    let known = center.unwrap_or_else(|| variance(x, None));
    squares(x, Some(known)) * squares(x, spread) + variance(x, Some(known * x[1]))
}

#[differentiable]
fn of_options(x: &[f64], center: f64) -> f64 {
    let given = moments(x, Some(center), None);
    given * moments(x, None, Some(x[0])) * squares(x, None)
}

#[derive(Clone, Copy, Tangent)]
struct Line {
    slope: f64,
    offset: f64,
}

#[differentiable]
impl Line {
    fn new(slope: f64, offset: f64) -> Self {
        Line { slope, offset }
    }
}

#[differentiable]
fn at(x: &[f64], line: Line) -> f64 {
    x[0] * line.slope + line.offset
}

#[differentiable]
fn between(x: &[f64], (low, high): (f64, f64)) -> f64 {
    x[1] * low + high * high
}

#[differentiable]
fn filtered(x: &[f64], taps: [f64; 2]) -> f64 {
    x[0] * taps[0] - x[1] * taps[1]
}

#[differentiable]
fn of_structs(x: &[f64], line: Line) -> f64 {
    let crossed = Line {
        slope: line.offset * x[1],
        offset: x[2],
    };
    let made = Line::new(x[0], line.slope);
    let lines = at(x, line) * at(x, crossed) + at(x, made) * at(x, Line::new(line.slope, x[1]));
    lines + between(x, (line.slope, x[0])) * filtered(x, [line.slope, line.offset])
}

/// Integers that `num_traits` takes out of a number steer, and have no derivative.
#[differentiable]
fn by_tenths<T: Float>(x: T) -> T {
    match (x * T::from(10.0).unwrap()).to_i64() {
        Some(0..=4) => x * x,
        Some(5) => x.sqrt(),
        _ => x * T::from(x.to_u32().unwrap_or(1)).unwrap(),
    }
}

#[differentiable]
fn steered(x: f64, y: f64, z: f64) -> f64 {
    by_tenths(x) * by_tenths(y) + by_tenths(z)
}

judge! {
    of_options(&vec![0.7, 1.3, -0.4], 0.3);
    of_structs(&vec![0.7, 1.3, -0.4], Line { slope: 1.1, offset: -0.6 });
    steered(0.33, 0.57, 3.21);
}
