//! The LU factorization with partial pivoting.
//!
//! Source: de Hoog, Anderssen & Lukas 2011, *Differentiation of matrix functionals using triangular factorization*,
//! doi:10.1090/S0025-5718-2011-02451-8, for square matrices.

use coenzyme::primitive;
use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayRef2, ArrayView2, Axis, concatenate, s};

use super::blocked::{self, Triangle};
use super::factorized::{Factorized, factorized_rule};
use super::triangular::{diagonal_product, rows};
use super::{Error, order};
use crate::class::Scalar;

/// `P·A = L·U`: both triangles in one matrix, and the row of `A` that stands in each row.
#[derive(Clone, Debug)]
pub(super) struct Lu<T> {
    factors: Array2<T>,
    order: Vec<usize>,
    odd: bool,
}

impl<T: Scalar> Lu<T> {
    /// Factorizes a square matrix: `2n³/3` flops.
    #[track_caller]
    pub(super) fn new(name: &str, a: &ArrayRef2<T>) -> Result<Self, Error> {
        order(name, a);
        let mut factors = a.as_standard_layout().into_owned();
        let (order, odd) = blocked::lu(&mut factors)?;
        Ok(Self {
            factors,
            order,
            odd,
        })
    }

    /// `A⁻¹·B`
    pub(super) fn solve(&self, b: &ArrayRef2<T>) -> Array2<T> {
        let mut x = rows(b, &self.order);
        Triangle::UNIT_LOWER.solve(self.factors.view(), &mut x);
        Triangle::UPPER.solve(self.factors.view(), &mut x);
        x
    }

    /// `A⁻ᵀ·B`
    pub(super) fn solve_transposed(&self, b: &ArrayRef2<T>) -> Array2<T> {
        let mut y = b.to_owned();
        Triangle::LOWER.solve(self.factors.t(), &mut y);
        Triangle::UNIT_UPPER.solve(self.factors.t(), &mut y);
        let mut x = Array2::zeros(b.raw_dim());
        for (i, row) in self.order.iter().zip(y.rows()) {
            x.row_mut(*i).assign(&row);
        }
        x
    }

    /// The determinant of `A`.
    pub(super) fn det(&self) -> T {
        let product = diagonal_product(&self.factors);
        if self.odd { -product } else { product }
    }

    /// The sign of the determinant, ±1, and the logarithm of its absolute value.
    pub(super) fn sign_and_log(&self) -> (T, T) {
        let diagonal = self.factors.diag();
        let negative = diagonal.iter().filter(|u| **u < T::zero()).count();
        let sign = if (negative % 2 == 1) == self.odd {
            T::one()
        } else {
            -T::one()
        };
        (sign, diagonal.iter().map(|u| u.abs().ln()).sum())
    }
}

/// `(p, L, U)`
type Factors<T> = (Vec<usize>, Array2<T>, Array2<T>);

/// `(p, L, U)` with `A[p] = L·U` for `A` of shape `(m, n)`: with `k = min(m, n)`, `L` of shape `(m, k)` is lower triangular with
/// ones on its diagonal, `U` of shape `(k, n)` is upper triangular, and `p` has the row of `A` that stands in each row. Each
/// pivot is the largest entry that is left in its column, the first of those: `a.select(Axis(0), &p)` is `L·U`. Costs
/// `mnk − (m + n)k²/2 + k³/3` products and as many sums.
///
/// The order `p` has no derivative: between two ties of pivots it does not change. With `tril` the triangle below the diagonal,
/// `triu` the other with the diagonal, and `M = L⁻¹Ȧ[p]U⁻¹`: forward `L̇ = L·tril(M)`, `U̇ = triu(M)·U`; reverse
/// `Ā[p] += L⁻ᵀ(tril(LᵀL̄) + triu(ŪUᵀ))U⁻ᵀ`. The rows of `L` below the first `k` are `A₂U₁⁻¹`, the columns of `U` after the first
/// `k` are `L₁⁻¹A₂`. What `L̄` holds on and above the diagonal, and `Ū` below it, is not read.
///
/// # Errors
/// [`Error::Singular`] if no pivot is left in one of the first `k` columns, or it is not finite.
///
/// ```
/// # use ndarray::array;
/// let (p, l, u) = coenzyme_rules::linalg::lu(&array![[1.0, 5.0], [2.0, 4.0]])?;
/// assert_eq!(p, [1, 0]);
/// assert_eq!((l, u), (array![[1.0, 0.0], [0.5, 1.0]], array![[2.0, 4.0], [0.0, 3.0]]));
/// # Ok::<_, coenzyme_rules::linalg::Error>(())
/// ```
#[primitive]
pub fn lu<T: Scalar>(a: &ArrayRef2<T>) -> Result<Factors<T>, Error> {
    let k = a.nrows().min(a.ncols());
    let mut factors = a.as_standard_layout().into_owned();
    let (order, _) = blocked::lu(&mut factors)?;
    let mut l = crate::array::lower_triangle(&factors.slice(s![.., ..k]));
    l.diag_mut().fill(T::one());
    let u = crate::array::upper_triangle(&factors.slice(s![..k, ..]));
    Ok((order, l, u))
}

impl<T: Scalar> Factorized<T> for lu {
    type Out = Factors<T>;
    type Factors = ();

    fn factorize(a: &ArrayRef2<T>) -> Result<(Self::Out, ()), Error> {
        Ok((lu(a)?, ()))
    }

    fn pushforward((p, l, u): &Self::Out, (): &(), da: &ArrayRef2<T>) -> Self::Out {
        let Blocks { l1, l2, u1, u2 } = Blocks::of(l, u);
        let (first, last) = p.split_at(u.nrows());
        let (mut top, bottom) = (rows(da, first), rows(da, last));
        Triangle::UNIT_LOWER.solve(l1, &mut top);
        let (d1, d2) = top.view().split_at(Axis(1), u1.ncols());
        let m = Triangle::UPPER.solve_right(u1, d1);
        let (lower, upper) = (strictly_lower(&m), crate::array::upper_triangle(&m));
        // L̇₁ = L₁·tril(M), L̇₂ = Ȧ₂U₁⁻¹ − L₂·triu(M)
        let bottom = bottom.slice(s![.., ..u1.ncols()]);
        let dl2 = Triangle::UPPER.solve_right(u1, bottom) - l2.dot(&upper);
        // U̇₁ = triu(M)·U₁, U̇₂ = L₁⁻¹Ȧ₂ − tril(M)·U₂
        let du2 = &d2 - &lower.dot(&u2);
        (
            p.clone(),
            concatenate![Axis(0), l1.dot(&lower), dl2],
            concatenate![Axis(1), upper.dot(&u1), du2],
        )
    }

    fn pullback(
        (p, l, u): &Self::Out,
        (): &(),
        (_, dl, du): &mut Self::Out,
        da: &mut ArrayRef2<T>,
    ) {
        let k = u.nrows();
        let Blocks { l1, l2, u1, u2 } = Blocks::of(l, u);
        let (mut dl1, dl2) = dl.view_mut().split_at(Axis(0), k);
        let (mut du1, mut du2) = du.view_mut().split_at(Axis(1), k);
        // of L₂ = A₂U₁⁻¹
        let da2 = Triangle::LOWER.solve_right(u1.t(), dl2.view());
        general_mat_mul(-T::one(), &l2.t(), &da2, T::one(), &mut du1);
        // of U₂ = L₁⁻¹A₂
        Triangle::UNIT_UPPER.solve(l1.t(), &mut du2);
        general_mat_mul(-T::one(), &du2, &u2.t(), T::one(), &mut dl1);
        // of the first k rows and columns
        let inner =
            strictly_lower(&l1.t().dot(&dl1)) + crate::array::upper_triangle(&du1.dot(&u1.t()));
        let mut da1 = Triangle::LOWER.solve_right(u1.t(), inner.view());
        Triangle::UNIT_UPPER.solve(l1.t(), &mut da1);
        for (row, &i) in p.iter().enumerate() {
            let (mut first, mut last) = da.row_mut(i).split_at(Axis(0), k);
            if row < k {
                first += &da1.row(row);
                last += &du2.row(row);
            } else {
                first += &da2.row(row - k);
            }
        }
    }
}

factorized_rule!(lu);

/// The square blocks of the factors, and what is below and to the right of them.
struct Blocks<'a, T> {
    l1: ArrayView2<'a, T>,
    l2: ArrayView2<'a, T>,
    u1: ArrayView2<'a, T>,
    u2: ArrayView2<'a, T>,
}

impl<'a, T> Blocks<'a, T> {
    fn of(l: &'a ArrayRef2<T>, u: &'a ArrayRef2<T>) -> Self {
        let (l1, l2) = l.view().split_at(Axis(0), l.ncols());
        let (u1, u2) = u.view().split_at(Axis(1), u.nrows());
        Self { l1, l2, u1, u2 }
    }
}

/// The triangle below the diagonal.
fn strictly_lower<T: Scalar>(a: &ArrayRef2<T>) -> Array2<T> {
    let mut lower = crate::array::lower_triangle(a);
    lower.diag_mut().fill(T::zero());
    lower
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;
    use crate::samples::samples;

    #[test]
    fn factors_multiply_to_the_rows_in_order() {
        for (shape, seed) in [
            ((4, 2), 50),
            ((70, 60), 51),
            ((3, 3), 52),
            ((2, 4), 53),
            ((30, 70), 54),
        ] {
            let a = samples(seed, shape);
            let (p, l, u) = lu(&a).expect("regular");
            let distance = &l.dot(&u) - &a.select(Axis(0), &p);
            assert!(distance.iter().all(|x: &f64| x.abs() < 1e-13), "{shape:?}");
            assert!(l.iter().all(|x| x.abs() <= 1.0));
            let mut sorted = p;
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..shape.0));
        }
    }

    #[test]
    fn the_first_of_tied_pivots_is_taken() {
        let (p, ..) = lu(&array![[1.0, 0.0], [-1.0, 1.0], [1.0, 2.0]]).expect("regular");
        assert_eq!(p, [0, 2, 1]);
    }

    #[test]
    fn matrices_without_pivots_are_errors() {
        let cases = [
            (array![[0.0, 1.0], [0.0, 2.0]], 0),
            (array![[1.0, 2.0], [2.0, 4.0]], 1),
            (array![[f64::NAN, 1.0], [0.0, 2.0]], 0),
            (array![[1.0, f64::INFINITY], [0.0, f64::INFINITY]], 1),
        ];
        for (a, column) in cases {
            assert_eq!(lu(&a), Err(Error::Singular { column }));
        }
        let none = Array2::<f64>::zeros((3, 0));
        let factors = (vec![0, 1, 2], Array2::zeros((3, 0)), Array2::zeros((0, 0)));
        assert_eq!(lu(&none), Ok(factors));
    }
}
