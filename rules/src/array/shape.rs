//! Changes of shape: linear, so nothing is on the tape.

use coenzyme::{Annotation, primitive};
use ndarray::{
    Array, Array1, ArrayD, ArrayRef, ArrayViewD, ArrayViewMutD, Axis, Dim, Dimension, IxDyn, Slice,
};

use crate::class::{Linear, Scalar, Transposed, check_axis, unbroadcast};
use crate::unary_rule;

/// `dx += dy`, where both hold the same entries in logical order.
fn add_in_order<T: Scalar, D: Dimension, E: Dimension>(
    dx: &mut ArrayRef<T, D>,
    dy: &ArrayRef<T, E>,
) {
    dx.iter_mut().zip(dy).for_each(|(dx, &dy)| *dx += dy);
}

/// The same array with its type of dimension.
pub(super) fn typed<T, D: Dimension>(x: ArrayD<T>) -> Array<T, D> {
    x.into_dimensionality()
        .expect("as many axes as the type of dimension has")
}

/// `x` in another shape of as many entries, in logical order. **Panics** if the numbers of entries differ.
///
/// ```
/// # use ndarray::array;
/// let x = array![0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
/// assert_eq!(coenzyme_rules::array::reshape(&x, [2, 3]), array![[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]);
/// ```
#[primitive]
#[track_caller]
pub fn reshape<T: Scalar, D: Dimension, const N: usize>(
    x: &ArrayRef<T, D>,
    shape: [usize; N],
) -> Array<T, Dim<[usize; N]>>
where
    Dim<[usize; N]>: Dimension,
{
    assert_eq!(
        x.len(),
        shape.iter().product::<usize>(),
        "cannot reshape {:?} to {shape:?}",
        x.shape()
    );
    let entries: Vec<T> = x.iter().copied().collect();
    typed(ArrayD::from_shape_vec(IxDyn(&shape), entries).expect("as many entries"))
}

impl<T: Scalar, D: Dimension, const N: usize> Linear<ArrayRef<T, D>> for Of<reshape, N>
where
    Dim<[usize; N]>: Dimension,
{
    type Out = Array<T, Dim<[usize; N]>>;
    type Attrs<'a> = (&'a [usize; N],);

    fn apply(x: &ArrayRef<T, D>, (&shape,): (&[usize; N],)) -> Self::Out {
        reshape(x, shape)
    }
    fn transpose(dy: &Self::Out, dx: &mut ArrayRef<T, D>, _: (&[usize; N],)) {
        add_in_order(dx, dy);
    }
}

unary_rule!(
    reshape[T: Scalar, D: Dimension, const N: usize](x: ArrayRef<T, D>; shape: [usize; N])
        = Transposed<Of<reshape, N>>, where Dim<[usize; N]>: Dimension, shape: Annotation<Primal = [usize; N]>,
);

/// A function into arrays of `N` axes.
#[derive(Debug)]
pub struct Of<F, const N: usize>(std::marker::PhantomData<F>);

/// The entries in logical order.
#[primitive]
pub fn flatten<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>) -> Array1<T> {
    x.iter().copied().collect()
}

impl<T: Scalar, D: Dimension> Linear<ArrayRef<T, D>> for flatten {
    type Out = Array1<T>;
    type Attrs<'a> = ();

    fn apply(x: &ArrayRef<T, D>, (): ()) -> Array1<T> {
        flatten(x)
    }
    fn transpose(dy: &Array1<T>, dx: &mut ArrayRef<T, D>, (): ()) {
        add_in_order(dx, dy);
    }
}

unary_rule!(flatten[T: Scalar, D: Dimension](x: ArrayRef<T, D>) = Transposed<flatten>);

/// `x` repeated to a larger shape: shapes are aligned at the last axis, and an axis of length 1, or a missing one, is repeated.
/// **Panics** if the shapes do not fit. Reverse: the sum over the repetitions.
#[primitive]
#[track_caller]
pub fn broadcast_to<T: Scalar, D: Dimension, const N: usize>(
    x: &ArrayRef<T, D>,
    shape: [usize; N],
) -> Array<T, Dim<[usize; N]>>
where
    Dim<[usize; N]>: Dimension,
{
    match x.broadcast(IxDyn(&shape)) {
        Some(view) => typed(view.to_owned()),
        None => panic!("cannot broadcast {:?} to {shape:?}", x.shape()),
    }
}

impl<T: Scalar, D: Dimension, const N: usize> Linear<ArrayRef<T, D>> for Of<broadcast_to, N>
where
    Dim<[usize; N]>: Dimension,
{
    type Out = Array<T, Dim<[usize; N]>>;
    type Attrs<'a> = (&'a [usize; N],);

    fn apply(x: &ArrayRef<T, D>, (&shape,): (&[usize; N],)) -> Self::Out {
        broadcast_to(x, shape)
    }
    fn transpose(dy: &Self::Out, dx: &mut ArrayRef<T, D>, _: (&[usize; N],)) {
        unbroadcast(dx, dy.clone());
    }
}

unary_rule!(
    broadcast_to[T: Scalar, D: Dimension, const N: usize](x: ArrayRef<T, D>; shape: [usize; N])
        = Transposed<Of<broadcast_to, N>>, where Dim<[usize; N]>: Dimension, shape: Annotation<Primal = [usize; N]>,
);

/// The part of a padded array that is not padding.
fn inside<'a, T>(mut y: ArrayViewD<'a, T>, widths: &[[usize; 2]]) -> ArrayViewD<'a, T> {
    for (axis, [before, after]) in widths.iter().enumerate() {
        let end = y.len_of(Axis(axis)) - after;
        y.slice_axis_inplace(Axis(axis), Slice::from(*before..end));
    }
    y
}

/// As [`inside()`], to be written.
fn inside_mut<'a, T>(mut y: ArrayViewMutD<'a, T>, widths: &[[usize; 2]]) -> ArrayViewMutD<'a, T> {
    for (axis, [before, after]) in widths.iter().enumerate() {
        let end = y.len_of(Axis(axis)) - after;
        y.slice_axis_inplace(Axis(axis), Slice::from(*before..end));
    }
    y
}

/// `x` with zeros around: `widths[i]` is how many before and after along axis `i`. **Panics** unless there is one pair for each
/// axis.
#[primitive]
#[track_caller]
pub fn pad<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>, widths: &[[usize; 2]]) -> Array<T, D> {
    assert_eq!(
        widths.len(),
        x.ndim(),
        "{} pairs of widths for shape {:?}",
        widths.len(),
        x.shape()
    );
    let mut shape = x.raw_dim();
    for (n, [before, after]) in shape.slice_mut().iter_mut().zip(widths) {
        *n += before + after;
    }
    let mut y = Array::zeros(shape);
    inside_mut(y.view_mut().into_dyn(), widths).assign(&x.view().into_dyn());
    y
}

impl<T: Scalar, D: Dimension> Linear<ArrayRef<T, D>> for pad {
    type Out = Array<T, D>;
    type Attrs<'a> = (&'a [[usize; 2]],);

    fn apply(x: &ArrayRef<T, D>, (widths,): (&[[usize; 2]],)) -> Array<T, D> {
        pad(x, widths)
    }
    fn transpose(dy: &Array<T, D>, dx: &mut ArrayRef<T, D>, (widths,): (&[[usize; 2]],)) {
        let mut dx = dx.view_mut().into_dyn();
        dx += &inside(dy.view().into_dyn(), widths);
    }
}

unary_rule!(pad[T: Scalar, D: Dimension](x: ArrayRef<T, D>; widths: [[usize; 2]]) = Transposed<pad>);

/// A new axis of length 1 before axis `axis`. **Panics** if `axis` exceeds the number of axes.
#[primitive]
#[track_caller]
pub fn insert_axis<T: Scalar, D: Dimension>(
    x: &ArrayRef<T, D>,
    axis: usize,
) -> Array<T, D::Larger> {
    assert!(
        axis <= x.ndim(),
        "cannot insert axis {axis} into shape {:?}",
        x.shape()
    );
    x.to_owned().insert_axis(Axis(axis))
}

impl<T: Scalar, D: Dimension> Linear<ArrayRef<T, D>> for insert_axis {
    type Out = Array<T, D::Larger>;
    type Attrs<'a> = (&'a usize,);

    fn apply(x: &ArrayRef<T, D>, (&axis,): (&usize,)) -> Self::Out {
        insert_axis(x, axis)
    }
    fn transpose(dy: &Self::Out, dx: &mut ArrayRef<T, D>, _: (&usize,)) {
        add_in_order(dx, dy);
    }
}

unary_rule!(insert_axis[T: Scalar, D: Dimension](x: ArrayRef<T, D>; axis: usize) = Transposed<insert_axis>);

/// Each entry `times` times in a row along an axis. **Panics** if there is no such axis.
#[primitive]
#[track_caller]
pub fn repeat<T: Scalar, D: Dimension>(
    x: &ArrayRef<T, D>,
    times: usize,
    axis: usize,
) -> Array<T, D> {
    let axis = check_axis(axis, x.shape());
    let mut shape = x.raw_dim();
    shape[axis.index()] *= times;
    let mut y = Array::zeros(shape);
    if x.is_empty() {
        return y;
    }
    for offset in 0..times {
        y.slice_axis_mut(axis, every(times, offset)).assign(x);
    }
    y
}

/// Every `step`-th place, from `offset`.
fn every(step: usize, offset: usize) -> Slice {
    Slice::new(offset as isize, None, step as isize)
}

impl<T: Scalar, D: Dimension> Linear<ArrayRef<T, D>> for repeat {
    type Out = Array<T, D>;
    type Attrs<'a> = (&'a usize, &'a usize);

    fn apply(x: &ArrayRef<T, D>, (&times, &axis): (&usize, &usize)) -> Array<T, D> {
        repeat(x, times, axis)
    }
    fn transpose(dy: &Array<T, D>, dx: &mut ArrayRef<T, D>, (&times, &axis): (&usize, &usize)) {
        if dx.is_empty() {
            return;
        }
        for offset in 0..times {
            *dx += &dy.slice_axis(Axis(axis), every(times, offset));
        }
    }
}

unary_rule!(repeat[T: Scalar, D: Dimension](x: ArrayRef<T, D>; times: usize, axis: usize) = Transposed<repeat>);

#[cfg(test)]
mod tests {
    use ndarray::{Array2, array};

    use super::*;

    #[test]
    fn n31_reshape_matches_the_table() {
        let x = array![[0., 1., 2., 3., 4., 5.], [6., 7., 8., 9., 10., 11.]];
        let y = reshape(&x, [2, 2, 3]);
        assert_eq!(y.index_axis(Axis(0), 0), array![[0., 1., 2.], [3., 4., 5.]]);
    }

    #[test]
    #[should_panic(expected = "cannot reshape [2, 3] to [4]")]
    fn reshape_names_both_shapes() {
        let _ = reshape(&Array2::<f64>::zeros((2, 3)), [4]);
    }

    #[test]
    #[should_panic(expected = "cannot broadcast [2, 3] to [2, 4]")]
    fn broadcast_names_both_shapes() {
        let _ = broadcast_to(&Array2::<f64>::zeros((2, 3)), [2, 4]);
    }

    #[test]
    #[should_panic(expected = "1 pairs of widths for shape [2, 3]")]
    fn pad_wants_a_pair_for_each_axis() {
        let _ = pad(&Array2::<f64>::zeros((2, 3)), &[[1, 1]]);
    }
}
