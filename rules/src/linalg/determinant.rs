//! The determinant, also of singular matrices.
//!
//! Source: Giles 2008, doi:10.1007/978-3-540-68942-3_4, section 2.2.

use coenzyme::{primitive, scaled};
use ndarray::{Array2, ArrayRef2, Axis, Zip};

use super::pivoting::Lu;
use crate::class::{At, Reads, Scalar, Unary};
use crate::unary_rule;

/// The determinant of a square matrix; 1 for the empty one, 0 for a singular one. **Panics** if the matrix is not square.
///
/// Forward `ẏ = ⟨C, Ȧ⟩`, reverse `Ā += ȳ·C` with the cofactors `C = y·A⁻ᵀ`. For a singular matrix they are `n²`
/// determinants of minors.
#[primitive]
#[track_caller]
pub fn det<T: Scalar>(a: &ArrayRef2<T>) -> T {
    Lu::new("det", a).map_or_else(|_| det::without_pivot(a), |lu| lu.det())
}

impl det {
    /// The determinant of a matrix that has no factors: 0, or NaN.
    fn without_pivot<T: Scalar>(a: &ArrayRef2<T>) -> T {
        if a.iter().all(|a| a.is_finite()) {
            T::zero()
        } else {
            T::nan()
        }
    }

    /// The cofactors, one by one.
    fn minors<T: Scalar>(a: &ArrayRef2<T>) -> Array2<T> {
        Array2::from_shape_fn(a.raw_dim(), |(i, j)| Self::cofactor(a, i, j))
    }

    /// The signed determinant without row `i` and column `j`.
    fn cofactor<T: Scalar>(a: &ArrayRef2<T>, i: usize, j: usize) -> T {
        let without = |k: usize| (0..a.nrows()).filter(move |l| *l != k).collect::<Vec<_>>();
        let minor = det(&a.select(Axis(0), &without(i)).select(Axis(1), &without(j)));
        if (i + j).is_multiple_of(2) {
            minor
        } else {
            -minor
        }
    }
}

impl<T: Scalar> Unary<ArrayRef2<T>> for det {
    type Out = T;
    type Attrs<'a> = ();
    /// The cofactors.
    type Residual = Option<Array2<T>>;

    const READS: Reads = Reads::RESIDUAL;

    fn value(a: &ArrayRef2<T>, (): ()) -> T {
        det(a)
    }
    fn linearize(a: &ArrayRef2<T>, (): ()) -> (T, Option<Array2<T>>) {
        match Lu::new("det", a) {
            Ok(lu) => {
                let y = lu.det();
                let inverse = lu.solve_transposed(&Array2::eye(a.nrows()));
                let mut cofactors = inverse.mapv_into(|c| c * y);
                // the inverse of a matrix near zero overflows, where its minors are ordinary numbers
                if y.is_finite() && !cofactors.iter().all(|c| c.is_finite()) {
                    cofactors = Self::minors(a);
                }
                (y, Some(cofactors))
            }
            Err(_) => (Self::without_pivot(a), Some(Self::minors(a))),
        }
    }
    fn pushforward(
        at: &At<'_, ArrayRef2<T>, T, Option<Array2<T>>>,
        da: &ArrayRef2<T>,
        (): (),
    ) -> T {
        let cofactors = at.residual.as_ref().expect("declared in READS");
        Zip::from(cofactors)
            .and(da)
            .fold(T::zero(), |sum, &c, &da| {
                sum + scaled(c, da, at.strong_zero)
            })
    }
    fn pullback(
        at: &At<'_, ArrayRef2<T>, T, Option<Array2<T>>>,
        dy: &T,
        da: &mut ArrayRef2<T>,
        (): (),
    ) {
        let cofactors = at.residual.as_ref().expect("declared in READS");
        Zip::from(da)
            .and(cofactors)
            .for_each(|da, &c| *da += scaled(c, *dy, at.strong_zero));
    }
}

unary_rule!(det[T: Scalar](a: ArrayRef2<T>) = det);

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::super::{Error, logdet};
    use super::*;

    #[test]
    fn the_empty_matrix_has_determinant_one() {
        let none = Array2::<f64>::zeros((0, 0));
        assert_eq!((det(&none), logdet(&none)), (1.0, Ok(0.0)));
    }

    #[test]
    fn determinants_without_a_value_or_a_logarithm() {
        let negative = array![[0.0, 1.0], [1.0, 0.0]];
        assert_eq!(logdet(&negative), Err(Error::NegativeDeterminant));
        assert_eq!(det(&negative), -1.0);
        assert!(det(&array![[f64::NAN]]).is_nan());
    }
}
