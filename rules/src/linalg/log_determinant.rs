//! Logarithms of determinants, of matrices of either sign and of positive definite ones.
//!
//! Source: Giles 2008, doi:10.1007/978-3-540-68942-3_4; the inverse of a positive definite matrix from its Cholesky factor.

use coenzyme::primitive;
use ndarray::{Array2, ArrayRef2, Zip};

use super::blocked::{Triangle, cholesky_upper};
use super::factorized::{Factorized, factorized_rule};
use super::pivoting::Lu;
use super::symmetric::symmetric_part;
use super::{Error, order};
use crate::class::Scalar;

/// `Σ xᵢⱼ·yᵢⱼ`
fn inner<T: Scalar>(x: &ArrayRef2<T>, y: &ArrayRef2<T>) -> T {
    Zip::from(x)
        .and(y)
        .fold(T::zero(), |sum, &x, &y| sum + x * y)
}

/// The logarithm of the determinant of a square matrix with a positive one. **Panics** if the matrix is not square.
///
/// Forward `ẏ = tr(A⁻¹Ȧ)`, reverse `Ā += ȳ·A⁻ᵀ`.
///
/// # Errors
/// [`Error::Singular`] if no pivot is left, [`Error::NegativeDeterminant`].
#[primitive]
#[track_caller]
pub fn logdet<T: Scalar>(a: &ArrayRef2<T>) -> Result<T, Error> {
    logdet::of(&Lu::new("logdet", a)?)
}

impl logdet {
    /// From the factors.
    fn of<T: Scalar>(lu: &Lu<T>) -> Result<T, Error> {
        let (sign, log) = lu.sign_and_log();
        if sign < T::zero() {
            return Err(Error::NegativeDeterminant);
        }
        Ok(log)
    }
}

impl<T: Scalar> Factorized<T> for logdet {
    type Out = T;
    /// `A⁻ᵀ`
    type Factors = Array2<T>;

    fn factorize(a: &ArrayRef2<T>) -> Result<(T, Array2<T>), Error> {
        let lu = Lu::new("logdet", a)?;
        Ok((
            logdet::of(&lu)?,
            lu.solve_transposed(&Array2::eye(a.nrows())),
        ))
    }
    fn pushforward(_: &T, inverse: &Array2<T>, da: &ArrayRef2<T>) -> T {
        inner(inverse, da)
    }
    fn pullback(_: &T, inverse: &Array2<T>, dy: &mut T, da: &mut ArrayRef2<T>) {
        da.scaled_add(*dy, inverse);
    }
}

factorized_rule!(logdet);

/// The sign of the determinant of a square matrix, `±1`, and the logarithm of its absolute value; `(1, 0)` for the empty one.
/// **Panics** if the matrix is not square. See [`logdet()`] where the determinant is known to be positive.
///
/// The sign has the derivative 0. Forward `tr(A⁻¹Ȧ)`, reverse `Ā += ȳ·A⁻ᵀ` with the cotangent `ȳ` of the logarithm.
///
/// # Errors
/// [`Error::Singular`] if no pivot is left.
///
/// ```
/// let (sign, log) = coenzyme_rules::linalg::slogdet(&ndarray::array![[0.0, 2.0], [0.5, 0.0]])?;
/// assert_eq!((sign, log), (-1.0, 0.0));
/// # Ok::<_, coenzyme_rules::linalg::Error>(())
/// ```
#[primitive]
#[track_caller]
pub fn slogdet<T: Scalar>(a: &ArrayRef2<T>) -> Result<(T, T), Error> {
    Ok(Lu::new("slogdet", a)?.sign_and_log())
}

impl<T: Scalar> Factorized<T> for slogdet {
    type Out = (T, T);
    /// `A⁻ᵀ`
    type Factors = Array2<T>;

    fn factorize(a: &ArrayRef2<T>) -> Result<((T, T), Array2<T>), Error> {
        let lu = Lu::new("slogdet", a)?;
        let inverse = lu.solve_transposed(&Array2::eye(a.nrows()));
        Ok((lu.sign_and_log(), inverse))
    }
    fn pushforward(_: &(T, T), inverse: &Array2<T>, da: &ArrayRef2<T>) -> (T, T) {
        (T::zero(), inner(inverse, da))
    }
    fn pullback(_: &(T, T), inverse: &Array2<T>, dy: &mut (T, T), da: &mut ArrayRef2<T>) {
        da.scaled_add(dy.1, inverse);
    }
}

factorized_rule!(slogdet);

/// The logarithm of the determinant of a positive definite matrix, of which the symmetric part `(A + Aᵀ)/2` is used: twice
/// that of the diagonal of its Cholesky factor, half the work of [`logdet()`]. **Panics** if the matrix is not square.
///
/// Forward `tr(A⁻¹Ȧ)`, reverse `Ā += ȳ·A⁻¹`, symmetric.
///
/// # Errors
/// [`Error::NotPositiveDefinite`].
///
/// ```
/// let y = coenzyme_rules::linalg::logdet_positive(&ndarray::array![[4.0_f64, 0.0], [0.0, 0.25]])?;
/// assert_eq!(y, 0.0);
/// # Ok::<_, coenzyme_rules::linalg::Error>(())
/// ```
#[primitive]
#[track_caller]
pub fn logdet_positive<T: Scalar>(a: &ArrayRef2<T>) -> Result<T, Error> {
    Ok(logdet_positive::factor(a)?.0)
}

impl logdet_positive {
    /// The value, and `U` with `UᵀU = A`.
    #[track_caller]
    fn factor<T: Scalar>(a: &ArrayRef2<T>) -> Result<(T, Array2<T>), Error> {
        order("logdet_positive", a);
        let mut u = symmetric_part(a);
        cholesky_upper(&mut u)?;
        let half: T = u.diag().iter().map(|u| u.ln()).sum();
        Ok((half + half, u))
    }
}

impl<T: Scalar> Factorized<T> for logdet_positive {
    type Out = T;
    /// `A⁻¹`
    type Factors = Array2<T>;

    fn factorize(a: &ArrayRef2<T>) -> Result<(T, Array2<T>), Error> {
        let (value, u) = Self::factor(a)?;
        let mut inverse = Array2::eye(u.nrows());
        Triangle::LOWER.solve(u.t(), &mut inverse);
        Triangle::UPPER.solve(u.view(), &mut inverse);
        Ok((value, inverse))
    }
    fn pushforward(_: &T, inverse: &Array2<T>, da: &ArrayRef2<T>) -> T {
        inner(inverse, da)
    }
    fn pullback(_: &T, inverse: &Array2<T>, dy: &mut T, da: &mut ArrayRef2<T>) {
        da.scaled_add(*dy, inverse);
    }
}

factorized_rule!(logdet_positive);
