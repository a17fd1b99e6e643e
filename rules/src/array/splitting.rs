//! Parts of an array along an axis.

use coenzyme::primitive;
use ndarray::{Array, ArrayRef, Axis, Dimension};

use crate::class::{Linear, Scalar, Transposed, check_axis};
use crate::unary_rule;

/// `parts` arrays of equal length along an axis, which [`concatenate()`](super::concatenate()) puts together again. **Panics**
/// if there is no such axis, or its length is not a multiple of `parts`.
///
/// Forward: of the tangent. Reverse: the cotangent of each part to its place.
///
/// ```
/// # use ndarray::array;
/// let parts = coenzyme_rules::array::split(&array![1.0, 2.0, 3.0, 4.0], 0, 2);
/// assert_eq!(parts, [array![1.0, 2.0], array![3.0, 4.0]]);
/// ```
#[primitive]
#[track_caller]
pub fn split<T: Scalar, D: Dimension>(
    x: &ArrayRef<T, D>,
    axis: usize,
    parts: usize,
) -> Vec<Array<T, D>> {
    let shape = x.shape();
    let Axis(axis) = check_axis(axis, shape);
    assert!(
        parts > 0 && shape[axis].is_multiple_of(parts),
        "split: axis {axis} of shape {shape:?} in {parts} parts"
    );
    let length = shape[axis] / parts;
    let part = |i| {
        let places = ndarray::Slice::from(i * length..(i + 1) * length);
        x.slice_axis(Axis(axis), places).to_owned()
    };
    (0..parts).map(part).collect()
}

impl<T: Scalar, D: Dimension> Linear<ArrayRef<T, D>> for split {
    type Out = Vec<Array<T, D>>;
    type Attrs<'a> = (&'a usize, &'a usize);

    #[track_caller]
    fn apply(x: &ArrayRef<T, D>, (&axis, &parts): Self::Attrs<'_>) -> Self::Out {
        split(x, axis, parts)
    }
    fn transpose(dy: &Self::Out, dx: &mut ArrayRef<T, D>, (&axis, _): Self::Attrs<'_>) {
        let mut start = 0;
        for dy in dy {
            let end = start + dy.shape()[axis];
            let mut part = dx.slice_axis_mut(Axis(axis), ndarray::Slice::from(start..end));
            part += dy;
            start = end;
        }
    }
}

unary_rule!(split[T: Scalar, D: Dimension](x: ArrayRef<T, D>; axis: usize, parts: usize) = Transposed<split>);
