//! Factorizations of symmetric matrices, of which the symmetric part `(A + Aᵀ)/2` is used.

use coenzyme::primitive;
use ndarray::{Array1, Array2, ArrayRef2, Axis, Zip};

use super::blocked::{Triangle, cholesky_adjoint, cholesky_upper};
use super::factorized::{Factorized, factorized_rule};
use super::{Error, order};
use crate::class::Scalar;

/// `(A + Aᵀ)/2`
pub(super) fn symmetric_part<T: Scalar>(a: &ArrayRef2<T>) -> Array2<T> {
    let half = T::lit(0.5);
    let mut out = Array2::zeros(a.raw_dim());
    Zip::from(&mut out)
        .and(a)
        .and(a.t())
        .for_each(|out, &a, &b| *out = half * (a + b));
    out
}

/// The triangle on and below the diagonal, with half of the diagonal.
fn half_lower<T: Scalar>(a: Array2<T>) -> Array2<T> {
    Array2::from_shape_fn(a.raw_dim(), |(i, j)| match i.cmp(&j) {
        std::cmp::Ordering::Greater => a[(i, j)],
        std::cmp::Ordering::Equal => T::lit(0.5) * a[(i, j)],
        std::cmp::Ordering::Less => T::zero(),
    })
}

/// The factor `L`, lower triangular with a positive diagonal, of `L·Lᵀ = A` for a positive definite `A` of shape `(n, n)`:
/// `n³/3` flops. **Panics** if the matrix is not square.
///
/// With `Φ` taking the triangle on and below the diagonal, and half of the diagonal: forward `L̇ = L·Φ(L⁻¹ȦL⁻ᵀ)`, reverse
/// `Ā += sym(L⁻ᵀ·Φ(LᵀL̄)·L⁻¹)`, which is computed by the adjoint of the factorization by blocks: `2n³/3` flops. What `L̄`
/// holds above the diagonal is not read.
///
/// Source: Murray 2016, *Differentiation of the Cholesky decomposition*, arXiv:1602.07527.
///
/// # Errors
/// [`Error::NotPositiveDefinite`].
///
/// ```
/// # use ndarray::array;
/// let l = coenzyme_rules::linalg::cholesky(&array![[4.0, 2.0], [2.0, 10.0]]);
/// assert_eq!(l, Ok(array![[2.0, 0.0], [1.0, 3.0]]));
/// ```
#[primitive]
#[track_caller]
pub fn cholesky<T: Scalar>(a: &ArrayRef2<T>) -> Result<Array2<T>, Error> {
    order("cholesky", a);
    let mut u = symmetric_part(a);
    cholesky_upper(&mut u)?;
    Ok(u.reversed_axes())
}

impl<T: Scalar> Factorized<T> for cholesky {
    type Out = Array2<T>;
    type Factors = ();

    fn factorize(a: &ArrayRef2<T>) -> Result<(Array2<T>, ()), Error> {
        Ok((cholesky(a)?, ()))
    }

    fn pushforward(l: &Array2<T>, (): &(), da: &ArrayRef2<T>) -> Array2<T> {
        // L⁻¹·Ȧ·L⁻ᵀ
        let mut inner = symmetric_part(da);
        Triangle::LOWER.solve(l.view(), &mut inner);
        let mut inner = inner.t().as_standard_layout().into_owned();
        Triangle::LOWER.solve(l.view(), &mut inner);
        l.dot(&half_lower(inner))
    }

    fn pullback(l: &Array2<T>, (): &(), dl: &mut Array2<T>, da: &mut ArrayRef2<T>) {
        cholesky_adjoint(&l.t().as_standard_layout(), dl);
        *da += &*dl;
    }
}

factorized_rule!(cholesky);

/// The eigenvalues of a symmetric matrix `(n, n)`, in increasing order, and its eigenvectors as the columns of an orthogonal
/// matrix: `A·V = V·diag(w)`. **Panics** if the matrix is not square.
///
/// The largest entry of each eigenvector (the first of those) is positive. By cyclic Jacobi rotations: about `10n³` flops a
/// sweep, some six to ten sweeps.
///
/// With `P = VᵀȦV` and `Fᵢⱼ = 1/(wⱼ − wᵢ)`: forward `ẇ = diag(P)`, `V̇ = V·(F∘P)`; reverse
/// `Ā += V·(diag(w̄) + F∘(VᵀV̄))·Vᵀ`, its symmetric part.
///
/// The eigenvectors of equal eigenvalues are not determined, nor is their derivative: `F` is 0 there, which is right for a
/// function of them that does not depend on the choice. Eigenvalues that are close amplify the cotangents of eigenvectors by
/// the reciprocal of their distance.
///
/// Source: Giles 2008, doi:10.1007/978-3-540-68942-3_4, for symmetric matrices.
///
/// # Errors
/// [`Error::NoConvergence`] if the matrix is not finite.
#[primitive]
#[track_caller]
pub fn eigh<T: Scalar>(a: &ArrayRef2<T>) -> Result<(Array1<T>, Array2<T>), Error> {
    let n = order("eigh", a);
    let mut a = symmetric_part(a);
    let mut v = Array2::eye(n);
    jacobi(&mut a, &mut v)?;
    let w = a.diag().to_owned();
    let mut increasing: Vec<usize> = (0..n).collect();
    increasing.sort_by(|&i, &j| w[i].partial_cmp(&w[j]).expect("eigenvalues are finite"));
    let mut v = v.select(Axis(1), &increasing);
    for mut column in v.columns_mut() {
        let largest = column
            .iter()
            .copied()
            .reduce(|best, x| if x.abs() > best.abs() { x } else { best });
        if largest.is_some_and(|x| x < T::zero()) {
            column.mapv_inplace(|x| -x);
        }
    }
    Ok((w.select(Axis(0), &increasing), v))
}

/// Sweeps after the one that found the matrix diagonal, so that the derivatives of dual numbers converge too.
const EXTRA_SWEEPS: usize = 2;
/// Convergence is quadratic: a finite matrix needs about ten.
const MAX_SWEEPS: usize = 60;

/// Makes `a` diagonal by rotations from both sides, which are collected in `v`.
fn jacobi<T: Scalar>(a: &mut Array2<T>, v: &mut Array2<T>) -> Result<(), Error> {
    let n = a.nrows();
    let mut left = EXTRA_SWEEPS;
    for _ in 0..MAX_SWEEPS {
        let size: T = a.iter().map(|&x| x * x).sum();
        let diagonal: T = a.diag().iter().map(|&x| x * x).sum();
        let off: T = (0..n)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .map(|ij| a[ij] * a[ij])
            .sum();
        if !(size + diagonal).is_finite() {
            return Err(Error::NoConvergence);
        }
        if off <= size * T::epsilon() * T::epsilon() {
            if left == 0 {
                return Ok(());
            }
            left -= 1;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(a, v, p, q);
            }
        }
    }
    Err(Error::NoConvergence)
}

/// The rotation in the plane of `p` and `q` that makes `a[p, q]` zero.
fn rotate<T: Scalar>(a: &mut Array2<T>, v: &mut Array2<T>, p: usize, q: usize) {
    let half_gap = (a[(q, q)] - a[(p, p)]) * T::lit(0.5);
    let off = a[(p, q)];
    let length = half_gap.hypot(off);
    if length.is_zero() {
        return;
    }
    // tan φ = off/(half_gap ± length), the smaller angle
    let sum = if half_gap < T::zero() {
        half_gap - length
    } else {
        half_gap + length
    };
    let t = off / sum;
    let c = (t * t + T::one()).sqrt().recip();
    let s = t * c;
    let turn = |x: &mut Array2<T>, i: (usize, usize), j: (usize, usize)| {
        let (xi, xj) = (x[i], x[j]);
        x[i] = c * xi - s * xj;
        x[j] = s * xi + c * xj;
    };
    for k in 0..a.nrows() {
        turn(a, (k, p), (k, q));
        turn(v, (k, p), (k, q));
    }
    for k in 0..a.nrows() {
        turn(a, (p, k), (q, k));
    }
}

impl eigh {
    /// `F∘P`
    fn over_gaps<T: Scalar>(w: &Array1<T>, p: &ArrayRef2<T>) -> Array2<T> {
        Array2::from_shape_fn(p.raw_dim(), |(i, j)| {
            let gap = w[j] - w[i];
            if gap.is_zero() {
                T::zero()
            } else {
                p[(i, j)] / gap
            }
        })
    }
}

impl<T: Scalar> Factorized<T> for eigh {
    type Out = (Array1<T>, Array2<T>);
    type Factors = ();

    fn factorize(a: &ArrayRef2<T>) -> Result<(Self::Out, ()), Error> {
        Ok((eigh(a)?, ()))
    }

    fn pushforward((w, v): &Self::Out, (): &(), da: &ArrayRef2<T>) -> Self::Out {
        let p = v.t().dot(&symmetric_part(da)).dot(v);
        (p.diag().to_owned(), v.dot(&Self::over_gaps(w, &p)))
    }

    fn pullback((w, v): &Self::Out, (): &(), (dw, dv): &mut Self::Out, da: &mut ArrayRef2<T>) {
        let mut inner = Self::over_gaps(w, &v.t().dot(dv));
        inner.diag_mut().assign(dw);
        *da += &symmetric_part(&v.dot(&inner).dot(&v.t()));
    }
}

factorized_rule!(eigh);

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;
    use crate::samples::samples;

    #[test]
    fn cholesky_factors_multiply_to_the_matrix() {
        let b = samples(11, (4, 4));
        let a = b.dot(&b.t()) + Array2::<f64>::eye(4) * 2.0;
        let l = cholesky(&a).expect("positive definite");
        assert!((l.dot(&l.t()) - &a).iter().all(|x| x.abs() < 1e-14));
    }

    #[test]
    fn eigenvectors_diagonalize() {
        let a = array![
            [2.0_f64, 0.3, -0.7, 0.2],
            [0.3, -1.0, 0.5, 0.4],
            [-0.7, 0.5, 4.0, 0.1],
            [0.2, 0.4, 0.1, 0.6]
        ];
        let (w, v) = eigh(&a).expect("finite");
        assert!((a.dot(&v) - &v * &w).iter().all(|x| x.abs() < 1e-13));
        assert!(
            (v.t().dot(&v) - Array2::<f64>::eye(4))
                .iter()
                .all(|x| x.abs() < 1e-13)
        );
        assert!(w.windows(2).into_iter().all(|w| w[0] <= w[1]));
    }

    /// `Σ f(w)` does not depend on the choice of eigenvectors of an equal eigenvalue: its gradient is `V f′(w) Vᵀ`.
    #[test]
    fn equal_eigenvalues_have_no_gauge() {
        let a = array![[2.0, 0.0], [0.0, 2.0]];
        let (w, v) = eigh(&a).expect("finite");
        let mut da = Array2::zeros((2, 2));
        let mut cotangent = (array![3.0, 3.0], Array2::zeros((2, 2)));
        eigh::pullback(&(w, v), &(), &mut cotangent, &mut da);
        assert_eq!(da, array![[3.0, 0.0], [0.0, 3.0]]);
    }

    #[test]
    fn matrices_without_factors_are_errors() {
        let indefinite = array![[1.0, 2.0], [2.0, 1.0]];
        let error = Err(Error::NotPositiveDefinite { column: 1 });
        assert_eq!(cholesky(&indefinite), error);
        assert_eq!(eigh(&array![[f64::INFINITY]]), Err(Error::NoConvergence));
    }

    #[test]
    #[should_panic(expected = "cholesky: a matrix of shape [2, 3] is not square")]
    fn a_matrix_that_is_not_square_is_refused() {
        let _ = cholesky(&Array2::<f64>::zeros((2, 3)));
    }
}
