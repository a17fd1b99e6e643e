//! Sums and means: linear, so nothing is on the tape.
//!
//! | value | forward | reverse |
//! |---|---|---|
//! | `y = Σ x` over the whole array, one axis, or several | `ẏ = Σ ẋ` | `x̄ += ȳ`, repeated |
//! | `y = Σ x / n` | `ẏ = Σ ẋ / n` | `x̄ += ȳ/n`, repeated |
//!
//! The sum of nothing is 0, the mean of nothing NaN.

use coenzyme::primitive;
use ndarray::{Array, ArrayD, ArrayRef, Axis, Dimension, RemoveAxis, Zip};

use crate::class::{
    Classified, Linear, Reads, Scalar, Transposed, check_axis, normal_axes, reduced,
};
use crate::unary_rule;

/// `1/n`
fn share<T: Scalar>(n: usize) -> T {
    T::lit(n as f64).recip()
}

/// `dx += factor·dy` for each entry along the axis.
fn spread_along<T: Scalar, D: RemoveAxis>(
    dx: &mut ArrayRef<T, D>,
    dy: &ArrayRef<T, D::Smaller>,
    axis: Axis,
    factor: T,
) {
    if axis.index() + 1 == dx.ndim() {
        Zip::from(dx.lanes_mut(axis))
            .and(dy)
            .for_each(|mut lane, &dy| lane.mapv_inplace(|dx| dx + factor * dy));
    } else {
        for mut slice in dx.axis_iter_mut(axis) {
            slice.scaled_add(factor, dy);
        }
    }
}

/// The sum over several axes.
#[track_caller]
fn sum_over<T: Scalar, D: Dimension>(
    x: &ArrayRef<T, D>,
    axes: &[usize],
    keepdims: bool,
) -> ArrayD<T> {
    let axes = normal_axes(axes, x.shape());
    let mut y = x.to_owned().into_dyn();
    for &axis in axes.iter().rev() {
        y = y.sum_axis(Axis(axis));
        if keepdims {
            y = y.insert_axis(Axis(axis));
        }
    }
    y
}

/// `dx += factor·dy`, with `dy` repeated over several axes.
fn spread_over<T: Scalar, D: Dimension>(
    dx: &mut ArrayRef<T, D>,
    dy: &ArrayD<T>,
    axes: &[usize],
    keepdims: bool,
    factor: T,
) {
    let mut dy = dy.view();
    if !keepdims {
        for axis in normal_axes(axes, dx.shape()) {
            dy = dy.insert_axis(Axis(axis));
        }
    }
    let mut dx = dx.view_mut().into_dyn();
    let dy = dy
        .broadcast(dx.raw_dim())
        .expect("the value has the operand's shape but for the axes");
    Zip::from(&mut dx)
        .and(&dy)
        .for_each(|dx, &dy| *dx += factor * dy);
}

/// How many entries each value is made of.
fn count(shape: &[usize], axes: &[usize]) -> usize {
    axes.iter().map(|&axis| shape[axis]).product()
}

/// The sum of all entries.
///
/// ```
/// # use ndarray::array;
/// assert_eq!(coenzyme_rules::array::sum(&array![[1.0, 2.0], [3.0, 4.0]]), 10.0);
/// ```
#[primitive]
pub fn sum<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>) -> T {
    x.sum()
}

impl<T: Scalar, D: Dimension> Linear<ArrayRef<T, D>> for sum {
    type Out = T;
    type Attrs<'a> = ();

    fn apply(x: &ArrayRef<T, D>, (): ()) -> T {
        sum(x)
    }
    fn transpose(&dy: &T, dx: &mut ArrayRef<T, D>, (): ()) {
        dx.mapv_inplace(|dx| dx + dy);
    }
}

unary_rule!(sum[T: Scalar, D: Dimension](x: ArrayRef<T, D>) = Transposed<sum>);

/// The sums along one axis, which is removed. **Panics** if there is no such axis.
#[primitive]
#[track_caller]
pub fn sum_axis<T: Scalar, D: RemoveAxis>(x: &ArrayRef<T, D>, axis: usize) -> Array<T, D::Smaller> {
    x.sum_axis(check_axis(axis, x.shape()))
}

impl<T: Scalar, D: RemoveAxis> Linear<ArrayRef<T, D>> for sum_axis {
    type Out = Array<T, D::Smaller>;
    type Attrs<'a> = (&'a usize,);

    fn apply(x: &ArrayRef<T, D>, (&axis,): (&usize,)) -> Self::Out {
        sum_axis(x, axis)
    }
    fn transpose(dy: &Self::Out, dx: &mut ArrayRef<T, D>, (&axis,): (&usize,)) {
        spread_along(dx, dy, Axis(axis), T::one());
    }
}

unary_rule!(sum_axis[T: Scalar, D: RemoveAxis](x: ArrayRef<T, D>; axis: usize) = Transposed<sum_axis>);

/// The sums over several axes, which are removed, or kept with length 1. **Panics** if an axis does not exist or is named
/// twice.
#[primitive]
#[track_caller]
pub fn sum_axes<T: Scalar, D: Dimension>(
    x: &ArrayRef<T, D>,
    axes: &[usize],
    keepdims: bool,
) -> ArrayD<T> {
    sum_over(x, axes, keepdims)
}

impl<T: Scalar, D: Dimension> Linear<ArrayRef<T, D>> for sum_axes {
    type Out = ArrayD<T>;
    type Attrs<'a> = (&'a [usize], &'a bool);

    fn apply(x: &ArrayRef<T, D>, (axes, &keepdims): (&[usize], &bool)) -> ArrayD<T> {
        sum_over(x, axes, keepdims)
    }
    fn transpose(dy: &ArrayD<T>, dx: &mut ArrayRef<T, D>, (axes, &keepdims): (&[usize], &bool)) {
        spread_over(dx, dy, axes, keepdims, T::one());
    }
}

unary_rule!(
    sum_axes[T: Scalar, D: Dimension](x: ArrayRef<T, D>; axes: [usize], keepdims: bool) = Transposed<sum_axes>
);

/// The mean of all entries.
#[primitive]
pub fn mean<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>) -> T {
    x.sum() * share(x.len())
}

impl<T: Scalar, D: Dimension> Linear<ArrayRef<T, D>> for mean {
    type Out = T;
    type Attrs<'a> = ();

    fn apply(x: &ArrayRef<T, D>, (): ()) -> T {
        mean(x)
    }
    fn transpose(dy: &T, dx: &mut ArrayRef<T, D>, (): ()) {
        let add = *dy * share(dx.len());
        dx.mapv_inplace(|dx| dx + add);
    }
}

unary_rule!(mean[T: Scalar, D: Dimension](x: ArrayRef<T, D>) = Transposed<mean>);

/// The means along one axis, which is removed. **Panics** if there is no such axis.
#[primitive]
#[track_caller]
pub fn mean_axis<T: Scalar, D: RemoveAxis>(
    x: &ArrayRef<T, D>,
    axis: usize,
) -> Array<T, D::Smaller> {
    let share: T = share(x.len_of(check_axis(axis, x.shape())));
    x.sum_axis(Axis(axis)).mapv_into(|sum| sum * share)
}

impl<T: Scalar, D: RemoveAxis> Linear<ArrayRef<T, D>> for mean_axis {
    type Out = Array<T, D::Smaller>;
    type Attrs<'a> = (&'a usize,);

    fn apply(x: &ArrayRef<T, D>, (&axis,): (&usize,)) -> Self::Out {
        mean_axis(x, axis)
    }
    fn transpose(dy: &Self::Out, dx: &mut ArrayRef<T, D>, (&axis,): (&usize,)) {
        let share = share(dx.len_of(Axis(axis)));
        spread_along(dx, dy, Axis(axis), share);
    }
}

unary_rule!(mean_axis[T: Scalar, D: RemoveAxis](x: ArrayRef<T, D>; axis: usize) = Transposed<mean_axis>);

/// The means over several axes, which are removed, or kept with length 1. **Panics** if an axis does not exist or is named
/// twice.
#[primitive]
#[track_caller]
pub fn mean_axes<T: Scalar, D: Dimension>(
    x: &ArrayRef<T, D>,
    axes: &[usize],
    keepdims: bool,
) -> ArrayD<T> {
    let sums = sum_over(x, axes, keepdims);
    let share: T = share(count(x.shape(), axes));
    sums.mapv_into(|sum| sum * share)
}

impl<T: Scalar, D: Dimension> Linear<ArrayRef<T, D>> for mean_axes {
    type Out = ArrayD<T>;
    type Attrs<'a> = (&'a [usize], &'a bool);

    fn apply(x: &ArrayRef<T, D>, (axes, &keepdims): (&[usize], &bool)) -> ArrayD<T> {
        mean_axes(x, axes, keepdims)
    }
    fn transpose(dy: &ArrayD<T>, dx: &mut ArrayRef<T, D>, (axes, &keepdims): (&[usize], &bool)) {
        let share = share(count(dx.shape(), axes));
        spread_over(dx, dy, axes, keepdims, share);
    }
}

unary_rule!(
    mean_axes[T: Scalar, D: Dimension](x: ArrayRef<T, D>; axes: [usize], keepdims: bool) = Transposed<mean_axes>
);

reduced! {
    [] sum, sum_axis, sum_axes, reads Reads::NOTHING;
    [] mean, mean_axis, mean_axes, reads Reads::NOTHING;
}

/// Each is its own class.
macro_rules! own_class {
    ($($name:ident)+) => {$(
        impl Classified for $name {
            type Class = $name;
        }
    )+};
}

own_class! { sum sum_axis sum_axes mean mean_axis mean_axes }

#[cfg(test)]
mod tests {
    use ndarray::{Array3, array};

    use super::*;

    #[test]
    fn n25_sums_along_axes_match_the_table() {
        let x = Array3::from_shape_fn((2, 3, 4), |(i, j, k)| (12 * i + 4 * j + k) as f64);
        assert_eq!(sum_axis(&x, 2), array![[6., 22., 38.], [54., 70., 86.]]);
        assert_eq!(
            sum_axis(&x, 1),
            array![[12., 15., 18., 21.], [48., 51., 54., 57.]]
        );
    }

    #[test]
    fn n26_keepdims_leaves_an_axis_of_length_one() {
        let x = Array3::<f64>::zeros((2, 3, 4));
        assert_eq!(sum_axes(&x, &[2], true).shape(), [2, 3, 1]);
        assert_eq!(sum_axes(&x, &[2], false).shape(), [2, 3]);
    }

    #[test]
    #[should_panic(expected = "axis 3 is out of bounds for shape [2, 3, 4]")]
    fn an_axis_that_does_not_exist_is_named() {
        let _ = sum_axis(&Array3::<f64>::zeros((2, 3, 4)), 3);
    }

    #[test]
    #[should_panic(expected = "axis 1 is named twice in [1, 1]")]
    fn an_axis_named_twice_is_refused() {
        let _ = sum_axes(&Array3::<f64>::zeros((2, 3, 4)), &[1, 1], false);
    }
}
