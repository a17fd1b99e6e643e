//! Changes of order, of axes or along one: linear, so nothing is on the tape.

use coenzyme::primitive;
use ndarray::{Array, ArrayRef, ArrayViewD, Axis, Dimension, IxDyn, Slice};

use super::shape::typed;
use crate::class::{Linear, Scalar, Transposed, check_axis};
use crate::unary_rule;
/// The axes in reverse order: for a matrix its transpose.
#[primitive]
pub fn transpose<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>) -> Array<T, D> {
    x.t().as_standard_layout().into_owned()
}

impl<T: Scalar, D: Dimension> Linear<ArrayRef<T, D>> for transpose {
    type Out = Array<T, D>;
    type Attrs<'a> = ();

    fn apply(x: &ArrayRef<T, D>, (): ()) -> Array<T, D> {
        transpose(x)
    }
    fn transpose(dy: &Array<T, D>, dx: &mut ArrayRef<T, D>, (): ()) {
        *dx += &dy.t();
    }
}

unary_rule!(transpose[T: Scalar, D: Dimension](x: ArrayRef<T, D>) = Transposed<transpose>);

/// A view with the axes in another order. **Panics** unless `axes` names each axis once.
#[track_caller]
fn permuted<'a, T, D: Dimension>(x: &'a ArrayRef<T, D>, axes: &[usize]) -> ArrayViewD<'a, T> {
    let mut sorted = axes.to_vec();
    sorted.sort_unstable();
    assert!(
        sorted.iter().copied().eq(0..x.ndim()),
        "{axes:?} is not a permutation of the axes of shape {:?}",
        x.shape()
    );
    x.view().into_dyn().permuted_axes(IxDyn(axes))
}

/// The axes in another order: axis `i` of the result is axis `axes[i]` of `x`. **Panics** unless `axes` names each axis once.
#[primitive]
#[track_caller]
pub fn permute<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>, axes: &[usize]) -> Array<T, D> {
    typed(permuted(x, axes).as_standard_layout().into_owned())
}

impl<T: Scalar, D: Dimension> Linear<ArrayRef<T, D>> for permute {
    type Out = Array<T, D>;
    type Attrs<'a> = (&'a [usize],);

    fn apply(x: &ArrayRef<T, D>, (axes,): (&[usize],)) -> Array<T, D> {
        permute(x, axes)
    }
    fn transpose(dy: &Array<T, D>, dx: &mut ArrayRef<T, D>, (axes,): (&[usize],)) {
        let mut dx = dx.view_mut().into_dyn().permuted_axes(IxDyn(axes));
        dx += &dy.view().into_dyn();
    }
}

unary_rule!(permute[T: Scalar, D: Dimension](x: ArrayRef<T, D>; axes: [usize]) = Transposed<permute>);

/// The entries along an axis in reverse order. **Panics** if there is no such axis.
#[primitive]
#[track_caller]
pub fn flip<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>, axis: usize) -> Array<T, D> {
    let mut view = x.view();
    view.invert_axis(check_axis(axis, x.shape()));
    view.as_standard_layout().into_owned()
}

impl<T: Scalar, D: Dimension> Linear<ArrayRef<T, D>> for flip {
    type Out = Array<T, D>;
    type Attrs<'a> = (&'a usize,);

    fn apply(x: &ArrayRef<T, D>, (&axis,): (&usize,)) -> Array<T, D> {
        flip(x, axis)
    }
    fn transpose(dy: &Array<T, D>, dx: &mut ArrayRef<T, D>, (&axis,): (&usize,)) {
        let mut dx = dx.view_mut();
        dx.invert_axis(Axis(axis));
        dx += dy;
    }
}

unary_rule!(flip[T: Scalar, D: Dimension](x: ArrayRef<T, D>; axis: usize) = Transposed<flip>);

/// Adds `x`, moved by `shift` places along the axis, to `y`.
fn add_rolled<T: Scalar, D: Dimension>(
    y: &mut ArrayRef<T, D>,
    x: &ArrayRef<T, D>,
    shift: isize,
    axis: Axis,
) {
    let n = x.len_of(axis);
    if n == 0 {
        return;
    }
    let k = shift.rem_euclid(n as isize) as usize;
    for (from, to) in [(0..n - k, k..n), (n - k..n, 0..k)] {
        let part = x.slice_axis(axis, Slice::from(from));
        let mut place = y.slice_axis_mut(axis, Slice::from(to));
        place += &part;
    }
}

/// The entries moved by `shift` places along an axis; those that leave at one end return at the other. **Panics** if there is
/// no such axis.
#[primitive]
#[track_caller]
pub fn roll<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>, shift: isize, axis: usize) -> Array<T, D> {
    let mut y = Array::zeros(x.raw_dim());
    add_rolled(&mut y, x, shift, check_axis(axis, x.shape()));
    y
}

impl<T: Scalar, D: Dimension> Linear<ArrayRef<T, D>> for roll {
    type Out = Array<T, D>;
    type Attrs<'a> = (&'a isize, &'a usize);

    fn apply(x: &ArrayRef<T, D>, (&shift, &axis): (&isize, &usize)) -> Array<T, D> {
        roll(x, shift, axis)
    }
    fn transpose(dy: &Array<T, D>, dx: &mut ArrayRef<T, D>, (&shift, &axis): (&isize, &usize)) {
        // Modulo the length, so that the least shift has a negative.
        let back = -(shift % dy.len_of(Axis(axis)).max(1) as isize);
        add_rolled(dx, dy, back, Axis(axis));
    }
}

unary_rule!(roll[T: Scalar, D: Dimension](x: ArrayRef<T, D>; shift: isize, axis: usize) = Transposed<roll>);

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;

    #[test]
    #[should_panic(expected = "[0, 0] is not a permutation of the axes of shape [2, 3]")]
    fn permute_refuses_what_is_no_permutation() {
        let _ = permute(&Array2::<f64>::zeros((2, 3)), &[0, 0]);
    }
}
