//! Several arrays made one: of a list of handles, `vec![Duplicated(&a, &mut da), …]`, or of arrays that are a list in memory.

use coenzyme::{
    Annotation, AugmentedOutcome, ForwardArg, ForwardConfig, ForwardOutcome, ForwardReturn,
    ForwardRule, Holds, Lanes, Memory, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule,
    primitive,
};
use ndarray::{Array, ArrayRef, ArrayView, Axis, Dimension, RemoveAxis, Slice};

use crate::class::{Linear, Scalar, Transposed, check_axis};
use crate::unary_rule;

/// A way to make one array of several, each of which is a part of it.
pub trait Join<T, D: Dimension> {
    /// The axes of the result.
    type Out: Dimension;

    /// The result. **Panics** if the shapes do not fit.
    fn join(xs: &[ArrayView<'_, T, D>], axis: usize) -> Array<T, Self::Out>;

    /// How much of the axis an operand takes.
    fn extent(x: &ArrayRef<T, D>, axis: Axis) -> usize;

    /// The part of the result that begins at `start` and was an operand of this extent.
    fn part(
        y: &ArrayRef<T, Self::Out>,
        axis: Axis,
        start: usize,
        extent: usize,
    ) -> ArrayView<'_, T, D>;
}

/// The rules of a [`Join`].
macro_rules! join_rule {
    ($f:ident) => {
        impl<R, X, A, T, D, const W: usize> ForwardRule<R, (Vec<X>, A), W> for $f
        where
            T: Scalar,
            D: Dimension,
            $f: Join<T, D>,
            R: ForwardReturn<W, Out = Array<T, <$f as Join<T, D>>::Out>>,
            X: ForwardArg<ArrayRef<T, D>, W> + Annotation<Primal: Memory<Target = ArrayRef<T, D>>>,
            A: ForwardArg<usize, W>,
        {
            fn forward(
                &self,
                config: &ForwardConfig,
                (xs, axis): (&mut Vec<X>, &mut A),
            ) -> ForwardOutcome<R, W> {
                R::forward(
                    config,
                    || {
                        let views: Vec<_> = xs.iter().map(|x| x.primal().view()).collect();
                        <$f as Join<T, D>>::join(&views, *axis.primal())
                    },
                    |lane| {
                        let zeros: Vec<_> = xs
                            .iter()
                            .map(|x| Array::zeros(x.primal().raw_dim()))
                            .collect();
                        let tangents = xs.iter().zip(&zeros);
                        let tangents: Vec<_> = tangents
                            .map(|(x, zero)| x.tangent(lane).map_or(zero.view(), |dx| dx.view()))
                            .collect();
                        <$f as Join<T, D>>::join(&tangents, *axis.primal())
                    },
                )
            }
        }

        impl<R, X, A, T, D, const W: usize> ReverseRule<R, (Vec<X>, A), W> for $f
        where
            T: Scalar,
            D: Dimension,
            $f: Join<T, D>,
            R: ReverseReturn<W, Out = Array<T, <$f as Join<T, D>>::Out>>,
            X: ReverseArg<ArrayRef<T, D>, W> + Annotation<Primal: Memory<Target = ArrayRef<T, D>>>,
            A: ReverseArg<usize, W>,
        {
            type Tape = ();

            fn augmented_primal(
                &self,
                config: &ReverseConfig,
                (xs, axis): (&mut Vec<X>, &mut A),
            ) -> AugmentedOutcome<R, (), W> {
                let views: Vec<_> = xs.iter().map(|x| x.primal().view()).collect();
                R::augmented(config, <$f as Join<T, D>>::join(&views, *axis.primal()), ())
            }

            fn reverse(
                &self,
                _: &ReverseConfig,
                dret: R::Cotangent,
                (): (),
                (xs, axis): (&mut Vec<X>, &mut A),
            ) -> (Vec<X::Gradient>, A::Gradient) {
                let along = Axis(*axis.primal());
                let mut next = 0;
                let gradients = xs.iter_mut().map(|x| {
                    let extent = <$f as Join<T, D>>::extent(x.primal(), along);
                    let start = next;
                    next += extent;
                    x.accumulate(|lane, _, mut dx| {
                        if let Some(dy) = dret.lane(lane) {
                            let dy = <$f as Join<T, D>>::part(dy, along, start, extent);
                            dx.accumulate_with(|dx| *dx += &dy);
                        }
                    })
                });
                (gradients.collect(), axis.no_gradient())
            }
        }
    };
}

/// The arrays one after another along an axis that all have. **Panics** if the list is empty, there is no such axis, or the
/// shapes differ elsewhere.
///
/// Reverse: each operand gets its part of the cotangent.
///
/// ```
/// # use ndarray::array;
/// let (x, y) = (array![[1.0, 2.0]], array![[3.0, 4.0], [5.0, 6.0]]);
/// let z = coenzyme_rules::array::concatenate(vec![&x, &y], 0);
/// assert_eq!(z, array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
/// ```
#[primitive]
#[track_caller]
pub fn concatenate<P, T, D>(xs: Vec<P>, axis: usize) -> Array<T, D>
where
    P: Holds<ArrayRef<T, D>> + Memory<Target = ArrayRef<T, D>>,
    T: Scalar,
    D: RemoveAxis,
{
    let views: Vec<_> = xs.iter().map(|x| x.get().view()).collect();
    concatenate::join(&views, axis)
}

impl<T: Scalar, D: RemoveAxis> Join<T, D> for concatenate {
    type Out = D;

    #[track_caller]
    fn join(xs: &[ArrayView<'_, T, D>], axis: usize) -> Array<T, D> {
        let first = xs.first().expect("concatenate: an empty list has no shape");
        let axis = check_axis(axis, first.shape());
        let fits = |x: &ArrayView<'_, T, D>| {
            let same = |i| i == axis.index() || x.shape()[i] == first.shape()[i];
            x.ndim() == first.ndim() && (0..first.ndim()).all(same)
        };
        for x in xs {
            assert!(
                fits(x),
                "cannot concatenate {:?} with {:?} along axis {}",
                first.shape(),
                x.shape(),
                axis.index()
            );
        }
        ndarray::concatenate(axis, xs).expect("the shapes fit")
    }

    fn extent(x: &ArrayRef<T, D>, axis: Axis) -> usize {
        x.len_of(axis)
    }

    fn part(y: &ArrayRef<T, D>, axis: Axis, start: usize, extent: usize) -> ArrayView<'_, T, D> {
        y.slice_axis(axis, Slice::from(start..start + extent))
    }
}

join_rule!(concatenate);

/// The arrays, all of one shape, along a new axis. **Panics** if the list is empty, `axis` exceeds the number of axes, or the
/// shapes differ.
///
/// Reverse: each operand gets its part of the cotangent.
///
/// ```
/// # use ndarray::array;
/// let (x, y) = (array![1.0, 2.0], array![3.0, 4.0]);
/// assert_eq!(coenzyme_rules::array::stack(vec![&x, &y], 1), array![[1.0, 3.0], [2.0, 4.0]]);
/// ```
#[primitive]
#[track_caller]
pub fn stack<P, T, D>(xs: Vec<P>, axis: usize) -> Array<T, D::Larger>
where
    P: Holds<ArrayRef<T, D>> + Memory<Target = ArrayRef<T, D>>,
    T: Scalar,
    D: Dimension<Larger: RemoveAxis<Smaller = D>>,
{
    let views: Vec<_> = xs.iter().map(|x| x.get().view()).collect();
    stack::join(&views, axis)
}

impl<T: Scalar, D: Dimension<Larger: RemoveAxis<Smaller = D>>> Join<T, D> for stack {
    type Out = D::Larger;

    #[track_caller]
    fn join(xs: &[ArrayView<'_, T, D>], axis: usize) -> Array<T, D::Larger> {
        let first = xs.first().expect("stack: an empty list has no shape");
        assert!(
            axis <= first.ndim(),
            "cannot stack shape {:?} along axis {axis}",
            first.shape()
        );
        for x in xs {
            assert!(
                x.shape() == first.shape(),
                "cannot stack {:?} with {:?}",
                first.shape(),
                x.shape()
            );
        }
        ndarray::stack(Axis(axis), xs).expect("the shapes fit")
    }

    fn extent(_: &ArrayRef<T, D>, _: Axis) -> usize {
        1
    }

    fn part(y: &ArrayRef<T, D::Larger>, axis: Axis, start: usize, _: usize) -> ArrayView<'_, T, D> {
        y.index_axis(axis, start)
    }
}

join_rule!(stack);

/// Functions of arrays that are a list in memory, by the [`Join`] of a list of handles.
macro_rules! join_all {
    ($($(#[$doc:meta])* $name:ident = $f:ident[$($bound:tt)+];)+) => {$(
        $(#[$doc])*
        #[primitive]
        #[track_caller]
        pub fn $name<T, D>(xs: &[Array<T, D>], axis: usize) -> Array<T, <$f as Join<T, D>>::Out>
        where
            T: Scalar,
            D: $($bound)+,
        {
            let views: Vec<_> = xs.iter().map(|x| x.view()).collect();
            <$f as Join<T, D>>::join(&views, axis)
        }

        impl<T: Scalar, D: $($bound)+> Linear<[Array<T, D>]> for $name {
            type Out = Array<T, <$f as Join<T, D>>::Out>;
            type Attrs<'a> = (&'a usize,);

            #[track_caller]
            fn apply(xs: &[Array<T, D>], (&axis,): Self::Attrs<'_>) -> Self::Out {
                $name(xs, axis)
            }
            fn transpose(dy: &Self::Out, dxs: &mut [Array<T, D>], (&axis,): Self::Attrs<'_>) {
                let mut start = 0;
                for dx in dxs {
                    let extent = <$f as Join<T, D>>::extent(dx, Axis(axis));
                    *dx += &<$f as Join<T, D>>::part(dy, Axis(axis), start, extent);
                    start += extent;
                }
            }
        }

        unary_rule!($name[T: Scalar, D: $($bound)+](xs: [Array<T, D>]; axis: usize) = Transposed<$name>);
    )+};
}

join_all! {
    /// As [`concatenate()`], of arrays that are a list in memory, such as [`split()`](super::split()) returns. **Panics** likewise.
    ///
    /// ```
    /// use coenzyme::prelude::*;
    /// use coenzyme_rules::array::{concatenate_all, norm};
    /// use ndarray::{Array1, array};
    ///
    /// #[differentiable]
    /// fn length(x: &Array1<f64>, y: &Array1<f64>) -> f64 {
    ///     let parts = vec![x.clone(), y.clone()];
    ///     let all = concatenate_all(&parts, 0);
    ///     norm(&all)
    /// }
    /// let (dx, dy) = gradient!(length, &array![3.0], &array![0.0, 4.0]);
    /// assert_eq!((dx, dy), (array![0.6], array![0.0, 0.8]));
    /// ```
    concatenate_all = concatenate[RemoveAxis];
    /// As [`stack()`], of arrays that are a list in memory. **Panics** likewise.
    ///
    /// ```
    /// # use ndarray::array;
    /// let rows = [array![1.0, 2.0], array![3.0, 4.0]];
    /// assert_eq!(coenzyme_rules::array::stack_all(&rows, 0), array![[1.0, 2.0], [3.0, 4.0]]);
    /// ```
    stack_all = stack[Dimension<Larger: RemoveAxis<Smaller = D>>];
}

#[cfg(test)]
mod tests {
    use coenzyme::{Const, Duplicated, DynArg, Forward, Thunk, autodiff};
    use ndarray::{Array2, Array3, array};

    use super::*;

    #[test]
    fn n30_concatenate_hands_each_operand_its_rows() {
        let (x, y) = (array![[1.0, 2.0]], array![[3.0, 4.0], [5.0, 6.0]]);
        let (mut dx, mut dy) = (Array2::ones((1, 2)), Array2::ones((2, 2)));
        type R = Duplicated<Array2<f64>>;
        let config = ReverseConfig::new(true);
        let mut args = (
            vec![Duplicated(&*x, &mut *dx), Duplicated(&*y, &mut *dy)],
            Const(0_usize),
        );
        let thunk = Thunk::<_, R>::new(concatenate {}).with_config(config);
        let augmented = thunk.augmented(&mut args);
        assert_eq!(augmented.primal, Some(array![[1., 2.], [3., 4.], [5., 6.]]));
        let seed = array![[10., 20.], [30., 40.], [50., 60.]];
        let _ = thunk.reverse([seed], (), &mut args);
        assert_eq!(dx, array![[11., 21.]]);
        assert_eq!(dy, array![[31., 41.], [51., 61.]]);
    }

    #[test]
    fn concatenate_has_zero_tangents_for_constants() {
        let (x, dx, y) = (array![1.0, 2.0], array![5.0, 6.0], array![3.0]);
        let (tangent,) = autodiff!(
            Forward,
            concatenate,
            vec![
                DynArg::<_, _, 1>::duplicated(&*x, [&*dx]),
                DynArg::constant(&*y),
            ],
            Const(0_usize)
        );
        assert_eq!(tangent, array![5.0, 6.0, 0.0]);
    }

    #[test]
    fn stack_hands_each_operand_its_slice() {
        let (x, y) = (array![[1.0, 2.0]], array![[3.0, 4.0]]);
        let (mut dx, mut dy) = (Array2::ones((1, 2)), Array2::ones((1, 2)));
        type R = Duplicated<Array3<f64>>;
        let config = ReverseConfig::new(true);
        let mut args = (
            vec![Duplicated(&*x, &mut *dx), Duplicated(&*y, &mut *dy)],
            Const(2_usize),
        );
        let thunk = Thunk::<_, R>::new(stack {}).with_config(config);
        let augmented = thunk.augmented(&mut args);
        assert_eq!(augmented.primal, Some(array![[[1., 3.], [2., 4.]]]));
        let seed = array![[[10., 20.], [30., 40.]]];
        let _ = thunk.reverse([seed], (), &mut args);
        assert_eq!((dx, dy), (array![[11., 31.]], array![[21., 41.]]));

        let (tangent,) = autodiff!(
            Forward,
            stack,
            vec![Duplicated(&*x, &*y), Duplicated(&*y, &*x)],
            Const(0_usize)
        );
        assert_eq!(tangent, array![[[3., 4.]], [[1., 2.]]]);
    }

    #[test]
    #[should_panic(expected = "cannot concatenate [1, 2] with [1, 3] along axis 0")]
    fn concatenate_names_both_shapes() {
        let _ = concatenate(vec![&array![[1.0, 2.0]], &array![[1.0, 2.0, 3.0]]], 0);
    }

    #[test]
    #[should_panic(expected = "cannot stack [1] with [2]")]
    fn stack_names_both_shapes() {
        let _ = stack(vec![&array![1.0], &array![1.0, 2.0]], 0);
    }
}
