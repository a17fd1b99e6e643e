//! Matrices that cannot be factorized.

use std::fmt;

/// Why a matrix could not be factorized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Exactly singular, or not finite: no pivot was left in this column.
    Singular {
        /// The column, counted from 0.
        column: usize,
    },
    /// Not positive definite: the pivot of this column is not positive.
    NotPositiveDefinite {
        /// The column, counted from 0.
        column: usize,
    },
    /// The determinant is negative, and has no logarithm.
    NegativeDeterminant,
    /// The iteration did not converge, which happens for matrices that are not finite.
    NoConvergence,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Singular { column } => {
                write!(f, "the matrix is singular: no pivot in column {column}")
            }
            Self::NotPositiveDefinite { column } => write!(
                f,
                "the matrix is not positive definite: the pivot of column {column} is not positive"
            ),
            Self::NegativeDeterminant => {
                write!(f, "the determinant is negative and has no logarithm")
            }
            Self::NoConvergence => write!(f, "the eigenvalue iteration did not converge"),
        }
    }
}

impl std::error::Error for Error {}
