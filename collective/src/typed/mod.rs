//! Values that know what they are on all ranks together, so that the adjoint of a collective follows from its type, and a factor `n` is
//! a compile error.
//!
//! | | the values of the ranks | cotangent |
//! |---|---|---|
//! | [`Varying`] | are independent | [`Varying`] |
//! | [`Replicated`] | are equal, and one value: it counts once | [`Replicated`] |
//! | [`Partial`] | are parts: the value is their sum | [`Reduced`] |
//! | [`Reduced`] | are equal, and each rank's use counts | [`Partial`] |
//!
//! | | | transpose |
//! |---|---|---|
//! | [`all_reduce()`], [`all_reduce_mean()`] | `Varying` → `Replicated` | no communication |
//! | [`all_reduce_max()`], [`all_reduce_min()`], [`all_reduce_prod()`] | `Varying` → `Replicated` | no communication |
//! | [`total()`] | `Partial` → `Replicated` | no communication |
//! | [`vary()`] | `Replicated` → `Varying`, no communication | all-reduce |
//! | [`as_reduced()`] | `Replicated` → `Reduced`, no communication | all-reduce |
//! | [`as_partial()`], [`as_varying()`] | `Varying` → `Partial`, `Reduced` → `Varying`, no communication | each other |
//! | [`all_gather()`], [`all_gather_v()`] | `Varying` → `Replicated` | the rank's own block |
//! | [`all_gather_reduced()`], [`all_gather_reduced_v()`] | `Varying` → `Reduced` | [`reduce_scatter()`], [`reduce_scatter_v()`] |
//! | [`reduce_scatter()`], [`reduce_scatter_v()`] | `Partial` → `Varying` | [`all_gather_reduced()`], [`all_gather_reduced_v()`] |
//! | [`broadcast()`] | `Varying` → `Replicated` | the root's |
//! | [`reduce()`] | `Partial` → `Varying`, of the root | a broadcast |
//! | [`all_to_all()`], [`all_to_all_v()`], [`permute()`], [`gather()`], [`gather_v()`], [`scatter()`], [`scatter_v()`], [`scan()`], [`exscan()`] | `Varying` → `Varying` | as in [`per_rank`](crate::per_rank) |
//! | [`map()`] | `Replicated` → `Replicated`, no communication | that of the function |
//!
//! ```
//! use coenzyme::Inactive;
//! use coenzyme::prelude::*;
//! use coenzyme_collective::typed::{Replicated, all_reduce, map, varying};
//! use coenzyme_collective::{Along, CommError, LocalMesh};
//!
//! #[differentiable]
//! fn half_square(y: &[f64]) -> f64 {
//!     0.5 * (y[0] * y[0] + y[1] * y[1])
//! }
//!
//! /// `½‖A·x‖²`, one column of `A`, and one entry of `x`, on each rank.
//! #[differentiable]
//! fn loss(along: &Along, column: &[f64], x: f64) -> Result<Replicated<f64>, CommError> {
//!     let part = varying(along, &[column[0] * x, column[1] * x]);
//!     let y = all_reduce(along, &part)?;
//!     Ok(map(along, Inactive(half_square {}), &y))
//! }
//!
//! let gradient = LocalMesh::of(4).run(|process| {
//!     let (along, r): (Along, _) = (process.axis()?, process.rank());
//!     let (column, x) = ([1.0 + r as f64, 5.0 + r as f64], [1.0, -1.0, 2.0, 0.5][r]);
//!     let ((_, _, dx),) = autodiff!(Reverse, loss, Const(&along), Const(&column), Active(x))?;
//!     Ok::<_, CommError>(dx)
//! })?;
//! // as on one rank; with the sum of four equal losses it would be four times that
//! assert_eq!(gradient, [92.0, 116.0, 140.0, 164.0]);
//! # Ok::<(), CommError>(())
//! ```

mod blocks;
mod extremes;
mod functions;
mod losses;
mod markers;
mod plain;
mod rule;

pub use blocks::{
    all_to_all, all_to_all_v, exscan, gather, gather_v, permute, scan, scatter, scatter_v,
};
pub use extremes::{all_reduce_max, all_reduce_min, all_reduce_prod};
pub use functions::{
    all_gather, all_gather_reduced, all_gather_reduced_v, all_gather_v, all_reduce,
    all_reduce_mean, as_partial, as_reduced, as_varying, broadcast, reduce, reduce_scatter,
    reduce_scatter_v, total, vary,
};
pub use losses::{Factor, SameLoss};
pub use markers::{OwnEntries, Partial, Reduced, Replicated, Varying};
pub use plain::{local, map, varying};
