//! `ln x` and `ln(1 + x)`.
//!
//! `x = 2ᵏ·m` with `√½ ≤ m < √2`; with `f = m − 1` and `s = f/(2 + f)`, `ln m = 2·artanh s`, whose series in `s²` is a polynomial of degree
//! seven with the coefficients of FreeBSD's *msun* (`e_log.c`, Sun Microsystems 1993), to 2⁻⁵⁸·⁴⁵.

use super::polynomial::polynomial;

const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// `(2·artanh(s) − 2s)/s³` in `s²`.
#[allow(clippy::excessive_precision, clippy::unreadable_literal)]
const SERIES: [f64; 7] = [
    6.666666666666735130e-01,
    3.999999999940941908e-01,
    2.857142874366239149e-01,
    2.222219843214978396e-01,
    1.818357216161805012e-01,
    1.531383769920937332e-01,
    1.479819860511658591e-01,
];

/// The bits of `√½`.
const ROOT: u64 = 0x3fe6_a09e_667f_3bcd;
const ONE: u64 = 0x3ff0_0000_0000_0000;
/// `2⁵²`, whose last bits are an integer.
const INTEGERS: f64 = 4_503_599_627_370_496.0;

/// `k` and `m` of a positive normal number.
#[cfg_attr(not(debug_assertions), inline(always))]
fn parts(x: f64) -> (f64, f64) {
    let above = x.to_bits().wrapping_sub(ROOT).wrapping_add(ONE);
    let k = f64::from_bits((above >> 52) | INTEGERS.to_bits()) - (INTEGERS + 1023.0);
    let m = f64::from_bits((above & 0x000f_ffff_ffff_ffff).wrapping_add(ROOT));
    (k, m)
}

/// `k·ln 2 + ln(1 + f) + c` for a `c` below the last digit of `f`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn sum(k: f64, f: f64, c: f64) -> f64 {
    let s = f / (2.0 + f);
    let z = s * s;
    let half_square = 0.5 * f * f;
    let series = z * polynomial(z, SERIES);
    let low = s * (half_square + series) + (k * LN_2_LOW + c);
    k * LN_2_HIGH - ((half_square - low) - f)
}

/// The logarithm, given a value that is right on positive finite numbers: −∞ at 0, NaN below.
#[cfg_attr(not(debug_assertions), inline(always))]
fn with_edges(x: f64, value: f64) -> f64 {
    let value = if x > 0.0 { value } else { f64::NAN };
    let value = if x == 0.0 { f64::NEG_INFINITY } else { value };
    if x == f64::INFINITY { x } else { value }
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn ln(x: f64) -> f64 {
    // 2⁵⁴
    const NORMAL: f64 = 18_014_398_509_481_984.0;
    let subnormal = x < f64::MIN_POSITIVE;
    let (k, m) = parts(if subnormal { x * NORMAL } else { x });
    let k = if subnormal { k - 54.0 } else { k };
    with_edges(x, sum(k, m - 1.0, 0.0))
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn ln_1p(x: f64) -> f64 {
    let u = 1.0 + x;
    // what the sum has lost, relative to it
    let lost = if x > 1.0 {
        1.0 - (u - x)
    } else {
        x - (u - 1.0)
    };
    let (k, m) = parts(u);
    let near = k == 0.0;
    let f = if near { x } else { m - 1.0 };
    let c = if near { 0.0 } else { lost / u };
    let y = with_edges(u, sum(k, f, c));
    // its sign, where x is −0
    if x == 0.0 { x } else { y }
}
