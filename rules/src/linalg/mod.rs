//! Linear algebra.
//!
//! | file | functions |
//! |---|---|
//! | `products.rs` | [`matmul()`], [`matvec()`], [`dot()`], [`outer()`], [`batch_matmul()`] |
//! | `powers.rs` | [`matrix_power()`] |
//! | `triangular.rs` | [`solve_triangular()`] |
//! | `banded.rs` | [`solve_banded()`], also for tridiagonal systems |
//! | `pivoting.rs` | [`lu()`] |
//! | `solution.rs` | [`solve()`], [`inverse()`] |
//! | `determinant.rs` | [`det()`] |
//! | `log_determinant.rs` | [`logdet()`], [`slogdet()`], [`logdet_positive()`] |
//! | `least_squares.rs` | [`lstsq()`] |
//! | `matrix_equations.rs` | [`sylvester()`], [`lyapunov()`] |
//! | `symmetric.rs` | [`cholesky()`], [`eigh()`] |
//! | `orthogonal.rs` | [`qr()`] |
//! | `singular.rs` | [`svd()`], [`singular_values()`] |
//! | `pseudo_inverse.rs` | [`pinv()`] |
//! | `exponential.rs` | [`expm()`] |
//! | `kronecker.rs` | [`kron()`] |
//! | `sparse.rs` | [`sparse_matvec()`] |
//! | `sparse_solution.rs` | [`sparse_solve()`] |
//!
//! Products run on the matrix product of `ndarray` (`matrixmultiply` for `f32` and `f64`) and add straight into shadows.
//! Factorizations are plain loops over any [`Scalar`](crate::class::Scalar), so that they also run on
//! [`Dual`](coenzyme::Dual) numbers; the factors stay on the tape and serve the reverse pass.
//!
//! Functions of symmetric matrices use the symmetric part `(A + Aᵀ)/2`, so that their cotangents are symmetric. A matrix that
//! cannot be factorized is an [`Error`]; shapes that do not fit are a panic which names them.

mod banded;
mod blocked;
mod determinant;
mod error;
mod exponential;
mod factorized;
mod kronecker;
mod least_squares;
mod log_determinant;
mod matrix_equations;
mod orthogonal;
mod outlines;
mod pivoting;
mod powers;
mod products;
mod pseudo_inverse;
mod schur;
mod singular;
mod solution;
mod sparse;
mod sparse_solution;
mod symmetric;
mod triangular;

pub use banded::solve_banded;
pub use determinant::det;
pub use error::Error;
pub use exponential::expm;
pub use kronecker::kron;
pub use least_squares::lstsq;
pub use log_determinant::{logdet, logdet_positive, slogdet};
pub use matrix_equations::{lyapunov, sylvester};
pub use orthogonal::qr;
pub use pivoting::lu;
pub use powers::matrix_power;
pub use products::{batch_matmul, dot, matmul, matvec, outer};
pub use pseudo_inverse::pinv;
pub use singular::{singular_values, svd};
pub use solution::{inverse, solve};
pub use sparse::{Pattern, sparse_matvec};
pub use sparse_solution::sparse_solve;
pub use symmetric::{cholesky, eigh};
pub use triangular::solve_triangular;

/// The order of a square matrix.
///
/// # Panics
/// If it is not square; the message has its shape.
#[track_caller]
fn order<T>(name: &str, a: &ndarray::ArrayRef2<T>) -> usize {
    assert!(
        a.is_square(),
        "{name}: a matrix of shape {:?} is not square",
        a.shape()
    );
    a.nrows()
}
