//! `&a * &b` of types that tokens do not tell: arrays and numbers, whose operators are rules of the library, or types of the user's.

use std::marker::PhantomData;

use super::told::{Told, ToldBy};
use crate::activity::{Activity, Annotation};
use crate::ops::Pair;
use crate::tangent::{Memory, Tangent};

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
impl<Op, L, R, A, B> Combines<Op, L, R, B, Op> for A
where
    A: ?Sized + Reaches<Memory: Pair<Op, B::Memory>>,
    B: ?Sized + Reaches,
{
}

/// What an operand is, or refers to, with the memory that it leads to, by which the rules of the library are found: those of the user's
/// tell a vector from an array.
pub trait Reaches {
    /// The memory: that of an argument by [`Memory`](crate::Memory).
    type Memory: ?Sized;
}

impl<T: Tangent + ?Sized> Reaches for T {
    type Memory = T::Target;
}

/// Views are what they are by value.
#[cfg(feature = "ndarray")]
mod views {
    use ndarray::{ArrayRef, ArrayView, ArrayViewMut, Dimension};

    impl<T, D: Dimension> super::Reaches for ArrayView<'_, T, D> {
        type Memory = ArrayRef<T, D>;
    }
    impl<T, D: Dimension> super::Reaches for ArrayViewMut<'_, T, D> {
        type Memory = ArrayRef<T, D>;
    }
}

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
    X: Activity<W> + Annotation<Primal: Memory<Whole = A>>,
    Y: Activity<W> + Annotation<Primal: Memory<Whole = B>>,
{
}
