//! Where the entries of an axis stand in order, and entries chosen by such positions.
//!
//! Positions have no derivative. The derivative of a largest entry, of the entries in order, and of every other choice that
//! positions make, is that of [`take_along_axis()`].

use coenzyme::{inactive, primitive};
use ndarray::{Array, ArrayRef, ArrayView1, Axis, Dimension, RemoveAxis, Zip};

use crate::class::{Linear, Scalar, Transposed, check_axis};
use crate::unary_rule;

/// The first position for which no other is `better`; entries that are no number are passed over.
#[track_caller]
fn first_best<T: Scalar, D: RemoveAxis>(
    name: &str,
    x: &ArrayRef<T, D>,
    axis: usize,
    better: fn(&T, &T) -> bool,
) -> Array<usize, D::Smaller> {
    let axis = check_axis(axis, x.shape());
    assert!(
        x.len_of(axis) > 0,
        "{name}: axis {} of shape {:?} is empty",
        axis.index(),
        x.shape()
    );
    x.map_axis(axis, |row| {
        let numbers = row.iter().enumerate().filter(|(_, x)| !x.is_nan());
        numbers
            .reduce(|best, next| if better(next.1, best.1) { next } else { best })
            .map_or(0, |(i, _)| i)
    })
}

/// The position of the largest entry along an axis, which is removed: the first of those that are largest, NaN passed over, 0 if
/// all are NaN. It has no derivative. **Panics** if there is no such axis, or it is empty.
///
/// ```
/// # use ndarray::array;
/// assert_eq!(coenzyme_rules::array::argmax(&array![[1.0, 4.0, 4.0], [3.0, 2.0, 1.0]], 1), array![1, 0]);
/// ```
#[inactive]
#[track_caller]
pub fn argmax<T: Scalar, D: RemoveAxis>(
    x: &ArrayRef<T, D>,
    axis: usize,
) -> Array<usize, D::Smaller> {
    first_best("argmax", x, axis, |a, b| a > b)
}

/// The position of the smallest entry along an axis: see [`argmax()`]. **Panics** likewise.
#[inactive]
#[track_caller]
pub fn argmin<T: Scalar, D: RemoveAxis>(
    x: &ArrayRef<T, D>,
    axis: usize,
) -> Array<usize, D::Smaller> {
    first_best("argmin", x, axis, |a, b| a < b)
}

/// The positions of the entries of a row in increasing order, NaN last; equal ones keep their order.
pub(super) fn ascending<T: Scalar>(row: ArrayView1<'_, T>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..row.len()).collect();
    order.sort_by(|&i, &j| {
        let (x, y) = (row[i], row[j]);
        x.partial_cmp(&y)
            .unwrap_or_else(|| x.is_nan().cmp(&y.is_nan()))
    });
    order
}

/// The positions along an axis of the entries in increasing order; equal ones keep their order, NaN is last. They have no
/// derivative. **Panics** if there is no such axis.
///
/// With [`take_along_axis()`] it sorts an array, and another one in the same order.
///
/// ```
/// # use coenzyme_rules::array::{argsort, sort, take_along_axis};
/// # use ndarray::array;
/// let (x, y) = (array![3.0, 1.0, 2.0], array![10.0, 20.0, 30.0]);
/// let order = argsort(&x, 0);
/// assert_eq!(order, array![1, 2, 0]);
/// assert_eq!(take_along_axis(&x, &order, 0), sort(&x, 0));
/// assert_eq!(take_along_axis(&y, &order, 0), array![20.0, 30.0, 10.0]);
/// ```
#[inactive]
#[track_caller]
pub fn argsort<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>, axis: usize) -> Array<usize, D> {
    let axis = check_axis(axis, x.shape());
    let mut positions = Array::zeros(x.raw_dim());
    Zip::from(positions.lanes_mut(axis))
        .and(x.lanes(axis))
        .for_each(|mut positions, row| {
            let order = ascending(row);
            positions.iter_mut().zip(order).for_each(|(p, i)| *p = i);
        });
    positions
}

/// **Panics** unless the positions have the shape of `x` but for the axis, and are positions of it.
#[track_caller]
fn check_positions<D: Dimension>(shape: &[usize], positions: &ArrayRef<usize, D>, axis: usize) {
    check_axis(axis, shape);
    let fits = |(i, (m, n)): (usize, (&usize, &usize))| i == axis || m == n;
    assert!(
        shape.iter().zip(positions.shape()).enumerate().all(fits),
        "take_along_axis: positions of shape {:?} along axis {axis} of shape {shape:?}",
        positions.shape()
    );
    if let Some(position) = positions.iter().find(|p| **p >= shape[axis]) {
        panic!("take_along_axis: position {position} along axis {axis} of shape {shape:?}");
    }
}

/// The entries at positions along an axis: with axis 1, `yᵢⱼ = x[i, positionsᵢⱼ]`. The positions have the shape of `x`
/// but for this axis, where they may have any length; a position may occur more than once. **Panics** if not, if there is no such
/// axis, or a position leaves it.
///
/// Forward: of the tangent. Reverse: each cotangent is added where its entry came from.
///
/// ```
/// # use coenzyme_rules::array::{argmax, take_along_axis};
/// # use ndarray::{Axis, array};
/// let x = array![[1.0, 5.0, 2.0], [7.0, 3.0, 4.0]];
/// let positions = argmax(&x, 1).insert_axis(Axis(1));
/// assert_eq!(take_along_axis(&x, &positions, 1), array![[5.0], [7.0]]);
/// ```
#[primitive]
#[track_caller]
pub fn take_along_axis<T: Scalar, D: Dimension>(
    x: &ArrayRef<T, D>,
    positions: &ArrayRef<usize, D>,
    axis: usize,
) -> Array<T, D> {
    check_positions(x.shape(), positions, axis);
    let mut y = Array::zeros(positions.raw_dim());
    Zip::from(y.lanes_mut(Axis(axis)))
        .and(x.lanes(Axis(axis)))
        .and(positions.lanes(Axis(axis)))
        .for_each(|mut y, x, positions| {
            y.iter_mut().zip(positions).for_each(|(y, &p)| *y = x[p]);
        });
    y
}

impl<T: Scalar, D: Dimension + 'static> Linear<ArrayRef<T, D>> for take_along_axis {
    type Out = Array<T, D>;
    type Attrs<'a> = (&'a ArrayRef<usize, D>, &'a usize);

    #[track_caller]
    fn apply(x: &ArrayRef<T, D>, (positions, &axis): Self::Attrs<'_>) -> Array<T, D> {
        take_along_axis(x, positions, axis)
    }
    fn transpose(dy: &Array<T, D>, dx: &mut ArrayRef<T, D>, (positions, &axis): Self::Attrs<'_>) {
        Zip::from(dx.lanes_mut(Axis(axis)))
            .and(dy.lanes(Axis(axis)))
            .and(positions.lanes(Axis(axis)))
            .for_each(|mut dx, dy, positions| {
                dy.iter().zip(positions).for_each(|(&dy, &p)| dx[p] += dy);
            });
    }
}

unary_rule!(
    take_along_axis[T: Scalar, D: Dimension + 'static](
        x: ArrayRef<T, D>; positions: ArrayRef<usize, D>, axis: usize
    ) = Transposed<take_along_axis>
);
