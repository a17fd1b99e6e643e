//! What Endia, Nabla and minitensor show of their custom operations, with their numbers: a test for each feature, named after
//! its row in the comparison. Rows about one function of the library are tested beside it, as `n29_…` in `array/reductions.rs`.

#[path = "../judge/mod.rs"]
mod judge;

mod endia;
mod minitensor;
mod nabla;

use std::fmt::Debug;

use judge::run;

/// Compares two rows of numbers that were printed with twelve places.
#[track_caller]
fn close<'a>(got: impl IntoIterator<Item = &'a f64, IntoIter: Debug + Clone>, want: &[f64]) {
    let got = got.into_iter();
    assert_eq!(got.clone().count(), want.len(), "{got:?} {want:?}");
    for (a, b) in got.clone().zip(want) {
        assert!(
            (a - b).abs() <= 1e-11 * b.abs().max(1.0),
            "{got:?} {want:?}"
        );
    }
}
