//! Closures that go to functions of another file by its path, where the types that it names have no other name.

use super::integrators;
use crate::subject::judge;
use coenzyme::differentiable;

#[differentiable]
fn of_its_type(k: f64) -> f64 {
    integrators::at_two_states(|s| s.x * k + s.v * s.v)
}
#[differentiable]
fn of_an_array(k: f64) -> f64 {
    let [a, b] = integrators::euler([k, 1.0], 0.1, |y| {
        let mut slope = *y;
        slope.swap(0, 1);
        slope[1] *= -k;
        slope
    });
    a * b
}

judge! {
    of_its_type(0.7);
    of_an_array(0.9);
}
