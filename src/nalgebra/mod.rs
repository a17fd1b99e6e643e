//! Derivatives of `nalgebra`: its types as arguments, values and memory of differentiated functions. Feature `nalgebra`.
//!
//! ```
//! use coenzyme::nalgebra::{Matrix3, UnitQuaternion, Vector3};
//! use coenzyme::prelude::*;
//!
//! /// How far `v`, turned by `angle` about the third axis and stretched, is from `target`.
//! #[differentiable]
//! fn miss(angle: f64, stretch: &Matrix3<f64>, v: Vector3<f64>, target: Vector3<f64>) -> f64 {
//!     let turn = UnitQuaternion::from_euler_angles(0.0, 0.0, angle);
//!     let d = stretch * (turn * v) - target;
//!     d.norm_squared()
//! }
//!
//! let (v, target) = (Vector3::new(1.0, 0.0, 0.0), Vector3::new(0.0, 2.0, 0.0));
//! let (angle, stretch, of_v, _) = gradient!(miss, 0.0, &Matrix3::identity(), v, target);
//! assert_eq!(angle, -4.0);
//! assert_eq!(stretch, Matrix3::new(2.0, 0.0, 0.0, -4.0, 0.0, 0.0, 0.0, 0.0, 0.0));
//! assert_eq!(of_v, Vector3::new(2.0, -4.0, 0.0));
//! ```
//!
//! The module is the crate itself, with the rules beside it. Those of a method are found by [`Methods`], those of a constructor by its type:
//! the [prelude](crate::prelude) brings both into scope. The path does not matter, nor whether the crate is imported from here:
//! `na::Vector3::new(x, y, z)` after `use nalgebra as na;`.
//!
//! | file | what has derivatives |
//! |---|---|
//! | `space` | tangent spaces: matrices of fixed and of dynamic shape, points, quaternions, units, rotations, translations, isometries |
//! | `arithmetic` | `+ − · /` with matrices and numbers, by value and by reference |
//! | [`products`] | `·` of matrices, `dot`, `cross`, `perp`, `tr_mul`, `component_mul`, `component_div` |
//! | [`parts`] | `norm`, `normalize`, `sum`, `mean`, `trace`, `transpose`, rows, columns, views, diagonals |
//! | [`solve`] | `try_inverse`, `determinant`, `lu`, `cholesky` and their `solve`, `l`, `inverse`, `ln_determinant` |
//! | [`rotation`] | products of quaternions, rotations and isometries, what they do to vectors and points, conversions |
//! | [`mod@make`] | constructors |
//!
//! Components, fields and entries (`v.x`, `v[i]`, `m[(i, j)]`, `p.coords`) are read and written as those of any type. A view,
//! `m.row(i)`, is a copy of what it shows.
//!
//! # Shadows of units
//! The shadow of a `UnitQuaternion` has four components and that of a `Rotation3` nine, with respect to which the program is
//! differentiated as it computes: they are not projected onto what is tangent to the sphere or the group.

pub use ::nalgebra::*;

mod arithmetic;
pub mod make;
mod methods;
pub mod parts;
pub mod products;
pub mod rotation;
pub mod solve;
mod space;

pub use methods::Methods;
pub use space::Entry;
