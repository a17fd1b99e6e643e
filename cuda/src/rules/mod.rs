//! The rules on device arrays.
//!
//! | file | functions |
//! |---|---|
//! | `reductions.rs` | [`sum()`], [`sum_axis()`], [`mean_axis()`], [`max_axis()`], [`logsumexp_axis()`] |
//! | `normalize.rs` | [`softmax()`], [`standardize()`], [`layer_norm()`] |
//! | `products.rs` | [`matmul()`], [`batched_matmul()`] |
//! | `linear.rs` | [`prefix_sum()`], [`transpose()`], [`slice_axis()`], [`concatenate()`], [`to_f64()`], [`to_f32()`], [`image_to_columns()`] |
//! | `indexed.rs` | [`gather()`], [`scatter_add()`] |
//! | `random.rs` | [`uniform`], [`normal`] |
//! | `kernels.rs` | [`user()`]: kernels of yours |

pub mod class;
mod indexed;
mod kernels;
mod linear;
mod normalize;
mod products;
mod random;
mod reductions;

pub use indexed::{Gather, Index, Scatter, gather, scatter_add, scatter_add_atomic};
pub use kernels::{Grid, Kernels, TapeLength, User, UserTape, user};
pub use linear::{
    Cast, Columns, Concatenate, Linear, PrefixSum, Reversed, Slice, Transposed, concatenate,
    image_to_columns, prefix_sum, slice_axis, to_f32, to_f64, to_numbers, transpose,
};
pub use normalize::{Softmax, Standardize, affine, layer_norm, softmax, standardize};
pub use products::{Product, batched_matmul, matmul};
pub use random::{normal, random_words, uniform};
pub use reductions::{
    LogSumExp, MaxAxis, Sum, SumAxis, logsumexp_axis, max_axis, mean_axis, sum, sum_axis,
};
