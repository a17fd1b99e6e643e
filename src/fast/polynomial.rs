//! Polynomials, and rounding without instructions that only some targets have.

/// `c₀ + c₁x + c₂x² + …`, the even and the odd terms side by side: half as many steps wait for each other.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn polynomial<const N: usize>(x: f64, c: [f64; N]) -> f64 {
    let square = x * x;
    let (mut last, mut before) = (c[N - 1], c[N - 2]);
    let mut i = N - 2;
    while i > 0 {
        i -= 1;
        (last, before) = (before, multiply_add(last, square, c[i]));
    }
    multiply_add(last, x, before)
}

/// `a·b + c`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn multiply_add(a: f64, b: f64, c: f64) -> f64 {
    if cfg!(target_feature = "fma") {
        a.mul_add(b, c)
    } else {
        a * b + c
    }
}

/// `1.5·2⁵²`: a number below `2⁵¹` that is added to it is rounded to an integer, which stands in the last bits.
pub(super) const ROUND: f64 = 6_755_399_441_055_744.0;

/// `2ᵏ` for an integer `k` from −1022 to 1023.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn power_of_two(k: f64) -> f64 {
    f64::from_bits((k + ROUND).to_bits().wrapping_add(1023) << 52)
}
