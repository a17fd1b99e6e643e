//! A derivative that loses digits, in both modes: they lose others, and neither is wrong.

use coenzyme::prelude::*;
use coenzyme_testutils::{input, test_rule, value};

/// `(Σ xᵢ²/n − (Σ xᵢ/n)²)·y`: near 10⁶ ten digits of it cancel, and of its derivatives six.
#[differentiable]
fn variance(x: &[f64], y: f64) -> f64 {
    let n = x.len() as f64;
    let (mut sum, mut squares) = (0.0, 0.0);
    for x in x.iter() {
        sum += *x;
        squares += *x * *x;
    }
    let mean = sum / n;
    (squares / n - mean * mean) * y
}

test_rule! { variance; x: input([1e6, 1e6 + 1.0, 1e6 + 2.5, 1e6 - 1.5]), y: value(1.25); ret: [Active]; name = given }
test_rule! { variance; x: input(4).within(999_990.0..1_000_010.0), y: value(1.25); ret: [Active]; name = drawn }
test_rule! { variance; x: input(4).within(1e6..1.1e6), y: value(1.25); ret: [Active]; name = wide }
test_rule! { variance; x: input(4).within(9_999.0..10_001.0), y: value(1.25); ret: [Active]; name = near_ten_thousand }
