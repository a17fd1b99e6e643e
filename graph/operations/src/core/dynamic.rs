//! Rules of the library whose attributes are types there: shapes of a fixed rank, indices behind an axis.

use coenzyme::primitive;
use coenzyme_rules::array;
use coenzyme_rules::class::{Linear, Scalar, Transposed};
use coenzyme_rules::unary_rule;
use ndarray::{ArrayD, ArrayRef, IxDyn};

type Any<T> = ArrayRef<T, IxDyn>;

/// The entries in logical order, in another shape.
#[primitive]
pub(super) fn reshape<T: Scalar>(x: &Any<T>, shape: &[usize]) -> ArrayD<T> {
    let entries = x.iter().copied().collect();
    ArrayD::from_shape_vec(shape, entries).expect("as many entries")
}

impl<T: Scalar> Linear<Any<T>> for reshape {
    type Out = ArrayD<T>;
    type Attrs<'a> = (&'a [usize],);

    fn apply(x: &Any<T>, (shape,): (&[usize],)) -> ArrayD<T> {
        reshape(x, shape)
    }
    fn transpose(dy: &ArrayD<T>, dx: &mut Any<T>, _: (&[usize],)) {
        dx.iter_mut().zip(dy).for_each(|(dx, dy)| *dx += *dy);
    }
}

unary_rule!(reshape[T: Scalar](x: ArrayRef<T, IxDyn>; shape: [usize]) = Transposed<reshape>);

/// Repeated along the axes that are missing or of length 1.
#[primitive]
pub(super) fn broadcast_to<T: Scalar>(x: &Any<T>, shape: &[usize]) -> ArrayD<T> {
    x.broadcast(shape).expect("a broadcast shape").to_owned()
}

impl<T: Scalar> Linear<Any<T>> for broadcast_to {
    type Out = ArrayD<T>;
    type Attrs<'a> = (&'a [usize],);

    fn apply(x: &Any<T>, (shape,): (&[usize],)) -> ArrayD<T> {
        broadcast_to(x, shape)
    }
    /// `x̄ += Σ ȳ` over what was repeated.
    fn transpose(dy: &ArrayD<T>, dx: &mut Any<T>, _: (&[usize],)) {
        let missing = dy.ndim() - dx.ndim();
        let repeated = |i: &usize| *i < missing || dx.shape()[i - missing] != dy.shape()[*i];
        let axes: Vec<usize> = (0..dy.ndim()).filter(repeated).collect();
        let sums = array::sum_axes(dy, &axes, true);
        dx.iter_mut().zip(&sums).for_each(|(dx, dy)| *dx += *dy);
    }
}

unary_rule!(broadcast_to[T: Scalar](x: ArrayRef<T, IxDyn>; shape: [usize]) = Transposed<broadcast_to>);

/// [`array::gather()`] with the indices as an operand.
#[primitive]
pub(super) fn gather<T: Scalar>(x: &Any<T>, indices: &[usize], axis: usize) -> ArrayD<T> {
    array::gather(x, axis, indices)
}

impl<T: Scalar> Linear<Any<T>> for gather {
    type Out = ArrayD<T>;
    type Attrs<'a> = (&'a [usize], &'a usize);

    fn apply(x: &Any<T>, (indices, &axis): Self::Attrs<'_>) -> ArrayD<T> {
        array::gather(x, axis, indices)
    }
    fn transpose(dy: &ArrayD<T>, dx: &mut Any<T>, (indices, axis): Self::Attrs<'_>) {
        <array::gather as Linear<Any<T>>>::transpose(dy, dx, (axis, indices));
    }
}

unary_rule!(gather[T: Scalar](x: ArrayRef<T, IxDyn>; indices: [usize], axis: usize) = Transposed<gather>);
