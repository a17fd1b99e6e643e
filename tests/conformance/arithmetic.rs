//! Operators, literals, integers and casts.

use coenzyme::differentiable;

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn operators(x: f64, y: f64) -> f64 {
    (x + y) * (x - y) / (x * y + 3.0) - -x
}

#[differentiable]
fn remainder(x: f64, y: f64) -> f64 {
    (x * x) % y
}

#[differentiable]
fn literals(x: f64) -> f64 {
    1.0 + 2e-1 * x - 3_f64 / x + x * 0.5f64
}

#[differentiable]
fn inactive_operands(x: f64, n: usize, k: i32) -> f64 {
    let half = (n / 2) as f64;
    let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
    x * half + sign * x * x - (k as f64) / x
}

#[differentiable]
fn integer_arithmetic(x: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    let mut k = 1;
    for i in 0..n {
        k = (k * 3 + i) % x.len();
        s += x[k] * x[(k + i) % x.len()];
    }
    s
}

#[differentiable]
fn bits(x: &[f64], mask: u32) -> f64 {
    let mut s = 1.0;
    for i in 0..x.len() {
        if mask >> i & 1 == 1 {
            s *= x[i];
        }
    }
    s
}

#[differentiable]
fn cast_through_an_integer(x: f64) -> f64 {
    let k = x as usize;
    let f = x - k as f64;
    f * f * k as f64
}

#[differentiable]
fn parentheses(x: f64, y: f64) -> f64 {
    ((x) * (y + (x)))
}

#[differentiable]
fn polynomial(c: &[f64], x: f64) -> f64 {
    let mut s = 0.0;
    for i in (0..c.len()).rev() {
        s = s * x + c[i];
    }
    s
}

#[differentiable]
fn quotient_of_sums(x: &[f64], w: &[f64]) -> f64 {
    let mut a = 0.0;
    let mut b = 0.0;
    for i in 0..x.len() {
        a += w[i] * x[i];
        b += w[i];
    }
    a / b
}

#[differentiable]
fn both_operands_are_one(x: f64) -> f64 {
    let y = x * x;
    let z = y / y + y - x;
    z * z
}

#[differentiable]
fn negations(x: f64) -> f64 {
    let a = -x;
    let b = -(-a * x);
    -b
}

#[differentiable]
fn unused_argument(x: f64, y: f64, z: &[f64]) -> f64 {
    let _ = z.len();
    x * x
}

#[differentiable]
fn constant_result(x: f64) -> f64 {
    let _ = x;
    2.5
}

#[differentiable]
fn identity(x: f64) -> f64 {
    x
}

#[differentiable]
fn deep_expression(x: f64, y: f64) -> f64 {
    (((x * y + 1.0) * (x + y * (x - y * (x + 2.0)))).sin() + (x / (1.0 + y * y)).exp()).sqrt()
}

/// The partial derivative in an operand that has no tangent is infinite.
#[differentiable]
fn infinite_beside_constants(x: f64, y: f64) -> f64 {
    let costs = [x, f64::INFINITY];
    let mut sum = 0.0;
    for cost in costs {
        sum += (-(cost - y) / 0.5).exp()
            + (-(cost * 2.0)).exp()
            + 0.5_f64.powf(cost)
            + cost.mul_add(2.0, 1.0).recip();
    }
    sum
}

judge! {
    infinite_beside_constants(0.7, -0.4);
    operators(0.7, -0.4);
    remainder(1.7, 0.8) (1.7, -0.9);
    literals(0.7);
    inactive_operands(0.7, 5, 3) (0.7, 4, -2);
    integer_arithmetic(&any(4), 6);
    bits(&positive(4), 0b1011);
    cast_through_an_integer(2.7);
    parentheses(0.7, -0.4);
    polynomial(&any(4), 0.8) (&any(1), 0.8);
    quotient_of_sums(&any(3), &positive(3));
    both_operands_are_one(0.7);
    negations(0.7);
    unused_argument(0.7, 0.4, &any(2));
    constant_result(0.7);
    identity(0.7);
    deep_expression(0.7, 0.4);
}
