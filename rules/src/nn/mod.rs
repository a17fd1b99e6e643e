//! Pieces of neural networks.
//!
//! | file | functions |
//! |---|---|
//! | [`array`](crate::array) | [`relu()`], [`leaky_relu()`], [`elu()`], [`gelu()`], [`gelu_tanh()`], [`swish()`], [`mish()`], [`softsign()`], [`softmax()`] |
//! | `transformer.rs` | [`attention()`] |
//! | `masked_attention.rs` | [`attention_causal()`], [`attention_masked()`] |
//! | `cells.rs` | [`lstm_cell()`], [`gru_cell()`] |
//! | `selection.rs` | [`dropout()`], [`embedding()`] |
//! | `padded_embedding.rs` | [`embedding_padded()`] |
//! | `pooling.rs` | [`avg_pool2d()`], [`max_pool2d()`] |
//! | `adaptive_pooling.rs` | [`adaptive_avg_pool2d()`], [`adaptive_max_pool2d()`] |
//! | `layers.rs` | [`dense()`] |
//! | `normalization.rs` | [`layer_norm()`], [`rms_norm()`] |
//! | `channels.rs` | [`batch_norm()`], [`batch_norm_with()`], [`group_norm()`] |
//! | `loss.rs` | [`softmax_cross_entropy()`], [`mean_squared_error()`] |
//! | `pairs.rs` | [`soft_cross_entropy()`], [`negative_log_likelihood()`], [`huber()`], [`mean_absolute_error()`], [`bce_with_logits()`], [`kl_divergence()`] |
//!
//! Convolutions are in [`signal`](crate::signal).

mod adaptive_pooling;
mod cells;
mod channels;
mod layers;
mod loss;
mod masked_attention;
mod normalization;
mod padded_embedding;
mod pairs;
mod pooling;
mod selection;
mod transformer;

pub use crate::array::{
    elu, gelu, gelu_tanh, leaky_relu, log_softmax, mish, relu, softmax, softsign, swish,
};
pub use adaptive_pooling::{adaptive_avg_pool2d, adaptive_max_pool2d};
pub use cells::{gru_cell, lstm_cell};
pub use channels::{BatchStatistics, batch_norm, batch_norm_with, group_norm};
pub use layers::dense;
pub use loss::{mean_squared_error, softmax_cross_entropy};
pub use masked_attention::{attention_causal, attention_masked};
pub use normalization::{layer_norm, rms_norm};
pub use padded_embedding::embedding_padded;
pub use pairs::{
    bce_with_logits, huber, kl_divergence, mean_absolute_error, negative_log_likelihood,
    soft_cross_entropy,
};
pub use pooling::{avg_pool2d, max_pool2d};
pub use selection::{dropout, embedding};
pub use transformer::attention;
