//! Loops with a value, arrays by value, constants and items, entries by name.

use coenzyme::differentiable;

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn over_array_values(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for k in [1, 0] {
        s = s * s + x[k];
    }
    for (w, k) in [(0.5, 1), (2.0, 0)] {
        s += w * x[k] * x[k];
    }
    s
}

#[differentiable]
fn loop_with_value(x: f64) -> f64 {
    let mut n = 0;
    let mut y = x;
    let r = loop {
        y = y * y + 0.1;
        n += 1;
        if n == 3 {
            break y * 2.0;
        }
    };
    r * x
}

const GAIN: f64 = 1.5;
static TABLE: [f64; 3] = [0.2, 0.7, 1.3];

#[differentiable]
fn statics(x: f64) -> f64 {
    const LOCAL: f64 = 0.3;
    let mut s = LOCAL * x;
    for i in 0..TABLE.len() {
        s += TABLE[i] * x.powi(i as i32) * GAIN;
    }
    s * std::f64::consts::PI
}

#[differentiable]
fn nested_items(x: f64) -> f64 {
    #[differentiable]
    fn inner(y: f64) -> f64 {
        y * y
    }
    inner(x) + inner(2.0 * x)
}

#[differentiable]
fn split(x: &[f64]) -> f64 {
    let (a, b) = x.split_at(2);
    let mut s = 0.0;
    for (p, q) in a.iter().zip(b) {
        s += p * q;
    }
    s * x.first().unwrap() + x.last().unwrap() * x.last().copied().unwrap()
}

#[differentiable]
fn copies(y: &mut [f64], x: &[f64], k: f64) {
    y.copy_from_slice(x);
    y[0] *= k;
    y[1..].fill(k * k);
    y[1..3].copy_from_slice(&x[..2]);
}

#[differentiable]
fn methods(x: f64, y: f64) -> f64 {
    x.rem_euclid(y)
        + x.clamp(-1.0, 1.0)
        + x.hypot(y)
        + x.mul_add(y, 0.3)
        + x.atan2(y)
        + x.max(y).min(2.0)
        + x.copysign(-1.0)
        + y.exp_m1()
        + y.ln_1p()
        + x.abs().cbrt()
        + y.log10()
        + x.exp2()
        + y.log(3.0)
        + x.signum()
}

#[differentiable]
fn loop_value_with_return(x: f64, limit: f64) -> f64 {
    let mut y = x;
    let z = loop {
        if y > limit {
            return y * y;
        }
        y = y * 1.3 + 0.1 * y * y;
        if y > 2.0 {
            break y.ln();
        }
    };
    z + x
}

#[differentiable]
fn recursion_loop(x: f64, n: usize) -> f64 {
    let mut k = n;
    let mut y = x;
    loop {
        if k == 0 {
            return y;
        }
        if k % 2 == 1 {
            y = recursion_loop(y * x, k / 2);
        }
        k /= 2;
    }
}

judge! {
    over_array_values(&any(2));
    loop_with_value(0.7);
    statics(0.7);
    nested_items(0.7);
    split(&any(4));
    copies(&mut any(3), &positive(3), 0.7);
    methods(0.7, 0.4);
    recursion_loop(0.7, 5);
    loop_value_with_return(0.7, 5.0) (0.7, 1.2);
}
