//! Derivatives of `glam`: its vectors, matrices and quaternions as arguments, values and memory of differentiated functions.
//! Feature `glam`.
//!
//! ```
//! use coenzyme::glam::{DQuat, DVec3};
//! use coenzyme::prelude::*;
//!
//! /// How far `v`, turned by `angle` about the third axis, is from `target`.
//! #[differentiable]
//! fn miss(angle: f64, v: DVec3, target: DVec3) -> f64 {
//!     let turn = DQuat::from_rotation_z(angle);
//!     let d = turn * v - target;
//!     d.length_squared()
//! }
//!
//! let (v, target) = (DVec3::new(1.0, 0.0, 0.0), DVec3::new(0.0, 2.0, 0.0));
//! let (angle, of_v, _) = gradient!(miss, 0.0, v, target);
//! assert_eq!((angle, of_v), (-4.0, DVec3::new(2.0, -4.0, 0.0)));
//! ```
//!
//! The module is the crate itself, with the rules beside it: [`Methods`] and constructors are found as in
//! [`coenzyme::nalgebra`](crate::nalgebra). `f64` and `f32`: `DVec2`, `DVec3`, `DVec4`,
//! `DMat2`, `DMat3`, `DMat4`, `DQuat` and `Vec2`, `Vec3`, `Vec4`, `Mat2`, `Mat3`, `Mat4`, `Quat`.
//!
//! The shadow of a quaternion has four components, with respect to which the program is differentiated as it computes.

pub use ::glam::*;

mod arithmetic;
pub mod functions;
pub mod make;
mod methods;
mod space;

pub use methods::Methods;
