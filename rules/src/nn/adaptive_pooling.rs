//! Pooling of images to a given shape: place `i` of `m` along an axis of `h` entries is the window from `⌊ih/m⌋` to `⌈(i + 1)h/m⌉`, so that windows
//! may overlap.

use std::ops::Range;

use coenzyme::primitive;
use ndarray::{Array4, ArrayRef4, s};

use crate::class::{At, Linear, Reads, Scalar, Transposed, Unary};
use crate::unary_rule;

/// The window of one place.
fn window(i: usize, places: usize, entries: usize) -> Range<usize> {
    i * entries / places..((i + 1) * entries).div_ceil(places)
}

/// The windows of one place of the result.
fn windows(shape: &[usize], (i, j): (usize, usize), places: [usize; 2]) -> [Range<usize>; 2] {
    [
        window(i, places[0], shape[2]),
        window(j, places[1], shape[3]),
    ]
}

/// The shape of the result.
#[track_caller]
fn shape(name: &str, x: &[usize], places: [usize; 2]) -> [usize; 4] {
    assert!(
        places.iter().all(|m| *m > 0) && x[2] > 0 && x[3] > 0,
        "{name}: images {x:?} to {places:?}"
    );
    [x[0], x[1], places[0], places[1]]
}

/// The mean of each of `places` windows of images `(n, c, h, w)`. **Panics** if there are no places, or an image has no entries.
///
/// Reverse: each cotangent is shared by its window.
///
/// ```
/// # use ndarray::array;
/// let y = coenzyme_rules::nn::adaptive_avg_pool2d(&array![[[[1.0, 3.0, 5.0]]]], [1, 2]);
/// assert_eq!(y, array![[[[2.0, 4.0]]]]);
/// ```
#[primitive]
#[track_caller]
pub fn adaptive_avg_pool2d<T: Scalar>(x: &ArrayRef4<T>, places: [usize; 2]) -> Array4<T> {
    let shape = shape("adaptive_avg_pool2d", x.shape(), places);
    Array4::from_shape_fn(shape, |(n, c, i, j)| {
        let [rows, columns] = windows(x.shape(), (i, j), places);
        let share = T::lit((rows.len() * columns.len()) as f64).recip();
        share * x.slice(s![n, c, rows, columns]).sum()
    })
}

impl<T: Scalar> Linear<ArrayRef4<T>> for adaptive_avg_pool2d {
    type Out = Array4<T>;
    type Attrs<'a> = (&'a [usize; 2],);

    #[track_caller]
    fn apply(x: &ArrayRef4<T>, (places,): (&[usize; 2],)) -> Array4<T> {
        adaptive_avg_pool2d(x, *places)
    }
    fn transpose(dy: &Array4<T>, dx: &mut ArrayRef4<T>, (places,): (&[usize; 2],)) {
        for ((n, c, i, j), &dy) in dy.indexed_iter() {
            let [rows, columns] = windows(dx.shape(), (i, j), *places);
            let share = T::lit((rows.len() * columns.len()) as f64).recip();
            dx.slice_mut(s![n, c, rows, columns])
                .map_inplace(|dx| *dx += share * dy);
        }
    }
}

unary_rule!(
    adaptive_avg_pool2d[T: Scalar](x: ArrayRef4<T>; places: [usize; 2]) = Transposed<adaptive_avg_pool2d>
);

/// The greatest of each of `places` windows of images `(n, c, h, w)`; NaN is smaller than all. **Panics** as
/// [`adaptive_avg_pool2d()`].
///
/// The derivative belongs to the greatest entry, among equals the first in row-major order.
///
/// ```
/// # use ndarray::array;
/// let y = coenzyme_rules::nn::adaptive_max_pool2d(&array![[[[1.0, 3.0, 5.0]]]], [1, 2]);
/// assert_eq!(y, array![[[[3.0, 5.0]]]]);
/// ```
#[primitive]
#[track_caller]
pub fn adaptive_max_pool2d<T: Scalar>(x: &ArrayRef4<T>, places: [usize; 2]) -> Array4<T> {
    adaptive_max_pool2d::sources(x, places).map(|&at| x[at])
}

/// An index.
type Place = (usize, usize, usize, usize);

impl adaptive_max_pool2d {
    /// Where the greatest of each window is.
    #[track_caller]
    fn sources<T: Scalar>(x: &ArrayRef4<T>, places: [usize; 2]) -> Array4<Place> {
        let shape = shape("adaptive_max_pool2d", x.shape(), places);
        Array4::from_shape_fn(shape, |(n, c, i, j)| {
            let [rows, columns] = windows(x.shape(), (i, j), places);
            let mut best = (n, c, rows.start, columns.start);
            for a in rows {
                for b in columns.clone() {
                    if x[(n, c, a, b)] > x[best] || x[best].is_nan() {
                        best = (n, c, a, b);
                    }
                }
            }
            best
        })
    }
}

impl<T: Scalar> Unary<ArrayRef4<T>> for adaptive_max_pool2d {
    type Out = Array4<T>;
    type Attrs<'a> = (&'a [usize; 2],);
    /// Where the values come from.
    type Residual = Array4<Place>;

    const READS: Reads = Reads::RESIDUAL;

    #[track_caller]
    fn value(x: &ArrayRef4<T>, (places,): (&[usize; 2],)) -> Array4<T> {
        adaptive_max_pool2d(x, *places)
    }
    #[track_caller]
    fn linearize(x: &ArrayRef4<T>, (places,): (&[usize; 2],)) -> (Array4<T>, Array4<Place>) {
        let sources = Self::sources(x, *places);
        (sources.map(|&at| x[at]), sources)
    }
    fn pushforward(
        at: &At<'_, ArrayRef4<T>, Array4<T>, Array4<Place>>,
        dx: &ArrayRef4<T>,
        _: (&[usize; 2],),
    ) -> Array4<T> {
        at.residual.map(|&at| dx[at])
    }
    fn pullback(
        at: &At<'_, ArrayRef4<T>, Array4<T>, Array4<Place>>,
        dy: &Array4<T>,
        dx: &mut ArrayRef4<T>,
        _: (&[usize; 2],),
    ) {
        at.residual
            .iter()
            .zip(dy)
            .for_each(|(&at, &dy)| dx[at] += dy);
    }
}

unary_rule!(adaptive_max_pool2d[T: Scalar](x: ArrayRef4<T>; places: [usize; 2]) = adaptive_max_pool2d);
