//! The same argument of dual numbers, for functions that are generic over the scalar.

use coenzyme::Dual;
use coenzyme::ndarray::Dimension;

use super::passing::{ByValue, Passing};
use super::slice::{Piece, Slice, SliceMut};
use super::slot::Slot;
use super::tuple::Passings;
use super::view::{Strided, View, ViewMut};

/// Dual numbers in double precision.
type D = Dual<f64>;

/// A [`Passing`] of numbers, of which there is one of dual numbers.
pub trait Finer: Passing {
    /// The same of dual numbers.
    type Finer: Passing;

    /// An argument of the same shape; its values do not matter.
    fn finer(store: &Self::Store) -> <Self::Finer as Passing>::Store;
}

macro_rules! scalars {
    ($($t:ty)*) => {$(
        impl Finer for ByValue<$t> {
            type Finer = ByValue<D>;

            fn finer(_: &$t) -> D {
                D::constant(0.0)
            }
        }
        impl Finer for Slice<$t> {
            type Finer = Slice<D>;

            fn finer(store: &Piece<$t>) -> Piece<D> {
                Piece::new(vec![D::constant(0.0); store.get().len()])
            }
        }
        impl Finer for SliceMut<$t> {
            type Finer = SliceMut<D>;

            fn finer(store: &Piece<$t>) -> Piece<D> {
                Piece::new(vec![D::constant(0.0); store.get().len()])
            }
        }
        impl<I: Dimension + 'static> Finer for View<$t, I> {
            type Finer = View<D, I>;

            fn finer(store: &Strided<$t, I>) -> Strided<D, I> {
                store.constant()
            }
        }
        impl<I: Dimension + 'static> Finer for ViewMut<$t, I> {
            type Finer = ViewMut<D, I>;

            fn finer(store: &Strided<$t, I>) -> Strided<D, I> {
                store.constant()
            }
        }
    )*};
}

scalars! { f64 f32 }

/// What has no derivative stays as it is.
macro_rules! inert {
    ($($t:ty)*) => {$(
        impl Finer for ByValue<$t> {
            type Finer = Self;

            fn finer(store: &$t) -> $t {
                *store
            }
        }
    )*};
}

inert! { bool i32 i64 u32 u64 usize }

/// [`Finer`] for all arguments.
pub trait AllFiner: Passings {
    /// The same of dual numbers.
    type Finer: Passings;

    /// Arguments of the same shapes.
    fn finer(slots: &Self::Slots) -> <Self::Finer as Passings>::Slots;
}

macro_rules! tuples {
    ($(($($p:ident $i:tt),*))*) => {$(
        impl<$($p: Finer),*> AllFiner for ($($p,)*) {
            type Finer = ($($p::Finer,)*);

            fn finer(slots: &Self::Slots) -> <Self::Finer as Passings>::Slots {
                ($(Slot::new($p::finer(&slots.$i.primal)),)*)
            }
        }
    )*};
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, E 3)
    (A 0, B 1, C 2, E 3, F 4)
    (A 0, B 1, C 2, E 3, F 4, G 5)
}
