//! A convolution as products of matrices: what each place of the result sees of an image is a column.
//!
//! For one sample and one group of channels, with `C` the columns (`(c·k·l, places)`): `Y += W·C`, `W̄ += Ȳ·Cᵀ`, and each entry of
//! `C̄ = Wᵀ·Ȳ` is added to `X̄` where the entry of `C` came from.

use std::ops::Range;

use ndarray::linalg::general_mat_mul;
use ndarray::{
    Array2, Array3, ArrayRef, ArrayRef3, ArrayRef4, ArrayView2, ArrayViewMut2, Axis, Dimension,
    Ix2, Ix3, SliceInfo, SliceInfoElem, s,
};

use super::Convolution;
use crate::class::Scalar;

/// What one entry of the kernels, the `row`-th of the channels of a group, meets: a part of the image at a part of the places.
struct Tap {
    row: usize,
    image: SliceInfo<[SliceInfoElem; 3], Ix3, Ix2>,
    places: SliceInfo<[SliceInfoElem; 2], Ix2, Ix2>,
}

/// The columns of one sample and group at a time.
struct Patches<T> {
    taps: Vec<Tap>,
    /// `(c·k·l, …)`, the places on two axes. What no tap writes is padding, and zero.
    entries: Array3<T>,
    /// The kernels and the channels of each group.
    groups: Vec<(Range<usize>, Range<usize>)>,
}

impl<T: Scalar> Patches<T> {
    fn new(how: &Convolution, x: &[usize], w: &[usize], y: &[usize]) -> Self {
        let along = |axis: usize, tap: usize| {
            overlap(
                tap * how.dilation[axis],
                x[axis + 2],
                y[axis + 2],
                how.stride[axis],
                how.padding[axis],
            )
        };
        let steps = how.stride.map(|s| s as isize);
        let mut taps = Vec::new();
        for row in 0..w[1] * w[2] * w[3] {
            let (channel, i, j) = (row / (w[2] * w[3]), row / w[3] % w[2], row % w[3]);
            let ((rows, top, bottom), (columns, left, right)) = (along(0, i), along(1, j));
            if !rows.is_empty() && !columns.is_empty() {
                taps.push(Tap {
                    row,
                    image: s![channel, top..bottom; steps[0], left..right; steps[1]],
                    places: s![rows, columns],
                });
            }
        }
        let (kernels, channels) = (w[0] / how.groups, w[1]);
        Self {
            taps,
            entries: Array3::zeros((w[1] * w[2] * w[3], y[2], y[3])),
            groups: (0..how.groups)
                .map(|g| {
                    (
                        g * kernels..(g + 1) * kernels,
                        g * channels..(g + 1) * channels,
                    )
                })
                .collect(),
        }
    }

    /// Sets the columns to those of an image.
    fn read(&mut self, x: &ArrayRef3<T>) {
        for tap in &self.taps {
            let mut row = self.entries.index_axis_mut(Axis(0), tap.row);
            row.slice_mut(tap.places).assign(&x.slice(tap.image));
        }
    }

    /// Adds the columns to where they come from.
    fn add_to(&self, x: &mut ArrayRef3<T>) {
        for tap in &self.taps {
            let row = self.entries.index_axis(Axis(0), tap.row);
            let mut x = x.slice_mut(tap.image);
            x += &row.slice(tap.places);
        }
    }

    /// As a matrix, `(c·k·l, places)`.
    fn columns(&self) -> ArrayView2<'_, T> {
        let (rows, a, b) = self.entries.dim();
        self.entries
            .view()
            .into_shape_with_order((rows, a * b))
            .expect("in standard layout")
    }

    fn columns_mut(&mut self) -> ArrayViewMut2<'_, T> {
        let (rows, a, b) = self.entries.dim();
        self.entries
            .view_mut()
            .into_shape_with_order((rows, a * b))
            .expect("in standard layout")
    }
}

/// The places along one axis of `n` entries where a tap meets the image, and the range of the image that it meets there.
fn overlap(
    tap: usize,
    n: usize,
    places: usize,
    stride: usize,
    padding: usize,
) -> (Range<usize>, usize, usize) {
    let first = padding.saturating_sub(tap).div_ceil(stride).min(places);
    let end = (n + padding).saturating_sub(tap).div_ceil(stride);
    let last = end.min(places).max(first);
    let start = (first * stride + tap).saturating_sub(padding);
    let length = (last - first).saturating_sub(1) * stride + usize::from(last > first);
    (first..last, start, start + length)
}

/// The entries as a matrix, one row for each index of the first axis.
fn matrix<T: Scalar, D: Dimension>(a: &ArrayRef<T, D>) -> Array2<T> {
    let shape = (a.shape()[0], a.shape()[1..].iter().product::<usize>());
    let a = a.as_standard_layout().into_owned();
    a.into_shape_with_order(shape).expect("as many entries")
}

/// `Y += X*W`
pub(super) fn add_values<T: Scalar>(
    how: &Convolution,
    y: &mut ArrayRef4<T>,
    x: &ArrayRef4<T>,
    w: &ArrayRef4<T>,
) {
    let mut patches = Patches::new(how, x.shape(), w.shape(), y.shape());
    for (kernels, channels) in patches.groups.clone() {
        let w = matrix(&w.slice(s![kernels.clone(), .., .., ..]));
        for (mut y, x) in y.outer_iter_mut().zip(x.outer_iter()) {
            patches.read(&x.slice(s![channels.clone(), .., ..]));
            let mut y = y.slice_mut(s![kernels.clone(), .., ..]);
            let product = w.dot(&patches.columns());
            y += &product
                .into_shape_with_order(y.dim())
                .expect("as many entries");
        }
    }
}

/// `X̄ += ` the transpose of the convolution with `W`, of `Ȳ`.
pub(super) fn add_images<T: Scalar>(
    how: &Convolution,
    dx: &mut ArrayRef4<T>,
    dy: &ArrayRef4<T>,
    w: &ArrayRef4<T>,
) {
    let mut patches = Patches::new(how, dx.shape(), w.shape(), dy.shape());
    for (kernels, channels) in patches.groups.clone() {
        let w = matrix(&w.slice(s![kernels.clone(), .., .., ..]));
        for (mut dx, dy) in dx.outer_iter_mut().zip(dy.outer_iter()) {
            let dy = matrix(&dy.slice(s![kernels.clone(), .., ..]));
            general_mat_mul(T::one(), &w.t(), &dy, T::zero(), &mut patches.columns_mut());
            patches.add_to(&mut dx.slice_mut(s![channels.clone(), .., ..]));
        }
    }
}

/// `W̄ += ` the correlation of `X` with `Ȳ`.
pub(super) fn add_kernels<T: Scalar>(
    how: &Convolution,
    dw: &mut ArrayRef4<T>,
    dy: &ArrayRef4<T>,
    x: &ArrayRef4<T>,
) {
    let mut patches = Patches::new(how, x.shape(), dw.shape(), dy.shape());
    for (kernels, channels) in patches.groups.clone() {
        let mut dw = dw.slice_mut(s![kernels.clone(), .., .., ..]);
        let mut sum = Array2::zeros((kernels.len(), patches.entries.shape()[0]));
        for (dy, x) in dy.outer_iter().zip(x.outer_iter()) {
            patches.read(&x.slice(s![channels.clone(), .., ..]));
            let dy = matrix(&dy.slice(s![kernels.clone(), .., ..]));
            general_mat_mul(T::one(), &dy, &patches.columns().t(), T::one(), &mut sum);
        }
        dw += &sum
            .into_shape_with_order(dw.dim())
            .expect("as many entries");
    }
}
