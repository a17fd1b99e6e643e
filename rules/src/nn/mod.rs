//! Pieces of neural networks.
//!
//! | file | functions |
//! |---|---|
//! | [`array`](crate::array) | [`relu()`], [`leaky_relu()`], [`elu()`], [`gelu()`], [`gelu_tanh()`], [`swish()`], [`mish()`], [`softsign()`], [`softmax()`] |
//! | `layers.rs` | [`dense()`] |
//! | `normalization.rs` | [`layer_norm()`], [`rms_norm()`] |
//! | `loss.rs` | [`softmax_cross_entropy()`], [`mean_squared_error()`] |
//!
//! An embedding is [`gather`](fn@crate::array::gather) along axis 0.

mod layers;
mod loss;
mod normalization;

pub use crate::array::{
    elu, gelu, gelu_tanh, leaky_relu, log_softmax, mish, relu, softmax, softsign, swish,
};
pub use layers::dense;
pub use loss::{mean_squared_error, softmax_cross_entropy};
pub use normalization::{layer_norm, rms_norm};
