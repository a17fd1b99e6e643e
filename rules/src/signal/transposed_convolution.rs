//! The transpose of the convolution of images, with the formulas of `convolution.rs`.

use coenzyme::primitive;
use ndarray::{Array4, ArrayRef4};

use super::Convolution;
use super::patches::{add_images, add_kernels, add_values};
use crate::binary_rule;
use crate::class::{Bilinear, Product, Scalar};

/// The transposed convolution of images `y` (`(n, o, h, w)`) with kernels `w` (`(o, c/groups, k, l)`): what reverse makes of a cotangent
/// of [`conv2d_with()`](super::conv2d_with()), of shape `(n, c, (h−1)·s + d(k−1) + 1 − 2p, …)`. **Panics** if `y` has not a channel for each kernel, the groups do
/// not divide the kernels, or nothing is left of the images.
///
/// Forward and reverse: in `y` a convolution, in `w` as [`conv2d_with()`](super::conv2d_with()) with images and results exchanged.
///
/// ```
/// # use ndarray::array;
/// use coenzyme_rules::signal::{Convolution, conv_transpose2d};
///
/// let how = Convolution { stride: [1, 2], ..Convolution::default() };
/// let x = conv_transpose2d(&array![[[[1.0, 2.0]]]], &array![[[[1.0, 10.0, 100.0]]]], &how);
/// assert_eq!(x, array![[[[1.0, 10.0, 102.0, 20.0, 200.0]]]]);
/// ```
#[primitive]
#[track_caller]
pub fn conv_transpose2d<T: Scalar>(
    y: &ArrayRef4<T>,
    w: &ArrayRef4<T>,
    how: &Convolution,
) -> Array4<T> {
    let mut x = Array4::zeros(how.transposed_shape(y.shape(), w.shape()));
    add_images(how, &mut x, y, w);
    x
}

impl<T: Scalar> Bilinear<ArrayRef4<T>, ArrayRef4<T>> for conv_transpose2d {
    type Out = Array4<T>;
    type Attrs<'a> = (&'a Convolution,);

    #[track_caller]
    fn product(y: &ArrayRef4<T>, w: &ArrayRef4<T>, (how,): Self::Attrs<'_>) -> Array4<T> {
        conv_transpose2d(y, w, how)
    }
    fn product_add(x: &mut Array4<T>, y: &ArrayRef4<T>, w: &ArrayRef4<T>, (how,): Self::Attrs<'_>) {
        add_images(how, x, y, w);
    }
    fn transpose_x(
        dx: &Array4<T>,
        w: &ArrayRef4<T>,
        dy: &mut ArrayRef4<T>,
        (how,): Self::Attrs<'_>,
    ) {
        add_values(how, dy, dx, w);
    }
    fn transpose_y(
        dx: &Array4<T>,
        y: &ArrayRef4<T>,
        dw: &mut ArrayRef4<T>,
        (how,): Self::Attrs<'_>,
    ) {
        add_kernels(how, dw, y, dx);
    }
}

binary_rule!(
    conv_transpose2d[T: Scalar](y: ArrayRef4<T>, w: ArrayRef4<T>; how: Convolution)
        = Product<conv_transpose2d>
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(
        expected = "transposed convolution: images [1, 2, 3, 3] with kernels [1, 1, 2, 2]"
    )]
    fn channels_without_kernels_are_named() {
        let (y, w) = (
            Array4::<f64>::zeros((1, 2, 3, 3)),
            Array4::zeros((1, 1, 2, 2)),
        );
        let _ = conv_transpose2d(&y, &w, &Convolution::default());
    }
}
