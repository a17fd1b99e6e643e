//! Functions for host and device, which several tests map.
#![allow(unreachable_pub)] // a module of two tests

// written as people write them
#![allow(clippy::assign_op_pattern)]

use coenzyme::prelude::*;

/// The load of a surface (Langmuir 1918).
#[differentiable(device)]
pub fn langmuir(p: f64, k: f64, n: f64) -> f64 {
    n * k * p / (1.0 + k * p)
}

/// `x·sin y + e^{−x²}` (row G1).
#[differentiable(device)]
pub fn g1(x: f64, y: f64) -> f64 {
    x * y.sin() + (-x * x).exp()
}

#[differentiable(device)]
pub fn square(x: f64) -> f64 {
    x * x
}

const WEIGHTS: usize = 3;
const HALF: f64 = 0.5;

/// Branches, loops, arrays, constants, calls, a name that is bound again, an early return.
#[differentiable(device)]
pub fn various(x: f64, y: f64) -> f64 {
    if x > 2.0 {
        return square(x) * y;
    }
    let mut state = [x, y, 1.0];
    let mut sum = 0.0;
    for i in 0..WEIGHTS {
        let weight = if i == 1 { HALF } else { std::f64::consts::PI };
        state[i] = state[i] * weight;
        sum += state[i] * square(y);
    }
    let sum = sum + 1.0;
    let mut turn = 0;
    let mut z = x.abs().sqrt();
    while turn < 4 {
        let scale = match turn {
            0 => 1.0,
            1 | 2 => y.tanh(),
            _ => 0.25,
        };
        z = z * scale + 0.1;
        turn += 1;
    }
    sum.max(z) + (z / (1.0 + sum * sum)).atan2(2.0)
}
