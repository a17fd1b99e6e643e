//! Triangular systems and factorizations by blocks, so that all but `n²` of the work is in matrix products.
//!
//! Source: Golub & Van Loan 2013, *Matrix Computations*, chapters 3 and 4; the adjoint of the Cholesky
//! factorization by blocks is Murray 2016, arXiv:1602.07527, section 4.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayRef2, ArrayView2, ArrayViewMut2, Axis, Slice, Zip, s};

use super::Error;
use crate::class::Scalar;

/// Rows that are treated at once.
const BLOCK: usize = 24;
/// Rows of a triangle that are solved for one by one.
const LEAF: usize = 12;

/// `c −= a·b`
fn subtract<T: Scalar>(a: ArrayView2<'_, T>, b: ArrayView2<'_, T>, c: &mut ArrayRef2<T>) {
    general_mat_mul(-T::one(), &a, &b, T::one(), c);
}

/// Which entries of a triangular matrix are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    /// The triangle below the diagonal, not the one above.
    pub(super) lower: bool,
    /// The diagonal is all ones, and not read.
    pub(super) unit: bool,
}

impl Triangle {
    pub(super) const LOWER: Self = Self {
        lower: true,
        unit: false,
    };
    pub(super) const UPPER: Self = Self {
        lower: false,
        unit: false,
    };
    pub(super) const UNIT_LOWER: Self = Self {
        lower: true,
        unit: true,
    };
    pub(super) const UNIT_UPPER: Self = Self {
        lower: false,
        unit: true,
    };

    /// Solves `T·X = B` in place: `n²k` flops.
    pub(super) fn solve<T: Scalar>(self, t: ArrayView2<'_, T>, b: &mut ArrayRef2<T>) {
        let n = t.nrows();
        if n <= LEAF {
            return self.solve_by_rows(t, b);
        }
        let half = n / 2;
        let (first, last) = (s![..half, ..half], s![half.., half..]);
        let (mut top, mut bottom) = b.view_mut().split_at(Axis(0), half);
        if self.lower {
            self.solve(t.slice(first), &mut top);
            subtract(t.slice(s![half.., ..half]), top.view(), &mut bottom);
            self.solve(t.slice(last), &mut bottom);
        } else {
            self.solve(t.slice(last), &mut bottom);
            subtract(t.slice(s![..half, half..]), bottom.view(), &mut top);
            self.solve(t.slice(first), &mut top);
        }
    }

    /// `X·T⁻¹`: `n²k` flops.
    pub(super) fn solve_right<T: Scalar>(
        self,
        t: ArrayView2<'_, T>,
        x: ArrayView2<'_, T>,
    ) -> Array2<T> {
        let transposed = Self {
            lower: !self.lower,
            ..self
        };
        let mut y = Array2::zeros((x.ncols(), x.nrows()));
        transpose_into(x, &mut y);
        transposed.solve(t.t(), &mut y);
        y.reversed_axes()
    }

    fn solve_by_rows<T: Scalar>(self, t: ArrayView2<'_, T>, b: &mut ArrayRef2<T>) {
        let slices = b.rows_mut().into_iter().map(|row| row.into_slice());
        let Some(mut rows) = slices.collect::<Option<Vec<_>>>() else {
            let mut copy = b.as_standard_layout().into_owned();
            self.solve_by_rows(t, &mut copy);
            return b.assign(&copy);
        };
        let n = t.nrows();
        for step in 0..n {
            let i = if self.lower { step } else { n - 1 - step };
            let (before, after) = rows.split_at_mut(i);
            let (row, after) = after.split_first_mut().expect("i < n");
            let (known, first) = if self.lower {
                (before, 0)
            } else {
                (after, i + 1)
            };
            subtract_rows(row, known.len(), |j| (t[(i, first + j)], known[j]));
            if !self.unit {
                let by = t[(i, i)].recip();
                row.iter_mut().for_each(|b| *b *= by);
            }
        }
    }
}

/// `y −= Σⱼ aⱼ·xⱼ` for the first `count` pairs `(a, x)`.
fn subtract_rows<'a, T: Scalar>(y: &mut [T], count: usize, term: impl Fn(usize) -> (T, &'a [T])) {
    let whole = count - count % 4;
    for first in (0..whole).step_by(4) {
        let terms = [0, 1, 2, 3].map(|j| term(first + j));
        add_four(y, terms.map(|(a, _)| -a), terms.map(|(_, x)| x));
    }
    for j in whole..count {
        let (a, x) = term(j);
        add_scaled(y, -a, x);
    }
}

/// `y += a₀·x₀ + … + a₃·x₃`, which reads and writes `y` once.
fn add_four<T: Scalar>(y: &mut [T], a: [T; 4], x: [&[T]; 4]) {
    let n = y.len();
    let x = x.map(|x| &x[..n]);
    for i in 0..n {
        y[i] += (a[0] * x[0][i] + a[1] * x[1][i]) + (a[2] * x[2][i] + a[3] * x[3][i]);
    }
}

/// Rows and columns that are transposed at once, so that what is read a column at a time stays in the cache.
const TILE: usize = 16;

/// `to ← fromᵀ`, tile by tile.
fn transpose_into<T: Scalar>(from: ArrayView2<'_, T>, to: &mut ArrayRef2<T>) {
    let columns = from.axis_chunks_iter(Axis(1), TILE);
    for (mut rows, columns) in to.axis_chunks_iter_mut(Axis(0), TILE).zip(columns) {
        let tiles = columns.axis_chunks_iter(Axis(0), TILE);
        for (mut tile, from) in rows.axis_chunks_iter_mut(Axis(1), TILE).zip(tiles) {
            tile.assign(&from.t());
        }
    }
}

/// Puts half of what a square matrix holds on and below the diagonal on and above it, transposed.
fn half_to_upper<T: Scalar>(a: &mut ArrayRef2<T>) {
    let (n, half) = (a.nrows(), T::lit(0.5));
    for start in (0..n).step_by(TILE) {
        let [mut corner, mut right, below, _] = quarters(a, start, n.min(start + TILE));
        for i in 0..corner.nrows() {
            for j in 0..=i {
                corner[(j, i)] = half * corner[(i, j)];
            }
        }
        let tiles = right.axis_chunks_iter_mut(Axis(1), TILE);
        for (mut tile, from) in tiles.zip(below.axis_chunks_iter(Axis(0), TILE)) {
            tile.zip_mut_with(&from.t(), |to, &from| *to = half * from);
        }
    }
}

/// The block of the diagonal from `start` to `end`, what is to the right of it, what is below it, and what is below and to the
/// right.
fn quarters<T>(a: &mut ArrayRef2<T>, start: usize, end: usize) -> [ArrayViewMut2<'_, T>; 4] {
    let (top, bottom) = a
        .slice_mut(s![start.., start..])
        .split_at(Axis(0), end - start);
    let (corner, right) = top.split_at(Axis(1), end - start);
    let (below, rest) = bottom.split_at(Axis(1), end - start);
    [corner, right, below, rest]
}

/// `y += a·x`
fn add_scaled<T: Scalar>(y: &mut [T], a: T, x: &[T]) {
    for (y, &x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

/// The factor `U`, with `Uᵀ·U = A` for the `A` whose upper triangle is given; in place, and zeros below the diagonal.
pub(super) fn cholesky_upper<T: Scalar>(a: &mut ArrayRef2<T>) -> Result<(), Error> {
    let n = a.nrows();
    for start in (0..n).step_by(BLOCK) {
        let end = n.min(start + BLOCK);
        let (above, mut rows) = a.view_mut().split_at(Axis(0), start);
        let above = above.slice_axis(Axis(1), Slice::from(start..));
        let mut rows = rows.slice_axis_mut(Axis(1), Slice::from(start..));
        let size = end - start;
        rows = rows.split_at(Axis(0), size).0;
        if start > 0 {
            subtract(
                above.slice(s![.., ..size]).reversed_axes(),
                above,
                &mut rows,
            );
        }
        let (mut corner, mut right) = rows.split_at(Axis(1), size);
        cholesky_by_rows(&mut corner, start)?;
        Triangle::LOWER.solve(corner.t(), &mut right);
    }
    for (i, mut row) in a.rows_mut().into_iter().enumerate() {
        row.slice_mut(s![..i]).fill(T::zero());
    }
    Ok(())
}

/// As [`cholesky_upper`], of one block, which begins at column `start` of the whole.
fn cholesky_by_rows<T: Scalar>(a: &mut ArrayRef2<T>, start: usize) -> Result<(), Error> {
    let n = a.nrows();
    let mut block = a.as_standard_layout().into_owned();
    let u = block.as_slice_mut().expect("in standard layout");
    for i in 0..n {
        let (rows, below) = u.split_at_mut((i + 1) * n);
        let row = &mut rows[i * n..];
        let pivot = row[i];
        if pivot <= T::zero() || !pivot.is_finite() {
            return Err(Error::NotPositiveDefinite { column: start + i });
        }
        let root = pivot.sqrt();
        for x in &mut row[i..] {
            *x /= root;
        }
        for (j, other) in (i + 1..n).zip(below.chunks_exact_mut(n)) {
            add_scaled(&mut other[j..], -row[j], &row[j..]);
        }
    }
    a.assign(&block);
    Ok(())
}

/// Turns the cotangent of `L = Uᵀ`, the lower triangle of `da`, into the symmetric cotangent of `A`: twice the flops of the
/// factorization.
///
/// From `A₁₁ = U₁₁ᵀU₁₁`, `A₁₂ = U₁₁ᵀU₁₂`, `A₂₂ = U₁₂ᵀU₁₂ + …`, last block first, with `H = Ū/2`: `H₁₂ −= U₁₂·Ā₂₂`,
/// `Ā₁₂ = U₁₁⁻¹H₁₂`, `H₁₁ −= U₁₂·Ā₁₂ᵀ`. The half is taken once, and no step has a factor of its own.
pub(super) fn cholesky_adjoint<T: Scalar>(u: &ArrayRef2<T>, da: &mut ArrayRef2<T>) {
    let n = u.nrows();
    half_to_upper(da);
    for start in (0..n).step_by(BLOCK).rev() {
        let end = n.min(start + BLOCK);
        let corner = u.slice(s![start..end, start..end]);
        let right = u.slice(s![start..end, end..]);
        let [mut dcorner, mut dright, mut mirror, dbelow] = quarters(da, start, end);
        subtract(right, dbelow.view(), &mut dright);
        Triangle::UPPER.solve(corner, &mut dright);
        transpose_into(dright.view(), &mut mirror);
        subtract(right, mirror.view(), &mut dcorner);
        cholesky_by_rows_adjoint(corner, &mut dcorner);
    }
}

/// As [`cholesky_adjoint`], of one block, from `H` in the upper triangle.
fn cholesky_by_rows_adjoint<T: Scalar>(u: ArrayView2<'_, T>, cotangent: &mut ArrayRef2<T>) {
    let n = u.nrows();
    let u = u.as_standard_layout();
    let u = u.as_slice().expect("in standard layout");
    let mut block = cotangent.as_standard_layout().into_owned();
    let da = block.as_slice_mut().expect("in standard layout");
    for i in (0..n).rev() {
        let (rows, below) = da.split_at_mut((i + 1) * n);
        let (row, drow) = (&u[i * n + i + 1..(i + 1) * n], &mut rows[i * n + i..]);
        let (diagonal, drow) = drow.split_first_mut().expect("i < n");
        subtract_rows(drow, row.len(), |j| {
            (row[j], &below[j * n + i + 1..(j + 1) * n])
        });
        let by = u[i * n + i].recip();
        let mut along = T::zero();
        for ((dx, &x), below) in drow.iter_mut().zip(row).zip(below.chunks_exact_mut(n)) {
            *dx *= by;
            along += *dx * x;
            below[i] = *dx;
        }
        *diagonal = (*diagonal - along) * by;
    }
    cotangent.assign(&block);
}

/// `P·A = L·U`: both triangles in place of `A`, the row of `A` that stands in each row, and whether their order is odd.
pub(super) fn lu<T: Scalar>(a: &mut Array2<T>) -> Result<(Vec<usize>, bool), Error> {
    let k = a.nrows().min(a.ncols());
    let (mut order, mut odd): (Vec<usize>, _) = ((0..a.nrows()).collect(), false);
    for start in (0..k).step_by(BLOCK) {
        let end = k.min(start + BLOCK);
        for column in start..end {
            let pivot = pivot(a, column)?;
            if pivot != column {
                order.swap(pivot, column);
                odd = !odd;
                let (mut p, mut q) = a.multi_slice_mut((s![pivot, ..], s![column, ..]));
                Zip::from(&mut p).and(&mut q).for_each(std::mem::swap);
            }
            let (upper, mut lower) = a.view_mut().split_at(Axis(0), column + 1);
            let top = upper.slice(s![column, column..end]);
            for mut row in lower.rows_mut() {
                let mut row = row.slice_mut(s![column..end]);
                let factor = row[0] / top[0];
                row.scaled_add(-factor, &top);
                row[0] = factor;
            }
        }
        let (mut upper, mut lower) = a.view_mut().split_at(Axis(0), end);
        let (corner, mut right) = upper
            .slice_mut(s![start.., start..])
            .split_at(Axis(1), end - start);
        Triangle::UNIT_LOWER.solve(corner.view(), &mut right);
        let (left, mut rest) = lower
            .slice_mut(s![.., start..])
            .split_at(Axis(1), end - start);
        subtract(left.view(), right.view(), &mut rest);
    }
    Ok((order, odd))
}

/// The row of the largest entry on and below the diagonal.
fn pivot<T: Scalar>(a: &Array2<T>, column: usize) -> Result<usize, Error> {
    let size = |i: &usize| a[(*i, column)].abs();
    let pivot = (column..a.nrows())
        .reduce(|best, i| if size(&i) > size(&best) { i } else { best })
        .expect("a column has a row on the diagonal");
    let size = size(&pivot);
    if size.is_zero() || !size.is_finite() {
        return Err(Error::Singular { column });
    }
    Ok(pivot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::samples;

    fn distance(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
        (a - b).iter().fold(0.0, |m, x| m.max(x.abs()))
    }

    /// Sizes on both sides of one block and two.
    const SIZES: [usize; 8] = [0, 1, 5, BLOCK, BLOCK + 1, 2 * BLOCK, 2 * BLOCK + 1, 70];

    #[test]
    fn blocks_solve_every_triangle() {
        for n in SIZES {
            let t = samples(31, (n, n)) / 8.0 + Array2::<f64>::eye(n) * 2.0;
            let x = samples(34, (n, 3));
            for (lower, unit) in [(false, false), (false, true), (true, false), (true, true)] {
                let triangle = Array2::from_shape_fn((n, n), |(i, j)| {
                    if i == j && unit {
                        1.0
                    } else if i == j || (j < i) == lower {
                        t[(i, j)]
                    } else {
                        0.0
                    }
                });
                let mut b = triangle.dot(&x);
                Triangle { lower, unit }.solve(t.view(), &mut b);
                assert!(distance(&b, &x) < 1e-9, "{n} {lower} {unit}");
            }
        }
    }

    #[test]
    fn blocks_factorize() {
        for n in SIZES {
            let a = samples(32, (n, n));
            let mut factors = a.clone();
            let (order, _) = lu(&mut factors).expect("regular");
            let mut l = factors.clone();
            l.diag_mut().fill(1.0);
            let product =
                crate::array::lower_triangle(&l).dot(&crate::array::upper_triangle(&factors));
            assert!(
                distance(&product, &a.select(Axis(0), &order)) < 1e-12,
                "{n}"
            );

            let positive = a.dot(&a.t()) + Array2::<f64>::eye(n);
            let mut u = positive.clone();
            cholesky_upper(&mut u).expect("positive definite");
            assert!(distance(&u.t().dot(&u), &positive) < 1e-12, "{n}");
        }
    }

    /// `⟨Ā, Ȧ⟩ = ⟨L̄, U̇ᵀ⟩` with `A = UᵀU`, `Ȧ = U̇ᵀU + UᵀU̇`.
    #[test]
    fn the_adjoint_of_blocks_is_the_adjoint() {
        for n in SIZES {
            let u =
                crate::array::upper_triangle(&(samples(33, (n, n)) / 8.0)) + Array2::<f64>::eye(n);
            let tangent = crate::array::upper_triangle(&samples(35, (n, n)));
            let cotangent = samples(36, (n, n));
            let mut da = cotangent.clone();
            cholesky_adjoint(&u, &mut da);
            assert_eq!(da, da.t(), "{n}");
            let half = tangent.t().dot(&u);
            let ours = (&da * &(&half + &half.t())).sum();
            let want = (&cotangent * &tangent.t()).sum();
            assert!(
                (ours - want).abs() < 1e-9 * (1.0 + want.abs()),
                "{n}: {ours} {want}"
            );
        }
    }
}
