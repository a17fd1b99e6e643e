//! Functions of two numbers, on numbers and entry by entry on arrays that are broadcast against each other.

use coenzyme::scaled;
use ndarray::{Array, ArrayRef, ArrayView, Axis, DimMax, Dimension, Zip};

use super::{At2, Binary, Each, Reads, Scalar};

/// A function of two numbers.
pub trait Elementwise2<T> {
    /// What the partial in `x` reads, and what that in `y` reads.
    const READS: [Reads; 2];

    /// The value at `(x, y)`.
    fn value(x: T, y: T) -> T;

    /// The partial derivatives at `(x, y)`, where the value is `z`. What is not in [`READS`](Self::READS) is any number.
    fn partials(x: T, y: T, z: T) -> (T, T);
}

impl<T: Scalar, F: Elementwise2<T>> Binary<T, T> for Each<F> {
    type Out = T;
    type Attrs<'a> = ();
    type Residual = ();

    const READS: [Reads; 2] = F::READS;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn value(x: &T, y: &T, (): ()) -> T {
        F::value(*x, *y)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pushforward(at: &At2<'_, T, T, T, ()>, dx: Option<&T>, dy: Option<&T>, (): ()) -> T {
        let (in_x, in_y) = partials::<T, F>(at);
        let term =
            |partial, d: Option<&T>| d.map_or(T::zero(), |d| scaled(partial, *d, at.strong_zero));
        term(in_x, dx) + term(in_y, dy)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pullback_x(at: &At2<'_, T, T, T, ()>, dz: &T, dx: &mut T, (): ()) {
        *dx += scaled(partials::<T, F>(at).0, *dz, at.strong_zero);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pullback_y(at: &At2<'_, T, T, T, ()>, dz: &T, dy: &mut T, (): ()) {
        *dy += scaled(partials::<T, F>(at).1, *dz, at.strong_zero);
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn partials<T: Scalar, F: Elementwise2<T>>(at: &At2<'_, T, T, T, ()>) -> (T, T) {
    F::partials(*at.x, *at.y, at.out.copied().unwrap_or(*at.x))
}

/// An [`Elementwise2`] on arrays, which are broadcast: shapes are aligned at the last axis, and an axis of length 1 (or a
/// missing one) is repeated. The cotangent of what was repeated is the sum over the repetitions, for which a
/// temporary of the shape of the result is made; operands of that shape need none.
#[derive(Debug)]
pub struct Broadcast<F>(std::marker::PhantomData<F>);

/// The result's dimension.
type Max<D, E> = <D as DimMax<E>>::Output;

/// The shape of arrays broadcast against each other.
///
/// # Panics
/// If the shapes do not fit; the message has both.
#[track_caller]
pub fn broadcast_shape<D, E: Dimension>(x: &[usize], y: &[usize]) -> Max<D, E>
where
    D: Dimension + DimMax<E>,
{
    let mut shape = Max::<D, E>::zeros(x.len().max(y.len()));
    for (i, length) in shape.slice_mut().iter_mut().rev().enumerate() {
        let at = |s: &[usize]| s.len().checked_sub(i + 1).map_or(1, |i| s[i]);
        *length = match (at(x), at(y)) {
            (a, b) if a == b => a,
            (1, b) => b,
            (a, 1) => a,
            _ => panic!("cannot broadcast {x:?} with {y:?}"),
        };
    }
    shape
}

/// `x` in a larger shape.
#[inline]
fn repeated<'a, T, D: Dimension, Z: Dimension>(
    x: &'a ArrayRef<T, D>,
    shape: &Z,
) -> ArrayView<'a, T, Z> {
    x.broadcast(shape.clone())
        .expect("the shape comes from broadcast_shape")
}

/// `dx += g`, summed over the axes along which `x` was repeated.
pub(crate) fn unbroadcast<T: Scalar, D: Dimension, Z: Dimension>(
    dx: &mut ArrayRef<T, D>,
    g: Array<T, Z>,
) {
    let mut g = g.into_dyn();
    while g.ndim() > dx.ndim() {
        g = g.sum_axis(Axis(0));
    }
    for axis in 0..dx.ndim() {
        if dx.shape()[axis] == 1 && g.shape()[axis] != 1 {
            g = g.sum_axis(Axis(axis)).insert_axis(Axis(axis));
        }
    }
    let mut dx = dx.view_mut().into_dyn();
    dx += &g;
}

/// The point at which a broadcast function is differentiated.
type Point<'a, T, D, E> = At2<'a, ArrayRef<T, D>, ArrayRef<T, E>, Array<T, Max<D, E>>, ()>;

/// `target += partial(x, y, z)·z̄`, summed over what was repeated.
#[inline]
fn accumulate<T, D, E, O, F>(
    at: &Point<'_, T, D, E>,
    dz: &Array<T, Max<D, E>>,
    target: &mut ArrayRef<T, O>,
    partial: impl Fn((T, T)) -> T,
) where
    T: Scalar,
    D: Dimension + DimMax<E>,
    E: Dimension,
    O: Dimension,
    F: Elementwise2<T>,
{
    let shape = dz.raw_dim();
    let (x, y) = (repeated(at.x, &shape), repeated(at.y, &shape));
    // A value that the partials do not read is stood in for by any array of its shape.
    let z = at.out.unwrap_or(dz);
    let term = |x: T, y: T, z: T, dz: T| scaled(partial(F::partials(x, y, z)), dz, at.strong_zero);
    if target.shape() == dz.shape() {
        let target = target
            .view_mut()
            .into_dimensionality::<Max<D, E>>()
            .expect("arrays of one shape have one dimension");
        Zip::from(target)
            .and(x)
            .and(y)
            .and(z)
            .and(dz)
            .for_each(|t, &x, &y, &z, &dz| *t += term(x, y, z, dz));
    } else {
        let mut g = Array::zeros(shape);
        Zip::from(&mut g)
            .and(x)
            .and(y)
            .and(z)
            .and(dz)
            .for_each(|g, &x, &y, &z, &dz| *g = term(x, y, z, dz));
        unbroadcast(target, g);
    }
}

impl<T, D, E, F> Binary<ArrayRef<T, D>, ArrayRef<T, E>> for Broadcast<F>
where
    T: Scalar,
    D: Dimension + DimMax<E>,
    E: Dimension,
    F: Elementwise2<T>,
{
    type Out = Array<T, Max<D, E>>;
    type Attrs<'a> = ();
    type Residual = ();

    const READS: [Reads; 2] = F::READS;

    #[inline]
    fn value(x: &ArrayRef<T, D>, y: &ArrayRef<T, E>, (): ()) -> Self::Out {
        let shape = broadcast_shape::<D, E>(x.shape(), y.shape());
        Zip::from(repeated(x, &shape))
            .and(repeated(y, &shape))
            .map_collect(|&x, &y| F::value(x, y))
    }

    /// `ż = ∂f/∂x·ẋ + ∂f/∂y·ẏ`
    #[inline]
    fn pushforward(
        at: &Point<'_, T, D, E>,
        dx: Option<&ArrayRef<T, D>>,
        dy: Option<&ArrayRef<T, E>>,
        (): (),
    ) -> Self::Out {
        let shape = broadcast_shape::<D, E>(at.x.shape(), at.y.shape());
        let (x, y) = (repeated(at.x, &shape), repeated(at.y, &shape));
        let z = at.out.map_or(x.clone(), |z| z.view());
        let strong = at.strong_zero;
        match (dx, dy) {
            (Some(dx), Some(dy)) => Zip::from(x)
                .and(y)
                .and(z)
                .and(repeated(dx, &shape))
                .and(repeated(dy, &shape))
                .map_collect(|&x, &y, &z, &dx, &dy| {
                    let (in_x, in_y) = F::partials(x, y, z);
                    scaled(in_x, dx, strong) + scaled(in_y, dy, strong)
                }),
            (Some(dx), None) => Zip::from(x)
                .and(y)
                .and(z)
                .and(repeated(dx, &shape))
                .map_collect(|&x, &y, &z, &dx| scaled(F::partials(x, y, z).0, dx, strong)),
            (None, Some(dy)) => Zip::from(x)
                .and(y)
                .and(z)
                .and(repeated(dy, &shape))
                .map_collect(|&x, &y, &z, &dy| scaled(F::partials(x, y, z).1, dy, strong)),
            (None, None) => Array::zeros(shape),
        }
    }

    #[inline]
    fn pullback_x(at: &Point<'_, T, D, E>, dz: &Self::Out, dx: &mut ArrayRef<T, D>, (): ()) {
        accumulate::<T, D, E, D, F>(at, dz, dx, |(in_x, _)| in_x);
    }

    #[inline]
    fn pullback_y(at: &Point<'_, T, D, E>, dz: &Self::Out, dy: &mut ArrayRef<T, E>, (): ()) {
        accumulate::<T, D, E, E, F>(at, dz, dy, |(_, in_y)| in_y);
    }
}
