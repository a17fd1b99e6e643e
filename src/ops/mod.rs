//! Operators and methods of scalars: value and partials, one row each.
//!
//! These are the only formulas of calculus for scalars in the project: [`Dual`](crate::Dual) numbers, `#[differentiable]`
//! code and the rule library all come here.
//!
//! An operation is found by the type of its *left operand* ([`Operand`]), so that a crate can give derivatives to the
//! operators of its own types.

#[cfg(feature = "ndarray")]
pub mod array;
pub mod assigned;
mod binary;
pub mod by_reference;
#[cfg(feature = "complex")]
pub mod complex;
mod conversion;
pub(crate) mod integer;
mod own;
mod pair;
mod single;
mod unary;

use crate::Real;

pub use binary::*;
pub use conversion::cast;
pub use own::{Additive, LikeNumbers, RightLikeNumbers, RightOperand};
pub use pair::{MemoryOf, Pair, dot, skips};
pub use single::Single;
pub use unary::*;

/// `Self` can be the left operand of the pure operation `Op`, with `Rest` as its other operands.
///
/// `#[differentiable]` on the `impl` block of an operator implements this trait, by the rules of the method; [`Additive`] gives a
/// type its `+` and `-`. By hand it takes this trait and, if it holds, the promise [`LikeNumbers`]; the type and what the operation
/// returns are `PartialEq` and have `#[derive(Tangent)]`. Where `a *= b` and `&a * &b` are used too, [`operator_forms!`](crate::operator_forms)
/// says that they are `a * b`.
///
/// An operation is cheap and without side effects, so its derivative needs no tape: it is run again. For anything larger
/// write a [`ReverseRule`](crate::ReverseRule).
///
/// ```
/// use coenzyme::ops::{self, Operand};
///
/// fn product_rule<T: Operand<ops::mul, (T,), Output = T> + Copy>(x: T, y: T, out: T, dout: T) -> (T, T) {
///     let partials = x.partials((y,), out);
///     let (dx, (dy,)) = T::pullback(&partials, &dout);
///     (dx, dy)
/// }
///
/// assert_eq!(product_rule(3.0, 2.0, 6.0, 1.0), (2.0, 3.0));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no derivative for the operation `{Op}` with operands `{Rest}`",
    label = "no rule for this operation",
    note = "implement `coenzyme::ops::Operand` for the type, or compute the value in a function marked `#[inactive]`"
)]
pub trait Operand<Op, Rest = ()>: Sized {
    /// What the operation returns.
    type Output;
    /// What both directions share: the partial derivatives at a point. A type without memory, `()`, says that they are finite constants, and a
    /// zero is not looked at apart where zeros are strong.
    type Partials;

    /// The partial derivatives at `(self, rest)`, where the operation gave `out`.
    fn partials(self, rest: Rest, out: Self::Output) -> Self::Partials;

    /// As [`partials`](Self::partials), where the function beside this one is at hand at the same point: the cosine of a sine, the sine of
    /// a cosine.
    #[doc(hidden)]
    #[inline]
    fn partials_beside(
        self,
        rest: Rest,
        out: Self::Output,
        _beside: Self::Output,
    ) -> Self::Partials {
        self.partials(rest, out)
    }

    /// The tangent of the result.
    fn pushforward(partials: &Self::Partials, tangent: Self, rest: Rest) -> Self::Output;

    /// As [`pushforward`](Self::pushforward), where only some of the operands have a tangent: bit 0 of `active` for `self`. The partial
    /// derivative in another may be infinite, and its tangent of zero is no factor.
    #[doc(hidden)]
    #[inline]
    fn pushforward_of(
        _active: u8,
        partials: &Self::Partials,
        tangent: Self,
        rest: Rest,
    ) -> Self::Output {
        Self::pushforward(partials, tangent, rest)
    }

    /// The cotangents of the operands.
    fn pullback(partials: &Self::Partials, cotangent: &Self::Output) -> (Self, Rest);

    /// As [`pullback`](Self::pullback), where both operands are one variable, so that only the sum of the two cotangents matters.
    #[doc(hidden)]
    #[inline]
    fn pullback_of_square(partials: &Self::Partials, cotangent: &Self::Output) -> (Self, Rest) {
        Self::pullback(partials, cotangent)
    }
}

/// `Σ ∂ᵢ·dᵢ` over the operands that have a tangent, each a bit of `active`: 0 times an infinite partial derivative is no number.
#[inline]
fn of_active<T: Real, const N: usize>(active: u8, terms: [(T, T); N]) -> T {
    let terms = terms.into_iter().enumerate();
    let active = terms.filter(|(i, _)| active >> i & 1 == 1);
    let products = active.map(|(_, (partial, tangent))| partial * tangent);
    products
        .reduce(|sum, term| sum + term)
        .unwrap_or_else(T::zero)
}
