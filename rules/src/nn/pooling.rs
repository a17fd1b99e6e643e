//! Pooling of images over windows.
//!
//! | function | value | reverse |
//! |---|---|---|
//! | [`max_pool2d()`] | the greatest of each window; among equals the first in row-major order | the cotangent goes to that entry |
//! | [`avg_pool2d()`] | the mean of each window | the cotangent is shared by the window |
//!
//! Images are `(n, c, h, w)`, results `(n, c, (h−k)/s+1, (w−l)/t+1)`. Entries that no window reaches are left out.

use coenzyme::primitive;
use ndarray::{Array4, ArrayRef4, s};

use crate::class::{At, Linear, Reads, Scalar, Transposed, Unary};
use crate::unary_rule;

/// The shape of the result.
#[track_caller]
fn shape(x: &[usize], window: [usize; 2], stride: [usize; 2]) -> [usize; 4] {
    let fits = |i: usize| (1..=x[i + 2]).contains(&window[i]) && stride[i] > 0;
    assert!(
        fits(0) && fits(1),
        "pooling: images {x:?}, window {window:?}, stride {stride:?}"
    );
    let places = |i: usize| (x[i + 2] - window[i]) / stride[i] + 1;
    [x[0], x[1], places(0), places(1)]
}

/// The mean of each window. **Panics** if a window is empty or larger than the image, or a stride is 0.
///
/// ```
/// # use ndarray::array;
/// let y = coenzyme_rules::nn::avg_pool2d(&array![[[[1.0, 3.0], [5.0, 7.0]]]], [2, 2], [1, 1]);
/// assert_eq!(y, array![[[[4.0]]]]);
/// ```
#[primitive]
#[track_caller]
pub fn avg_pool2d<T: Scalar>(
    x: &ArrayRef4<T>,
    window: [usize; 2],
    stride: [usize; 2],
) -> Array4<T> {
    let share = T::lit((window[0] * window[1]) as f64).recip();
    let shape = shape(x.shape(), window, stride);
    Array4::from_shape_fn(shape, |(n, c, i, j)| {
        let (i, j) = (i * stride[0], j * stride[1]);
        share * x.slice(s![n, c, i..i + window[0], j..j + window[1]]).sum()
    })
}

impl<T: Scalar> Linear<ArrayRef4<T>> for avg_pool2d {
    type Out = Array4<T>;
    type Attrs<'a> = (&'a [usize; 2], &'a [usize; 2]);

    fn apply(x: &ArrayRef4<T>, (window, stride): Self::Attrs<'_>) -> Array4<T> {
        avg_pool2d(x, *window, *stride)
    }
    fn transpose(dy: &Array4<T>, dx: &mut ArrayRef4<T>, (window, stride): Self::Attrs<'_>) {
        let share = T::lit((window[0] * window[1]) as f64).recip();
        for ((n, c, i, j), &dy) in dy.indexed_iter() {
            let (i, j) = (i * stride[0], j * stride[1]);
            let mut dx = dx.slice_mut(s![n, c, i..i + window[0], j..j + window[1]]);
            dx.map_inplace(|dx| *dx += share * dy);
        }
    }
}

/// The greatest of each window. NaN is smaller than all. **Panics** as [`avg_pool2d()`].
///
/// ```
/// # use ndarray::array;
/// let y = coenzyme_rules::nn::max_pool2d(&array![[[[1.0, 3.0], [5.0, 7.0]]]], [1, 2], [1, 1]);
/// assert_eq!(y, array![[[[3.0], [7.0]]]]);
/// ```
#[primitive]
#[track_caller]
pub fn max_pool2d<T: Scalar>(
    x: &ArrayRef4<T>,
    window: [usize; 2],
    stride: [usize; 2],
) -> Array4<T> {
    max_pool2d::places(x, window, stride).map(|&at| x[at])
}

/// An index.
type Place = (usize, usize, usize, usize);

impl max_pool2d {
    /// Where the greatest of each window is.
    #[track_caller]
    fn places<T: Scalar>(
        x: &ArrayRef4<T>,
        window: [usize; 2],
        stride: [usize; 2],
    ) -> Array4<Place> {
        let shape = shape(x.shape(), window, stride);
        Array4::from_shape_fn(shape, |(n, c, i, j)| {
            let (i, j) = (i * stride[0], j * stride[1]);
            let mut best = (n, c, i, j);
            for a in i..i + window[0] {
                for b in j..j + window[1] {
                    if x[(n, c, a, b)] > x[best] || x[best].is_nan() {
                        best = (n, c, a, b);
                    }
                }
            }
            best
        })
    }
}

impl<T: Scalar> Unary<ArrayRef4<T>> for max_pool2d {
    type Out = Array4<T>;
    type Attrs<'a> = (&'a [usize; 2], &'a [usize; 2]);
    /// Where the values come from.
    type Residual = Array4<Place>;

    const READS: Reads = Reads::RESIDUAL;

    fn value(x: &ArrayRef4<T>, (window, stride): Self::Attrs<'_>) -> Array4<T> {
        max_pool2d(x, *window, *stride)
    }
    fn linearize(
        x: &ArrayRef4<T>,
        (window, stride): Self::Attrs<'_>,
    ) -> (Array4<T>, Array4<Place>) {
        let places = Self::places(x, *window, *stride);
        (places.map(|&at| x[at]), places)
    }
    fn pushforward(
        at: &At<'_, ArrayRef4<T>, Array4<T>, Array4<Place>>,
        dx: &ArrayRef4<T>,
        _: Self::Attrs<'_>,
    ) -> Array4<T> {
        at.residual.map(|&place| dx[place])
    }
    fn pullback(
        at: &At<'_, ArrayRef4<T>, Array4<T>, Array4<Place>>,
        dy: &Array4<T>,
        dx: &mut ArrayRef4<T>,
        _: Self::Attrs<'_>,
    ) {
        for (&place, &dy) in at.residual.iter().zip(dy) {
            dx[place] += dy;
        }
    }
}

unary_rule!(
    avg_pool2d[T: Scalar](x: ArrayRef4<T>; window: [usize; 2], stride: [usize; 2]) = Transposed<avg_pool2d>
);
unary_rule!(
    max_pool2d[T: Scalar](x: ArrayRef4<T>; window: [usize; 2], stride: [usize; 2]) = max_pool2d
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "pooling: images [1, 1, 2, 2], window [3, 1], stride [1, 1]")]
    fn a_window_that_does_not_fit_is_named() {
        let _ = max_pool2d(&Array4::<f64>::zeros((1, 1, 2, 2)), [3, 1], [1, 1]);
    }
}
