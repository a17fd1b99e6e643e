//! Which operand `max` and `min` give.

/// Whether `a.max(b)` is `a`: at a tie the first, and where `b` is NaN.
#[cfg_attr(not(debug_assertions), inline(always))]
#[allow(clippy::eq_op)]
pub fn first_is_larger<T: PartialOrd>(a: &T, b: &T) -> bool {
    a >= b || b != b
}

/// As [`first_is_larger`], of `a.min(b)`.
#[cfg_attr(not(debug_assertions), inline(always))]
#[allow(clippy::eq_op)]
pub fn first_is_smaller<T: PartialOrd>(a: &T, b: &T) -> bool {
    a <= b || b != b
}
