//! Parts of arrays, chosen by position: linear, so nothing is on the tape but the positions.

use std::ops::Range;

use coenzyme::primitive;
use ndarray::{
    Array, Array1, Array2, ArrayRef, ArrayRef1, ArrayRef2, Axis, Dimension, RemoveAxis, Slice, Zip,
};

use crate::class::{At2, Binary, Linear, Reads, Scalar, Transposed, check_axis};
use crate::{binary_rule, unary_rule};

/// The entries `range` along an axis. **Panics** if there is no such axis, or the range leaves it.
#[primitive]
#[track_caller]
pub fn slice_axis<T: Scalar, D: Dimension>(
    x: &ArrayRef<T, D>,
    axis: usize,
    range: Range<usize>,
) -> Array<T, D> {
    let axis = check_axis(axis, x.shape());
    assert!(
        range.start <= range.end && range.end <= x.len_of(axis),
        "range {range:?} leaves axis {} of shape {:?}",
        axis.index(),
        x.shape()
    );
    x.slice_axis(axis, Slice::from(range)).to_owned()
}

impl<T: Scalar, D: Dimension> Linear<ArrayRef<T, D>> for slice_axis {
    type Out = Array<T, D>;
    type Attrs<'a> = (&'a usize, &'a Range<usize>);

    fn apply(x: &ArrayRef<T, D>, (&axis, range): (&usize, &Range<usize>)) -> Array<T, D> {
        slice_axis(x, axis, range.clone())
    }
    fn transpose(
        dy: &Array<T, D>,
        dx: &mut ArrayRef<T, D>,
        (&axis, range): (&usize, &Range<usize>),
    ) {
        let mut part = dx.slice_axis_mut(Axis(axis), Slice::from(range.clone()));
        part += dy;
    }
}

unary_rule!(
    slice_axis[T: Scalar, D: Dimension](x: ArrayRef<T, D>; axis: usize, range: Range<usize>)
        = Transposed<slice_axis>
);

/// **Panics** if an index leaves the axis.
#[track_caller]
fn check_indices(indices: &[usize], axis: Axis, shape: &[usize]) {
    if let Some(i) = indices.iter().find(|i| **i >= shape[axis.index()]) {
        panic!(
            "index {i} is out of bounds for axis {} of shape {shape:?}",
            axis.index()
        );
    }
}

/// The slices at `indices` along an axis, in their order; an index may occur more than once. **Panics** if there is no such axis,
/// or an index leaves it. Reverse: adds each slice at its index.
#[primitive]
#[track_caller]
pub fn gather<T: Scalar, D: RemoveAxis>(
    x: &ArrayRef<T, D>,
    axis: usize,
    indices: &[usize],
) -> Array<T, D> {
    let axis = check_axis(axis, x.shape());
    check_indices(indices, axis, x.shape());
    x.select(axis, indices)
}

/// `x[indices[i]] += y[i]` along the axis.
fn scatter<T: Scalar, D: RemoveAxis>(
    x: &mut ArrayRef<T, D>,
    axis: Axis,
    indices: &[usize],
    y: &ArrayRef<T, D>,
) {
    for (&i, y) in indices.iter().zip(y.axis_iter(axis)) {
        let mut slice = x.index_axis_mut(axis, i);
        slice += &y;
    }
}

impl<T: Scalar, D: RemoveAxis> Linear<ArrayRef<T, D>> for gather {
    type Out = Array<T, D>;
    type Attrs<'a> = (&'a usize, &'a [usize]);

    fn apply(x: &ArrayRef<T, D>, (&axis, indices): (&usize, &[usize])) -> Array<T, D> {
        gather(x, axis, indices)
    }
    fn transpose(dy: &Array<T, D>, dx: &mut ArrayRef<T, D>, (&axis, indices): (&usize, &[usize])) {
        scatter(dx, Axis(axis), indices, dy);
    }
}

unary_rule!(
    gather[T: Scalar, D: RemoveAxis](x: ArrayRef<T, D>; axis: usize, indices: [usize]) = Transposed<gather>
);

/// `x` with slice `i` of `updates` added at `indices[i]` along an axis; where an index occurs more than once, all are added.
/// **Panics** if there is no such axis, an index leaves it, or the shapes do not fit.
#[primitive]
#[track_caller]
pub fn scatter_add<T: Scalar, D: RemoveAxis>(
    x: &ArrayRef<T, D>,
    updates: &ArrayRef<T, D>,
    axis: usize,
    indices: &[usize],
) -> Array<T, D> {
    let axis = check_axis(axis, x.shape());
    check_indices(indices, axis, x.shape());
    let mut expected = x.raw_dim();
    expected[axis.index()] = indices.len();
    assert_eq!(
        updates.shape(),
        expected.slice(),
        "scatter_add: updates of {} indices along axis {} of shape {:?}",
        indices.len(),
        axis.index(),
        x.shape()
    );
    let mut y = x.to_owned();
    scatter(&mut y, axis, indices, updates);
    y
}

impl<T: Scalar, D: RemoveAxis> Binary<ArrayRef<T, D>, ArrayRef<T, D>> for scatter_add {
    type Out = Array<T, D>;
    type Attrs<'a> = (&'a usize, &'a [usize]);
    type Residual = ();

    const READS: [Reads; 2] = [Reads::NOTHING; 2];

    fn value(
        x: &ArrayRef<T, D>,
        updates: &ArrayRef<T, D>,
        (&axis, indices): (&usize, &[usize]),
    ) -> Array<T, D> {
        scatter_add(x, updates, axis, indices)
    }
    fn pushforward(
        at: &At2<'_, ArrayRef<T, D>, ArrayRef<T, D>, Array<T, D>, ()>,
        dx: Option<&ArrayRef<T, D>>,
        dupdates: Option<&ArrayRef<T, D>>,
        (&axis, indices): (&usize, &[usize]),
    ) -> Array<T, D> {
        let mut dy = dx.map_or_else(|| Array::zeros(at.x.raw_dim()), |dx| dx.to_owned());
        if let Some(dupdates) = dupdates {
            scatter(&mut dy, Axis(axis), indices, dupdates);
        }
        dy
    }
    fn pullback_x(
        _: &At2<'_, ArrayRef<T, D>, ArrayRef<T, D>, Array<T, D>, ()>,
        dz: &Array<T, D>,
        dx: &mut ArrayRef<T, D>,
        _: (&usize, &[usize]),
    ) {
        *dx += dz;
    }
    fn pullback_y(
        _: &At2<'_, ArrayRef<T, D>, ArrayRef<T, D>, Array<T, D>, ()>,
        dz: &Array<T, D>,
        dupdates: &mut ArrayRef<T, D>,
        (&axis, indices): (&usize, &[usize]),
    ) {
        *dupdates += &dz.select(Axis(axis), indices);
    }
}

binary_rule!(
    scatter_add[T: Scalar, D: RemoveAxis](
        x: ArrayRef<T, D>, updates: ArrayRef<T, D>; axis: usize, indices: [usize]
    ) = scatter_add
);

/// The diagonal of a matrix: `min(m, n)` entries.
#[primitive]
pub fn diagonal<T: Scalar>(x: &ArrayRef2<T>) -> Array1<T> {
    x.diag().to_owned()
}

impl<T: Scalar> Linear<ArrayRef2<T>> for diagonal {
    type Out = Array1<T>;
    type Attrs<'a> = ();

    fn apply(x: &ArrayRef2<T>, (): ()) -> Array1<T> {
        diagonal(x)
    }
    fn transpose(dy: &Array1<T>, dx: &mut ArrayRef2<T>, (): ()) {
        let mut diagonal = dx.diag_mut();
        diagonal += dy;
    }
}

unary_rule!(diagonal[T: Scalar](x: ArrayRef2<T>) = Transposed<diagonal>);

/// The square matrix with a given diagonal, and zeros elsewhere.
#[primitive]
pub fn from_diagonal<T: Scalar>(x: &ArrayRef1<T>) -> Array2<T> {
    Array2::from_diag(&x.view())
}

impl<T: Scalar> Linear<ArrayRef1<T>> for from_diagonal {
    type Out = Array2<T>;
    type Attrs<'a> = ();

    fn apply(x: &ArrayRef1<T>, (): ()) -> Array2<T> {
        from_diagonal(x)
    }
    fn transpose(dy: &Array2<T>, dx: &mut ArrayRef1<T>, (): ()) {
        *dx += &dy.diag();
    }
}

unary_rule!(from_diagonal[T: Scalar](x: ArrayRef1<T>) = Transposed<from_diagonal>);

/// The sum of the diagonal.
#[primitive]
pub fn trace<T: Scalar>(x: &ArrayRef2<T>) -> T {
    x.diag().sum()
}

impl<T: Scalar> Linear<ArrayRef2<T>> for trace {
    type Out = T;
    type Attrs<'a> = ();

    fn apply(x: &ArrayRef2<T>, (): ()) -> T {
        trace(x)
    }
    fn transpose(&dy: &T, dx: &mut ArrayRef2<T>, (): ()) {
        dx.diag_mut().mapv_inplace(|dx| dx + dy);
    }
}

unary_rule!(trace[T: Scalar](x: ArrayRef2<T>) = Transposed<trace>);

/// The two triangles of a matrix: `y += x` where `keep(row, column)`.
macro_rules! triangles {
    ($($(#[$doc:meta])* $name:ident($row:ident, $column:ident) $keep:expr;)+) => {$(
        $(#[$doc])*
        #[primitive]
        pub fn $name<T: Scalar>(x: &ArrayRef2<T>) -> Array2<T> {
            Array2::from_shape_fn(x.raw_dim(), |($row, $column)| {
                if $keep { x[($row, $column)] } else { T::zero() }
            })
        }

        impl<T: Scalar> Linear<ArrayRef2<T>> for $name {
            type Out = Array2<T>;
            type Attrs<'a> = ();

            fn apply(x: &ArrayRef2<T>, (): ()) -> Array2<T> {
                $name(x)
            }
            fn transpose(dy: &Array2<T>, dx: &mut ArrayRef2<T>, (): ()) {
                Zip::indexed(dx).and(dy).for_each(|($row, $column), dx, &dy| {
                    if $keep {
                        *dx += dy;
                    }
                });
            }
        }

        unary_rule!($name[T: Scalar](x: ArrayRef2<T>) = Transposed<$name>);
    )+};
}

triangles! {
    /// The entries on and below the diagonal, and zeros above.
    lower_triangle(row, column) column <= row;
    /// The entries on and above the diagonal, and zeros below.
    upper_triangle(row, column) column >= row;
}

/// `x` where `mask`, elsewhere `y`. **Panics** if the shapes differ.
///
/// The entry that is not chosen gets the derivative 0 whatever it is, also NaN.
#[primitive]
#[track_caller]
pub fn choose<T: Scalar, D: Dimension>(
    x: &ArrayRef<T, D>,
    y: &ArrayRef<T, D>,
    mask: &ArrayRef<bool, D>,
) -> Array<T, D> {
    assert!(
        x.shape() == y.shape() && x.shape() == mask.shape(),
        "choose: shapes {:?}, {:?} and mask {:?}",
        x.shape(),
        y.shape(),
        mask.shape()
    );
    Zip::from(x)
        .and(y)
        .and(mask)
        .map_collect(|&x, &y, &mask| if mask { x } else { y })
}

impl<T: Scalar, D: Dimension + 'static> Binary<ArrayRef<T, D>, ArrayRef<T, D>> for choose {
    type Out = Array<T, D>;
    type Attrs<'a> = (&'a ArrayRef<bool, D>,);
    type Residual = ();

    const READS: [Reads; 2] = [Reads::NOTHING; 2];

    fn value(
        x: &ArrayRef<T, D>,
        y: &ArrayRef<T, D>,
        (mask,): (&ArrayRef<bool, D>,),
    ) -> Array<T, D> {
        choose(x, y, mask)
    }
    fn pushforward(
        at: &At2<'_, ArrayRef<T, D>, ArrayRef<T, D>, Array<T, D>, ()>,
        dx: Option<&ArrayRef<T, D>>,
        dy: Option<&ArrayRef<T, D>>,
        (mask,): (&ArrayRef<bool, D>,),
    ) -> Array<T, D> {
        let mut dz = Array::zeros(at.x.raw_dim());
        if let Some(dx) = dx {
            Self::pullback_x(at, &dx.to_owned(), &mut dz, (mask,));
        }
        if let Some(dy) = dy {
            Self::pullback_y(at, &dy.to_owned(), &mut dz, (mask,));
        }
        dz
    }
    fn pullback_x(
        _: &At2<'_, ArrayRef<T, D>, ArrayRef<T, D>, Array<T, D>, ()>,
        dz: &Array<T, D>,
        dx: &mut ArrayRef<T, D>,
        (mask,): (&ArrayRef<bool, D>,),
    ) {
        Zip::from(dx).and(dz).and(mask).for_each(|dx, &dz, &mask| {
            if mask {
                *dx += dz;
            }
        });
    }
    fn pullback_y(
        _: &At2<'_, ArrayRef<T, D>, ArrayRef<T, D>, Array<T, D>, ()>,
        dz: &Array<T, D>,
        dy: &mut ArrayRef<T, D>,
        (mask,): (&ArrayRef<bool, D>,),
    ) {
        Zip::from(dy).and(dz).and(mask).for_each(|dy, &dz, &mask| {
            if !mask {
                *dy += dz;
            }
        });
    }
}

binary_rule!(
    choose[T: Scalar, D: Dimension + 'static](x: ArrayRef<T, D>, y: ArrayRef<T, D>; mask: ArrayRef<bool, D>) = choose
);

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    #[should_panic(expected = "range 1..5 leaves axis 1 of shape [1, 2]")]
    fn a_range_that_leaves_the_axis_is_named() {
        let _ = slice_axis(&array![[1.0, 2.0]], 1, 1..5);
    }

    #[test]
    #[should_panic(expected = "index 2 is out of bounds for axis 1 of shape [1, 2]")]
    fn an_index_that_leaves_the_axis_is_named() {
        let _ = gather(&array![[1.0, 2.0]], 1, &[0, 2]);
    }

    #[test]
    #[should_panic(expected = "scatter_add: updates of 2 indices along axis 0 of shape [3]")]
    fn scatter_add_names_the_shapes() {
        let _ = scatter_add(&array![1.0, 2.0, 3.0], &array![1.0], 0, &[0, 1]);
    }

    #[test]
    #[should_panic(expected = "choose: shapes [2], [1] and mask [2]")]
    fn choose_names_the_shapes() {
        let _ = choose(&array![1.0, 2.0], &array![1.0], &array![true, false]);
    }
}
