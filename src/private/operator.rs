//! `&a * &b` of types that tokens do not tell: arrays and numbers, whose operators are rules of the library, or types of the user's.

use std::marker::PhantomData;

use super::told::{Told, ToldBy};
use crate::activity::{Activity, Annotation};
use crate::ops::Pair;
use crate::tangent::Memory;

/// An operand that is a reference.
#[derive(Debug)]
pub struct ByReference;

/// An operand that is a value.
#[derive(Debug)]
pub struct ByValue;

/// A type that is behind the left operand of `Op`, and a `B` behind the right one, by the function of this marker: the operands are
/// references or values ([`ByReference`], [`ByValue`]), as `L` and `R` say. `#[differentiable]` says so on `impl Mul<&B> for &A`.
#[diagnostic::on_unimplemented(
    message = "the operator `{Op}` has no rules for references to `{Self}` and `{B}`",
    label = "not differentiable",
    note = "write `#[differentiable]` on the `impl` block of the operator for these operands, each a reference or a value; of types with an operator by value alone, write `a + b`"
)]
pub trait Combines<Op, L, R, B: ?Sized, M> {}

#[diagnostic::do_not_recommend]
impl<Op, L, R, A: ?Sized + Pair<Op, B>, B: ?Sized> Combines<Op, L, R, B, Op> for A {}

/// The types of the operands of `Op`, behind their references.
#[derive(Debug)]
pub struct Operands<Op, A: ?Sized, B: ?Sized>(PhantomData<fn(&A, &B) -> Op>);

/// The operator `Op`.
pub fn operator<Op, L, R, A, B, M>() -> Told<Operands<Op, A, B>, M>
where
    A: ?Sized + Combines<Op, L, R, B, M>,
    B: ?Sized,
{
    Told::new()
}

impl<Op, A: ?Sized, B: ?Sized, X, Y, const W: usize> ToldBy<(X, Y), W> for Operands<Op, A, B>
where
    X: Activity<W> + Annotation<Primal: Memory<Target = A>>,
    Y: Activity<W> + Annotation<Primal: Memory<Target = B>>,
{
}
