//! Functions of a row of numbers that return one number: over a whole array, one axis, or several.

use std::marker::PhantomData;

use coenzyme::scaled;
use ndarray::{
    Array, Array1, ArrayD, ArrayRef, ArrayView1, Axis, Dimension, IxDyn, RemoveAxis, Zip,
};

use super::{At, Reads, Scalar, Unary, check_axis, normal_axes};

/// A function of a row of numbers that returns one number.
///
/// One formula, [`partials`](Self::partials), gives the tangent (`Σ partialᵢ·ẋᵢ`) and the cotangents (`partialᵢ·ȳ`).
pub trait Reduction<T> {
    /// What the partials read: [`Reads::X`], [`Reads::OUT`].
    const READS: Reads;

    /// The value.
    fn value(x: ArrayView1<'_, T>) -> T;

    /// The partial derivative in each entry, in order, where the value is `y`. What is not in [`READS`](Self::READS) is any
    /// number.
    fn partials(x: ArrayView1<'_, T>, y: T) -> impl Iterator<Item = T>;
}

/// The tangent of one row.
#[inline]
fn pushforward<'a, T: Scalar, F: Reduction<T>>(
    x: ArrayView1<'_, T>,
    y: T,
    dx: impl IntoIterator<Item = &'a T>,
    strong_zero: bool,
) -> T {
    F::partials(x, y)
        .zip(dx)
        .map(|(partial, &dx)| scaled(partial, dx, strong_zero))
        .sum()
}

/// Adds the cotangents of one row.
#[inline]
fn pullback<'a, T: Scalar, F: Reduction<T>>(
    x: ArrayView1<'_, T>,
    y: T,
    dy: T,
    dx: impl IntoIterator<Item = &'a mut T>,
    strong_zero: bool,
) {
    // a strong zero takes all partials along, whatever they are
    if strong_zero && dy.vanishes() {
        return;
    }
    F::partials(x, y)
        .zip(dx)
        .for_each(|(partial, dx)| *dx += partial * dy);
}

/// A [`Reduction`] over all entries of an array, in logical order; an array that is not contiguous is copied.
#[derive(Debug)]
pub struct Whole<F>(PhantomData<F>);

impl<T: Scalar, D: Dimension, F: Reduction<T>> Unary<ArrayRef<T, D>> for Whole<F> {
    type Out = T;
    type Attrs<'a> = ();
    type Residual = ();

    const READS: Reads = F::READS;

    fn value(x: &ArrayRef<T, D>, (): ()) -> T {
        F::value(x.flatten().view())
    }
    fn pushforward(at: &At<'_, ArrayRef<T, D>, T, ()>, dx: &ArrayRef<T, D>, (): ()) -> T {
        let y = at.out.copied().unwrap_or(T::zero());
        pushforward::<T, F>(at.x.flatten().view(), y, dx, at.strong_zero)
    }
    fn pullback(at: &At<'_, ArrayRef<T, D>, T, ()>, dy: &T, dx: &mut ArrayRef<T, D>, (): ()) {
        let y = at.out.copied().unwrap_or(*dy);
        pullback::<T, F>(at.x.flatten().view(), y, *dy, dx, at.strong_zero);
    }
}

/// A [`Reduction`] along one axis, which is removed.
#[derive(Debug)]
pub struct Along<F>(PhantomData<F>);

impl<T: Scalar, D: RemoveAxis, F: Reduction<T>> Unary<ArrayRef<T, D>> for Along<F> {
    type Out = Array<T, D::Smaller>;
    type Attrs<'a> = (&'a usize,);
    type Residual = ();

    const READS: Reads = F::READS;

    #[track_caller]
    fn value(x: &ArrayRef<T, D>, (&axis,): (&usize,)) -> Self::Out {
        let axis = check_axis(axis, x.shape());
        Zip::from(x.lanes(axis)).map_collect(|x| F::value(x))
    }
    fn pushforward(
        at: &At<'_, ArrayRef<T, D>, Self::Out, ()>,
        dx: &ArrayRef<T, D>,
        (&axis,): (&usize,),
    ) -> Self::Out {
        let axis = check_axis(axis, at.x.shape());
        match at.out {
            Some(y) => Zip::from(at.x.lanes(axis))
                .and(dx.lanes(axis))
                .and(y)
                .map_collect(|x, dx, &y| pushforward::<T, F>(x, y, dx, at.strong_zero)),
            None => Zip::from(at.x.lanes(axis))
                .and(dx.lanes(axis))
                .map_collect(|x, dx| pushforward::<T, F>(x, T::zero(), dx, at.strong_zero)),
        }
    }
    fn pullback(
        at: &At<'_, ArrayRef<T, D>, Self::Out, ()>,
        dy: &Self::Out,
        dx: &mut ArrayRef<T, D>,
        (&axis,): (&usize,),
    ) {
        let axis = Axis(axis);
        Zip::from(dx.lanes_mut(axis))
            .and(at.x.lanes(axis))
            .and(at.out.unwrap_or(dy))
            .and(dy)
            .for_each(|dx, x, &y, &dy| pullback::<T, F>(x, y, dy, dx, at.strong_zero));
    }
}

/// A [`Reduction`] over several axes, which are removed, or kept with length 1 (`keepdims`). No axes at all reduce nothing:
/// each entry is a row of its own.
#[derive(Debug)]
pub struct Over<F>(PhantomData<F>);

/// The rows of an array over some axes, in a standard layout: the other axes in order, then one axis of rows.
fn rows<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>, axes: &[usize]) -> (ArrayD<T>, Vec<usize>) {
    let order: Vec<usize> = (0..x.ndim())
        .filter(|i| !axes.contains(i))
        .chain(axes.iter().copied())
        .collect();
    let kept = x.ndim() - axes.len();
    let view = x.view().into_dyn().permuted_axes(IxDyn(&order));
    let mut shape = view.shape()[..kept].to_vec();
    shape.push(view.shape()[kept..].iter().product());
    let rows = view
        .to_shape(IxDyn(&shape))
        .expect("the same entries in the same order")
        .into_owned();
    (rows, order)
}

/// The shape after the reduction.
fn reduced_shape(shape: &[usize], axes: &[usize], keepdims: bool) -> Vec<usize> {
    let lengths = shape.iter().enumerate();
    if keepdims {
        lengths
            .map(|(i, &n)| if axes.contains(&i) { 1 } else { n })
            .collect()
    } else {
        lengths
            .filter(|(i, _)| !axes.contains(i))
            .map(|(_, &n)| n)
            .collect()
    }
}

/// The values, in the order of the rows.
fn flat<T: Scalar>(y: &ArrayD<T>) -> Vec<T> {
    y.iter().copied().collect()
}

/// Each row of an array from [`rows()`].
fn each_row<T>(rows: &ArrayD<T>) -> impl Iterator<Item = ArrayView1<'_, T>> {
    rows.lanes(Axis(rows.ndim() - 1)).into_iter()
}

impl<T: Scalar, D: Dimension, F: Reduction<T>> Unary<ArrayRef<T, D>> for Over<F> {
    type Out = ArrayD<T>;
    type Attrs<'a> = (&'a [usize], &'a bool);
    type Residual = ();

    const READS: Reads = F::READS;

    #[track_caller]
    fn value(x: &ArrayRef<T, D>, (axes, &keepdims): (&[usize], &bool)) -> ArrayD<T> {
        let axes = normal_axes(axes, x.shape());
        let (rows, _) = rows(x, &axes);
        let values: Vec<T> = each_row(&rows).map(F::value).collect();
        let shape = reduced_shape(x.shape(), &axes, keepdims);
        ArrayD::from_shape_vec(shape, values).expect("one value for each row")
    }

    fn pushforward(
        at: &At<'_, ArrayRef<T, D>, ArrayD<T>, ()>,
        dx: &ArrayRef<T, D>,
        (axes, &keepdims): (&[usize], &bool),
    ) -> ArrayD<T> {
        let axes = normal_axes(axes, at.x.shape());
        let ((xs, _), (dxs, _)) = (rows(at.x, &axes), rows(dx, &axes));
        let y = at.out.map(flat);
        let tangents: Vec<T> = each_row(&xs)
            .zip(each_row(&dxs))
            .enumerate()
            .map(|(i, (x, dx))| {
                let y = y.as_ref().map_or(T::zero(), |y| y[i]);
                pushforward::<T, F>(x, y, dx, at.strong_zero)
            })
            .collect();
        let shape = reduced_shape(at.x.shape(), &axes, keepdims);
        ArrayD::from_shape_vec(shape, tangents).expect("one tangent for each row")
    }

    fn pullback(
        at: &At<'_, ArrayRef<T, D>, ArrayD<T>, ()>,
        dy: &ArrayD<T>,
        dx: &mut ArrayRef<T, D>,
        (axes, _): (&[usize], &bool),
    ) {
        let axes = normal_axes(axes, at.x.shape());
        let (xs, order) = rows(at.x, &axes);
        let (y, dy) = (flat(at.out.unwrap_or(dy)), flat(dy));
        let mut cotangents = Array1::<T>::zeros(xs.len());
        let length = xs.shape()[xs.ndim() - 1];
        for (i, x) in each_row(&xs).enumerate() {
            let row = ndarray::s![i * length..(i + 1) * length];
            pullback::<T, F>(x, y[i], dy[i], cotangents.slice_mut(row), at.strong_zero);
        }
        let mut dx = dx.view_mut().into_dyn().permuted_axes(IxDyn(&order));
        dx.iter_mut()
            .zip(cotangents)
            .for_each(|(dx, add)| *dx += add);
    }
}
