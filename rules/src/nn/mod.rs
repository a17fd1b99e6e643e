//! Pieces of neural networks.
//!
//! | file | functions |
//! |---|---|
//! | [`array`](crate::array) | [`relu()`], [`leaky_relu()`], [`elu()`], [`gelu()`], [`gelu_tanh()`], [`swish()`], [`mish()`], [`softsign()`], [`softmax()`] |
//! | `transformer.rs` | [`attention()`] |
//! | `masked_attention.rs` | [`attention_causal()`], [`attention_masked()`] |
//! | `lstm.rs`, `gru.rs` | [`lstm_cell()`], [`gru_cell()`] |
//! | `selection.rs` | [`dropout()`], [`embedding()`] |
//! | `padded_embedding.rs` | [`embedding_padded()`] |
//! | `pooling.rs` | [`avg_pool2d()`], [`max_pool2d()`] |
//! | `adaptive_pooling.rs` | [`adaptive_avg_pool2d()`], [`adaptive_max_pool2d()`] |
//! | `layers.rs` | [`dense()`] |
//! | `layer_normalization.rs`, `rms_normalization.rs` | [`layer_norm()`], [`rms_norm()`] |
//! | `batch_normalization.rs`, `group_normalization.rs` | [`batch_norm()`], [`batch_norm_with()`], [`group_norm()`] |
//! | `loss.rs` | [`softmax_cross_entropy()`], [`mean_squared_error()`] |
//! | `likelihood.rs` | [`soft_cross_entropy()`], [`negative_log_likelihood()`] |
//! | `pairs.rs` | [`huber()`], [`mean_absolute_error()`], [`bce_with_logits()`], [`kl_divergence()`] |
//!
//! Convolutions are in [`signal`](crate::signal).

mod adaptive_pooling;
mod batch_normalization;
mod batch_statistics;
mod cells;
mod channels;
mod group_normalization;
mod gru;
mod layer_normalization;
mod layers;
mod likelihood;
mod loss;
mod lstm;
mod masked_attention;
mod normalization;
mod padded_embedding;
mod pair_class;
mod pairs;
mod pooling;
mod rms_normalization;
mod selection;
mod transformer;

pub use crate::array::{
    elu, gelu, gelu_tanh, leaky_relu, log_softmax, mish, relu, softmax, softsign, swish,
};
pub use adaptive_pooling::{adaptive_avg_pool2d, adaptive_max_pool2d};
pub use batch_normalization::{batch_norm, batch_norm_with};
pub use batch_statistics::BatchStatistics;
pub use group_normalization::group_norm;
pub use gru::gru_cell;
pub use layer_normalization::layer_norm;
pub use layers::dense;
pub use likelihood::{negative_log_likelihood, soft_cross_entropy};
pub use loss::{mean_squared_error, softmax_cross_entropy};
pub use lstm::lstm_cell;
pub use masked_attention::{attention_causal, attention_masked};
pub use padded_embedding::embedding_padded;
pub use pairs::{bce_with_logits, huber, kl_divergence, mean_absolute_error};
pub use pooling::{avg_pool2d, max_pool2d};
pub use rms_normalization::rms_norm;
pub use selection::{dropout, embedding};
pub use transformer::attention;
