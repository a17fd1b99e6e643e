//! `X::from(a)`: a type has a conversion, and a rule, for each type that it is made from.

use std::marker::PhantomData;

use super::told::{Told, ToldBy};
use crate::activity::{Activity, Annotation};

/// A type that is made from an `A` by the function of this marker. `#[differentiable]` says so on `impl From<A> for X`.
#[diagnostic::on_unimplemented(
    message = "this conversion into `{Self}` has no rules",
    label = "not differentiable",
    note = "write `#[differentiable]` on the block `impl From<…> for {Self}`, or `#[inactive]` if its result carries no derivative"
)]
pub trait Convertible<A, M> {}

/// What a conversion is made from, and what it makes.
#[derive(Debug)]
pub struct Converted<A, X>(PhantomData<fn(A) -> X>);

/// The function `X::from`.
pub fn conversion<A, X: Convertible<A, M>, M>(_: fn(A) -> X) -> Told<Converted<A, X>, M> {
    Told::new()
}

impl<H, A, X, const W: usize> ToldBy<(H,), W> for Converted<A, X> where
    H: Activity<W> + Annotation<Primal = A>
{
}
