//! Values that an equation defines: fixed points and roots.

mod anderson;
pub(crate) mod bracketed;
mod fitting;
pub(crate) mod linear;
mod newton;
mod quadratic;
mod solution;
mod stationary;

pub use bracketed::{Bracket, bracketed_root};
pub use fitting::{LeastSquares, least_squares};
pub use linear::Solver;
pub use newton::{Newton, root};
pub use quadratic::quadratic_program;
pub use solution::SolutionTape;
pub use stationary::{FixedPoint, fixed_point};
