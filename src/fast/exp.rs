//! `eˣ`, `eˣ − 1` and `tanh x`, from one polynomial.
//!
//! `x = k·ln 2 + r` with `|r| ≤ ln 2/2`, where `k·ln 2` is subtracted in two parts, the first of which is exact (Cody and Waite 1980,
//! *Software Manual for the Elementary Functions*, chapter 6). Then `e^r − 1 = r + r²·q(r)`, and powers of two are bits.

use std::f64::consts::LOG2_E;

use super::polynomial::{ROUND, multiply_add, polynomial, power_of_two};

/// `ln 2` to 33 bits, so that its product with 20 bits is exact.
const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
/// The rest of it.
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// `(e^r − 1 − r)/r²` for `|r| ≤ ln 2/2`, to 2⁻⁵⁹: `coefficients.py`.
#[allow(clippy::excessive_precision, clippy::unreadable_literal)]
const EXP: [f64; 11] = [
    0.5,
    0.1666666666666667,
    0.04166666666666667,
    0.008333333333326084,
    0.0013888888888883711,
    0.0001984126987500228,
    2.480158732567746e-05,
    2.755725517000089e-06,
    2.755727347871858e-07,
    2.5105312729622103e-08,
    2.09147553258932e-09,
];

/// `k`, `r`, and `e^r − 1 − r`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn reduced(x: f64) -> (f64, f64, f64) {
    let k = (x * LOG2_E + ROUND) - ROUND;
    let (high, low) = (x - k * LN_2_HIGH, k * LN_2_LOW);
    let r = high - low;
    let lost = (high - r) - low;
    (k, r, multiply_add(r * r, polynomial(r, EXP), lost))
}

/// `2ᵏ·e^r − 1`, the larger parts first; for `k` from −1022 to 1023.
#[cfg_attr(not(debug_assertions), inline(always))]
fn less_one((k, r, tail): (f64, f64, f64)) -> f64 {
    let two = power_of_two(k);
    multiply_add(two, tail, multiply_add(two, r, two - 1.0))
}

/// `p·2ᵏ`, rounded once: for `k` from −2044 to 2046.
#[cfg_attr(not(debug_assertions), inline(always))]
fn scaled(p: f64, k: f64) -> f64 {
    let half = (0.5 * k + ROUND) - ROUND;
    p * power_of_two(half) * power_of_two(k - half)
}

/// `x`, or the end of the interval that it lies beyond; NaN is NaN.
#[cfg_attr(not(debug_assertions), inline(always))]
fn between(low: f64, x: f64, high: f64) -> f64 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn exp(x: f64) -> f64 {
    let (k, r, tail) = reduced(between(-746.0, x, 710.0));
    scaled(1.0 + (r + tail), k)
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn exp_m1(x: f64) -> f64 {
    let (k, r, tail) = reduced(between(-60.0, x, 710.0));
    let y = if x > 40.0 {
        scaled(1.0 + (r + tail), k)
    } else {
        less_one((k, r, tail))
    };
    // its sign, where x is −0
    if x == 0.0 { x } else { y }
}

/// With `t = e^(2|x|) − 1`: `t/(t + 2)`, corrected by what rounding `t` and `t + 2` has lost, or, where nothing of that is seen,
/// `1 − 2/(t + 2)`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn tanh(x: f64) -> f64 {
    let a = x.abs();
    let (k, r, tail) = reduced(between(0.0, a + a, 44.0));
    let two = power_of_two(k);
    let (base, rest) = (two - 1.0, two * tail);
    let head = multiply_add(two, r, base);
    let t = head + rest;
    let low = ((head - t) + rest) + (two * r - (head - base));
    let below = t + 2.0;
    let low_below = (t - (below - 2.0)) + low;
    let large = a > 0.55;
    let quotient = (if large { 2.0 } else { t }) / below;
    let y = if large {
        1.0 - quotient
    } else {
        // 1/(t + 2) = (1 − quotient)/2
        quotient + (low - quotient * low_below) * (0.5 - 0.5 * quotient)
    };
    y.copysign(x)
}
