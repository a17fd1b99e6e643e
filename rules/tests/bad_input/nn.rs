//! Pieces of neural networks: shapes, labels, masks.

use coenzyme::Inactive;
use coenzyme_rules::nn::BatchStatistics;
use ndarray::{Array1, Array2};

use super::{augmented, bits, forward, numbers, panic_of, returned};

#[test]
fn layers_that_do_not_fit_are_named() {
    panics! { nn:
        dense(x = numbers((2, 3)), w = numbers((3, 4)), b = numbers(3)) "dense: [2, 3] times [3, 4] plus [3]";
        attention(q = numbers((1, 2)), k = numbers((3, 2)), v = numbers((2, 2)))
            "attention: queries [1, 2], keys [3, 2], values [2, 2]";
        layer_norm(x = numbers((1, 4)), w = numbers(2), b = numbers(4); Inactive(1e-5))
            "layer_norm: rows of shape [1, 4] and weights of shape [2]";
        layer_norm(x = numbers((1, 4)), w = numbers(4), b = numbers(3); Inactive(1e-5))
            "layer_norm: rows of shape [1, 4] and weights of shape [3]";
        rms_norm(x = numbers((1, 4)), w = numbers(5); Inactive(1e-5)) "rms_norm: rows of shape [1, 4] and weights of shape [5]";
        softmax_cross_entropy(x = numbers((2, 3)); &[0][..]) "softmax_cross_entropy: 1 labels for logits of shape [2, 3]";
        softmax_cross_entropy(x = numbers((1, 3)); &[3][..]) "softmax_cross_entropy: label 3 for logits of shape [1, 3]";
        mean_squared_error(x = numbers(2), y = numbers(1)) "mean_squared_error: [2] with [1]";
        dropout(x = numbers(2); &*Array1::from_elem(3, true), Inactive(0.5)) "dropout: [2] with a mask [3]";
        embedding(x = numbers((2, 1)); &[0, 2][..]) "embedding: row 2 of a table [2, 1]";
        avg_pool2d(x = numbers((1, 1, 2, 2)); [3, 1], [1, 1]) "pooling: images [1, 1, 2, 2], window [3, 1], stride [1, 1]";
        max_pool2d(x = numbers((1, 1, 2, 2)); [1, 1], [1, 0]) "pooling: images [1, 1, 2, 2], window [1, 1], stride [1, 0]";
    }
}

#[test]
fn losses_that_do_not_fit_are_named() {
    panics! { nn:
        huber(x = numbers(2), y = numbers(1); Inactive(1.0)) "huber: [2] with [1]";
        mean_absolute_error(x = numbers((2, 1)), y = numbers((1, 2))) "mean_absolute_error: [2, 1] with [1, 2]";
        bce_with_logits(x = numbers(2), y = numbers(1)) "bce_with_logits: [2] with [1]";
        kl_divergence(x = numbers((1, 2)), y = numbers((1, 3))) "kl_divergence: [1, 2] with [1, 3]";
        soft_cross_entropy(x = numbers((1, 2)), y = numbers((1, 3))) "soft_cross_entropy: [1, 2] with [1, 3]";
        negative_log_likelihood(x = numbers((2, 2)); &[0, 2][..])
            "negative_log_likelihood: labels [0, 2] for log-probabilities of shape [2, 2]";
        negative_log_likelihood(x = numbers((2, 2)); &[0][..])
            "negative_log_likelihood: labels [0] for log-probabilities of shape [2, 2]";
    }
}

#[test]
fn cells_that_do_not_fit_are_named() {
    panics! { nn:
        lstm_cell(x = numbers((1, 2)), h = numbers((1, 3)), c = numbers((1, 3)), w = numbers((2, 9)), u = numbers((3, 12)), b = numbers(12))
            "lstm_cell: inputs [1, 2], state [1, 3], weights [2, 9] and [3, 12], offsets [12]";
        lstm_cell(x = numbers((1, 2)), h = numbers((1, 3)), c = numbers((1, 2)), w = numbers((2, 12)), u = numbers((3, 12)), b = numbers(12))
            "lstm_cell: states [1, 3] and [1, 2]";
        gru_cell(x = numbers((1, 2)), h = numbers((2, 3)), w = numbers((2, 9)), u = numbers((3, 9)), b = numbers(9))
            "gru_cell: inputs [1, 2], state [2, 3], weights [2, 9] and [3, 9], offsets [9]";
    }
}

#[test]
fn channels_that_do_not_fit_are_named() {
    let statistics = BatchStatistics::new(3);
    panics! { nn:
        batch_norm(x = numbers((3, 2)), w = numbers(2), b = numbers(3); Inactive(0.1))
            "batch_norm: [3, 2] with weights [2] and offsets [3]";
        batch_norm(x = numbers(3), w = numbers(3), b = numbers(3); Inactive(0.1))
            "batch_norm: [3] with weights [3] and offsets [3]";
        batch_norm_with(x = numbers((3, 2)), w = numbers(2), b = numbers(2); &statistics, Inactive(0.1))
            "batch_norm_with: [3, 2] with statistics of 3 channels";
        group_norm(x = numbers((1, 4)), w = numbers(4), b = numbers(4); 3, Inactive(0.1)) "group_norm: 3 groups of the channels of [1, 4]";
        group_norm(x = numbers((1, 4)), w = numbers(4), b = numbers(4); 0, Inactive(0.1)) "group_norm: 0 groups of the channels of [1, 4]";
        group_norm(x = numbers((1, 4)), w = numbers(2), b = numbers(4); 2, Inactive(0.1))
            "group_norm: [1, 4] with weights [2] and offsets [4]";
    }
    let mut statistics = statistics;
    let before = statistics.clone();
    let message = panic_of("update", || statistics.update(&numbers((2, 2)), 0.1));
    assert_eq!(message, "BatchStatistics: 3 channels for a batch [2, 2]");
    assert_eq!(statistics, before, "half written");
}

#[test]
fn attention_that_does_not_fit_is_named() {
    let mask = Array2::from_elem((1, 2), true);
    panics! { nn:
        attention_causal(q = numbers((1, 2)), k = numbers((3, 2)), v = numbers((2, 2)))
            "attention_causal: queries [1, 2], keys [3, 2], values [2, 2]";
        attention_causal(q = numbers((1, 2)), k = numbers((3, 1)), v = numbers((3, 2)))
            "attention_causal: queries [1, 2], keys [3, 1], values [3, 2]";
        attention_masked(q = numbers((1, 2)), k = numbers((3, 2)), v = numbers((3, 2)); &*mask)
            "attention_masked: queries [1, 2], keys [3, 2], mask [1, 2]";
        attention_masked(q = numbers((1, 2)), k = numbers((2, 2)), v = numbers((3, 2)); &*mask)
            "attention_masked: queries [1, 2], keys [2, 2], values [3, 2]";
    }
}

#[test]
fn pooling_that_does_not_fit_is_named() {
    panics! { nn:
        adaptive_avg_pool2d(x = numbers((1, 1, 0, 2)); [1, 1]) "adaptive_avg_pool2d: images [1, 1, 0, 2] to [1, 1]";
        adaptive_max_pool2d(x = numbers((1, 1, 2, 0)); [1, 1]) "adaptive_max_pool2d: images [1, 1, 2, 0] to [1, 1]";
        embedding_padded(x = numbers((2, 1)); &[3, 2][..], 3) "embedding_padded: row 2 of a table [2, 1]";
    }
}
