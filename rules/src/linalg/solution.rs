//! Systems of linear equations and the inverse, by LU factorization with partial pivoting.
//!
//! Source: Giles 2008, doi:10.1007/978-3-540-68942-3_4, section 2.2.

use coenzyme::{
    Annotation, AugmentedOutcome, AugmentedReturn, ForwardArg, ForwardConfig, ForwardOutcome,
    ForwardReturn, ForwardRule, Lanes, Memory, ReverseArg, ReverseConfig, ReverseReturn,
    ReverseRule, primitive,
};
use ndarray::linalg::general_mat_mul;
use ndarray::{Array, Array2, ArrayRef, ArrayRef2, Dimension};

use super::Error;
use super::factorized::{Factorized, factorized_rule};
use super::pivoting::Lu;
use super::triangular::{columns, like};
use crate::class::{Scalar, each_lane, effective};

/// The solution `X` of `A·X = B` for `A` of shape `(n, n)` and `B` of shape `(n)` or `(n, k)`, by LU factorization with partial
/// pivoting. **Panics** if the shapes do not fit.
///
/// Forward `Ẋ = A⁻¹(Ḃ − Ȧ·X)`, reverse `B̄ += A⁻ᵀX̄`, `Ā += −A⁻ᵀX̄·Xᵀ`; the factors are on the tape.
///
/// # Errors
/// [`Error::Singular`] if no pivot is left.
///
/// ```
/// # use ndarray::array;
/// let x = coenzyme_rules::linalg::solve(&array![[0.0, 2.0], [4.0, 0.0]], &array![2.0, 4.0]);
/// assert_eq!(x, Ok(array![1.0, 1.0]));
/// ```
#[primitive]
#[track_caller]
pub fn solve<T: Scalar, D: Dimension>(
    a: &ArrayRef2<T>,
    b: &ArrayRef<T, D>,
) -> Result<Array<T, D>, Error> {
    let right = columns("solve", a.shape(), b);
    Ok(like(Lu::new("solve", a)?.solve(&right), b.raw_dim()))
}

/// What the reverse pass of [`solve()`] reads again: the factors, and the solution if the matrix is active.
#[derive(Debug)]
pub struct SolveTape<T> {
    lu: Option<Lu<T>>,
    x: Option<Array2<T>>,
}

impl<R, A, B, T, D, const W: usize> ForwardRule<R, (A, B), W> for solve
where
    T: Scalar,
    D: Dimension,
    R: ForwardReturn<W, Out = Result<Array<T, D>, Error>>,
    A: ForwardArg<ArrayRef2<T>, W> + Annotation<Primal: Memory<Target = ArrayRef2<T>>>,
    B: ForwardArg<ArrayRef<T, D>, W> + Annotation<Primal: Memory<Target = ArrayRef<T, D>>>,
{
    fn forward(&self, config: &ForwardConfig, (a, b): (&mut A, &mut B)) -> ForwardOutcome<R, W> {
        let shape = a.primal().shape();
        let right = columns("solve", shape, b.primal());
        let lu = Lu::new("solve", a.primal())?;
        let x = lu.solve(&right);
        let mut tangents: [Option<Array<T, D>>; W] = each_lane(&mut |lane| {
            R::ACTIVE.then(|| {
                let da = effective(a.tangent(lane), config.strong_zero());
                let db = effective(b.tangent(lane), config.strong_zero());
                if da.is_none() && db.is_none() {
                    return Array::zeros(b.primal().raw_dim());
                }
                // Ḃ − Ȧ·X
                let mut dx = db.map_or_else(
                    || Array2::zeros(x.raw_dim()),
                    |db| columns("solve", shape, db),
                );
                if let Some(da) = da {
                    general_mat_mul(-T::one(), da, &x, T::one(), &mut dx);
                }
                like(lu.solve(&dx), b.primal().raw_dim())
            })
        });
        Ok(R::forward(
            config,
            || like(x, b.primal().raw_dim()),
            |lane| tangents[lane].take().expect("each lane is asked for once"),
        ))
    }
}

impl<R, A, B, T, D, const W: usize> ReverseRule<R, (A, B), W> for solve
where
    T: Scalar,
    D: Dimension,
    R: ReverseReturn<W, Out = Result<Array<T, D>, Error>>,
    A: ReverseArg<ArrayRef2<T>, W> + Annotation<Primal: Memory<Target = ArrayRef2<T>>>,
    B: ReverseArg<ArrayRef<T, D>, W> + Annotation<Primal: Memory<Target = ArrayRef<T, D>>>,
{
    type Tape = SolveTape<T>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (a, b): (&mut A, &mut B),
    ) -> AugmentedOutcome<R, SolveTape<T>, W> {
        let right = columns("solve", a.primal().shape(), b.primal());
        let lu = Lu::new("solve", a.primal())?;
        let x = lu.solve(&right);
        let shape = b.primal().raw_dim();
        let shadow = R::shadow(|_| Array::zeros(shape.clone()));
        let primal = config
            .needs_primal()
            .then(|| like(x.clone(), shape.clone()));
        let tape = SolveTape {
            lu: (R::ACTIVE && (a.is_active() || b.is_active())).then_some(lu),
            x: (R::ACTIVE && a.is_active()).then_some(x),
        };
        Ok(AugmentedReturn::new(primal, shadow, tape))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: SolveTape<T>,
        (a, b): (&mut A, &mut B),
    ) -> (A::Gradient, B::Gradient) {
        // A⁻ᵀX̄, which both cotangents need
        let pulled: [Option<Array2<T>>; W] = each_lane(&mut |lane| {
            let dx = effective(dret.lane(lane), config.strong_zero())?;
            let lu = tape.lu.as_ref()?;
            Some(lu.solve_transposed(&columns("solve", a.primal().shape(), dx)))
        });
        let of_a = a.accumulate(|lane, _, mut da| {
            if let (Some(db), Some(x)) = (&pulled[lane], &tape.x) {
                da.accumulate_with(|da| general_mat_mul(-T::one(), db, &x.t(), T::one(), da));
            }
        });
        let of_b = b.accumulate(|lane, b, mut db| {
            if let Some(add) = &pulled[lane] {
                let add = like(add.clone(), b.raw_dim());
                db.accumulate_with(|db| *db += &add);
            }
        });
        (of_a, of_b)
    }
}

/// The inverse of a square matrix. **Panics** if the matrix is not square.
///
/// Forward `Ẏ = −Y·Ȧ·Y`, reverse `Ā += −Yᵀ·Ȳ·Yᵀ`.
///
/// # Errors
/// [`Error::Singular`] if no pivot is left.
#[primitive]
#[track_caller]
pub fn inverse<T: Scalar>(a: &ArrayRef2<T>) -> Result<Array2<T>, Error> {
    let lu = Lu::new("inverse", a)?;
    Ok(lu.solve(&Array2::eye(a.nrows())))
}

impl<T: Scalar> Factorized<T> for inverse {
    type Out = Array2<T>;
    type Factors = ();

    fn factorize(a: &ArrayRef2<T>) -> Result<(Array2<T>, ()), Error> {
        Ok((inverse(a)?, ()))
    }
    fn pushforward(y: &Array2<T>, (): &(), da: &ArrayRef2<T>) -> Array2<T> {
        -y.dot(&da.dot(y))
    }
    fn pullback(y: &Array2<T>, (): &(), dy: &mut Array2<T>, da: &mut ArrayRef2<T>) {
        general_mat_mul(-T::one(), &y.t().dot(dy), &y.t(), T::one(), da);
    }
}

factorized_rule!(inverse);

#[cfg(test)]
mod tests {
    use ndarray::{Array1, array};

    use super::*;

    #[test]
    fn matrices_without_factors_are_errors() {
        let singular = array![[1.0, 2.0], [2.0, 4.0]];
        let error = Err(Error::Singular { column: 1 });
        assert_eq!(solve(&singular, &array![1.0, 1.0]), error);
        assert_eq!(
            inverse(&singular).map(|_| ()),
            Err(Error::Singular { column: 1 })
        );
        assert_eq!(
            inverse(&array![[f64::NAN]]).map(|_| ()),
            Err(Error::Singular { column: 0 })
        );
    }

    #[test]
    #[should_panic(expected = "solve: a matrix of shape [2, 2] and a right-hand side of shape [3]")]
    fn shapes_that_do_not_fit_are_named() {
        let _ = solve(&Array2::<f64>::eye(2), &Array1::zeros(3));
    }

    #[test]
    #[should_panic(expected = "inverse: a matrix of shape [2, 3] is not square")]
    fn a_matrix_that_is_not_square_is_refused() {
        let _ = inverse(&Array2::<f64>::zeros((2, 3)));
    }
}
