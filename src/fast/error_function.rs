//! The error function.
//!
//! Below 1, `x + x·p(x²)`; from there to 6, `1 − e^(−x²)·q((x − 3)/(x + 3))`, where the second factor is the scaled complement `e^(x²)·erfc(x)`, smooth
//! and slow; beyond 6 it is 1 to the last digit. Both polynomials are fits of our own, by `coefficients.py`.

use super::exp::exp;
use super::polynomial::{multiply_add, polynomial};

/// `erf(x)/x − 1` in `x²`, for `x ≤ 1`, to 2⁻⁵⁶.
#[allow(clippy::excessive_precision, clippy::unreadable_literal)]
const NEAR: [f64; 12] = [
    0.12837916709551256,
    -0.37612638903183543,
    0.11283791670945006,
    -0.02686617064323777,
    0.0052239776071164225,
    -0.0008548325975389692,
    0.00012055294904839707,
    -1.492473690741966e-05,
    1.6447424703317362e-06,
    -1.6208483801871705e-07,
    1.3720064546777686e-08,
    -7.795898827002142e-10,
];
/// `e^(x²)·erfc(x)` in `(x − 3)/(x + 3)`, for `1 ≤ x ≤ 6`, to 2⁻⁵⁶.
#[allow(clippy::excessive_precision, clippy::unreadable_literal)]
const FAR: [f64; 15] = [
    0.17900115118138996,
    -0.32623356004303716,
    0.24560380171233195,
    -0.15011593650078744,
    0.07166583719774874,
    -0.024392499318273194,
    0.004269136347508256,
    0.0007077464443901538,
    -0.0005970623517093284,
    4.525472635483354e-05,
    6.406182073530546e-05,
    -1.284889451252353e-05,
    -8.008021319412685e-06,
    2.023603179641757e-06,
    1.2801900862962662e-06,
];

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn erf(x: f64) -> f64 {
    let a = x.abs();
    let a = if a > 6.0 { 6.0 } else { a };
    let square = a * a;
    let near = multiply_add(a, polynomial(square, NEAR), a);
    let far = 1.0 - exp(-square) * polynomial((a - 3.0) / (a + 3.0), FAR);
    (if a < 1.0 { near } else { far }).copysign(x)
}
