//! How a function takes an argument: what a test has to own, to lend it.

use std::borrow::{Borrow, BorrowMut};
use std::marker::PhantomData;
use std::sync::Arc;

use coenzyme::Tangent;

use super::vary;

/// How a function takes one argument: by reference, by value, as a view.
///
/// The store is what the test owns; primals and shadows are lent from stores of the same shape. Implement it for memory
/// that is not a slice or an array, such as a device buffer.
pub trait Passing: 'static {
    /// What owns the memory, of the primal and of each shadow. Clones of a store may share memory until one is written, so
    /// that two arguments can be lent one buffer.
    type Store: Clone + Send + Sync + 'static;
    /// What the function receives: `&[f64]`, `&mut [f64]`, `f64`.
    type Primal<'a>;
    /// The shadow in forward mode.
    type Tangent<'a>;
    /// The shadow in reverse mode: always writable.
    type Cotangent<'a>;

    /// What the function may do with the argument.
    const ACCESS: Access;

    /// Whether the argument is a view, which knows its shape and strides.
    const VIEW: bool = false;

    /// Lends the primal.
    fn primal(store: &mut Self::Store) -> Self::Primal<'_>;

    /// Lends a shadow for forward mode.
    fn tangent(store: &mut Self::Store) -> Self::Tangent<'_>;

    /// Lends a shadow for reverse mode.
    fn cotangent(store: &mut Self::Store) -> Self::Cotangent<'_>;

    /// Every float, in a fixed order.
    fn read(store: &Self::Store) -> Vec<f64>;

    /// Replaces every float.
    fn write(store: &mut Self::Store, flat: &[f64]);

    /// The same numbers in another layout of memory, by number; the layouts are numbered from zero without gaps.
    fn layout(store: &Self::Store, number: usize) -> Option<Self::Store> {
        (number == 0).then(|| store.clone())
    }

    /// The store with its first row repeated, all rows being the same memory, if the function only reads and takes a view; in way 1,
    /// with its first column.
    fn broadcast(_store: &Self::Store, _way: usize) -> Option<Self::Store> {
        None
    }

    /// The store at another size, of numbers that will be drawn: each extent as `to` says. `None` if it has only one size.
    fn resized(_store: &Self::Store, _to: &dyn Fn(usize) -> usize) -> Option<Self::Store> {
        None
    }

    /// Two stores with the same numbers, the memory of the second directly behind that of the first, if the function only reads and takes
    /// slices.
    fn adjoining(_store: &Self::Store, _other: &Self::Store) -> Option<(Self::Store, Self::Store)> {
        None
    }

    /// Other values of an integer or a flag that has no derivative.
    fn others(_store: &Self::Store) -> Vec<Self::Store> {
        Vec::new()
    }

    /// Further values of it, at which a rule is looked at once.
    fn further(_store: &Self::Store) -> Vec<Self::Store> {
        Vec::new()
    }

    /// What lies in memory between the entries, and must stay a [`canary`](crate::canary()).
    fn gaps(_store: &Self::Store) -> Vec<f64> {
        Vec::new()
    }

    /// The shape by which messages index the floats; its product is their number. Empty for a single number.
    fn shape(store: &Self::Store) -> Vec<usize> {
        vec![Self::read(store).len()]
    }
}

/// What a function may do with an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Read memory that others see.
    Shared,
    /// Read and write memory that others see.
    Exclusive,
    /// Own the value.
    Value,
}

/// A [`Passing`] whose derivative in reverse mode is left in a shadow.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is passed by value: it cannot be `Duplicated` in reverse mode",
    label = "write `Active`, or `Mixed` for a value that owns memory"
)]
pub trait ByReference: Passing {}

/// A [`Passing`] of memory that the function may write.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not written by the function: it cannot be `DuplicatedNoNeed`",
    label = "only an output may be not needed"
)]
pub trait Writable: ByReference {}

/// Memory that a [`Shared`] or [`Exclusive`] reference can be lent from.
pub trait Lent: Tangent + ToOwned<Owned: BorrowMut<Self> + Clone + Send + Sync> + 'static {}

impl<T> Lent for T where
    T: Tangent + ToOwned<Owned: BorrowMut<T> + Clone + Send + Sync> + ?Sized + 'static
{
}

/// The argument is taken as `&T`.
#[derive(Debug)]
pub struct Shared<T: ?Sized>(PhantomData<fn(&T)>);

/// The argument is taken as `&mut T`.
#[derive(Debug)]
pub struct Exclusive<T: ?Sized>(PhantomData<fn(&mut T)>);

/// The argument is taken as `T`.
#[derive(Debug)]
pub struct ByValue<T>(PhantomData<fn(T)>);

/// The flat form of memory that a store lends.
macro_rules! lent {
    () => {
        fn cotangent(store: &mut Self::Store) -> &mut T {
            Arc::make_mut(store).borrow_mut()
        }
        fn read(store: &Self::Store) -> Vec<f64> {
            Tangent::to_flat((**store).borrow())
        }
        fn write(store: &mut Self::Store, flat: &[f64]) {
            Tangent::unflatten(Arc::make_mut(store).borrow_mut(), flat);
        }
        fn resized(store: &Self::Store, to: &dyn Fn(usize) -> usize) -> Option<Self::Store> {
            vary::resized(store, to)
        }
        fn others(store: &Self::Store) -> Vec<Self::Store> {
            vary::others(store, |store| Arc::make_mut(store).borrow_mut())
        }
        fn further(store: &Self::Store) -> Vec<Self::Store> {
            vary::further(store, |store| Arc::make_mut(store).borrow_mut())
        }
    };
}

impl<T: Lent + ?Sized> Passing for Shared<T> {
    type Store = Arc<<T as ToOwned>::Owned>;
    type Primal<'a> = &'a T;
    type Tangent<'a> = &'a T;
    type Cotangent<'a> = &'a mut T;

    const ACCESS: Access = Access::Shared;

    fn primal(store: &mut Self::Store) -> &T {
        (**store).borrow()
    }
    fn tangent(store: &mut Self::Store) -> &T {
        (**store).borrow()
    }
    lent!();
}

impl<T: Lent + ?Sized> Passing for Exclusive<T> {
    type Store = Arc<<T as ToOwned>::Owned>;
    type Primal<'a> = &'a mut T;
    type Tangent<'a> = &'a mut T;
    type Cotangent<'a> = &'a mut T;

    const ACCESS: Access = Access::Exclusive;

    fn primal(store: &mut Self::Store) -> &mut T {
        Arc::make_mut(store).borrow_mut()
    }
    fn tangent(store: &mut Self::Store) -> &mut T {
        Arc::make_mut(store).borrow_mut()
    }
    lent!();
}

impl<T> Passing for ByValue<T>
where
    T: Tangent<Owned = T> + Clone + Send + Sync + 'static,
{
    type Store = T;
    type Primal<'a> = T;
    type Tangent<'a> = T;
    type Cotangent<'a> = &'a mut T;

    const ACCESS: Access = Access::Value;

    fn primal(store: &mut T) -> T {
        store.clone()
    }
    fn tangent(store: &mut T) -> T {
        store.clone()
    }
    fn cotangent(store: &mut T) -> &mut T {
        store
    }
    fn read(store: &T) -> Vec<f64> {
        Tangent::to_flat(store)
    }
    fn write(store: &mut T, flat: &[f64]) {
        Tangent::unflatten(store, flat);
    }
    fn others(store: &T) -> Vec<T> {
        vary::others(store, |store| store)
    }
    fn further(store: &T) -> Vec<T> {
        vary::further(store, |store| store)
    }
    fn shape(store: &T) -> Vec<usize> {
        match Self::read(store).len() {
            1 => vec![],
            length => vec![length],
        }
    }
}

impl<T: Lent + ?Sized> ByReference for Shared<T> {}
impl<T: Lent + ?Sized> ByReference for Exclusive<T> {}
impl<T: Lent + ?Sized> Writable for Exclusive<T> {}
