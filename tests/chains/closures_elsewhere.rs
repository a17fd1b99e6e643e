//! Closures that go to functions of another file, which says what types they take.

use super::integrators::{State, Steps, at_two_states, euler};
use crate::judge::positive;
use crate::subject::judge;
use coenzyme::differentiable;

#[differentiable]
fn predation(y: &[f64; 2], p: &[f64]) -> [f64; 2] {
    let [prey, predators] = *y;
    [
        p[0] * prey - p[1] * prey * predators,
        p[2] * prey * predators - p[3] * predators,
    ]
}
#[differentiable]
fn of_an_imported_function(p: &[f64]) -> f64 {
    let mut y = [1.0, 0.4];
    for _ in 0..3 {
        y = euler(y, 0.1, |y| predation(y, p));
    }
    y[0].ln() + y[1]
}
#[differentiable]
fn of_imported_types(k: f64) -> f64 {
    at_two_states(|s| s.x * k + s.v * s.v)
}
#[differentiable]
fn of_a_method(k: f64, c: f64) -> f64 {
    let steps = Steps {
        size: 0.1,
        count: 4,
    };
    let from = State { x: 1.0, v: 0.2 * c };
    let end = steps.symplectic(from, |s, t| t.sin() - k * s.x - c * s.v);
    end.x + end.v
}

judge! {
    of_an_imported_function(&positive(4));
    of_imported_types(0.6);
    of_a_method(0.8, 0.3);
}
