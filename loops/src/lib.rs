//! Loops, fixed points, solvers and differential equations whose derivative is better than the derivative of every step.
//!
//! | function | value | kept for the reverse pass |
//! |---|---|---|
//! | [`sum_loop()`] | `Σ f(item, p)` | nothing |
//! | [`iterate()`] | `x ← f(x, p, t)`, `n` times | as many states as its [`Schedule`] says |
//! | [`iterate_on_disk()`] | the same | some states in a file, some of a block in memory |
//! | [`scan()`] | the same, with items and values | as many states as its [`Schedule`] says |
//! | [`while_loop()`] | the same, while the state says so | as many states as its [`Bound`] says |
//! | [`reversible()`] | the same, of steps with an inverse | the last state |
//! | [`checkpoint()`] | `f(x, p)` | nothing |
//! | [`fixed_point()`] | `x = f(x, p)` | the solution |
//! | [`root()`] | `f(x, p) = 0` | the solution |
//! | [`bracketed_root()`] | the same between two ends | the root |
//! | [`least_squares()`] | `min ½‖f(x, p)‖²` | the minimum |
//! | [`quadratic_program()`] | `min ½xᵀQx + cᵀx` under `Ax = b` | the factors |
//! | [`linear_interpolation()`], [`natural_spline()`], [`monotone_interpolation()`] | between knots, all active | that of their code |
//! | [`soft_rank()`], [`soft_sort()`] | ranks and sorted values, made smooth | the order |
//! | [`quadrature()`] | `∫ₐᵇ f(x, p) dx` | the parts of the interval |
//! | [`ode::integrate()`] | `x′ = f(x, p, t)` | as many states as its [`Ode`](ode::Ode) says |
//! | [`ode::integrate_until()`] | the same up to an event, and its time | the same |
//!
//! They are functions with rules: `#[differentiable]` code calls them, in any mix of activities, in several lanes, and on dual numbers. So are
//! the bodies that they are given, in [`Inactive`](coenzyme::Inactive); [`body`] says what a body is. A body must do the same again whenever it runs on the same arguments;
//! [`random`] has numbers for that, and [`sampling`] those whose distribution is differentiated.
//!
//! ```
//! use coenzyme::prelude::*;
//! use coenzyme_loops::{Error, FixedPoint, fixed_point};
//!
//! #[differentiable]
//! fn cosine(x: &mut f64, theta: &f64, _t: usize) {
//!     *x = (*theta * *x).cos();
//! }
//!
//! /// `x = cos(θx)`
//! #[differentiable]
//! fn solution(theta: f64) -> Result<f64, Error> {
//!     let mut x = 1.0;
//!     fixed_point(&mut x, &theta, Inactive(cosine {}), FixedPoint::new(1e-14, 500))?;
//!     Ok(x)
//! }
//!
//! assert!((solution(1.0)? - 0.7390851332151607).abs() < 1e-13);
//! assert!((gradient!(solution, 1.0)?.0 + 0.29747434150983226).abs() < 1e-13);
//! # Ok::<(), Error>(())
//! ```

pub mod body;
mod bounded;
mod disk;
mod error;
mod implicit;
mod interpolation;
pub mod ode;
mod online;
mod quadrature_rule;
pub mod random;
pub mod sampling;
mod scanning;
mod sorting;
mod sum;
mod undoing;

pub use bounded::{Bound, WhileTape, while_loop};
pub use coenzyme_rules::loops::{
    CheckpointTape, IterateTape, Operand, Schedule, checkpoint, iterate,
};
pub use disk::{Disk, DiskTape, iterate_on_disk};
pub use error::Error;
pub use implicit::{
    Bracket, FixedPoint, LeastSquares, Newton, SolutionTape, Solver, bracketed_root, fixed_point,
    least_squares, quadratic_program, root,
};
pub use interpolation::{linear_interpolation, monotone_interpolation, natural_spline};
pub use quadrature_rule::{QuadratureTape, quadrature};
pub use scanning::{Item, ScanTape, scan};
pub use sorting::{soft_rank, soft_sort};
pub use sum::sum_loop;
pub use undoing::{Reversal, ReversibleTape, inverse_distance, reversible};

/// An owned copy of memory.
type Copied<X> = <X as ToOwned>::Owned;
