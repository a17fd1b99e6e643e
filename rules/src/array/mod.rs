//! Functions of arrays. They take references (`&Array`, `&ArrayRef`, views behind `&`), of any memory layout, and return
//! owned arrays; in reverse mode the returned array is `Duplicated`, and its shadow is made by the augmented pass.
//!
//! | file | functions |
//! |---|---|
//! | `float_methods.rs` | the methods of floats, entry by entry: [`exp()`], [`tanh()`], … |
//! | [`scalar`](crate::scalar) | its functions, entry by entry: [`erf()`], [`logistic()`], … |
//! | `arithmetic.rs` | [`add()`], [`sub()`], [`mul()`], [`div()`], [`powf()`], [`maximum()`], …, broadcast; [`scale()`] |
//! | `sums.rs` | [`sum()`], [`mean()`] and their forms with one axis or several |
//! | `reductions.rs` | [`var()`], [`std_dev()`], [`max()`], [`min()`], [`prod()`], [`norm()`], [`logsumexp()`], … likewise |
//! | `along.rs` | [`softmax()`], [`log_softmax()`], [`cumsum()`], [`cumprod()`], [`sort()`] along an axis |
//! | `shape.rs` | [`reshape()`], [`flatten()`], [`broadcast_to()`], [`pad()`], [`insert_axis()`], [`repeat()`] |
//! | `order.rs` | [`transpose()`], [`permute()`], [`flip()`], [`roll()`] |
//! | `creation.rs` | [`zeros()`], [`ones()`], [`full()`], [`identity()`], [`linspace()`], [`uniform()`], without derivative |
//! | `clipping.rs` | [`clip()`] |
//! | `indexing.rs` | [`slice_axis()`], [`gather()`], [`scatter_add()`], [`diagonal()`], [`choose()`], … |
//! | `joining.rs` | [`concatenate()`], [`stack()`], of handles or of a list in memory |
//! | `splitting.rs` | [`split()`] |
//! | `padding.rs` | [`pad_edge()`], [`pad_reflect()`] |
//! | `parametric.rs` | [`var_ddof()`], [`std_ddof()`], [`norm_p()`], over all entries and along an axis |
//! | `ranking.rs` | [`argmax()`], [`argmin()`], [`argsort()`], without derivative; [`take_along_axis()`] |
//! | `subscripts.rs` | [`einsum()`], [`einsum_one()`] |
//!
//! Axes are counted from 0 at the front and are `usize`: the last axis of `x` is `x.ndim() - 1`, there are no negative ones.

mod along;
mod arithmetic;
mod clipping;
mod creation;
mod float_methods;
mod indexing;
mod joining;
mod order;
mod outlines;
mod padding;
mod parametric;
mod ranking;
mod reductions;
mod shape;
mod splitting;
mod statistics;
mod subscripts;
mod sums;

pub use crate::scalar::arrays::*;
pub use along::{cumprod, cumsum, log_softmax, softmax, sort};
pub use arithmetic::{
    add, atan2, copysign, div, hypot, log, maximum, minimum, mul, powf, rem, scale, sub,
};
pub use clipping::clip;
pub use creation::{full, identity, linspace, ones, uniform, zeros};
pub use float_methods::*;
pub use indexing::{
    choose, diagonal, from_diagonal, gather, lower_triangle, scatter_add, slice_axis, trace,
    upper_triangle,
};
pub use joining::{concatenate, concatenate_all, stack, stack_all};
pub use order::{flip, permute, roll, transpose};
pub use padding::{pad_edge, pad_reflect};
pub use parametric::{
    norm_p, norm_p_axis, quantile, quantile_axis, std_ddof, std_ddof_axis, var_ddof, var_ddof_axis,
};
pub use ranking::{argmax, argmin, argsort, take_along_axis};
pub use reductions::*;
pub use shape::{broadcast_to, flatten, insert_axis, pad, repeat, reshape};
pub use splitting::split;
pub use statistics::{correlation, covariance};
pub use subscripts::{einsum, einsum_one};
pub use sums::{mean, mean_axes, mean_axis, sum, sum_axes, sum_axis};
