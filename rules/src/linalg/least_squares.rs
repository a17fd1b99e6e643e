//! Least squares.
//!
//! Source: Golub & Pereyra 1973, *The differentiation of pseudo-inverses and nonlinear least squares problems whose variables
//! separate*, doi:10.1137/0710036, equation 4.12, for full column rank.

use coenzyme::primitive;
use ndarray::linalg::general_mat_mul;
use ndarray::{Array, Array2, ArrayRef, ArrayRef2, Dimension};

use super::Error;
use super::blocked::Triangle;
use super::orthogonal::qr;
use super::triangular::{columns, like};
use crate::class::{Scalar, several_rule};

/// The `X` of the least `‖A·X − B‖`, column by column, for `A` of shape `(m, n)` with independent columns, so `m ≥ n`, and `B` of
/// shape `(m)` or `(m, k)`; `X` has shape `(n)` or `(n, k)`. By QR factorization: `4mn²` flops. **Panics** if the shapes do not
/// fit, or `m < n`.
///
/// With the residual `E = B − A·X` and `A⁺ = R⁻¹Qᵀ`: forward `Ẋ = A⁺(Ḃ − Ȧ·X) + (AᵀA)⁻¹ȦᵀE`; reverse with `U = R⁻¹R⁻ᵀX̄` and
/// `V = A·U = Q·R⁻ᵀX̄`: `B̄ += V`, `Ā += E·Uᵀ − V·Xᵀ`. The factors and the residual are on the tape. The condition number of `A`
/// enters the second term squared.
///
/// # Errors
/// [`Error::Singular`] if the columns are exactly dependent, or not finite.
///
/// ```
/// # use ndarray::array;
/// let line = array![[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]];
/// let x = coenzyme_rules::linalg::lstsq(&line, &array![1.0, 3.0, 5.0])?;
/// assert!((x - array![1.0, 2.0]).iter().all(|x: &f64| x.abs() < 1e-14));
/// # Ok::<_, coenzyme_rules::linalg::Error>(())
/// ```
#[primitive]
#[track_caller]
pub fn lstsq<T: Scalar, D: Dimension>(
    a: &ArrayRef2<T>,
    b: &ArrayRef<T, D>,
) -> Result<Array<T, D>, Error> {
    Ok(lstsq::evaluate(a, b)?.0)
}

/// What the derivative reads beside the value: `A = Q·R`, and the residual.
#[derive(Debug)]
pub struct LeastSquares<T> {
    q: Array2<T>,
    r: Array2<T>,
    residual: Array2<T>,
}

impl<T: Scalar> LeastSquares<T> {
    /// `R⁻¹·Y`
    fn over_r(&self, mut y: Array2<T>) -> Array2<T> {
        Triangle::UPPER.solve(self.r.view(), &mut y);
        y
    }

    /// `R⁻ᵀ·Y`
    fn over_r_transposed(&self, mut y: Array2<T>) -> Array2<T> {
        Triangle::LOWER.solve(self.r.t(), &mut y);
        y
    }
}

/// The entries as a matrix of as many columns as the right-hand side has.
fn matrix<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>) -> Array2<T> {
    columns("lstsq", x.shape(), x)
}

impl lstsq {
    #[track_caller]
    fn evaluate<T: Scalar, D: Dimension>(
        a: &ArrayRef2<T>,
        b: &ArrayRef<T, D>,
    ) -> Result<(Array<T, D>, LeastSquares<T>), Error> {
        let right = columns("lstsq", a.shape(), b);
        assert!(
            a.nrows() >= a.ncols(),
            "lstsq: a matrix of shape {:?} has more columns than rows",
            a.shape()
        );
        let (q, r) = qr(a)?;
        let kept = LeastSquares {
            q,
            r,
            residual: right,
        };
        let x = kept.over_r(kept.q.t().dot(&kept.residual));
        let mut residual = kept.residual.clone();
        general_mat_mul(-T::one(), a, &x, T::one(), &mut residual);
        let mut shape = b.raw_dim();
        shape[0] = a.ncols();
        Ok((like(x, shape), LeastSquares { residual, ..kept }))
    }

    fn pushforward<T: Scalar, D: Dimension>(
        x: &Array<T, D>,
        kept: &LeastSquares<T>,
        da: Option<&ArrayRef2<T>>,
        db: Option<&ArrayRef<T, D>>,
    ) -> Array<T, D> {
        // Ḃ − Ȧ·X
        let mut right = db.map_or_else(|| Array2::zeros(kept.residual.raw_dim()), |db| matrix(db));
        if let Some(da) = da {
            general_mat_mul(-T::one(), da, &matrix(x), T::one(), &mut right);
        }
        let mut inner = kept.q.t().dot(&right);
        if let Some(da) = da {
            inner += &kept.over_r_transposed(da.t().dot(&kept.residual));
        }
        like(kept.over_r(inner), x.raw_dim())
    }

    /// `U` and `V`.
    fn pull<T: Scalar, D: Dimension>(
        _: &Array<T, D>,
        kept: &LeastSquares<T>,
        dx: &Array<T, D>,
    ) -> (Array2<T>, Array2<T>) {
        let inner = kept.over_r_transposed(matrix(dx));
        let v = kept.q.dot(&inner);
        (kept.over_r(inner), v)
    }

    fn pull_a<T: Scalar, D: Dimension>(
        x: &Array<T, D>,
        kept: &LeastSquares<T>,
        (u, v): &(Array2<T>, Array2<T>),
        da: &mut ArrayRef2<T>,
    ) {
        general_mat_mul(T::one(), &kept.residual, &u.t(), T::one(), da);
        general_mat_mul(-T::one(), v, &matrix(x).t(), T::one(), da);
    }

    fn pull_b<T: Scalar, D: Dimension>(
        _: &Array<T, D>,
        _: &LeastSquares<T>,
        (_, v): &(Array2<T>, Array2<T>),
        db: &mut ArrayRef<T, D>,
    ) {
        *db += &like(v.clone(), db.raw_dim());
    }
}

several_rule!(
    lstsq[T: Scalar, D: Dimension + 'static](a: ArrayRef2<T> => pull_a, b: ArrayRef<T, D> => pull_b)
        -> Result<Array<T, D>, Error>, keeps LeastSquares<T>, pulls (Array2<T>, Array2<T>)
);
