//! Operations on two values of an enum that `#[derive(Tangent)]` finds to be of different variants.

use crate::Tangent;

/// Stops an operation that has no meaning for values of different variants.
#[cold]
#[track_caller]
pub fn different_variants(operation: &str, [a, b]: [&str; 2]) -> ! {
    panic!("{operation}: values of different variants, `{a}` and `{b}`");
}

/// Adds `other` to a `sum` of another variant: one of them is zero, and zero is the zero of every variant.
///
/// # Panics
/// If neither is.
#[cold]
#[track_caller]
pub fn sum_of_variants<T: Tangent<Owned = T>>(sum: &mut T, other: &T, names: [&str; 2]) {
    if Tangent::is_origin(other) {
        return;
    }
    if !Tangent::is_origin(sum) {
        different_variants("accumulate", names);
    }
    *sum = Tangent::zero_like(other);
    Tangent::accumulate(sum, other);
}
