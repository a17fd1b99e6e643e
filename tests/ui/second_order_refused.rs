//! Second derivatives that cannot be had: each is one error that says what to write.

use coenzyme::prelude::*;

#[derive(Clone, Tangent)]
struct Spring {
    stiffness: f64,
}

#[differentiable]
impl Spring {
    fn energy(&self, x: f64) -> f64 {
        0.5 * self.stiffness * x * x
    }
}

#[differentiable]
fn first_order_only(x: f64) -> f64 {
    x * x
}

#[differentiable(order = 2)]
fn calls_the_first_order(x: f64) -> f64 {
    first_order_only(x) * x
}

#[differentiable(order = 2)]
fn takes_a_struct(spring: &Spring, x: f64) -> f64 {
    spring.energy(x)
}

#[differentiable(order = 2)]
fn makes_a_method_call(x: f64) -> f64 {
    let spring = Spring { stiffness: x };
    spring.energy(x)
}

#[differentiable(order = 2)]
fn mixes_precisions(x: f64) -> f64 {
    x * x * f64::from(0.5_f32)
}

#[differentiable(order = 2)]
fn matches_floats(x: f64) -> f64 {
    match x {
        0.0 => 1.0,
        _ => x,
    }
}

#[differentiable(order = 2)]
fn already_generic<T: coenzyme::Real>(x: T) -> T {
    x * x
}

#[differentiable(order = 2)]
impl Spring {
    fn force(&self, x: f64) -> f64 {
        self.stiffness * x
    }
}

#[differentiable(order = 0)]
fn no_order(x: f64) -> f64 {
    x
}

fn main() {
    let _ = coenzyme::hvp!(first_order_only, 1.0, 1.0);
    let _ = coenzyme::hvp!(mixes_precisions, 1.0);
}
