//! Functions that are declared to have no derivative, one of them wrongly.

use coenzyme::prelude::*;

#[inactive]
fn printhi() {
    println!("Hi!");
}

/// `x²`, with a message.
#[differentiable]
fn k(x: f64) -> f64 {
    printhi();
    x * x
}

/// Has a derivative, whatever its declaration says.
#[inactive]
fn double(x: f64) -> f64 {
    2.0 * x
}

/// `3x`.
#[differentiable]
fn triple(x: f64) -> f64 {
    x + double(x)
}

pub(crate) fn run() {
    let tangent = autodiff!(Forward, k, Duplicated(2.0, 1.0));
    println!("derivative of x² at 2: {tangent:?}");

    let tangent = autodiff!(Forward, triple, Duplicated(2.0, 1.0));
    println!("derivative of 3x with double(x) wrongly inactive: {tangent:?}");
}
