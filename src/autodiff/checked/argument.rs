//! Arguments that can be copied, moved and lent again.

use std::borrow::{Borrow, BorrowMut};

use crate::activity::{Active, Activity, BatchDuplicated, BatchDuplicatedNoNeed, Const};
use crate::rule::{Args, Function};
use crate::tangent::{Memory, Tangent};

/// What a function takes, as [`Checked`](super::Checked) sees it: copied, moved, and lent again.
#[diagnostic::on_unimplemented(
    message = "a check cannot call the function with other values of `{Self}`",
    note = "a check copies its arguments: a type of your own is `Clone` and `#[derive(Tangent)]`"
)]
pub trait Probed {
    /// The copy.
    type Copied: 'static;
    /// The copy as the function takes it.
    type Lent<'c>;

    /// Whether the function can write the argument, and others see it.
    const WRITTEN: bool = false;

    /// Copies the argument.
    fn copied(&self) -> Self::Copied;

    /// Lends the copy.
    fn lend(copy: &mut Self::Copied) -> Self::Lent<'_>;

    /// Every float of the copy, in a fixed order.
    fn read(copy: &Self::Copied) -> Vec<f64>;

    /// Replaces every float of the copy.
    fn write(copy: &mut Self::Copied, flat: &[f64]);
}

macro_rules! references {
    ($($t:ty, $lent:ty, $written:literal;)*) => {$(
        impl<'a, T> Probed for $t
        where
            T: Tangent + ToOwned + ?Sized + 'static,
            <T as ToOwned>::Owned: BorrowMut<T> + 'static,
        {
            type Copied = <T as ToOwned>::Owned;
            type Lent<'c> = $lent;

            const WRITTEN: bool = $written;

            fn copied(&self) -> Self::Copied {
                ToOwned::to_owned(&**self)
            }
            fn lend(copy: &mut Self::Copied) -> Self::Lent<'_> {
                copy.borrow_mut()
            }
            fn read(copy: &Self::Copied) -> Vec<f64> {
                let copy: &T = copy.borrow();
                Tangent::to_flat(copy)
            }
            fn write(copy: &mut Self::Copied, flat: &[f64]) {
                let copy: &mut T = copy.borrow_mut();
                Tangent::unflatten(copy, flat);
            }
        }
    )*};
}

references! {
    &'a T, &'c T, false;
    &'a mut T, &'c mut T, true;
}

macro_rules! values {
    ($([$($g:tt)*] $t:ty),* $(,)?) => {$( crate::__probed! { (<$($g)*>) ($t) () } )*};
}

values! {
    [] f32, [] f64, [T] crate::Dual<T>, [T, const N: usize] [T; N], [T] Vec<T>, [A] (A,), [A, B] (A, B), [A, B, C] (A, B, C),
    [A, B, C, D] (A, B, C, D),
}

#[cfg(feature = "complex")]
values! { [T] num_complex::Complex<T> }

macro_rules! inert {
    ($($t:ty)*) => {$(
        impl Probed for $t {
            type Copied = $t;
            type Lent<'c> = $t;

            fn copied(&self) -> $t {
                self.clone()
            }
            fn lend(copy: &mut $t) -> $t {
                copy.clone()
            }
            fn read(_: &$t) -> Vec<f64> {
                Vec::new()
            }
            fn write(_: &mut $t, _: &[f64]) {}
        }
    )*};
}

inert! { () bool char String i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize std::ops::Range<usize> }

#[cfg(feature = "ndarray")]
mod array {
    use super::{Probed, Tangent};
    use ndarray::{Array, ArrayView, ArrayViewMut, Dimension};

    macro_rules! arrays {
        ($($t:ty, $lent:ty, $written:literal, $lend:ident;)*) => {$(
            impl<'a, T, D> Probed for $t
            where
                T: Tangent<Owned = T> + Clone + 'static,
                D: Dimension + 'static,
            {
                type Copied = Array<T, D>;
                type Lent<'c> = $lent;

                const WRITTEN: bool = $written;

                fn copied(&self) -> Array<T, D> {
                    self.to_owned()
                }
                fn lend(copy: &mut Array<T, D>) -> Self::Lent<'_> {
                    copy.$lend()
                }
                fn read(copy: &Array<T, D>) -> Vec<f64> {
                    Tangent::to_flat(copy)
                }
                fn write(copy: &mut Array<T, D>, flat: &[f64]) {
                    Tangent::unflatten(copy, flat);
                }
            }
        )*};
    }

    arrays! {
        ArrayView<'a, T, D>, ArrayView<'c, T, D>, false, view;
        ArrayViewMut<'a, T, D>, ArrayViewMut<'c, T, D>, true, view_mut;
    }
}

/// The floats of each lane.
type Lanes = Vec<Vec<f64>>;

/// An annotated argument of a [`Checked`](super::Checked) call.
pub trait ProbedArg<const W: usize>: Activity<W> {
    /// What the function takes.
    type Plain: Probed;

    /// The primal.
    fn plain(&self) -> &Self::Plain;

    /// The shadows; `None` if there are none.
    fn shadows(&self) -> Option<Lanes>;

    /// What a reverse rule returned for the argument; `None` if that is nothing.
    fn returned(_: &Self::Gradient) -> Option<Lanes> {
        None
    }
}

impl<P: Probed, const W: usize> ProbedArg<W> for Const<P> {
    type Plain = P;

    fn plain(&self) -> &P {
        &self.0
    }
    fn shadows(&self) -> Option<Lanes> {
        None
    }
}

impl<P: Probed + Tangent, const W: usize> ProbedArg<W> for Active<P> {
    type Plain = P;

    fn plain(&self) -> &P {
        &self.0
    }
    fn shadows(&self) -> Option<Lanes> {
        None
    }
    fn returned(gradient: &[P; W]) -> Option<Lanes> {
        Some(gradient.iter().map(Tangent::to_flat).collect())
    }
}

macro_rules! duplicated {
    ($($handle:ident)*) => {$(
        impl<P: Probed, S: Memory, const W: usize> ProbedArg<W> for $handle<P, S, W> {
            type Plain = P;

            fn plain(&self) -> &P {
                self.primal()
            }
            fn shadows(&self) -> Option<Lanes> {
                Some((0..W).map(|lane| Tangent::to_flat(self.shadow(lane).memory())).collect())
            }
        }
    )*};
}

duplicated! { BatchDuplicated BatchDuplicatedNoNeed }

/// The annotated arguments of a [`Checked`](super::Checked) call.
pub trait ProbedArgs<const W: usize>: Args<W> {
    /// Their copies.
    type Copied;
    /// The copies as the function takes them.
    type Lent<'c>;

    /// Which arguments are memory that the function can write.
    const WRITTEN: &'static [bool];

    /// Copies the primals.
    fn copied(&self) -> Self::Copied;

    /// Lends the copies.
    fn lend(copies: &mut Self::Copied) -> Self::Lent<'_>;

    /// The floats of each copy.
    fn read(copies: &Self::Copied) -> Vec<Vec<f64>>;

    /// Replaces the floats of each copy.
    fn write(copies: &mut Self::Copied, flat: &[Vec<f64>]);

    /// The shadows of each argument.
    fn shadows(&self) -> Vec<Option<Lanes>>;

    /// What a reverse rule returned for each argument.
    fn returned(gradients: &Self::Gradients) -> Vec<Option<Lanes>>;
}

/// The annotated arguments of a [`Checked`](super::Checked) call of `F`, which returns `Out`.
///
/// The function is asked for here, and not where the modes are: only where the arguments are known can the compiler look for
/// a function that takes copies of them.
pub trait CalledBy<F, Out, const W: usize>: ProbedArgs<W> {
    /// Calls the function with the copies.
    fn called(f: &F, copies: &mut Self::Copied) -> Out;
}

macro_rules! tuples {
    ($(($($a:ident $i:tt)*))*) => {$(
        impl<Call, Out, $($a: ProbedArg<W>,)* const W: usize> CalledBy<Call, Out, W> for ($($a,)*)
        where
            Call: for<'c> Function<($(<$a::Plain as Probed>::Lent<'c>,)*), Output = Out>,
        {
            fn called(f: &Call, copies: &mut Self::Copied) -> Out {
                f.call(Self::lend(copies))
            }
        }

        impl<$($a: ProbedArg<W>,)* const W: usize> ProbedArgs<W> for ($($a,)*) {
            type Copied = ($(<$a::Plain as Probed>::Copied,)*);
            type Lent<'c> = ($(<$a::Plain as Probed>::Lent<'c>,)*);

            const WRITTEN: &'static [bool] = &[$(<$a::Plain as Probed>::WRITTEN),*];

            fn copied(&self) -> Self::Copied {
                ($(self.$i.plain().copied(),)*)
            }
            fn lend(copies: &mut Self::Copied) -> Self::Lent<'_> {
                ($(<$a::Plain as Probed>::lend(&mut copies.$i),)*)
            }
            fn read(copies: &Self::Copied) -> Vec<Vec<f64>> {
                vec![$(<$a::Plain as Probed>::read(&copies.$i)),*]
            }
            fn write(copies: &mut Self::Copied, flat: &[Vec<f64>]) {
                $(<$a::Plain as Probed>::write(&mut copies.$i, &flat[$i]);)*
            }
            fn shadows(&self) -> Vec<Option<Lanes>> {
                vec![$(self.$i.shadows()),*]
            }
            fn returned(gradients: &Self::Gradients) -> Vec<Option<Lanes>> {
                vec![$($a::returned(&gradients.$i)),*]
            }
        }
    )*};
}

tuples! {
    (A 0)
    (A 0 B 1)
    (A 0 B 1 C 2)
    (A 0 B 1 C 2 D 3)
    (A 0 B 1 C 2 D 3 E 4)
    (A 0 B 1 C 2 D 3 E 4 F 5)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7)
}
