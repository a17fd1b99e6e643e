//! Banded systems.
//!
//! Source: Golub & Van Loan 2013, *Matrix Computations*, section 4.3: LU factorization with partial pivoting inside the band.
//! Cotangents as in [`solve()`](super::solve()), for the entries of the band only.

use coenzyme::primitive;
use ndarray::{Array, Array2, ArrayRef, ArrayRef2, Axis, Dimension};

use super::Error;
use super::triangular::like;
use crate::class::{Scalar, several_rule};

/// `P·A = L·U` of a matrix with `below` and `above` diagonals beside the main one.
#[derive(Clone, Debug)]
pub struct BandLu<T> {
    below: usize,
    /// Row `i` of `U`, from its diagonal entry on: rows that were exchanged reach further by `below`.
    upper: Array2<T>,
    /// What row `k` was multiplied by before it was subtracted from those below it.
    factors: Array2<T>,
    /// The row that changed places with row `k`.
    pivots: Vec<usize>,
}

impl<T: Scalar> BandLu<T> {
    /// From the entries `(i, j)` of the band: `2n·below·(below + above)` flops.
    pub(super) fn new(
        n: usize,
        [below, above]: [usize; 2],
        entry: impl Fn(usize, usize) -> T,
    ) -> Result<Self, Error> {
        let width = below + above + 1;
        // Row i holds columns first(i).. of what is left of A.
        let mut rows: Vec<Vec<T>> = Vec::with_capacity(n);
        for i in 0..n {
            let columns = i.saturating_sub(below)..n.min(i + above + 1);
            rows.push(columns.map(|j| entry(i, j)).collect());
        }
        let mut upper = Array2::zeros((n, width));
        let mut factors = Array2::zeros((n, below));
        let mut pivots = Vec::with_capacity(n);
        for k in 0..n {
            // The rows that reach column k begin there by now.
            let last = n.min(k + below + 1);
            let size = |i: &usize| rows[*i].first().map_or(T::zero(), |x| x.abs());
            let pivot = (k..last)
                .reduce(|best, i| if size(&i) > size(&best) { i } else { best })
                .expect("a column has a row on the diagonal");
            if size(&pivot).is_zero() || !size(&pivot).is_finite() {
                return Err(Error::Singular { column: k });
            }
            rows.swap(k, pivot);
            pivots.push(pivot);
            let row = std::mem::take(&mut rows[k]);
            for (i, other) in (k + 1..last).zip(&mut rows[k + 1..last]) {
                let factor = other[0] / row[0];
                factors[(k, i - k - 1)] = factor;
                other.resize(other.len().max(row.len()), T::zero());
                for (other, &x) in other.iter_mut().zip(&row) {
                    *other -= factor * x;
                }
                other.remove(0);
            }
            for (u, x) in upper.row_mut(k).iter_mut().zip(row) {
                *u = x;
            }
        }
        Ok(Self {
            below,
            upper,
            factors,
            pivots,
        })
    }

    /// Row `k` of `b` and row `i` after it, to be changed.
    fn add(b: &mut Array2<T>, to: usize, by: T, from: usize) {
        let (mut to, from) = b.multi_slice_mut((ndarray::s![to, ..], ndarray::s![from, ..]));
        to.scaled_add(by, &from);
    }

    fn swap(b: &mut Array2<T>, i: usize, j: usize) {
        if i != j {
            let (p, q) = b.multi_slice_mut((ndarray::s![i, ..], ndarray::s![j, ..]));
            ndarray::Zip::from(p).and(q).for_each(std::mem::swap);
        }
    }

    /// `A⁻¹·B`
    pub(super) fn solve(&self, mut b: Array2<T>) -> Array2<T> {
        let n = b.nrows();
        for k in 0..n {
            Self::swap(&mut b, k, self.pivots[k]);
            for i in k + 1..n.min(k + self.below + 1) {
                Self::add(&mut b, i, -self.factors[(k, i - k - 1)], k);
            }
        }
        for k in (0..n).rev() {
            for j in k + 1..n.min(k + self.upper.ncols()) {
                Self::add(&mut b, k, -self.upper[(k, j - k)], j);
            }
            let pivot = self.upper[(k, 0)];
            b.row_mut(k).mapv_inplace(|b| b / pivot);
        }
        b
    }

    /// `A⁻ᵀ·B`
    pub(super) fn solve_transposed(&self, mut b: Array2<T>) -> Array2<T> {
        let n = b.nrows();
        for k in 0..n {
            let pivot = self.upper[(k, 0)];
            b.row_mut(k).mapv_inplace(|b| b / pivot);
            for j in k + 1..n.min(k + self.upper.ncols()) {
                Self::add(&mut b, j, -self.upper[(k, j - k)], k);
            }
        }
        for k in (0..n).rev() {
            for i in k + 1..n.min(k + self.below + 1) {
                Self::add(&mut b, k, -self.factors[(k, i - k - 1)], i);
            }
            Self::swap(&mut b, k, self.pivots[k]);
        }
        b
    }
}

/// The solution `X` of `A·X = B` for a matrix `A` of shape `(n, n)` with `below` diagonals under the main one and `above` over
/// it, given by its diagonals: row `above + i − j` of `bands`, of shape `(below + above + 1, n)`, holds `aᵢⱼ` in column `j`; the corners
/// where there is no `aᵢⱼ` are not read. `B` has shape `(n)` or `(n, k)`. `below = above = 1` is a tridiagonal system (with pivoting, where
/// Thomas' algorithm has none). `O(n·below·(below + above))` flops, and `O(n·(2·below + above))` for each column of `B`. **Panics** if the
/// shapes do not fit.
///
/// Forward `Ẋ = A⁻¹(Ḃ − Ȧ·X)`; reverse with `S = A⁻ᵀX̄`: `B̄ += S`, `āᵢⱼ −= ⟨Sᵢ, Xⱼ⟩` for entries of the band only. The factors are on the
/// tape.
///
/// # Errors
/// [`Error::Singular`] if no pivot is left.
///
/// ```
/// # use ndarray::array;
/// // [[2, 1, 0], [1, 2, 1], [0, 1, 2]]
/// let bands = array![[f64::NAN, 1.0, 1.0], [2.0, 2.0, 2.0], [1.0, 1.0, f64::NAN]];
/// let x = coenzyme_rules::linalg::solve_banded(&bands, &array![4.0, 8.0, 8.0], [1, 1])?;
/// assert!((x - array![1.0, 2.0, 3.0]).iter().all(|x: &f64| x.abs() < 1e-14));
/// # Ok::<_, coenzyme_rules::linalg::Error>(())
/// ```
#[primitive]
#[track_caller]
pub fn solve_banded<T: Scalar, D: Dimension>(
    bands: &ArrayRef2<T>,
    b: &ArrayRef<T, D>,
    below_above: [usize; 2],
) -> Result<Array<T, D>, Error> {
    Ok(solve_banded::evaluate(bands, b, &below_above)?.0)
}

/// The right-hand side as a matrix.
fn matrix<T: Scalar, D: Dimension>(b: &ArrayRef<T, D>) -> Array2<T> {
    super::triangular::columns("solve_banded", b.shape(), b)
}

/// The entries of the band: row and column in `A`, and row in `bands`.
fn each(n: usize, [below, above]: [usize; 2]) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..n).flat_map(move |j| {
        (j.saturating_sub(above)..n.min(j + below + 1)).map(move |i| (i, j, above + i - j))
    })
}

/// What the derivative reads beside the value.
type Kept<T> = (BandLu<T>, [usize; 2]);

impl solve_banded {
    #[track_caller]
    fn evaluate<T: Scalar, D: Dimension>(
        bands: &ArrayRef2<T>,
        b: &ArrayRef<T, D>,
        &[below, above]: &[usize; 2],
    ) -> Result<(Array<T, D>, Kept<T>), Error> {
        let n = bands.ncols();
        assert!(
            bands.nrows() == below + above + 1
                && matches!(b.ndim(), 1 | 2)
                && b.len_of(Axis(0)) == n,
            "solve_banded: bands of shape {:?} for {below} diagonals below and {above} above, and a right-hand side of shape {:?}",
            bands.shape(),
            b.shape()
        );
        let lu = BandLu::new(n, [below, above], |i, j| bands[(above + i - j, j)])?;
        let x = lu.solve(matrix(b));
        Ok((like(x, b.raw_dim()), (lu, [below, above])))
    }

    fn pushforward<T: Scalar, D: Dimension>(
        x: &Array<T, D>,
        (lu, band): &Kept<T>,
        da: Option<&ArrayRef2<T>>,
        db: Option<&ArrayRef<T, D>>,
    ) -> Array<T, D> {
        let value = matrix(x);
        let mut right = db.map_or_else(|| Array2::zeros(value.raw_dim()), |db| matrix(db));
        if let Some(da) = da {
            for (i, j, row) in each(value.nrows(), *band) {
                right.row_mut(i).scaled_add(-da[(row, j)], &value.row(j));
            }
        }
        like(lu.solve(right), x.raw_dim())
    }

    fn pull<T: Scalar, D: Dimension>(
        _: &Array<T, D>,
        (lu, _): &Kept<T>,
        dx: &Array<T, D>,
    ) -> Array2<T> {
        lu.solve_transposed(matrix(dx))
    }
    fn pull_bands<T: Scalar, D: Dimension>(
        x: &Array<T, D>,
        (_, band): &Kept<T>,
        s: &Array2<T>,
        dbands: &mut ArrayRef2<T>,
    ) {
        let x = matrix(x);
        for (i, j, row) in each(x.nrows(), *band) {
            dbands[(row, j)] -= s.row(i).dot(&x.row(j));
        }
    }
    fn pull_b<T: Scalar, D: Dimension>(
        _: &Array<T, D>,
        _: &Kept<T>,
        s: &Array2<T>,
        db: &mut ArrayRef<T, D>,
    ) {
        *db += &like(s.clone(), db.raw_dim());
    }
}

several_rule!(
    solve_banded[T: Scalar, D: Dimension + 'static](
        bands: ArrayRef2<T> => pull_bands, b: ArrayRef<T, D> => pull_b; below_above: [usize; 2]
    ) -> Result<Array<T, D>, Error>, keeps Kept<T>, pulls Array2<T>
);
