//! What the output of `#[derive(Tangent)]` for enums shares.

/// Stops an operation on two values of an enum that are of different variants.
#[cold]
#[track_caller]
pub fn different_variants(operation: &str, a: &str, b: &str) -> ! {
    panic!("{operation}: values of different variants, `{a}` and `{b}`");
}
