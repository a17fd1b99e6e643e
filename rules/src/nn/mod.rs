//! Pieces of neural networks.
//!
//! | file | functions |
//! |---|---|
//! | [`array`](crate::array) | [`relu()`], [`leaky_relu()`], [`elu()`], [`gelu()`], [`gelu_tanh()`], [`swish()`], [`mish()`], [`softsign()`], [`softmax()`] |
//! | `transformer.rs` | [`attention()`] |
//! | `selection.rs` | [`dropout()`], [`embedding()`] |
//! | `pooling.rs` | [`avg_pool2d()`], [`max_pool2d()`] |
//! | `layers.rs` | [`dense()`] |
//! | `normalization.rs` | [`layer_norm()`], [`rms_norm()`] |
//! | `loss.rs` | [`softmax_cross_entropy()`], [`mean_squared_error()`] |
//!
//! Convolutions are in [`signal`](crate::signal).

mod layers;
mod loss;
mod normalization;
mod pooling;
mod selection;
mod transformer;

pub use crate::array::{
    elu, gelu, gelu_tanh, leaky_relu, log_softmax, mish, relu, softmax, softsign, swish,
};
pub use layers::dense;
pub use loss::{mean_squared_error, softmax_cross_entropy};
pub use normalization::{layer_norm, rms_norm};
pub use pooling::{avg_pool2d, max_pool2d};
pub use selection::{dropout, embedding};
pub use transformer::attention;
