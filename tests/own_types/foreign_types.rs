//! Traits of the user's on types that are not: tuples, arrays, numbers, and names of a crate's own for such.

use coenzyme::prelude::*;
use num_traits::Float;

use crate::subject::judge;

pub(crate) type Real = f64;
pub(crate) type Vector3<T> = [T; 3];
pub(crate) type Rotor<T> = (T, Vector3<T>);
pub(crate) type Rows<const N: usize> = Vec<[Real; N]>;

#[differentiable]
pub(crate) trait Candle {
    fn high(&self) -> f64;
    fn low(&self) -> f64;

    fn middle(&self) -> f64 {
        0.5 * (self.high() + self.low())
    }
    fn above(&mut self, by: f64) {
        let _ = by;
    }
}

#[differentiable]
impl Candle for (f64, f64) {
    fn high(&self) -> f64 {
        self.0 * self.0
    }
    fn low(&self) -> f64 {
        self.1
    }
    fn above(&mut self, by: f64) {
        self.0 *= by;
    }
}

#[differentiable]
impl Candle for [Real; 2] {
    fn high(&self) -> f64 {
        self[0] * self[1]
    }
    fn low(&self) -> f64 {
        self.iter().sum()
    }
}

#[differentiable]
impl Candle for Real {
    fn high(&self) -> Real {
        self.sin()
    }
    fn low(&self) -> f64 {
        *self
    }
}

#[derive(Clone, Tangent)]
struct Own {
    top: Real,
}

#[differentiable]
impl Candle for Own {
    fn high(&self) -> Real {
        self.top.exp()
    }
    fn low(&self) -> f64 {
        self.top
    }
}

#[differentiable]
fn width<C: Candle>(candle: &C) -> f64 {
    candle.high() * candle.middle() - candle.low()
}

#[differentiable]
fn of_tuple(x: &[f64]) -> Real {
    let mut candle = (x[0], x[0] * x[1]);
    candle.above(x[1]);
    width(&candle) * candle.middle()
}

#[differentiable]
fn of_array(x: &[f64]) -> f64 {
    let candle = [x[0], x[0] * x[1]];
    candle.middle() * candle.low()
}

#[differentiable]
fn of_numbers(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        let w: Real = v * x[0];
        sum += width(&w);
    }
    sum + width(&Own { top: x[1] })
}

#[differentiable]
fn turned<T: Float>(rotor: Rotor<T>, by: T) -> Vector3<T> {
    let turned: Vector3<T> = rotor.1.map(|v| v * rotor.0);
    turned.map(|v| v.sin() * by)
}

#[differentiable]
fn of_names(x: &[f64]) -> f64 {
    let v = turned((x[0], [x[1], x[0] * x[1], 0.3]), x[1]);
    let rows: Rows<2> = vec![[v[0], v[1]], [v[2], x[0]]];
    rows.iter().map(|row| row[0] * row[1]).sum()
}

judge! {
    of_tuple (&[0.7, 1.3]);
    of_array (&[0.7, 1.3]);
    of_numbers (&[0.7, 1.3]);
    turned ((0.4, [0.7, 1.3, -0.2]), 0.9);
    of_names (&[0.7, 1.3]);
}
