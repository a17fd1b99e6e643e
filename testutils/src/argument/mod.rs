//! The arguments of a test: written as the function takes them.
//!
//! | the function takes | write |
//! |---|---|
//! | `&[f64]`, `&mut [f64]` | [`input(5)`](input), [`out(5)`](out), [`inout(5)`](inout): five random numbers |
//! | `&[T]`, `&mut [T]` | `input(vec![…])`, `input([3.0, 1.0])`: these numbers |
//! | views of `ndarray`, `&ArrayRef<T, D>` | `input(array![…])`, `out(…)`, `inout(…)`: in several layouts of memory; `input(Dim([2, 3]))`: random numbers |
//! | `&T`, `&mut T` | [`by_ref(t)`](by_ref), [`by_mut(t)`](by_mut): a struct, a fixed array, a `Vec` |
//! | `T` | [`value(t)`](value) |
//!
//! What is given is the point of the test; [`Arg::within`] draws another of the same shape.

mod common;
mod content;
mod finer;
mod floats;
mod passing;
mod slice;
mod slot;
mod tuple;
mod vary;
mod view;

pub use common::COMMON;
pub use content::{Arg, Content, by_mut, by_ref, inout, input, out, value};
pub(crate) use content::{Draw, Spec};
pub use finer::{AllFiner, Finer};
pub use passing::{Access, ByReference, ByValue, Exclusive, Lent, Passing, Shared, Writable};
pub use slice::{Piece, Slice, SliceMut};
pub use slot::{AnySlots, Flat, Slot};
pub use tuple::{Arguments, Passings, Specs};
pub(crate) use vary::FURTHER;
pub use view::{Element, Strided, View, ViewMut};
