//! The rule library of `coenzyme`: functions with their derivatives, for numbers, `ndarray` arrays, linear algebra and neural
//! networks.
//!
//! ```
//! use coenzyme::prelude::*;
//! use coenzyme_rules::array::sum;
//! use coenzyme_rules::linalg::matvec;
//! use ndarray::{Array1, Array2, array};
//!
//! #[differentiable]
//! fn f(w: &Array2<f64>, x: &Array1<f64>) -> f64 {
//!     let h = matvec(w, x);
//!     sum(&h)
//! }
//!
//! let (w, x) = (array![[1.0, 2.0], [3.0, 4.0]], array![1.0, -1.0]);
//! let mut dx = array![0.0, 0.0];
//! autodiff!(Reverse, f, Active, Const(&w), Duplicated(&x, &mut dx));
//! assert_eq!(dx, array![4.0, 6.0]);
//! ```
//!
//! | module | functions |
//! |---|---|
//! | [`scalar`] | of numbers, beyond the float methods |
//! | [`array`](mod@array) | of arrays: elementwise, reductions, along an axis, shape, indexing |
//! | [`fast`] | elementary functions that vectorize |
//! | [`linalg`] | products, solutions, factorizations |
//! | [`loops`] | loops and calls that keep little and compute again: checkpointing |
//! | [`nn`] | pieces of neural networks |
//! | [`parallel`](mod@parallel) | many calls at once |
//! | [`signal`] | convolution, Fourier transforms |
//! | [`class`](mod@class) | what rules are made of |
//!
//! # Adding a rule
//!
//! An elementwise function is one row of [`elementwise1!`] or [`elementwise2!`] in a file of [`scalar`]; it exists on numbers
//! and on arrays. A method of floats is one row of `array/float_methods.rs`, a reduction one row and two methods in
//! `array/reductions.rs`. Any other function of arrays is one file (the function under `#[primitive]`, its
//! [`Linear`](class::Linear), [`Bilinear`](class::Bilinear), [`Unary`](class::Unary) or [`Binary`](class::Binary), one line of
//! [`unary_rule!`] or [`binary_rule!`]) and its line in the module. A rule that fits no class is written out as in
//! `nn/layers.rs`.
//!
//! # Conventions
//!
//! The derivative at a tie belongs to the first of the equals; at a kink it is the one that the function's documentation says,
//! 0 for `abs`, norms and `relu`. Shapes that do not fit are a panic which names them; a matrix that cannot be
//! factorized is an error. Attributes (axes, shapes, flags, index lists) have no derivative. Strong zeros are honoured entry by entry in
//! elementwise functions, [`class::Reduction`]s and [`linalg::det()`]. Products, solutions, functions along an axis, norms and losses
//! multiply whole rows or matrices: there a seed that is zero in all its entries gives zero, and one that is zero in some gives
//! NaN where it meets an infinite entry.

pub mod array;
pub mod class;
pub mod fast;
mod lanes;
pub mod linalg;
pub mod loops;
pub mod nn;
pub mod parallel;
#[cfg(test)]
mod samples;
pub mod scalar;
pub mod signal;
