//! The pseudo-inverse.
//!
//! Source: Golub & Pereyra 1973, *The differentiation of pseudo-inverses and nonlinear least squares problems whose variables
//! separate*, doi:10.1137/0710036, equation 4.12.

use coenzyme::primitive;
use ndarray::{Array2, ArrayRef2};

use super::factorized::{Factorized, factorized_rule};
use super::{Error, svd};
use crate::class::Scalar;

/// The pseudo-inverse `Y = A⁺`, of shape `(n, m)`, of a matrix `(m, n)`, from its singular values; those up to
/// `max(m, n)·ε·s₀` are taken for zeros.
///
/// Forward `Ẏ = −YȦY + YYᵀȦᵀ(I − AY) + (I − YA)ȦᵀYᵀY`; reverse
/// `Ā += −YᵀȲYᵀ + (I − AY)ȲᵀYYᵀ + YᵀYȲᵀ(I − YA)`. It is the derivative along matrices of the same rank: where the rank is not
/// full the pseudo-inverse is not continuous, and differences see something else.
///
/// # Errors
/// [`Error::NoConvergence`] if the matrix is not finite.
///
/// ```
/// # use ndarray::array;
/// let y = coenzyme_rules::linalg::pinv(&array![[2.0, 0.0], [0.0, 4.0], [0.0, 0.0]]);
/// assert_eq!(y, Ok(array![[0.5, 0.0, 0.0], [0.0, 0.25, 0.0]]));
/// ```
#[primitive]
pub fn pinv<T: Scalar>(a: &ArrayRef2<T>) -> Result<Array2<T>, Error> {
    let (u, s, v) = svd(a)?;
    let largest = s.first().copied().unwrap_or(T::zero());
    let tiny = largest * T::epsilon() * T::lit(a.nrows().max(a.ncols()) as f64);
    let inverse = s.mapv(|s| if s <= tiny { T::zero() } else { s.recip() });
    Ok((v * inverse).dot(&u.t()))
}

impl<T: Scalar> Factorized<T> for pinv {
    type Out = Array2<T>;
    /// `I − AY` and `I − YA`.
    type Factors = (Array2<T>, Array2<T>);

    fn factorize(a: &ArrayRef2<T>) -> Result<(Array2<T>, Self::Factors), Error> {
        let y = pinv(a)?;
        let (m, n) = a.dim();
        let outside = (Array2::eye(m) - a.dot(&y), Array2::eye(n) - y.dot(a));
        Ok((y, outside))
    }

    fn pushforward(y: &Array2<T>, (left, right): &Self::Factors, da: &ArrayRef2<T>) -> Array2<T> {
        let (dt, yt) = (da.t(), y.t());
        y.dot(&yt.dot(&dt.dot(left))) + right.dot(&dt).dot(&yt).dot(y) - y.dot(&da.dot(y))
    }

    fn pullback(
        y: &Array2<T>,
        (left, right): &Self::Factors,
        dy: &mut Array2<T>,
        da: &mut ArrayRef2<T>,
    ) {
        let (dt, yt) = (dy.t(), y.t());
        *da -= &yt.dot(dy).dot(&yt);
        *da += &left.dot(&dt).dot(y).dot(&yt);
        *da += &yt.dot(&y.dot(&dt.dot(right)));
    }
}

factorized_rule!(pinv);

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    /// Along `A(t) = t·A₀` the rank stays, and `A(t)⁺ = A₀⁺/t`.
    #[test]
    fn a_rank_that_stays_has_a_derivative() {
        let a = array![[1.0, 2.0], [2.0, 4.0]];
        let (y, factors) = pinv::factorize(&a).expect("finite");
        assert!(
            (a.dot(&y).dot(&a) - &a)
                .iter()
                .all(|x: &f64| x.abs() < 1e-14)
        );
        let dy = pinv::pushforward(&y, &factors, &a);
        assert!((dy + &y).iter().all(|x: &f64| x.abs() < 1e-14));
    }

    #[test]
    fn edges() {
        assert_eq!(
            pinv(&Array2::<f64>::zeros((2, 3))),
            Ok(Array2::zeros((3, 2)))
        );
        assert_eq!(
            pinv(&Array2::<f64>::zeros((0, 3))),
            Ok(Array2::zeros((3, 0)))
        );
        assert_eq!(pinv(&array![[f64::NAN]]), Err(Error::NoConvergence));
    }
}
