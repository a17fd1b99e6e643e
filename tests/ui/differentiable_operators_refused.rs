//! Operators of a user's own types whose derivative is not known, or cannot be had.

use std::ops::{Add, AddAssign, Mul};

use coenzyme::{Tangent, differentiable};

#[derive(Clone, Copy, PartialEq, Tangent)]
struct Velocity(f64);

#[differentiable]
impl Add for Velocity {
    type Output = Velocity;
    fn add(self, v: Velocity) -> Velocity {
        Velocity((self.0 + v.0) / (1.0 + self.0 * v.0))
    }
}

impl AddAssign for Velocity {
    fn add_assign(&mut self, v: Velocity) {
        *self = *self + v;
    }
}

#[differentiable]
impl Mul<f64> for Velocity {
    type Output = Velocity;
    fn mul(self, k: f64) -> Velocity {
        Velocity(self.0 * self.0 * k)
    }
}

#[differentiable]
fn sum_that_is_not_linear(u: Velocity, v: Velocity) -> f64 {
    let w = u + v;
    w.0
}

#[differentiable]
fn change_that_is_not_linear(u: &mut Velocity, v: Velocity) {
    *u += v;
}

#[differentiable]
fn change_by_what_is_not_active(u: &mut Velocity, n: usize) {
    *u += Velocity(1.0 / n as f64);
}

#[derive(Clone, Copy, PartialEq, Tangent)]
struct Holder {
    velocity: Velocity,
}

#[differentiable]
fn product_of_an_unknown_type(h: Holder) -> f64 {
    let w = h.velocity * 2.0;
    w.0
}

#[differentiable]
fn product_of_a_type_that_is_known(h: Holder) -> f64 {
    let v: Velocity = h.velocity;
    let w = v * 2.0;
    w.0
}

#[derive(Clone, Copy, PartialEq, Tangent)]
struct Plain(f64);

impl Mul<f64> for Plain {
    type Output = Plain;
    fn mul(self, k: f64) -> Plain {
        Plain(self.0 * k)
    }
}

#[differentiable]
fn no_derivative(p: Plain, k: f64) -> f64 {
    let q = p * k;
    q.0
}

fn main() {}
