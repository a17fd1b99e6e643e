//! Fields beside an `Index` of the type's own.
//!
//! Where `ring[i]` is, an `Index` may read from `ring.head`. It is applied to the shadow too, whose `head` stays what it was when the
//! shadow was made: an assignment to such a field would leave the derivative at another place than the value, and is refused.
//!
//! Whether a type has an `Index` is asked by method resolution, which takes the impl of the most references.

use core::marker::PhantomData;
use core::ops::Index;

use crate::Inert;

/// A value and one of its fields that is assigned, by their types alone.
#[derive(Debug)]
pub struct Field<T, F>(PhantomData<(T, F)>);

/// The types of a value and of a field.
pub fn field_of<T, F>(_: &T, _: &F) -> Field<T, F> {
    Field(PhantomData)
}

/// The field of a type without an `Index`, or a number of whatever type.
#[derive(Debug)]
pub struct KeepsPlaces;

/// The field of a type whose `Index` may read it.
#[derive(Debug)]
pub struct MayMovePlaces;

/// An assignment that is seen by the shadow.
#[diagnostic::on_unimplemented(
    message = "the `Index` of this type may depend on the field, which is assigned here: its place in the shadow would not follow",
    label = "assigned, and an `Index` of the type's own may read it",
    note = "index the memory itself, `ring.entries[(ring.head + i) % n]`, or read and write by methods, `fn at(&self, i: usize) -> f64`, and remove the `Index`"
)]
pub trait Follows {}

#[diagnostic::do_not_recommend]
impl Follows for KeepsPlaces {}

/// The assertion.
pub fn places_stay<A: Follows>(_: A) {}

macro_rules! level {
    ($level:ident, $field:ty, $of:ty: $bound:path) => {
        #[doc(hidden)]
        pub trait $level {
            fn assigned(&self) -> MayMovePlaces {
                MayMovePlaces
            }
        }
        impl<T, F: Inert> $level for $field where $of: $bound {}
    };
}

level!(ByNumber, &&&&&&Field<T, F>, T: Index<usize>);
level!(ByPair, &&&&&Field<T, F>, T: Index<(usize, usize)>);
level!(ByArray, &&&&Field<T, F>, T: Index<[usize; 2]>);
level!(ByNumberBehind, &&&Field<&mut T, F>, T: Index<usize>);
level!(ByPairBehind, &&Field<&mut T, F>, T: Index<(usize, usize)>);
level!(ByArrayBehind, &Field<&mut T, F>, T: Index<[usize; 2]>);

/// All other types and fields.
pub trait NotIndexed {
    /// Nothing follows from the assignment.
    fn assigned(&self) -> KeepsPlaces {
        KeepsPlaces
    }
}

impl<T, F> NotIndexed for Field<T, F> {}

/// A type whose `Index` reads numbers of the value, as far as its file tells.
pub trait ReadsNumbers {}

impl<T: ReadsNumbers + ?Sized> ReadsNumbers for &T {}
impl<T: ReadsNumbers + ?Sized> ReadsNumbers for &mut T {}
impl<T: ReadsNumbers + ?Sized> ReadsNumbers for Box<T> {}

/// A value that is indexed, by its type alone.
#[derive(Debug)]
pub struct Indexed<T: ?Sized>(PhantomData<T>);

/// The type of a value that is indexed.
pub fn indexed<T: ?Sized>(_: &T) -> Indexed<T> {
    Indexed(PhantomData)
}

/// A place that numbers choose.
#[derive(Debug)]
pub struct ChosenByNumbers;

/// A place that the shadow has too.
#[diagnostic::on_unimplemented(
    message = "the `Index` of this type chooses its place by numbers, and would point at another in the shadow",
    label = "indexed here",
    note = "keep what chooses the place in integers, or read and write by marked methods, `fn at(&self, i: usize) -> f64`, and remove the `Index`"
)]
pub trait IsOfTheShadow {}

#[diagnostic::do_not_recommend]
impl IsOfTheShadow for KeepsPlaces {}

/// The assertion.
pub fn place_stays<A: IsOfTheShadow>(_: A) {}

/// Asked first.
pub trait ByNumbers {
    /// It does not stay.
    fn chosen(&self) -> ChosenByNumbers {
        ChosenByNumbers
    }
}

impl<T: ReadsNumbers + ?Sized> ByNumbers for &Indexed<T> {}

/// All other types.
pub trait ByIntegers {
    /// It stays.
    fn chosen(&self) -> KeepsPlaces {
        KeepsPlaces
    }
}

impl<T: ?Sized> ByIntegers for Indexed<T> {}
