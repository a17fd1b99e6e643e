//! What a type parameter is asked for that stands inside of a type.

use crate::{ByValue, HoldsMut, Tangent};

use super::Blank;

/// A value that may be a field of a struct with `#[derive(Tangent)]`, for the rules of `impl<S> Scaled<S>`.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` in a struct that is differentiated has no rules",
    note = "a type parameter stands for values that own their memory, and have one shape: floats, arrays, tuples, and structs of these with `#[derive(Clone, Tangent)]`",
    note = "a type parameter of the caller's is one with the bound `coenzyme::Value`"
)]
pub trait Inside:
    Tangent<Owned = Self> + ByValue + HoldsMut<Self> + Blank + Clone + Send + 'static
{
}

#[diagnostic::do_not_recommend]
impl<T> Inside for T where
    T: Tangent<Owned = T> + ByValue + HoldsMut<T> + Blank + Clone + Send + 'static
{
}
