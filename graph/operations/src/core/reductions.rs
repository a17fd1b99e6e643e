//! Reductions: over the whole array, along an axis, over several; and functions along an axis that keep its length.

use std::sync::Arc;

use coenzyme_rules::array::*;
use ndarray::ArrayD;

use super::outlines::{along, batch, classified, read, scalar, without_axis};
use crate::call::Operation;
use crate::erase::{Any, Axes, Axis, Flag, Real};
use crate::operation;

macro_rules! reductions {
    ($([$($numbers:tt)+] $whole:literal = $f:ident, $along:literal = $f_axis:ident, $over:literal = $f_axes:ident;)+) => {
        [$(
            operation!($whole = $f[x: Any<T>] -> T, for [$($numbers)+], |s, x, a| classified::<$f, 1>(s, x, a, ())),
            operation!($along = $f_axis[x: Any<T>; axis: Axis] -> ArrayD<T>, for [$($numbers)+],
                |s, x, a| classified::<$f_axis, 1>(s, x, a, read::<Axis>(s, x, a, "axis")?), batch batch::axis),
            operation!($over = $f_axes[x: Any<T>; axes: Axes, keepdims: Flag = false] -> ArrayD<T>, for [$($numbers)+],
                |s, x, a| {
                    let (axes, keepdims) = (read::<Axes>(s, x, a, "axes")?, read::<Flag>(s, x, a, "keepdims")?);
                    classified::<$f_axes, 1>(s, x, a, (&axes, keepdims))
                }, batch batch::axes),
        )+]
    };
}

macro_rules! along {
    ($($name:literal = $f:ident,)+) => {
        [$(operation!($name = $f[x: Any<T>; axis: Axis] -> ArrayD<T>, for [f64 f32 second], |s, x, a| {
            along(s, x, a)?;
            classified::<$f, 1>(s, x, a, read::<Axis>(s, x, a, "axis")?)
        }, batch batch::axis)),+]
    };
}

macro_rules! parametric {
    ($($whole:literal = $f:ident, $along:literal = $f_axis:ident, $parameter:ident: $P:ty;)+) => {
        [$(
            operation!($whole = $f[x: Any<T>; $parameter: $P] -> T, for [f64 f32 second], scalar),
            operation!($along = $f_axis[x: Any<T>; axis: Axis, $parameter: $P] -> ArrayD<T>, for [f64 f32 second],
                without_axis, batch batch::axis),
        )+]
    };
}

pub(super) fn all() -> Vec<Arc<dyn Operation>> {
    let linear = reductions! {
        [f64 f32 linear] "core::sum" = sum, "core::sum_axis" = sum_axis, "core::sum_axes" = sum_axes;
        [f64 f32 linear] "core::mean" = mean, "core::mean_axis" = mean_axis, "core::mean_axes" = mean_axes;
    };
    let curved = reductions! {
        [f64 f32 second] "core::var" = var, "core::var_axis" = var_axis, "core::var_axes" = var_axes;
        [f64 f32 second] "core::std_dev" = std_dev, "core::std_dev_axis" = std_dev_axis, "core::std_dev_axes" = std_dev_axes;
        [f64 f32 second] "core::max" = max, "core::max_axis" = max_axis, "core::max_axes" = max_axes;
        [f64 f32 second] "core::max_shared" = max_shared, "core::max_shared_axis" = max_shared_axis,
            "core::max_shared_axes" = max_shared_axes;
        [f64 f32 second] "core::min" = min, "core::min_axis" = min_axis, "core::min_axes" = min_axes;
        [f64 f32 second] "core::prod" = prod, "core::prod_axis" = prod_axis, "core::prod_axes" = prod_axes;
        [f64 f32 second] "core::norm" = norm, "core::norm_axis" = norm_axis, "core::norm_axes" = norm_axes;
        [f64 f32 second] "core::norm_l1" = norm_l1, "core::norm_l1_axis" = norm_l1_axis, "core::norm_l1_axes" = norm_l1_axes;
        [f64 f32 second] "core::norm_max" = norm_max, "core::norm_max_axis" = norm_max_axis,
            "core::norm_max_axes" = norm_max_axes;
        [f64 f32 second] "core::logsumexp" = logsumexp, "core::logsumexp_axis" = logsumexp_axis,
            "core::logsumexp_axes" = logsumexp_axes;
    };
    let along = along! {
        "core::cumprod" = cumprod, "core::cumsum" = cumsum, "core::log_softmax" = log_softmax, "core::softmax" = softmax,
        "core::sort" = sort,
    };
    let parametric = parametric! {
        "core::var_ddof" = var_ddof, "core::var_ddof_axis" = var_ddof_axis, ddof: usize;
        "core::std_ddof" = std_ddof, "core::std_ddof_axis" = std_ddof_axis, ddof: usize;
        "core::norm_p" = norm_p, "core::norm_p_axis" = norm_p_axis, p: Real;
    };
    [&linear[..], &curved, &along, &parametric].concat()
}
