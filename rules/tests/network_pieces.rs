//! Losses, cells, normalization of channels, masked attention, pooling and embedding, judged in every mix.

use coenzyme::Inactive;
use coenzyme_rules::nn::*;
use coenzyme_testutils::{Arg, View, by_ref, input, test_rule, value};
use ndarray::{Array, Array1, Array2, IntoDimension, array};

/// An array of this shape, of numbers drawn between −1.5 and 1.5.
fn drawn<I: IntoDimension<Dim: 'static>>(shape: I) -> Arg<View<f64, I::Dim>> {
    input(Array::zeros(shape.into_dimension())).within(-1.5..1.5)
}

/// An array of this shape, of numbers drawn between 0.1 and 1.
fn weights<I: IntoDimension<Dim: 'static>>(shape: I) -> Arg<View<f64, I::Dim>> {
    input(Array::zeros(shape.into_dimension())).within(0.1..1.0)
}

test_rule! {
    huber;
    x: drawn((n, 3)), y: drawn((n, 3)), delta: value(Inactive(0.5)) [Const];
    ret: [Const, Active];
    name = huber_losses, widths = [1, 2], sizes = n in [1, 3]
}

test_rule! {
    mean_absolute_error;
    x: drawn(5), y: drawn(5);
    ret: [Const, Active];
    name = absolute_errors, widths = [1, 2]
}

test_rule! {
    bce_with_logits;
    x: drawn((2, 3)), y: weights((2, 3));
    ret: [Const, Active];
    name = binary_cross_entropies, widths = [1, 2]
}

test_rule! {
    kl_divergence;
    x: drawn((2, 3)), y: weights((2, 3));
    ret: [Const, Active];
    name = divergences, widths = [1, 2]
}

test_rule! {
    soft_cross_entropy;
    x: drawn((n, 3)), y: weights((n, 3));
    ret: [Const, Active];
    name = soft_cross_entropies, widths = [1, 2], sizes = n in [1, 2]
}

test_rule! {
    negative_log_likelihood;
    x: drawn((3, 2)), labels: input(vec![1_usize, 0, 1]) [Const];
    ret: [Const, Active];
    name = likelihoods, widths = [1, 2]
}

test_rule! {
    batch_norm;
    x: drawn((3, 2, n)), w: weights(2), b: drawn(2), eps: value(Inactive(0.1)) [Const];
    ret: [Const, Duplicated];
    name = batch_norms, widths = [1, 2], sizes = n in [1, 2]
}

/// Statistics of a batch of two channels.
fn statistics() -> BatchStatistics {
    BatchStatistics::of(&array![[1.0, -2.0], [0.5, 3.0]])
}

test_rule! {
    batch_norm_with;
    x: drawn((n, 2)), w: weights(2), b: drawn(2),
    statistics: by_ref(statistics()) [Const], eps: value(Inactive(0.1)) [Const];
    ret: [Const, Duplicated];
    name = norms_by_given_statistics, widths = [1, 2], sizes = n in [1, 3]
}

test_rule! {
    group_norm;
    x: drawn((2, 4, 2)), w: weights(4), b: drawn(4), groups: value(groups) [Const], eps: value(Inactive(0.1)) [Const];
    ret: [Const, Duplicated];
    name = group_norms, widths = [1, 2], sizes = groups in [1_usize, 2, 4]
}

test_rule! {
    lstm_cell;
    x: drawn((n.0, n.1)), h: drawn((n.0, n.2)), c: drawn((n.0, n.2)),
    w: drawn((n.1, 4 * n.2)), u: drawn((n.2, 4 * n.2)), b: drawn(4 * n.2);
    ret: [Const, Duplicated];
    name = lstm_cells, widths = [1], sizes = n in [(2, 1, 1)]
}

test_rule! {
    lstm_cell;
    x: drawn((2, 3)) [Duplicated], h: drawn((2, 2)) [Duplicated], c: drawn((2, 2)) [Duplicated],
    w: drawn((3, 8)) [Duplicated], u: drawn((2, 8)) [Duplicated], b: drawn(8) [Duplicated];
    ret: [Duplicated];
    name = lstm_cells_in_lanes, widths = [2, 3]
}

test_rule! {
    gru_cell;
    x: drawn((n.0, n.1)), h: drawn((n.0, n.2)), w: drawn((n.1, 3 * n.2)), u: drawn((n.2, 3 * n.2)), b: drawn(3 * n.2);
    ret: [Const, Duplicated];
    name = gru_cells, widths = [1], sizes = n in [(2, 1, 1)]
}

test_rule! {
    gru_cell;
    x: drawn((2, 3)) [Duplicated], h: drawn((2, 2)) [Duplicated], w: drawn((3, 6)) [Duplicated],
    u: drawn((2, 6)) [Duplicated], b: drawn(6) [Duplicated];
    ret: [Duplicated];
    name = gru_cells_in_lanes, widths = [2, 3]
}

test_rule! {
    attention_causal;
    q: drawn((n.0, 2)), k: drawn((n.1, 2)), v: drawn((n.1, 3));
    ret: [Const, Duplicated];
    name = causal_attention, widths = [1, 2], sizes = n in [(3, 3), (2, 3), (4, 2)]
}

test_rule! {
    attention_masked;
    q: drawn((3, 2)), k: drawn((3, 2)), v: drawn((3, 2)),
    mask: input(array![[true, false, true], [false, false, false], [true, true, true]]) [Const];
    ret: [Const, Duplicated];
    name = masked_attention, widths = [1, 2]
}

test_rule! {
    adaptive_avg_pool2d;
    x: drawn((2, 1, 3, 3)), places: value(places) [Const];
    ret: [Const, Duplicated];
    name = adaptive_means, widths = [1, 2], sizes = places in [[2, 2], [1, 1], [4, 5]]
}

test_rule! {
    adaptive_max_pool2d;
    x: drawn((2, 1, 3, 3)), places: value(places) [Const];
    ret: [Const, Duplicated];
    name = adaptive_maxima, widths = [1, 2], sizes = places in [[2, 2], [1, 1], [4, 5]]
}

test_rule! {
    embedding_padded;
    table: drawn((3, 2)), ids: input(vec![2_usize, 0, 7, 2]) [Const], padding: value(7_usize) [Const];
    ret: [Const, Duplicated];
    name = padded_embeddings, widths = [1, 2]
}

fn close<'a>(x: impl IntoIterator<Item = &'a f64>, y: impl IntoIterator<Item = &'a f64>) {
    for (x, y) in x.into_iter().zip(y) {
        assert!((x - y).abs() < 1e-12, "{x} is not {y}");
    }
}

#[test]
fn sight_of_everything_is_plain_attention() {
    let array = |n, d| Array2::from_shape_fn((n, d), |(i, j)| ((i * 5 + j * 3) as f64).sin());
    // More rows than are treated at once.
    let (q, k, v) = (array(70, 2), array(3, 2), array(3, 2) + 1.0);
    let all = Array2::from_elem((70, 3), true);
    close(&attention_masked(&q, &k, &v, &all), &attention(&q, &k, &v));
    let past = Array2::from_shape_fn((70, 3), |(i, j)| j <= i);
    close(
        &attention_masked(&q, &k, &v, &past),
        &attention_causal(&q, &k, &v),
    );
}

#[test]
fn one_group_is_layer_norm_and_statistics_are_those_of_the_batch() {
    let x = array![[1.0, 4.0, -2.0, 0.5], [3.0, 3.5, 0.0, 1.0]];
    let (w, b, eps) = (
        array![1.0, 2.0, 3.0, 4.0],
        array![0.5, 0.0, -1.0, 2.0],
        Inactive(1e-3),
    );
    close(
        &group_norm(&x, &w, &b, 1, eps),
        &layer_norm(&x, &w, &b, eps),
    );
    let given = batch_norm_with(&x, &w, &b, &BatchStatistics::of(&x), eps);
    close(&batch_norm(&x, &w, &b, eps), &given);
}

#[test]
fn variances_far_from_the_origin_keep_their_digits() {
    let statistics = BatchStatistics::of(&array![[1e9], [1e9 + 2.0]]);
    assert_eq!(
        (statistics.mean()[0], statistics.variance()[0]),
        (1e9 + 1.0, 1.0)
    );
}

#[test]
fn losses_are_finite_where_their_parts_overflow() {
    let far = array![800.0, -800.0];
    assert_eq!(bce_with_logits(&far, &array![1.0, 0.0]), 0.0);
    assert_eq!(bce_with_logits(&far, &array![0.0, 1.0]), 800.0);
    let certain = array![[0.0, f64::NEG_INFINITY]];
    assert_eq!(kl_divergence(&certain, &array![[1.0, 0.0]]), 0.0);
    assert_eq!(huber(&array![1.0], &array![0.0], Inactive(1.0)), 0.5);
    assert!(mean_absolute_error(&Array1::<f64>::zeros(0), &Array1::zeros(0)).is_nan());
}
