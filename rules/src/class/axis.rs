//! Checks of axes.

use ndarray::Axis;

/// The axis, if an array of this shape has it.
///
/// # Panics
/// If not; the message has the axis and the shape.
#[track_caller]
pub(crate) fn check_axis(axis: usize, shape: &[usize]) -> Axis {
    assert!(
        axis < shape.len(),
        "axis {axis} is out of bounds for shape {shape:?}"
    );
    Axis(axis)
}

/// The axes in increasing order.
///
/// # Panics
/// If an axis does not exist or is named twice.
#[track_caller]
pub(crate) fn normal_axes(axes: &[usize], shape: &[usize]) -> Vec<usize> {
    let mut sorted = axes.to_vec();
    sorted.sort_unstable();
    for &axis in &sorted {
        check_axis(axis, shape);
    }
    if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        panic!("axis {} is named twice in {axes:?}", twice[0]);
    }
    sorted
}
