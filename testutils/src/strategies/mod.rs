//! Strategies for [`proptest`]: points, seeds, sizes and layouts of memory that shrink on the lattice.
//!
//! A strategy over floats shrinks towards zero, where half of all functions are degenerate: the simplest failure it finds is
//! often another one. Here integers are drawn and shrunk, and mapped to floats, so that each simpler point is still a point
//! that can tell right from wrong: the simplest of all is 1.5.
//!
//! ```
//! use coenzyme::prelude::*;
//! use coenzyme::{AsActive, AsDuplicated};
//! use coenzyme_testutils::{input, strategies, test_reverse};
//! use proptest::prelude::*;
//!
//! /// Σ xᵢ³
//! #[differentiable]
//! fn cubes(x: &[f64]) -> f64 {
//!     let mut sum = 0.0;
//!     for i in 0..x.len() {
//!         sum += x[i] * x[i] * x[i];
//!     }
//!     sum
//! }
//!
//! proptest!(|(x in strategies::points(1..6, -3.0..3.0))| {
//!     let report = test_reverse("cubes", (input(x),), (AsDuplicated,), AsActive, cubes {});
//!     prop_assert!(report.verdict().is_green(), "{report}");
//! });
//! ```
//!
//! Zeros, infinities and NaN are not drawn: an edge is a case of its own, to be tested always and not by luck.

mod placed;

use std::ops::Range;

use proptest::collection::vec;
use proptest::sample::select;
use proptest::strategy::Strategy;

pub use self::placed::{Placed, placed};
use crate::sample::{displaced, lattice};

/// Lengths at which loops go wrong: empty, one, around the widths of vector registers.
const SIZES: [usize; 7] = [0, 1, 2, 3, 5, 8, 17];

/// A coordinate: a multiple of 1/16 in `range`, not near zero; the simplest is 1.5.
///
/// **Panics** if `range` is empty or infinite.
#[track_caller]
pub fn coordinate(range: Range<f64>) -> impl Strategy<Value = f64> + Clone {
    let mut lattice = lattice(&range);
    lattice.sort_by(|a, b| simplicity(*a).partial_cmp(&simplicity(*b)).expect("finite"));
    select(lattice)
}

/// Halves before integers before quarters, near 1.5 before far away, positive before negative.
///
/// Not integers first: 1 and 2 hide mistakes, such as `2x` for `x²`.
fn simplicity(value: f64) -> (usize, f64, bool) {
    let is_multiple = |part: &f64| (value / part).fract() == 0.0;
    let parts = [1.0, 0.5, 0.25, 0.125];
    let rank = match parts.iter().position(is_multiple) {
        Some(0) => 1,
        Some(1) => 0,
        rank => rank.unwrap_or(parts.len()),
    };
    (rank, (value.abs() - 1.5).abs(), value < 0.0)
}

/// A coordinate with every bit of the mantissa in use: up to 3 % away from the lattice, to which it shrinks.
///
/// Products of lattice points are exact, so that a rule which rounds otherwise than its function is not seen on them.
///
/// **Panics** if `range` is empty or infinite.
#[track_caller]
pub fn full_mantissa(range: Range<f64>) -> impl Strategy<Value = f64> + Clone {
    const HALF: i64 = 1 << 52;
    let unit = (-HALF..=HALF).prop_map(|k| k as f64 / HALF as f64);
    (coordinate(range.clone()), unit).prop_map(move |(value, unit)| displaced(value, unit, &range))
}

/// A point of as many [`coordinate`]s.
///
/// **Panics** if a range is empty, or `range` infinite.
#[track_caller]
pub fn points(length: Range<usize>, range: Range<f64>) -> impl Strategy<Value = Vec<f64>> + Clone {
    vec(coordinate(range), length)
}

/// A coefficient of a tangent or cotangent, `±{4 … 12}/8`: never near zero, lest a projection hide an entry.
pub fn seed() -> impl Strategy<Value = f64> + Clone {
    let sign = select([1.0, -1.0].as_slice());
    (4..=12_i32, sign).prop_map(|(eighths, sign)| sign * f64::from(eighths) / 8.0)
}

/// Tangents or cotangents of `length` entries, one for each of `width` lanes, independent of each other.
pub fn lanes(width: usize, length: usize) -> impl Strategy<Value = Vec<Vec<f64>>> + Clone {
    vec(vec(seed(), length), width)
}

/// A length from zero to 17, at which loops go wrong.
pub fn size() -> impl Strategy<Value = usize> + Clone {
    select(SIZES.as_slice())
}

/// A shape of `N` [`size`]s, of at most `entries` entries.
pub fn shape<const N: usize>(entries: usize) -> impl Strategy<Value = [usize; N]> + Clone {
    let fits = move |shape: &[usize; N]| shape.iter().product::<usize>() <= entries;
    let at_most = SIZES.iter().copied().filter(|size| *size <= entries.max(1));
    let sizes: Vec<usize> = at_most.collect();
    let drawn = vec(select(sizes), N);
    let shape = drawn.prop_map(|sizes| <[usize; N]>::try_from(sizes).expect("N sizes"));
    shape.prop_filter("too many entries", fits)
}
