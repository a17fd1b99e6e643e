//! Classes of rules: what an author writes, and what is done for them.
//!
//! | class | the author writes | automated |
//! |---|---|---|
//! | [`Elementwise1`] | value and partial of one number, what the partial reads | the function on numbers and on arrays |
//! | [`Elementwise2`] | value and both partials of two numbers, what each reads | broadcasting, and the sums over what was broadcast |
//! | [`Linear`] | the map and its transpose | the tangent is the map; nothing is on the tape |
//! | [`Bilinear`] | the product and its two transposes | the tangent by the product rule; each factor is read for the other only |
//! | [`Reduction`] | value and partials of a row of numbers | over the whole array, one axis, or several with `keepdims` |
//! | [`Lanewise`] | value, tangent and cotangent of a row of numbers | along one axis of an array |
//! | [`Unary`], [`Binary`] | value, tangent, cotangents, what is read again | all of the below |
//!
//! For every class: each activity of each operand, every width, saving what may be overwritten (and only if it is read
//! for an active operand), strong zeros, leaving out the value where nobody needs it, any memory layout.
//!
//! Classes without a trait of their own: a change of shape or order, and what has an axis as an attribute and is linear
//! (concatenation, slices), is a [`Linear`] map with attributes; what is created from attributes alone is
//! [`inactive`](coenzyme::inactive).
//!
//! An [`Outline`] tells, from the shapes of the operands alone, what a call will return, cost, and keep on the tape, for elementwise
//! functions, reductions, functions along an axis, changes of shape, products, factorizations and solutions.
//!
//! The upper classes are adaptors that make a [`Unary`] or a [`Binary`]: [`Each`], [`Broadcast`], [`Transposed`],
//! [`Product`], [`Whole`], [`Along`], [`Over`], [`Lanes`]. One driver for each of those two speaks the protocol, and a line
//! of [`unary_rule!`](crate::unary_rule) or [`binary_rule!`](crate::binary_rule) gives a function's marker its rules:
//!
//! ```
//! use coenzyme::primitive;
//! use coenzyme_rules::class::{Elementwise1, Each, Reads, Scalar, Unary};
//! use coenzyme_rules::unary_rule;
//! use ndarray::{Array, ArrayRef, Dimension};
//!
//! /// `x³`.
//! #[primitive]
//! pub fn cube<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>) -> Array<T, D> {
//!     Each::<cube>::value(x, ())
//! }
//!
//! impl<T: Scalar> Elementwise1<T> for cube {
//!     const READS: Reads = Reads::X;
//!     fn value(x: T) -> T { x * x * x }
//!     fn partial(x: T, _: T) -> T { T::lit(3.0) * x * x }
//! }
//!
//! unary_rule!(cube[T: Scalar, D: Dimension](x: ArrayRef<T, D>) = Each<cube>);
//! ```

mod attribute;
mod axis;
mod bilinear;
mod binary;
mod each_lane;
mod elementwise1;
mod elementwise2;
mod lanewise;
mod linear;
mod outline;
mod outlines;
mod reads;
mod reduction;
mod rows;
mod scalar;
mod several;
mod strong_zero;
mod unary;

#[doc(inline)]
pub use crate::{binary_rule, elementwise1, elementwise2, unary_rule};
pub use attribute::Attribute;
pub use bilinear::{Bilinear, Product};
pub use binary::{At2, Binary, BinaryTape};
pub(crate) use each_lane::each_lane;
pub use elementwise1::{Each, Elementwise1};
pub use elementwise2::{Broadcast, Elementwise2, broadcast_shape};
pub use lanewise::{Lanes, Lanewise};
pub use linear::{Linear, Transposed};
pub use outline::{Classified, Misfit, Number, Outline, Outlined, Spec};
pub use reads::Reads;
pub use reduction::{Along, Over, Reduction, Whole};
pub use scalar::{Plain, Scalar};
pub use unary::{At, Unary, UnaryTape};

pub(crate) use axis::{check_axis, normal_axes};
pub(crate) use elementwise2::unbroadcast;
pub(crate) use outlines::{reduced, without_axes, without_axis};
pub(crate) use several::several_rule;
pub(crate) use strong_zero::effective;

/// The driver of [`Binary`], for [`binary_rule!`](crate::binary_rule).
#[doc(hidden)]
pub mod __binary {
    pub use super::binary::{augmented, forward, reverse};
}
/// The driver of [`Unary`], for [`unary_rule!`](crate::unary_rule).
#[doc(hidden)]
pub mod __unary {
    pub use super::unary::{augmented, forward, reverse};
}
