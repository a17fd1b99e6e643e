//! Sine and cosine.
//!
//! `x = k·π/2 + r` with `|r| ≤ π/4`, where `k·π/2` is subtracted in parts whose products with 20 bits are exact (Cody and Waite 1980, chapter 8), the
//! rounding errors of both differences are kept, and `r` is the sum of two numbers. The polynomials are those of FreeBSD's *msun*
//! (`k_sin.c`, `k_cos.c`, Sun Microsystems 1993), to 2⁻⁵⁸.

use std::f64::consts::FRAC_2_PI;

use super::polynomial::{ROUND, polynomial};

/// `2²⁰·π/2`: beyond it `k` has more than 20 bits.
const FARTHEST: f64 = 1_647_099.329_165_285_5;

/// `π/2` in three parts of 33 bits and a rest.
const HALF_PI: [f64; 4] = [
    1.570_796_326_734_125_6,
    6.077_100_506_303_966e-11,
    2.022_266_248_711_166_5e-21,
    8.478_427_660_368_9e-32,
];

#[allow(clippy::excessive_precision, clippy::unreadable_literal)]
const FIRST_OF_SINE: f64 = -1.66666666666666324348e-01;
/// `(sin r/r − 1)/r² − FIRST_OF_SINE`, over `r²`, in `r²`.
#[allow(clippy::excessive_precision, clippy::unreadable_literal)]
const SINE: [f64; 5] = [
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
];
/// `(cos r − 1 + r²/2)/r⁴` in `r²`.
#[allow(clippy::excessive_precision, clippy::unreadable_literal)]
const COSINE: [f64; 6] = [
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
];

/// `a − b` and what rounding it has lost.
#[cfg_attr(not(debug_assertions), inline(always))]
fn difference(a: f64, b: f64) -> (f64, f64) {
    let d = a - b;
    let back = d - a;
    (d, (a - (d - back)) - (b + back))
}

/// The last bits of `k`, and `r` in two parts.
#[cfg_attr(not(debug_assertions), inline(always))]
fn reduced(x: f64) -> (u64, f64, f64) {
    let rounded = x * FRAC_2_PI + ROUND;
    let k = rounded - ROUND;
    let (first, lost) = difference(x - k * HALF_PI[0], k * HALF_PI[1]);
    let (second, more) = difference(first, k * HALF_PI[2]);
    let rest = lost + more - k * HALF_PI[3];
    let r = second + rest;
    (rounded.to_bits(), r, (second - r) + rest)
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn sine(r: f64, low: f64) -> f64 {
    let z = r * r;
    let cube = z * r;
    r - ((z * (0.5 * low - cube * polynomial(z, SINE)) - low) - cube * FIRST_OF_SINE)
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn cosine(r: f64, low: f64) -> f64 {
    let z = r * r;
    let half = 0.5 * z;
    let head = 1.0 - half;
    head + (((1.0 - head) - half) + (z * z * polynomial(z, COSINE) - r * low))
}

/// `sin(x + quarters·π/2)`
#[cfg_attr(not(debug_assertions), inline(always))]
fn sine_after(x: f64, quarters: u64) -> f64 {
    let (k, r, low) = reduced(x);
    let k = k.wrapping_add(quarters);
    let y = if k & 1 == 0 {
        sine(r, low)
    } else {
        cosine(r, low)
    };
    let y = f64::from_bits(y.to_bits() ^ ((k & 2) << 62));
    if x.abs() <= FARTHEST { y } else { f64::NAN }
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn sin(x: f64) -> f64 {
    let y = sine_after(x, 0);
    // its sign, where x is −0
    if x == 0.0 { x } else { y }
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn cos(x: f64) -> f64 {
    sine_after(x, 1)
}
