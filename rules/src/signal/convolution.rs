//! Convolution as networks define it (a correlation), over a batch and channels.
//!
//! | value | shape | forward | reverse |
//! |---|---|---|---|
//! | `X` | `(n, c, h, w)` | | `X̄[…, rs+i−p, …] += W[o, …, i, …]·Ȳ[…, o, r, …]`: a convolution with the transpose |
//! | `W` | `(o, c, k, l)` | | `W̄[o, …, i, …] += X[…, rs+i−p, …]·Ȳ[…, o, r, …]`: a correlation of `X` with `Ȳ` |
//! | `Y` | `(n, o, (h+2p−k)/s+1, (w+2q−l)/t+1)` | `Ẏ = Ẋ*W + X*Ẇ` | |
//!
//! Source: Dumoulin and Visin 2016, *A guide to convolution arithmetic for deep learning*, arXiv:1603.07285. Each of the three
//! costs `2·|Y|·c·k·l` flops.

use std::ops::Range;

use coenzyme::primitive;
use ndarray::{Array3, Array4, ArrayRef3, ArrayRef4, ArrayView1, Axis, s};

use crate::binary_rule;
use crate::class::{Bilinear, Product, Scalar};

/// The convolution of images `x` (`(n, c, h, w)`) with kernels `w` (`(o, c, k, l)`), at every `stride`-th place of images padded
/// by `padding` zeros on either side. **Panics** if the channels differ, the kernel is larger than a padded image or
/// empty, or a stride is 0.
///
/// ```
/// # use ndarray::Array4;
/// let (x, w) = (Array4::<f64>::ones((1, 1, 3, 3)), Array4::ones((1, 1, 2, 2)));
/// let y = coenzyme_rules::signal::conv2d(&x, &w, [1, 1], [0, 0]);
/// assert_eq!(y, Array4::from_elem((1, 1, 2, 2), 4.0));
/// ```
#[primitive]
#[track_caller]
pub fn conv2d<T: Scalar>(
    x: &ArrayRef4<T>,
    w: &ArrayRef4<T>,
    stride: [usize; 2],
    padding: [usize; 2],
) -> Array4<T> {
    let mut y = Array4::zeros(shape(x.shape(), w.shape(), stride, padding));
    conv2d::product_add(&mut y, x, w, (&stride, &padding));
    y
}

/// The shape of the result.
#[track_caller]
fn shape(x: &[usize], w: &[usize], stride: [usize; 2], padding: [usize; 2]) -> [usize; 4] {
    let padded = [x[2] + 2 * padding[0], x[3] + 2 * padding[1]];
    assert!(
        x[1] == w[1] && (0..2).all(|i| stride[i] > 0 && w[i + 2] > 0 && w[i + 2] <= padded[i]),
        "convolution: images {x:?} with kernels {w:?}, stride {stride:?}, padding {padding:?}"
    );
    let places = |i: usize| (padded[i] - w[i + 2]) / stride[i] + 1;
    [x[0], w[0], places(0), places(1)]
}

/// The places along one axis where entry `tap` of the kernel meets the image, and where it meets it first.
fn overlap(
    tap: usize,
    n: usize,
    places: usize,
    stride: usize,
    padding: usize,
) -> (Range<usize>, usize) {
    let first = padding.saturating_sub(tap).div_ceil(stride).min(places);
    let last = (n + padding)
        .saturating_sub(tap)
        .div_ceil(stride)
        .min(places);
    (
        first..last.max(first),
        (first * stride + tap).saturating_sub(padding),
    )
}

/// Gives `f` every kernel entry's index, with the parts of `x` and `y` that it ties together: their axes, first entries, numbers.
fn taps(
    x: &[usize],
    w: &[usize],
    y: &[usize],
    (stride, padding): (&[usize; 2], &[usize; 2]),
    mut f: impl FnMut([usize; 2], [usize; 2], [Range<usize>; 2]),
) {
    for i in 0..w[2] {
        let (rows, x0) = overlap(i, x[2], y[2], stride[0], padding[0]);
        for j in 0..w[3] {
            let (columns, x1) = overlap(j, x[3], y[3], stride[1], padding[1]);
            if !rows.is_empty() && !columns.is_empty() {
                f([i, j], [x0, x1], [rows.clone(), columns]);
            }
        }
    }
}

/// Calls `$run` for all images, kernels, channels and rows with the row of `x` and of `y`, and the kernel's entry.
macro_rules! rows {
    ($x:ident, $w:ident, $y:ident, $attrs:ident, $slice_x:ident, $slice_y:ident, |$row_x:ident, $entry:ident, $row_y:ident| $run:expr) => {{
        let (xs, ws, ys) = ($x.shape().to_vec(), $w.shape().to_vec(), $y.shape().to_vec());
        let [s0, s1] = *$attrs.0;
        taps(&xs, &ws, &ys, $attrs, |[i, j], [x0, x1], [rows, columns]| {
            let end = x1 + (columns.len() - 1) * s1 + 1;
            for n in 0..xs[0] {
                for o in 0..ws[0] {
                    for c in 0..ws[1] {
                        for (k, r) in rows.clone().enumerate() {
                            #[allow(unused_mut)]
                            let mut $row_x = $x.$slice_x(s![n, c, x0 + k * s0, x1..end; s1]);
                            #[allow(unused_mut)]
                            let mut $row_y = $y.$slice_y(s![n, o, r, columns.clone()]);
                            let $entry = &mut $w[[o, c, i, j]];
                            $run;
                        }
                    }
                }
            }
        });
    }};
}

fn dot<T: Scalar>(a: ArrayView1<'_, T>, b: ArrayView1<'_, T>) -> T {
    a.dot(&b)
}

impl<T: Scalar> Bilinear<ArrayRef4<T>, ArrayRef4<T>> for conv2d {
    type Out = Array4<T>;
    type Attrs<'a> = (&'a [usize; 2], &'a [usize; 2]);

    #[track_caller]
    fn product(x: &ArrayRef4<T>, w: &ArrayRef4<T>, (s, p): Self::Attrs<'_>) -> Array4<T> {
        conv2d(x, w, *s, *p)
    }
    fn product_add(y: &mut Array4<T>, x: &ArrayRef4<T>, w: &ArrayRef4<T>, attrs: Self::Attrs<'_>) {
        let mut w = w.to_owned();
        rows!(x, w, y, attrs, slice, slice_mut, |x, w, y| y
            .scaled_add(*w, &x));
    }
    fn transpose_x(
        dy: &Array4<T>,
        w: &ArrayRef4<T>,
        dx: &mut ArrayRef4<T>,
        attrs: Self::Attrs<'_>,
    ) {
        let mut w = w.to_owned();
        rows!(dx, w, dy, attrs, slice_mut, slice, |dx, w, dy| dx
            .scaled_add(*w, &dy));
    }
    fn transpose_y(
        dy: &Array4<T>,
        x: &ArrayRef4<T>,
        dw: &mut ArrayRef4<T>,
        attrs: Self::Attrs<'_>,
    ) {
        rows!(x, dw, dy, attrs, slice, slice, |x, dw, dy| *dw +=
            dot(x, dy));
    }
}

binary_rule!(
    conv2d[T: Scalar](x: ArrayRef4<T>, w: ArrayRef4<T>; stride: [usize; 2], padding: [usize; 2])
        = Product<conv2d>
);

/// The convolution of signals `x` (`(n, c, h)`) with kernels `w` (`(o, c, k)`): see [`conv2d()`]. **Panics** likewise.
///
/// ```
/// # use ndarray::array;
/// let y = coenzyme_rules::signal::conv1d(&array![[[1.0, 2.0, 4.0]]], &array![[[-1.0, 1.0]]], 1, 0);
/// assert_eq!(y, array![[[1.0, 2.0]]]);
/// ```
#[primitive]
#[track_caller]
pub fn conv1d<T: Scalar>(
    x: &ArrayRef3<T>,
    w: &ArrayRef3<T>,
    stride: usize,
    padding: usize,
) -> Array3<T> {
    let (x, w) = (x.view().insert_axis(Axis(2)), w.view().insert_axis(Axis(2)));
    conv2d(&x, &w, [1, stride], [0, padding]).remove_axis(Axis(2))
}

impl<T: Scalar> Bilinear<ArrayRef3<T>, ArrayRef3<T>> for conv1d {
    type Out = Array3<T>;
    type Attrs<'a> = (&'a usize, &'a usize);

    #[track_caller]
    fn product(x: &ArrayRef3<T>, w: &ArrayRef3<T>, (s, p): Self::Attrs<'_>) -> Array3<T> {
        conv1d(x, w, *s, *p)
    }
    fn transpose_x(
        dy: &Array3<T>,
        w: &ArrayRef3<T>,
        dx: &mut ArrayRef3<T>,
        (&s, &p): Self::Attrs<'_>,
    ) {
        let (dy, w) = (
            dy.clone().insert_axis(Axis(2)),
            w.view().insert_axis(Axis(2)),
        );
        conv2d::transpose_x(
            &dy,
            &w,
            &mut dx.view_mut().insert_axis(Axis(2)),
            (&[1, s], &[0, p]),
        );
    }
    fn transpose_y(
        dy: &Array3<T>,
        x: &ArrayRef3<T>,
        dw: &mut ArrayRef3<T>,
        (&s, &p): Self::Attrs<'_>,
    ) {
        let (dy, x) = (
            dy.clone().insert_axis(Axis(2)),
            x.view().insert_axis(Axis(2)),
        );
        conv2d::transpose_y(
            &dy,
            &x,
            &mut dw.view_mut().insert_axis(Axis(2)),
            (&[1, s], &[0, p]),
        );
    }
}

binary_rule!(
    conv1d[T: Scalar](x: ArrayRef3<T>, w: ArrayRef3<T>; stride: usize, padding: usize)
        = Product<conv1d>
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::samples;

    /// The sum over all products whose indices fit.
    #[test]
    fn values_are_those_of_the_definition() {
        let (x, w) = (samples(42, (1, 2, 4, 5)), samples(43, (2, 2, 3, 2)));
        let y = conv2d(&x, &w, [2, 1], [1, 2]);
        for ((_, o, r, q), y) in y.indexed_iter() {
            let terms = w.slice(s![o, .., .., ..]);
            let sum: f64 = (terms.indexed_iter())
                .filter_map(|((c, i, j), w)| {
                    let at = [0, c, (2 * r + i).checked_sub(1)?, (q + j).checked_sub(2)?];
                    Some(w * x.get(at)?)
                })
                .sum();
            assert!((y - sum).abs() < 1e-14);
        }
    }

    #[test]
    #[should_panic(expected = "convolution: images [1, 2, 3, 3] with kernels [1, 1, 2, 2]")]
    fn channels_that_differ_are_named() {
        let _ = conv2d(
            &Array4::<f64>::zeros((1, 2, 3, 3)),
            &Array4::zeros((1, 1, 2, 2)),
            [1, 1],
            [0, 0],
        );
    }
}
