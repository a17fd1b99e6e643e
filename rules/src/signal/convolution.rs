//! Convolution as networks define it (a correlation), over a batch and channels.
//!
//! | value | shape | forward | reverse |
//! |---|---|---|---|
//! | `X` | `(n, c, h, w)` | | `X̄[…, rs+id−p, …] += W[o, …, i, …]·Ȳ[…, o, r, …]`: a convolution with the transpose |
//! | `W` | `(o, c/g, k, l)` | | `W̄[o, …, i, …] += X[…, rs+id−p, …]·Ȳ[…, o, r, …]`: a correlation of `X` with `Ȳ` |
//! | `Y` | `(n, o, (h+2p−d(k−1)−1)/s+1, …)` | `Ẏ = Ẋ*W + X*Ẇ` | |
//!
//! with stride `s`, padding `p`, dilation `d` and `g` groups of channels. Each of the three costs `2·|Y|·c/g·k·l` flops, in matrix products (see
//! `patches.rs`), and the memory of what the places of one sample and group see: `c/g·k·l` numbers for each place.
//!
//! Source: Dumoulin and Visin 2016, *A guide to convolution arithmetic for deep learning*, arXiv:1603.07285.

use coenzyme::primitive;
use ndarray::{Array4, ArrayRef4};

use super::Convolution;
use super::patches::{add_images, add_kernels, add_values};
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
    conv2d_with(x, w, &Convolution::of(stride, padding))
}

/// The convolution of images `x` (`(n, c, h, w)`) with kernels `w` (`(o, c/groups, k, l)`), also dilated and in groups: with as many groups as
/// channels, each channel has kernels of its own. **Panics** as [`conv2d()`], and if the groups do not divide the channels and the
/// kernels, or the dilation is 0.
///
/// ```
/// # use ndarray::array;
/// use coenzyme_rules::signal::{Convolution, conv2d_with};
///
/// let x = array![[[[1.0, 2.0, 4.0, 8.0]], [[1.0, 1.0, 1.0, 5.0]]]];
/// let w = array![[[[-1.0, 1.0]]], [[[10.0, 0.0]]]];
/// let how = Convolution { dilation: [1, 3], groups: 2, ..Convolution::default() };
/// assert_eq!(conv2d_with(&x, &w, &how), array![[[[7.0]], [[10.0]]]]);
/// ```
#[primitive]
#[track_caller]
pub fn conv2d_with<T: Scalar>(x: &ArrayRef4<T>, w: &ArrayRef4<T>, how: &Convolution) -> Array4<T> {
    let mut y = Array4::zeros(how.shape(x.shape(), w.shape()));
    add_values(how, &mut y, x, w);
    y
}

impl<T: Scalar> Bilinear<ArrayRef4<T>, ArrayRef4<T>> for conv2d_with {
    type Out = Array4<T>;
    type Attrs<'a> = (&'a Convolution,);

    #[track_caller]
    fn product(x: &ArrayRef4<T>, w: &ArrayRef4<T>, (how,): Self::Attrs<'_>) -> Array4<T> {
        conv2d_with(x, w, how)
    }
    fn product_add(y: &mut Array4<T>, x: &ArrayRef4<T>, w: &ArrayRef4<T>, (how,): Self::Attrs<'_>) {
        add_values(how, y, x, w);
    }
    fn transpose_x(
        dy: &Array4<T>,
        w: &ArrayRef4<T>,
        dx: &mut ArrayRef4<T>,
        (how,): Self::Attrs<'_>,
    ) {
        add_images(how, dx, dy, w);
    }
    fn transpose_y(
        dy: &Array4<T>,
        x: &ArrayRef4<T>,
        dw: &mut ArrayRef4<T>,
        (how,): Self::Attrs<'_>,
    ) {
        add_kernels(how, dw, dy, x);
    }
}

binary_rule!(
    conv2d_with[T: Scalar](x: ArrayRef4<T>, w: ArrayRef4<T>; how: Convolution) = Product<conv2d_with>
);

impl<T: Scalar> Bilinear<ArrayRef4<T>, ArrayRef4<T>> for conv2d {
    type Out = Array4<T>;
    type Attrs<'a> = (&'a [usize; 2], &'a [usize; 2]);

    #[track_caller]
    fn product(x: &ArrayRef4<T>, w: &ArrayRef4<T>, (s, p): Self::Attrs<'_>) -> Array4<T> {
        conv2d(x, w, *s, *p)
    }
    fn product_add(y: &mut Array4<T>, x: &ArrayRef4<T>, w: &ArrayRef4<T>, (s, p): Self::Attrs<'_>) {
        add_values(&Convolution::of(*s, *p), y, x, w);
    }
    fn transpose_x(
        dy: &Array4<T>,
        w: &ArrayRef4<T>,
        dx: &mut ArrayRef4<T>,
        (s, p): Self::Attrs<'_>,
    ) {
        add_images(&Convolution::of(*s, *p), dx, dy, w);
    }
    fn transpose_y(
        dy: &Array4<T>,
        x: &ArrayRef4<T>,
        dw: &mut ArrayRef4<T>,
        (s, p): Self::Attrs<'_>,
    ) {
        add_kernels(&Convolution::of(*s, *p), dw, dy, x);
    }
}

binary_rule!(
    conv2d[T: Scalar](x: ArrayRef4<T>, w: ArrayRef4<T>; stride: [usize; 2], padding: [usize; 2])
        = Product<conv2d>
);

#[cfg(test)]
mod tests {
    use ndarray::Axis;

    use super::*;
    use crate::samples::samples;

    /// The sum over all products whose indices fit.
    #[test]
    fn values_are_those_of_the_definition() {
        let (x, w) = (samples(42, (2, 4, 5, 6)), samples(43, (6, 2, 3, 2)));
        let how = Convolution {
            stride: [2, 1],
            padding: [1, 2],
            dilation: [1, 3],
            groups: 2,
        };
        let y = conv2d_with(&x, &w, &how);
        assert_eq!(y.dim(), (2, 6, 3, 7));
        for ((n, o, r, q), y) in y.indexed_iter() {
            let terms = w.index_axis(Axis(0), o);
            let sum: f64 = (terms.indexed_iter())
                .filter_map(|((c, i, j), w)| {
                    let channel = c + 2 * (o / 3);
                    let at = [
                        n,
                        channel,
                        (2 * r + i).checked_sub(1)?,
                        (q + 3 * j).checked_sub(2)?,
                    ];
                    Some(w * x.get(at)?)
                })
                .sum();
            assert!((y - sum).abs() < 1e-14);
        }
    }

    /// A kernel that meets none but padding at some places, and images that no kernel meets at their end.
    #[test]
    fn far_padding_and_long_strides_meet_nothing() {
        let (x, w) = (
            Array4::<f64>::ones((1, 1, 1, 4)),
            Array4::ones((1, 1, 1, 2)),
        );
        let y = conv2d(&x, &w, [1, 3], [2, 3]);
        let middle = ndarray::array![0.0, 2.0, 1.0];
        assert_eq!(y.dim(), (1, 1, 5, 3));
        assert_eq!(y.slice(ndarray::s![0, 0, 2, ..]), middle);
        assert_eq!(y.sum(), middle.sum());
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

    #[test]
    #[should_panic(expected = "dilation [1, 3], groups 1")]
    fn a_dilated_kernel_that_does_not_fit_is_named() {
        let how = Convolution {
            dilation: [1, 3],
            ..Convolution::default()
        };
        let _ = conv2d_with(
            &Array4::<f64>::zeros((1, 1, 3, 3)),
            &Array4::zeros((1, 1, 2, 2)),
            &how,
        );
    }
}
