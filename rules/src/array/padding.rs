//! Padding with the array's own entries.
//!
//! Each axis in turn is read at positions that leave it: those of the nearest entry, or of the entry behind the mirror that stands
//! on the first and last one. Linear, so nothing is on the tape.

use coenzyme::primitive;
use ndarray::{Array, ArrayD, ArrayRef, Axis, Dimension, IxDyn};

use crate::class::{Linear, Scalar, Transposed};
use crate::unary_rule;

/// Where each place of a padded axis of `n` entries is read.
type Source = fn(place: isize, n: isize) -> isize;

fn nearest(place: isize, n: isize) -> isize {
    place.clamp(0, n - 1)
}

/// Less than one length is reflected on either side, so that one reflection is enough.
fn mirrored(place: isize, n: isize) -> isize {
    (n - 1) - ((n - 1) - place.abs()).abs()
}

/// The places that are read along an axis.
fn sources(n: usize, [before, after]: [usize; 2], source: Source) -> Vec<usize> {
    let places = -(before as isize)..(n + after) as isize;
    places.map(|p| source(p, n as isize) as usize).collect()
}

/// Each axis read at its sources.
fn padded<T: Scalar, D: Dimension>(
    x: &ArrayRef<T, D>,
    widths: &[[usize; 2]],
    source: Source,
) -> Array<T, D> {
    let mut y: ArrayD<T> = x.to_owned().into_dyn();
    for (axis, &width) in widths.iter().enumerate().filter(|(_, w)| **w != [0, 0]) {
        y = y.select(Axis(axis), &sources(x.shape()[axis], width, source));
    }
    y.into_dimensionality().expect("as many axes as before")
}

/// The transpose of [`padded()`]: the axes in any order, since each is read apart.
fn add_padded<T: Scalar, D: Dimension>(
    dy: &Array<T, D>,
    dx: &mut ArrayRef<T, D>,
    widths: &[[usize; 2]],
    source: Source,
) {
    let mut g: ArrayD<T> = dy.view().into_dyn().to_owned();
    for (axis, &width) in widths.iter().enumerate().filter(|(_, w)| **w != [0, 0]) {
        let n = dx.shape()[axis];
        let mut shape = g.shape().to_vec();
        shape[axis] = n;
        let mut folded = ArrayD::zeros(IxDyn(&shape));
        for (&to, g) in sources(n, width, source)
            .iter()
            .zip(g.axis_iter(Axis(axis)))
        {
            let mut slice = folded.index_axis_mut(Axis(axis), to);
            slice += &g;
        }
        g = folded;
    }
    let mut dx = dx.view_mut().into_dyn();
    dx += &g;
}

/// **Panics** unless there is a pair for each axis, and no axis is padded by more than `most(n)`.
#[track_caller]
fn check_widths(name: &str, shape: &[usize], widths: &[[usize; 2]], most: fn(usize) -> usize) {
    assert!(
        widths.len() == shape.len(),
        "{name}: {} pairs of widths for shape {shape:?}",
        widths.len()
    );
    let reached = |(w, &n): (&[usize; 2], &usize)| w[0].max(w[1]) <= most(n);
    assert!(
        widths.iter().zip(shape).all(reached),
        "{name}: widths {widths:?} are too wide for shape {shape:?}"
    );
}

macro_rules! paddings {
    ($($(#[$doc:meta])* $name:ident, $source:expr, $most:expr;)+) => {$(
        $(#[$doc])*
        #[primitive]
        #[track_caller]
        pub fn $name<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>, widths: &[[usize; 2]]) -> Array<T, D> {
            check_widths(stringify!($name), x.shape(), widths, $most);
            padded(x, widths, $source)
        }

        impl<T: Scalar, D: Dimension> Linear<ArrayRef<T, D>> for $name {
            type Out = Array<T, D>;
            type Attrs<'a> = (&'a [[usize; 2]],);

            #[track_caller]
            fn apply(x: &ArrayRef<T, D>, (widths,): (&[[usize; 2]],)) -> Array<T, D> {
                $name(x, widths)
            }
            fn transpose(dy: &Array<T, D>, dx: &mut ArrayRef<T, D>, (widths,): (&[[usize; 2]],)) {
                add_padded(dy, dx, widths, $source);
            }
        }

        unary_rule!($name[T: Scalar, D: Dimension](x: ArrayRef<T, D>; widths: [[usize; 2]]) = Transposed<$name>);
    )+};
}

paddings! {
    /// `x` with its outermost entries repeated around it: `widths[i]` is how many before and after along axis `i`. **Panics** unless
    /// there is one pair for each axis, or if an axis without entries is padded.
    ///
    /// Reverse: the cotangents of the copies are added to that of the entry.
    ///
    /// ```
    /// # use ndarray::array;
    /// let y = coenzyme_rules::array::pad_edge(&array![1.0, 2.0, 3.0], &[[2, 1]]);
    /// assert_eq!(y, array![1.0, 1.0, 1.0, 2.0, 3.0, 3.0]);
    /// ```
    pad_edge, nearest, |n| if n == 0 { 0 } else { isize::MAX as usize };
    /// `x` mirrored at its outermost entries, which are not repeated: `widths[i]` is how many before and after along axis `i`.
    /// **Panics** unless there is one pair for each axis, each less than the length of the axis.
    ///
    /// Reverse: the cotangents of the copies are added to that of the entry.
    ///
    /// ```
    /// # use ndarray::array;
    /// let y = coenzyme_rules::array::pad_reflect(&array![1.0, 2.0, 3.0], &[[2, 1]]);
    /// assert_eq!(y, array![3.0, 2.0, 1.0, 2.0, 3.0, 2.0]);
    /// ```
    pad_reflect, mirrored, |n| n.saturating_sub(1);
}
