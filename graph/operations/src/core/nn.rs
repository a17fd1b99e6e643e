//! Pieces of neural networks.

use std::sync::Arc;

use coenzyme_rules::nn::*;
use ndarray::{Array2, Array4, ArrayD};
use smallvec::{SmallVec, smallvec};

use super::outlines::{alike, read, scalar, scalar_of_alike, several, shaped};
use crate::call::{Attrs, Operation, Outline, Signature};
use crate::erase::{Any, Images, Matrix, Real, Vector};
use crate::error::OpError;
use crate::operation;
use crate::value::{Shape, Spec};

/// Windows at every stride.
fn pooled(s: &Signature, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    let (window, stride) = (
        read::<[usize; 2]>(s, x, a, "window")?,
        read::<[usize; 2]>(s, x, a, "stride")?,
    );
    let places = |i: usize| match stride[i] {
        0 => None,
        _ if window[i] == 0 => None,
        stride => Some(x[0].shape[i + 2].checked_sub(window[i])? / stride + 1),
    };
    let shape = places(0)
        .zip(places(1))
        .map(|(h, w)| smallvec![x[0].shape[0], x[0].shape[1], h, w]);
    shaped(s, x, a, shape)
}

/// So many places, whatever the size.
fn adapted(s: &Signature, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    let [h, w] = read::<[usize; 2]>(s, x, a, "places")?;
    let fits = h > 0 && w > 0 && x[0].shape[2] > 0 && x[0].shape[3] > 0;
    let outline = shaped(
        s,
        x,
        a,
        fits.then(|| smallvec![x[0].shape[0], x[0].shape[1], h, w]),
    )?;
    match outline.outputs[0].is_possible() {
        true => Ok(outline),
        false => Err(s.misfit(x, a, "the value is too large")),
    }
}

/// Weights, and offsets if there are any, for each entry along an axis.
fn weighted(s: &Signature, x: &[Spec], a: &Attrs, axis: Option<usize>) -> Result<Outline, OpError> {
    let channels = axis.and_then(|axis| x[0].shape.get(axis).copied());
    let fits = channels.is_some_and(|n| x[1..].iter().all(|w| w.shape[0] == n));
    shaped(s, x, a, fits.then(|| x[0].shape.clone()))
}

fn by_row(s: &Signature, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    weighted(s, x, a, x[0].rank().checked_sub(1))
}

fn by_channel(s: &Signature, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    weighted(s, x, a, Some(1))
}

/// One label for each row.
fn labelled(s: &Signature, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    match x[0].shape[0] == x[1].shape[0] {
        true => scalar(s, x, a),
        false => Err(s.misfit(x, a, "there is not one label for each row")),
    }
}

fn embedded(_: &Signature, x: &[Spec], _: &Attrs) -> Result<Outline, OpError> {
    Ok(Outline::shaped(x, [x[1].shape[0], x[0].shape[1]]).costing(0.0))
}

fn attended(s: &Signature, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    let [n, m, d, e] = [x[0].shape[0], x[1].shape[0], x[0].shape[1], x[2].shape[1]];
    let mask = x.get(3).is_none_or(|mask| mask.shape[..] == [n, m]);
    let fits = x[1].shape[1] == d && x[2].shape[0] == m && mask;
    let flops = 2.0 * (n * m) as f64 * (d + e) as f64;
    Ok(shaped(s, x, a, fits.then(|| smallvec![n, e]))?.costing(flops))
}

/// One step of a recurrent cell whose state has so many parts, with `gates` gates.
fn stepped<const N: usize>(
    s: &Signature,
    x: &[Spec],
    a: &Attrs,
    gates: usize,
) -> Result<Outline, OpError> {
    let (state, rest) = x[1..].split_at(N);
    let ([n, k], [_, h]) = ([x[0].shape[0], x[0].shape[1]], [0, state[0].shape[1]]);
    let fits = state.iter().all(|state| state.shape[..] == [n, h])
        && rest[0].shape[..] == [k, gates * h]
        && rest[1].shape[..] == [h, gates * h]
        && rest[2].shape[..] == [gates * h];
    let shape: Shape = SmallVec::from_slice(&[n, h]);
    let shapes = fits.then(|| std::array::from_fn::<_, N, _>(|_| shape.clone()));
    let flops = 2.0 * (gates * n) as f64 * (k + h) as f64 * h as f64;
    Ok(several(s, x, a, shapes)?.costing(flops))
}

fn layers() -> Vec<Arc<dyn Operation>> {
    vec![
        operation!("core::dense" = dense[x: Matrix<T>, w: Matrix<T>, b: Vector<T>] -> Array2<T>, for [f64 f32 second], |s, x, a| {
            let ([n, k], [l, m]) = ([x[0].shape[0], x[0].shape[1]], [x[1].shape[0], x[1].shape[1]]);
            let fits = k == l && x[2].shape[..] == [m];
            Ok(shaped(s, x, a, fits.then(|| smallvec![n, m]))?.costing(2.0 * (n * k) as f64 * m as f64))
        }),
        operation!("core::embedding" = embedding[table: Matrix<T>, ids: [usize]] -> Array2<T>, for [f64 f32 linear], embedded),
        operation!("core::embedding_padded" = embedding_padded[table: Matrix<T>, ids: [usize]; padding: usize] -> Array2<T>,
            for [f64 f32 linear], embedded),
        operation!("core::dropout" = dropout[x: Any<T>, mask: ndarray::ArrayRef<bool, ndarray::IxDyn>; keep: Real] -> ArrayD<T>,
            for [f64 f32 linear], alike),
        operation!("core::batch_norm" = batch_norm[x: Any<T>, w: Vector<T>, b: Vector<T>; eps: Real = 1e-5] -> ArrayD<T>,
            for [f64 f32 second], by_channel),
        operation!("core::group_norm" = group_norm[x: Any<T>, w: Vector<T>, b: Vector<T>; groups: usize, eps: Real = 1e-5]
        -> ArrayD<T>, for [f64 f32 second], |s, x, a| {
            let groups = read::<usize>(s, x, a, "groups")?;
            let outline = by_channel(s, x, a)?;
            match groups > 0 && x[0].shape[1].is_multiple_of(groups) {
                true => Ok(outline),
                false => Err(s.misfit(x, a, "the groups do not divide the channels")),
            }
        }),
        operation!("core::layer_norm" = layer_norm[x: Any<T>, w: Vector<T>, b: Vector<T>; eps: Real = 1e-5] -> ArrayD<T>,
            for [f64 f32 second], by_row),
        operation!("core::rms_norm" = rms_norm[x: Any<T>, w: Vector<T>; eps: Real = 1e-5] -> ArrayD<T>,
            for [f64 f32 second], by_row),
        operation!("core::attention" = attention[q: Matrix<T>, k: Matrix<T>, v: Matrix<T>] -> Array2<T>, for [f64 f32 second],
            attended),
        operation!("core::attention_causal" = attention_causal[q: Matrix<T>, k: Matrix<T>, v: Matrix<T>] -> Array2<T>,
            for [f64 f32 second], attended),
        operation!("core::attention_masked" = attention_masked[q: Matrix<T>, k: Matrix<T>, v: Matrix<T>,
            mask: ndarray::ArrayRef<bool, ndarray::Ix2>] -> Array2<T>, for [f64 f32 second], attended),
        operation!("core::gru_cell" = gru_cell[x: Matrix<T>, h: Matrix<T>, w: Matrix<T>, u: Matrix<T>, b: Vector<T>] -> Array2<T>,
            for [f64 f32 second], |s, x, a| stepped::<1>(s, x, a, 3)),
        operation!("core::lstm_cell" = lstm_cell[x: Matrix<T>, h: Matrix<T>, c: Matrix<T>, w: Matrix<T>, u: Matrix<T>,
            b: Vector<T>] -> (Array2<T>, Array2<T>), for [f64 f32 second], |s, x, a| stepped::<2>(s, x, a, 4)),
    ]
}

fn losses() -> Vec<Arc<dyn Operation>> {
    vec![
        operation!("core::softmax_cross_entropy" = softmax_cross_entropy[logits: Matrix<T>, labels: [usize]] -> T,
            for [f64 f32 second], labelled),
        operation!("core::negative_log_likelihood" = negative_log_likelihood[x: Matrix<T>, labels: [usize]] -> T,
            for [f64 f32 linear], labelled),
        operation!("core::soft_cross_entropy" = soft_cross_entropy[x: Matrix<T>, y: Matrix<T>] -> T, for [f64 f32 second],
            scalar_of_alike),
        operation!("core::mean_squared_error" = mean_squared_error[x: Any<T>, y: Any<T>] -> T, for [f64 f32 second],
            scalar_of_alike),
        operation!("core::mean_absolute_error" = mean_absolute_error[x: Any<T>, y: Any<T>] -> T, for [f64 f32 second],
            scalar_of_alike),
        operation!("core::bce_with_logits" = bce_with_logits[x: Any<T>, y: Any<T>] -> T, for [f64 f32 second], scalar_of_alike),
        operation!("core::kl_divergence" = kl_divergence[x: Any<T>, y: Any<T>] -> T, for [f64 f32 second], scalar_of_alike),
        operation!("core::huber" = huber[x: Any<T>, y: Any<T>; delta: Real = 1.0] -> T, for [f64 f32 second], scalar_of_alike),
    ]
}

fn pooling() -> Vec<Arc<dyn Operation>> {
    vec![
        operation!("core::avg_pool2d" = avg_pool2d[x: Images<T>; window: [usize; 2], stride: [usize; 2]] -> Array4<T>,
            for [f64 f32 linear], pooled),
        operation!("core::max_pool2d" = max_pool2d[x: Images<T>; window: [usize; 2], stride: [usize; 2]] -> Array4<T>,
            for [f64 f32 second], pooled),
        operation!("core::adaptive_avg_pool2d" = adaptive_avg_pool2d[x: Images<T>; places: [usize; 2]] -> Array4<T>,
            for [f64 f32 linear], adapted),
        operation!("core::adaptive_max_pool2d" = adaptive_max_pool2d[x: Images<T>; places: [usize; 2]] -> Array4<T>,
            for [f64 f32 second], adapted),
    ]
}

pub(super) fn all() -> Vec<Arc<dyn Operation>> {
    [layers(), losses(), pooling()].concat()
}
