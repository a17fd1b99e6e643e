//! Functions in files of their own names, imported beside the modules: `mod lerp; pub use lerp::lerp;`.
// modules of a test export nothing, and a function is called by all of its paths
#![allow(
    hidden_glob_reexports,
    missing_docs,
    unreachable_pub,
    unused_qualifications
)]

mod lerp;
mod math;
mod product;
mod sibling;

use coenzyme::{differentiable, gradient};

pub use lerp::lerp;
pub use product::*;

/// The derivative in the middle of two points, to what their distance leaves.
fn difference(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 1e-5;
    (f(x + h) - f(x - h)) / (2.0 * h)
}

#[track_caller]
fn close(derivative: f64, expected: f64) {
    let error = (derivative - expected).abs();
    assert!(
        error < 1e-7 * expected.abs().max(1.0),
        "{derivative}, not {expected}"
    );
}

#[differentiable]
fn by_import(x: f64) -> f64 {
    lerp(x, x * x, 0.25)
}

#[differentiable]
fn by_module(x: f64) -> f64 {
    lerp::lerp(x, x * x, 0.25) + math::gain::gain(x)
}

#[differentiable]
fn by_crate(x: f64) -> f64 {
    crate::lerp(x, x * x, 0.25) * crate::lerp::lerp(x, 3.0, 0.5) + math::gain(x)
}

#[differentiable]
fn of_memory(x: &[f64]) -> f64 {
    product(x) + math::norm(x)
}

#[test]
fn a_function_is_found_beside_its_module() {
    for x in [0.5, 2.1] {
        close(gradient!(by_import, x).0, difference(by_import, x));
        close(gradient!(by_module, x).0, difference(by_module, x));
        close(gradient!(by_crate, x).0, difference(by_crate, x));
    }
}

#[test]
fn a_parameter_is_handed_on() {
    let (x, (dx,)) = ([1.5, -2.0], gradient!(of_memory, &[1.5, -2.0]));
    close(dx[0], difference(|x0| of_memory(&[x0, x[1]]), x[0]));
    close(dx[1], difference(|x1| of_memory(&[x[0], x1]), x[1]));
}

#[test]
fn drivers_find_it() {
    let (a, b, t) = (1.0, 3.0, 0.25);
    let gradient = gradient!(lerp, a, b, t);
    assert_eq!(gradient, gradient!(lerp::lerp, a, b, t));
    assert_eq!(gradient, gradient!(crate::lerp, a, b, t));
    close(gradient.0, difference(|a| lerp(a, b, t), a));
    close(gradient.1, difference(|b| lerp(a, b, t), b));
    close(gradient.2, difference(|t| lerp(a, b, t), t));
}

#[test]
fn its_own_file_and_others_find_it() {
    for x in [0.5, 2.1] {
        close(gradient!(lerp::twice, x).0, difference(lerp::twice, x));
        close(gradient!(sibling::many, x).0, difference(sibling::many, x));
        close(
            gradient!(sibling::renamed, x).0,
            difference(sibling::renamed, x),
        );
    }
}

/// Generic, in a file of its own name two folders below, by a rule of its own.
#[test]
fn rules_of_its_own_are_found() {
    let x = 0.7;
    close(
        gradient!(math::deep::deep, x).0,
        difference(math::deep::deep, x),
    );
    assert_eq!(gradient!(math::deep::counted, x), (0.0,));
}
