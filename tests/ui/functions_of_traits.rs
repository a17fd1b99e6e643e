//! A function of a trait that is not marked, called by a type parameter; and one that gives what may have no tangent space.

use coenzyme::prelude::*;

trait Activation {
    fn activate(x: f64) -> f64;
}

#[differentiable]
fn unmarked<A: Activation>(x: f64, #[constant] _of: std::marker::PhantomData<A>) -> f64 {
    2.0 * A::activate(x)
}

#[differentiable]
trait Shape {
    fn sized(x: f64) -> Self;
    fn area(&self) -> f64;
}

#[differentiable]
fn of_itself<S: Shape>(x: f64, s: S) -> f64 {
    S::sized(x).area() * s.area()
}

fn main() {}
