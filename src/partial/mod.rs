//! Partial derivatives, and what they are multiplied by: the arithmetic behind [`easy_rule!`](crate::easy_rule!).
//!
//! A partial derivative `∂y/∂x` is a linear map: forward it takes the tangent of `x` to that of `y`, in reverse the cotangent
//! of `y` to that of `x`. Its type depends on those of `x` and `y`, and dimensions of `y` come before those of `x`:
//!
//! | `x` | `y` | `∂y/∂x` |
//! |---|---|---|
//! | a number | a number | a number |
//! | `[T]`, `[T; N]`, `Vec<T>` | a number | the gradient: `Vec<T>`, `[T; N]`, `&[T]` |
//! | a number | `Vec<T>`, `[T; M]` | the entries' derivatives: `Vec<T>`, `[T; M]`, `&[T]` |
//! | a slice, `[T; N]` | `Vec<T>`, `[T; M]` | the rows of the Jacobian: `Vec<Vec<T>>`, `[[T; N]; M]`; `Array2<T>` for a slice and a `Vec` |
//! | `Array<T, D>` | a number | `Array<T, D>` |
//! | a number | `Array<T, E>` | `Array<T, E>` |
//! | `Array1<T>` | `Array1<T>` | `Array2<T>`, one row for each entry of `y` |
//! | `Array<T, D>` | `Array<T, E>` | `ArrayD<T>`, of the shape of `y` followed by that of `x` |
//! | any of these | the same shape, entry by entry | [`Diagonal`] of the entries' derivatives |
//!
//! | file | partials |
//! |---|---|
//! | `number.rs` | of numbers by numbers |
//! | `slice.rs` | of and by slices, vectors and arrays of fixed length |
//! | `array.rs` | of and by `ndarray` arrays |
//! | `diagonal.rs` | entry by entry |

#[cfg(feature = "ndarray")]
mod array;
mod diagonal;
mod number;
mod slice;

pub use diagonal::Diagonal;
pub use number::Number;

use crate::activity::Adjoint;

/// The derivative of an `Out` with respect to an `In`, as a linear map.
///
/// Implement it for a type of your own to use it in [`easy_rule!`](crate::easy_rule!): a sparse Jacobian, a rotation.
/// `strong_zero` is that of the configuration: a zero entry of the tangent or cotangent gives zero, whatever it is
/// multiplied by; [`scaled`](crate::scaled) does that for numbers.
///
/// ```
/// use coenzyme::{Adjoint, Partial};
///
/// // y = ∂·x for a gradient ∂ of two entries
/// let partial = [2.0, 5.0];
/// assert_eq!(partial.multiply_forward(&[1.0, 10.0][..], false), 52.0);
///
/// let mut dx = [0.5, 0.5];
/// partial.multiply_reverse(&10.0, Adjoint::new(&mut dx[..]), false);
/// assert_eq!(dx, [20.5, 50.5]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a partial derivative of `{Out}` with respect to `{In}`",
    label = "wrong type of partial derivative",
    note = "a number for numbers, a gradient `Vec<f64>` for an array and a number, the rows of a Jacobian for two arrays",
    note = "see `coenzyme::partial` for all of them, or implement `Partial<{In}, {Out}>` for `{Self}`"
)]
pub trait Partial<In: ?Sized, Out> {
    /// `∂·ẋ`: the tangent of the result.
    ///
    /// # Panics
    /// If the shapes do not fit.
    fn multiply_forward(&self, tangent: &In, strong_zero: bool) -> Out;

    /// Adds `∂ᵀ·ȳ` (conjugated, for complex numbers) to the cotangent of the argument.
    ///
    /// # Panics
    /// If the shapes do not fit.
    fn multiply_reverse(&self, cotangent: &Out, adjoint: Adjoint<'_, In>, strong_zero: bool);
}
