//! `+ − · / %` entry by entry, of arrays and numbers. Shapes are broadcast as `ndarray` does it: aligned at the last axis, an
//! axis of length 1 is repeated.

use ndarray::{
    Array, ArrayRef, ArrayView, ArrayViewD, Axis, DimMax, Dimension, Ix0, Ix1, Ix2, Ix3, Ix4, Ix5,
    Ix6, IxDyn, Zip, aview0,
};

use super::Pair;
use crate::ops::{self, Operand};
use crate::real::Real;
use crate::rule::Outcome;
use crate::tangent::Tangent;

/// An operator on numbers, to be applied entry by entry. Its partials are those of [`Operand`].
pub trait Arithmetic {
    /// The value.
    fn apply<T: Real>(a: T, b: T) -> T;
    /// Whether the partials read the operands.
    const READS: bool;
}

macro_rules! arithmetic {
    ($($op:ident $sign:tt $reads:literal;)*) => {$(
        impl Arithmetic for ops::$op {
            const READS: bool = $reads;

            #[inline]
            fn apply<T: Real>(a: T, b: T) -> T {
                a $sign b
            }
        }
    )*};
}

arithmetic! {
    add + false;
    sub - false;
    mul * true;
    div / true;
    rem % true;
}

/// An array, or a number as an array without axes.
pub trait Entries {
    /// The type of the entries.
    type Item: Real;
    /// The axes.
    type Dim: Dimension;

    /// The entries.
    fn entries(&self) -> ArrayView<'_, Self::Item, Self::Dim>;

    /// Adds entries of a shape that this one is broadcast to: sums over what was repeated.
    fn add_entries(&mut self, entries: ArrayViewD<'_, Self::Item>);

    /// The entry of what is a number, not an array.
    #[inline]
    fn as_number(&mut self) -> Option<&mut Self::Item> {
        None
    }

    /// The entry of what is a number, not an array.
    #[inline]
    fn number(&self) -> Option<Self::Item> {
        None
    }
}

impl<T: Real, D: Dimension> Entries for ArrayRef<T, D> {
    type Item = T;
    type Dim = D;

    fn entries(&self) -> ArrayView<'_, T, D> {
        self.view()
    }
    fn add_entries(&mut self, entries: ArrayViewD<'_, T>) {
        let mut entries = entries.to_owned();
        while entries.ndim() > self.ndim() {
            entries = entries.sum_axis(Axis(0));
        }
        for axis in (0..self.ndim()).map(Axis) {
            if self.len_of(axis) == 1 && entries.len_of(axis) != 1 {
                entries = entries.sum_axis(axis).insert_axis(axis);
            }
        }
        let entries = entries.into_dimensionality::<D>();
        *self += &entries.expect("as many axes as the operand has");
    }
}

impl<T: Real> Entries for T {
    type Item = T;
    type Dim = Ix0;

    #[inline]
    fn as_number(&mut self) -> Option<&mut T> {
        Some(self)
    }

    #[inline]
    fn number(&self) -> Option<T> {
        Some(*self)
    }

    fn entries(&self) -> ArrayView<'_, T, Ix0> {
        aview0(self)
    }
    fn add_entries(&mut self, entries: ArrayViewD<'_, T>) {
        *self += entries.sum();
    }
}

/// What an operation returns whose result has these axes: an array, or a number if there are none.
pub trait Whole<T>: Dimension {
    /// The array or number.
    type Out: Outcome<Value = Self::Out> + Tangent<Owned = Self::Out>;

    /// From the entries.
    fn whole(entries: Array<T, Self>) -> Self::Out;
    /// The entries.
    fn entries_of(out: &Self::Out) -> ArrayView<'_, T, Self>;
    /// From the one entry of what has no axes.
    #[inline]
    fn of_number(_: T) -> Self::Out {
        unreachable!("two numbers give a number")
    }
    /// The entry of what has no axes.
    #[inline]
    fn number_of(_: &Self::Out) -> T {
        unreachable!("two numbers give a number")
    }
}

impl<T: Real> Whole<T> for Ix0 {
    type Out = T;

    fn whole(entries: Array<T, Ix0>) -> T {
        entries.into_scalar()
    }
    fn entries_of(out: &T) -> ArrayView<'_, T, Ix0> {
        aview0(out)
    }
    #[inline]
    fn of_number(number: T) -> T {
        number
    }
    #[inline]
    fn number_of(out: &T) -> T {
        *out
    }
}

macro_rules! whole {
    ($($d:ty),*) => {$(
        impl<T: Real> Whole<T> for $d {
            type Out = Array<T, $d>;

            fn whole(entries: Array<T, $d>) -> Self::Out {
                entries
            }
            fn entries_of(out: &Self::Out) -> ArrayView<'_, T, $d> {
                out.view()
            }
        }
    )*};
}

whole!(Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn);

/// The axes of the result of two operands.
type Max<A, B> = <<A as Entries>::Dim as DimMax<<B as Entries>::Dim>>::Output;

/// The shape that both shapes are broadcast to.
///
/// # Panics
/// If there is none.
#[track_caller]
fn common<D: Dimension>(a: &[usize], b: &[usize]) -> D {
    let n = a.len().max(b.len());
    let from_the_right = |s: &[usize], i: usize| (i < s.len()).then(|| s[s.len() - 1 - i]);
    let mut shape = D::zeros(n);
    for i in 0..n {
        let (p, q) = (from_the_right(a, i), from_the_right(b, i));
        shape[n - 1 - i] = match (p.unwrap_or(1), q.unwrap_or(1)) {
            (p, q) if p == q || q == 1 => p,
            (1, q) => q,
            _ => panic!("arrays of shapes {a:?} and {b:?} cannot be combined"),
        };
    }
    shape
}

/// `f` of the entries of two arrays, each broadcast to the shape of the result.
fn map2<T: Real, D: Dimension, E: Dimension, O: Dimension>(
    a: ArrayView<'_, T, D>,
    b: ArrayView<'_, T, E>,
    f: impl Fn(T, T) -> T,
) -> Array<T, O> {
    let shape: O = common(a.shape(), b.shape());
    let (a, b) = (a.broadcast(shape.clone()), b.broadcast(shape));
    let (a, b) = (a.expect("a common shape"), b.expect("a common shape"));
    Zip::from(&a).and(&b).map_collect(|a, b| f(*a, *b))
}

#[diagnostic::do_not_recommend]
impl<Op, T, A, B> Pair<Op, B> for A
where
    Op: Arithmetic,
    T: Real + Operand<Op, (T,), Output = T>,
    A: Entries<Item = T> + ?Sized,
    B: Entries<Item = T> + ?Sized,
    A::Dim: DimMax<B::Dim>,
    Max<A, B>: Whole<T>,
{
    type Out = <Max<A, B> as Whole<T>>::Out;

    const READS: bool = Op::READS;
    const COST: u32 = match (<A::Dim as Dimension>::NDIM, <B::Dim as Dimension>::NDIM) {
        (Some(0), Some(0)) => 1,
        _ => u32::MAX,
    };

    #[inline]
    fn value(&self, other: &B) -> Self::Out {
        if let (Some(a), Some(b)) = (self.number(), other.number()) {
            return Max::<A, B>::of_number(Op::apply(a, b));
        }
        Max::<A, B>::whole(map2(self.entries(), other.entries(), Op::apply))
    }

    #[inline]
    fn tangent(&self, other: &B, da: Option<&A>, db: Option<&B>) -> Self::Out {
        if let (Some(a), Some(b)) = (self.number(), other.number()) {
            let partials = a.partials((b,), Op::apply(a, b));
            let da = da.and_then(A::number).unwrap_or_else(T::zero);
            let db = db.and_then(B::number).unwrap_or_else(T::zero);
            return Max::<A, B>::of_number(T::pushforward(&partials, da, (db,)));
        }
        let along = |left: T, right: T| {
            map2(self.entries(), other.entries(), |a, b| {
                let partials = a.partials((b,), Op::apply(a, b));
                T::pushforward(&partials, left, (right,))
            })
        };
        let (zero, one) = (T::zero(), T::one());
        let left = da.map(|da| times(along(one, zero), da.entries()));
        let right = db.map(|db| times(along(zero, one), db.entries()));
        Max::<A, B>::whole(match (left, right) {
            (Some(left), Some(right)) => left + right,
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => along(zero, zero),
        })
    }

    #[inline]
    fn pull_left(a: &A, b: &B, dout: &Self::Out, da: &mut A) {
        if let (Some(a), Some(b), Some(da)) = (a.number(), b.number(), da.as_number()) {
            let partials = a.partials((b,), Op::apply(a, b));
            *da += T::pullback(&partials, &Max::<A, B>::number_of(dout)).0;
            return;
        }
        let pulled = pull::<Op, T, A, B>(a, b, dout, |(da, _)| da);
        da.add_entries(pulled.view().into_dyn());
    }

    #[inline]
    fn pull_right(a: &A, b: &B, dout: &Self::Out, db: &mut B) {
        if let (Some(a), Some(b), Some(db)) = (a.number(), b.number(), db.as_number()) {
            let partials = a.partials((b,), Op::apply(a, b));
            *db += T::pullback(&partials, &Max::<A, B>::number_of(dout)).1.0;
            return;
        }
        let pulled = pull::<Op, T, A, B>(a, b, dout, |(_, (db,))| db);
        db.add_entries(pulled.view().into_dyn());
    }
}

/// `x·y`, with `y` broadcast.
fn times<T: Real, D: Dimension, E: Dimension>(
    mut x: Array<T, D>,
    y: ArrayView<'_, T, E>,
) -> Array<T, D> {
    let y = y.broadcast(x.raw_dim());
    Zip::from(&mut x)
        .and(&y.expect("the shape of the result"))
        .for_each(|x, y| *x *= *y);
    x
}

/// One of the cotangents of the operands, entry by entry of the result.
fn pull<Op, T, A, B>(
    a: &A,
    b: &B,
    dout: &<Max<A, B> as Whole<T>>::Out,
    of: impl Fn((T, (T,))) -> T,
) -> Array<T, Max<A, B>>
where
    Op: Arithmetic,
    T: Real + Operand<Op, (T,), Output = T>,
    A: Entries<Item = T> + ?Sized,
    B: Entries<Item = T> + ?Sized,
    A::Dim: DimMax<B::Dim>,
    Max<A, B>: Whole<T>,
{
    let dout = Max::<A, B>::entries_of(dout);
    let (a, b) = (a.entries(), b.entries());
    let (a, b) = (a.broadcast(dout.raw_dim()), b.broadcast(dout.raw_dim()));
    let (a, b) = (a.expect("a common shape"), b.expect("a common shape"));
    Zip::from(&dout).and(&a).and(&b).map_collect(|dy, a, b| {
        let p = a.partials((*b,), Op::apply(*a, *b));
        of(T::pullback(&p, dy))
    })
}
