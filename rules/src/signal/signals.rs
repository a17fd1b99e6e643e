//! Convolution of signals on one axis: that of images of one row.

use coenzyme::primitive;
use ndarray::{Array3, ArrayRef3, Axis};

use super::conv2d;
use crate::binary_rule;
use crate::class::{Bilinear, Product, Scalar};

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
