//! Right derivatives of functions that differences see differently: none is refused.

use coenzyme::{Real, differentiable};
use coenzyme_testutils::{test_rule, value};

/// The entropy of a probability. Where that is nearly one its complement is a staircase, with another slope on each step.
#[differentiable]
fn entropy(x: f64) -> f64 {
    let p = 1.0 / (1.0 + (-x).exp());
    -p * p.ln() - (1.0 - p) * (1.0 - p).ln()
}

test_rule! { entropy; x: value(0.4); ret: [Const, Active]; name = staircases }

/// Far out a sine turns within every step in which it is not lost beside the line.
#[differentiable]
fn beside_a_line(x: f64, y: f64) -> f64 {
    1e6 * y + x.sin()
}

test_rule! { beside_a_line; x: value(0.7), y: value(0.5); ret: [Const, Active]; name = lines }

/// Of negative numbers known for whole exponents only, as all are that are large.
#[differentiable]
fn power(x: f64, y: f64) -> f64 {
    x.powf(y)
}

test_rule! { power; x: value(1.3), y: value(2.5); ret: [Const, Active]; name = whole_exponents }

/// In single precision `q² − 1` has no digits beside `x = s`, which no rule can help.
#[differentiable]
fn bell<T: Real>(x: T, s: T) -> T {
    let q = x / s;
    (-(q * q) / (T::one() + T::one())).exp() / s
}

test_rule! { bell; x: value(0.875_f32), s: value(1.5_f32); ret: [Const, Active]; name = cancellation_in_single }
