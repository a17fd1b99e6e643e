//! Parts that methods lend to be changed, `fn row_mut(&mut self, i: usize) -> &mut [f64]`, as places: `grid[(LentBy::<ROW_MUT, _>::HERE, i)]`.
//!
//! Where integers alone choose the part, the attribute on the block implements `Index` and `IndexMut` beside the method. They are applied to the shadow
//! as an `Index` of the type's own is; so an assignment to a field that they read is refused where the type has them, as in [`indexed`](super::indexed).

use core::marker::PhantomData;

use super::indexed::{KeepsPlaces, MayMovePlaces};
use crate::Inert;

/// The method of this name, by its hash, which lends a `T`. So an implementation of `Index` can be seen as far as what it gives.
#[derive(Debug)]
pub struct LentBy<const METHOD: u64, T: ?Sized>(PhantomData<fn() -> Box<T>>);

impl<const METHOD: u64, T: ?Sized> LentBy<METHOD, T> {
    /// The only value.
    pub const HERE: Self = Self(PhantomData);
}

impl<const METHOD: u64, T: ?Sized> Clone for LentBy<METHOD, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<const METHOD: u64, T: ?Sized> Copy for LentBy<METHOD, T> {}

impl<const METHOD: u64, T: ?Sized> Inert for LentBy<METHOD, T> {}

/// A type whose method of this name chooses by a field of this name.
pub trait ChoosesBy<const METHOD: u64, const FIELD: u64> {}

/// A value and one of its fields that is assigned, by their types alone, and a method of this name.
#[derive(Debug)]
pub struct FieldBeside<T, F, const METHOD: u64, const FIELD: u64>(PhantomData<(T, F)>);

/// The types of a value and of a field.
pub fn field_beside<T, F, const METHOD: u64, const FIELD: u64>(
    _: &T,
    _: &F,
) -> FieldBeside<T, F, METHOD, FIELD> {
    FieldBeside(PhantomData)
}

/// An assignment that is seen by the shadow.
#[diagnostic::on_unimplemented(
    message = "a method of this type lends a part by the field, which is assigned here: its place in the shadow would not follow",
    label = "assigned, and a method that gives `&mut` reads it",
    note = "assign to the memory itself, `grid.data[i * w + j] = x`, and mark the method `#[skip]`, or make a new value, `Grid::new(w, h)`"
)]
pub trait PartFollows {}

#[diagnostic::do_not_recommend]
impl PartFollows for KeepsPlaces {}

/// The assertion.
pub fn parts_stay<A: PartFollows>(_: A) {}

/// Asked first.
pub trait Beside {
    /// It does not stay.
    fn assigned(&self) -> MayMovePlaces {
        MayMovePlaces
    }
}

impl<T: ChoosesBy<M, N>, F: Inert, const M: u64, const N: u64> Beside
    for &&FieldBeside<T, F, M, N>
{
}
impl<T: ChoosesBy<M, N>, F: Inert, const M: u64, const N: u64> Beside
    for &FieldBeside<&mut T, F, M, N>
{
}

/// All other types and fields.
pub trait NotBeside {
    /// It stays.
    fn assigned(&self) -> KeepsPlaces {
        KeepsPlaces
    }
}

impl<T, F, const M: u64, const N: u64> NotBeside for FieldBeside<T, F, M, N> {}
