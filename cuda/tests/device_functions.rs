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

/// The next number of a row that repeats after so many.
#[differentiable(device)]
fn next(place: &mut usize, length: usize) -> usize {
    *place = (*place + 1) % length;
    *place
}

macro_rules! scaled_function {
    ($name:ident($x:ident) = $by:expr) => {
        /// `by·x`, where `by` comes from another macro.
        #[differentiable(device)]
        pub fn $name($x: f64) -> f64 {
            $by * $x
        }
    };
}

scaled_function! { passed_on(x) = x + 1.0 }

const BELOW: i64 = -3;

/// What means something else in C++ if it is printed word by word: integers that need more than an `int`, names of the printer's
/// own, a name in a pattern, integers that are shifted.
#[differentiable(device)]
pub fn odd(x: f64, y: f64) -> f64 {
    let matched = 2;
    let turn = x * y;
    let end = 2.0 * y;
    let mut sum = -passed_on(x);
    for _ in 0..3 {
        sum += turn + end;
    }
    let large = 50_000 * 50_000_i64;
    sum += (large as f64) * 1e-9 + (-BELOW) as f64;
    sum += match matched {
        0 => x,
        2 => y * y,
        _ => 1.0,
    };
    let mut place = 1;
    let first: usize = next(&mut place, 3);
    let second: usize = next(&mut place, 3);
    let flags = (first << 2) ^ second & 1;
    let mut i = 0;
    loop {
        i += 1;
        if i % 2 == 0 {
            continue;
        }
        sum = sum * 0.5 + x.powi(i) - y % 0.7;
        if i > 4 {
            break;
        }
    }
    for k in (1..=flags.min(4)).rev() {
        let x = x + k as f64;
        sum -= x.sqrt();
    }
    if x < 0.5 && y <= 1.0 || second == 7 {
        let x = if y > 0.5 {
            let z = y - 0.5;
            z * z
        } else if y > 0.2 {
            y
        } else {
            0.0
        };
        return sum - x;
    }
    sum
}
