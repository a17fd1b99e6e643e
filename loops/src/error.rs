//! What can go wrong in a loop or a solver, with the numbers.

use std::fmt;

/// Why a loop or a solver has no result. No shadow has been touched.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The iteration was stopped before it converged.
    NoConvergence {
        /// The iterations done.
        iterations: usize,
        /// How far the last one was from the goal: the norm of the last change, or of the residual.
        residual: f64,
        /// What it should have been.
        tolerance: f64,
    },
    /// The Jacobian at the solution has no inverse: no pivot is left in this column.
    SingularJacobian {
        /// The column, counted from 0.
        column: usize,
        /// The number of columns.
        size: usize,
    },
    /// A loop was to go on after as many rounds as it may have.
    BoundExceeded {
        /// The bound.
        bound: usize,
    },
    /// What was said to be the inverse of a step is not: it does not lead back.
    NotInverse {
        /// The step.
        step: usize,
        /// The distance between the state before the step and what the inverse makes of the state after it.
        distance: f64,
        /// What it should have been, at most.
        tolerance: f64,
    },
    /// The function has one sign at both ends of the bracket.
    NoBracket {
        /// The ends.
        ends: [f64; 2],
        /// The values there.
        values: [f64; 2],
    },
    /// The event function has not changed its sign.
    NoEvent {
        /// Where the search began.
        from: f64,
        /// Where it ended.
        to: f64,
        /// The value of the event function there.
        value: f64,
    },
    /// The step size of an adaptive solver has become too small.
    StepTooSmall {
        /// The time reached.
        at: f64,
        /// The step size.
        step: f64,
    },
    /// A state could not be written to disk.
    Disk(std::io::ErrorKind),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoConvergence {
                iterations,
                residual,
                tolerance,
            } => write!(
                f,
                "no convergence in {iterations} iterations: {residual:e} is left, {tolerance:e} was wanted"
            ),
            Self::SingularJacobian { column, size } => write!(
                f,
                "the Jacobian of size {size} is singular: no pivot in column {column}"
            ),
            Self::BoundExceeded { bound } => {
                write!(
                    f,
                    "the loop goes on after {bound} rounds, which was its bound"
                )
            }
            Self::NotInverse {
                step,
                distance,
                tolerance,
            } => write!(
                f,
                "the inverse of step {step} leads to a state at a distance of {distance:e}, where {tolerance:e} is allowed"
            ),
            Self::NoBracket { ends, values } => write!(
                f,
                "no sign change between {} and {}: the values are {} and {}",
                ends[0], ends[1], values[0], values[1]
            ),
            Self::NoEvent { from, to, value } => {
                write!(
                    f,
                    "no event between {from} and {to}: the last value is {value}"
                )
            }
            Self::StepTooSmall { at, step } => {
                write!(f, "the step size fell to {step:e} at {at}")
            }
            Self::Disk(kind) => write!(f, "a state could not be written to disk: {kind}"),
        }
    }
}

impl std::error::Error for Error {}
