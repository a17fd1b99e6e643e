//! Values that an equation defines: fixed points and roots.

pub(crate) mod linear;
mod newton;
mod stationary;

pub use linear::Solver;
pub use newton::{Newton, RootTape, root};
pub use stationary::{FixedPoint, FixedPointTape, fixed_point};
