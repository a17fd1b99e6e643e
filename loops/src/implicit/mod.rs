//! Values that an equation defines: fixed points and roots.

mod anderson;
mod bracketed;
mod fitting;
pub(crate) mod linear;
mod newton;
mod stationary;

pub use bracketed::{Bracket, BracketedRootTape, bracketed_root};
pub use fitting::{LeastSquares, LeastSquaresTape, least_squares};
pub use linear::Solver;
pub use newton::{Newton, RootTape, root};
pub use stationary::{FixedPoint, FixedPointTape, fixed_point};
