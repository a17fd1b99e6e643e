//! Loops, fixed points, solvers and differential equations whose derivative is better than the derivative of every step.

pub mod body;
mod bounded;
mod error;
mod implicit;
pub mod ode;
mod online;
pub mod random;
mod scanning;
mod sum;
mod undoing;

pub use bounded::{Bound, WhileTape, while_loop};
pub use coenzyme_rules::loops::{
    CheckpointTape, IterateTape, Operand, Schedule, checkpoint, iterate,
};
pub use error::Error;
pub use implicit::{FixedPoint, FixedPointTape, Newton, RootTape, Solver, fixed_point, root};
pub use scanning::{Item, ScanTape, scan};
pub use sum::sum_loop;
pub use undoing::{Reversal, ReversibleTape, inverse_distance, reversible};

/// An owned copy of memory.
type Copied<X> = <X as ToOwned>::Owned;
