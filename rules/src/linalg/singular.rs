//! The singular value decomposition.
//!
//! Source: Townsend 2016, *Differentiating the singular value decomposition*, technical report,
//! <https://j-towns.github.io/papers/svd-derivative.pdf>; Giles 2008, doi:10.1007/978-3-540-68942-3_4, for the singular values alone.

use coenzyme::primitive;
use ndarray::{Array1, Array2, ArrayRef2, Axis, Zip, s};

use super::Error;
use super::factorized::{Factorized, factorized_rule};
use crate::class::Scalar;

/// `(U, s, V)` of a matrix `(m, n)`.
type Svd<T> = (Array2<T>, Array1<T>, Array2<T>);

/// `(U, s, V)` with `A = U·diag(s)·Vᵀ` for `A` of shape `(m, n)`: with `k = min(m, n)`, `U` of shape `(m, k)` and `V` of shape
/// `(n, k)` have orthonormal columns, and `s` of length `k` decreases. By one-sided Jacobi rotations, about `6mnk` flops a
/// sweep, some six to ten sweeps.
///
/// The largest entry of each column of `V` (the first of those; of `U` for a wide matrix) is positive.
///
/// With `P = UᵀȦV` and `Fᵢⱼ = 1/(sⱼ² − sᵢ²)`: forward `ṡ = diag(P)`, `U̇ = U·(F∘(PS + SPᵀ)) + (I − UUᵀ)ȦVS⁻¹`,
/// `V̇ = V·(F∘(SP + PᵀS)) + (I − VVᵀ)ȦᵀUS⁻¹`; reverse
/// `Ā += U·(diag(s̄) + (F∘(UᵀŪ − ŪᵀU))·S + S·(F∘(VᵀV̄ − V̄ᵀV)))·Vᵀ + (I − UUᵀ)ŪS⁻¹Vᵀ + US⁻¹V̄ᵀ(I − VVᵀ)`.
///
/// The vectors of equal singular values, and the signs of all, are not determined. `F` is 0 for equal ones and `S⁻¹` for zeros,
/// which is right for a function that does not depend on the choice. Close singular values amplify the cotangents of vectors.
///
/// # Errors
/// [`Error::NoConvergence`] if the matrix is not finite.
#[primitive]
pub fn svd<T: Scalar>(a: &ArrayRef2<T>) -> Result<Svd<T>, Error> {
    if a.nrows() < a.ncols() {
        let (v, s, u) = tall(&a.t())?;
        return Ok((u, s, v));
    }
    tall(a)
}

/// The singular values of a matrix `(m, n)`, decreasing: `min(m, n)` of them.
///
/// Forward `ṡ = diag(UᵀȦV)`, reverse `Ā += U·diag(s̄)·Vᵀ`. Where they are equal this is one of the generalized derivatives, and
/// right for symmetric functions of them; at zero it is the derivative of one choice of sign.
///
/// # Errors
/// [`Error::NoConvergence`] if the matrix is not finite.
///
/// ```
/// # use ndarray::array;
/// let s = coenzyme_rules::linalg::singular_values(&array![[0.0, 2.0], [-3.0, 0.0]]);
/// assert_eq!(s, Ok(array![3.0, 2.0]));
/// ```
#[primitive]
pub fn singular_values<T: Scalar>(a: &ArrayRef2<T>) -> Result<Array1<T>, Error> {
    Ok(svd(a)?.1)
}

/// Sweeps after the one that found the columns orthogonal, so that the derivatives of dual numbers converge too.
const EXTRA_SWEEPS: usize = 2;
/// Convergence is quadratic: a finite matrix needs about ten.
const MAX_SWEEPS: usize = 60;

/// The decomposition of a matrix with at least as many rows as columns.
fn tall<T: Scalar>(a: &ArrayRef2<T>) -> Result<Svd<T>, Error> {
    let n = a.ncols();
    // The rows are the columns of A·V, and those of V.
    let mut b = a.t().as_standard_layout().into_owned();
    let mut v = Array2::eye(n);
    orthogonalize(&mut b, &mut v)?;
    let length = |row: ndarray::ArrayView1<'_, T>| row.iter().fold(T::zero(), |l, &x| l.hypot(x));
    let s: Array1<T> = b.rows().into_iter().map(length).collect();
    let mut decreasing: Vec<usize> = (0..n).collect();
    decreasing.sort_by(|&i, &j| s[j].partial_cmp(&s[i]).expect("singular values are finite"));
    let (mut u, s, mut v) = (
        b.select(Axis(0), &decreasing),
        s.select(Axis(0), &decreasing),
        v.select(Axis(0), &decreasing),
    );
    for j in 0..n {
        let largest = v
            .row(j)
            .iter()
            .copied()
            .reduce(|best, x| if x.abs() > best.abs() { x } else { best });
        let sign = if largest.is_some_and(|x| x < T::zero()) {
            -T::one()
        } else {
            T::one()
        };
        v.row_mut(j).mapv_inplace(|x| sign * x);
        if s[j].is_zero() {
            complete(&mut u, j);
        } else {
            u.row_mut(j).mapv_inplace(|x| sign * x / s[j]);
        }
    }
    Ok((u.reversed_axes(), s, v.reversed_axes()))
}

/// Rotates pairs of rows of `b` until all are orthogonal, and the rows of `v` with them.
fn orthogonalize<T: Scalar>(b: &mut Array2<T>, v: &mut Array2<T>) -> Result<(), Error> {
    if !b.iter().all(|x| x.is_finite()) {
        return Err(Error::NoConvergence);
    }
    let n = b.nrows();
    let mut left = EXTRA_SWEEPS;
    for _ in 0..MAX_SWEEPS {
        let mut orthogonal = true;
        for p in 0..n {
            for q in p + 1..n {
                let (x, y) = (b.row(p), b.row(q));
                let (xx, yy, xy) = (x.dot(&x), y.dot(&y), x.dot(&y));
                orthogonal &= xy.abs() <= T::lit(4.0) * T::epsilon() * (xx * yy).sqrt();
                let half_gap = T::lit(0.5) * (yy - xx);
                let length = half_gap.hypot(xy);
                if xy.vanishes() || length.is_zero() {
                    continue;
                }
                let t = xy
                    / if half_gap < T::zero() {
                        half_gap - length
                    } else {
                        half_gap + length
                    };
                let c = (t * t + T::one()).sqrt().recip();
                for rows in [&mut *b, &mut *v] {
                    let (x, y) = rows.multi_slice_mut((s![p, ..], s![q, ..]));
                    Zip::from(x).and(y).for_each(|x, y| {
                        (*x, *y) = (c * (*x - t * *y), c * (*y + t * *x));
                    });
                }
            }
        }
        if orthogonal {
            if left == 0 {
                return Ok(());
            }
            left -= 1;
        }
    }
    Err(Error::NoConvergence)
}

/// Makes row `j` a unit vector orthogonal to the rows before it: what is left of the coordinate vector of which most is left.
fn complete<T: Scalar>(u: &mut Array2<T>, j: usize) {
    let mut best = (T::zero(), Array1::zeros(u.ncols()));
    for i in 0..u.ncols() {
        let mut e = Array1::zeros(u.ncols());
        e[i] = T::one();
        for _ in 0..2 {
            for row in u.rows().into_iter().take(j) {
                let part = row.dot(&e);
                e.scaled_add(-part, &row);
            }
        }
        let size = e.dot(&e).sqrt();
        if size > best.0 {
            best = (size, e);
        }
    }
    let (size, e) = best;
    u.row_mut(j).assign(&e.mapv_into(|x| x / size));
}

impl svd {
    /// `F∘X`
    fn over_gaps<T: Scalar>(s: &Array1<T>, x: Array2<T>) -> Array2<T> {
        Array2::from_shape_fn(x.raw_dim(), |(i, j)| {
            let gap = (s[j] - s[i]) * (s[j] + s[i]);
            if gap.is_zero() {
                T::zero()
            } else {
                x[(i, j)] / gap
            }
        })
    }

    /// `(I − QQᵀ)·X·S⁻¹`
    fn outside<T: Scalar>(q: &Array2<T>, x: &Array2<T>, s: &Array1<T>) -> Array2<T> {
        (x - &q.dot(&q.t().dot(x))) * s.mapv(|s| if s.is_zero() { T::zero() } else { s.recip() })
    }
}

impl<T: Scalar> Factorized<T> for svd {
    type Out = Svd<T>;
    type Factors = ();

    fn factorize(a: &ArrayRef2<T>) -> Result<(Svd<T>, ()), Error> {
        Ok((svd(a)?, ()))
    }

    fn pushforward((u, s, v): &Svd<T>, (): &(), da: &ArrayRef2<T>) -> Svd<T> {
        let (right, left) = (da.dot(v), da.t().dot(u));
        let p = u.t().dot(&right);
        let (ps, sp) = (&p * s, (&p.t() * s).reversed_axes());
        let du = u.dot(&Self::over_gaps(s, &ps + &ps.t())) + Self::outside(u, &right, s);
        let dv = v.dot(&Self::over_gaps(s, &sp + &sp.t())) + Self::outside(v, &left, s);
        (du, p.diag().to_owned(), dv)
    }

    fn pullback((u, s, v): &Svd<T>, (): &(), (du, ds, dv): &mut Svd<T>, da: &mut ArrayRef2<T>) {
        let turn = |q: &Array2<T>, dq: &Array2<T>| {
            let inner = q.t().dot(dq);
            Self::over_gaps(s, &inner - &inner.t())
        };
        let mut inner = turn(u, du) * s + (turn(v, dv).t().to_owned() * s).t();
        inner.diag_mut().zip_mut_with(ds, |x, &ds| *x += ds);
        *da += &(u.dot(&inner) + Self::outside(u, du, s)).dot(&v.t());
        *da += &u.dot(&Self::outside(v, dv, s).t());
    }
}

factorized_rule!(svd);

impl<T: Scalar> Factorized<T> for singular_values {
    type Out = Array1<T>;
    /// `U` and `V`.
    type Factors = (Array2<T>, Array2<T>);

    fn factorize(a: &ArrayRef2<T>) -> Result<(Array1<T>, Self::Factors), Error> {
        let (u, s, v) = svd(a)?;
        Ok((s, (u, v)))
    }
    fn pushforward(_: &Array1<T>, (u, v): &Self::Factors, da: &ArrayRef2<T>) -> Array1<T> {
        (&da.dot(v) * u).sum_axis(Axis(0))
    }
    fn pullback(_: &Array1<T>, (u, v): &Self::Factors, ds: &mut Array1<T>, da: &mut ArrayRef2<T>) {
        *da += &(u * &*ds).dot(&v.t());
    }
}

factorized_rule!(singular_values);

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;
    use crate::samples::samples;

    #[test]
    fn factors_multiply_to_the_matrix() {
        for (shape, seed) in [((4, 2), 50), ((3, 3), 51), ((2, 4), 52), ((1, 1), 53)] {
            let mut a = samples(seed, shape);
            for (i, x) in a.diag_mut().iter_mut().enumerate() {
                *x += 1.5 * (i + 1) as f64;
            }
            let (u, s, v) = svd(&a).expect("finite");
            assert!(
                ((&u * &s).dot(&v.t()) - &a)
                    .iter()
                    .all(|x: &f64| x.abs() < 1e-13)
            );
        }
    }

    /// `‖A‖² = Σs²` does not depend on the choice of vectors: its gradient is `2A`, also with equal and zero singular values.
    #[test]
    fn equal_and_zero_singular_values_have_no_gauge() {
        for a in [
            array![[0.0, 2.0], [-2.0, 0.0]],
            array![[1.0, 2.0], [2.0, 4.0]],
            array![[0.0, 0.0], [0.0, 0.0]],
        ] {
            let out = svd(&a).expect("finite");
            let (u, s, v) = &out;
            let unit = u.t().dot(u) - Array2::<f64>::eye(2);
            assert!(unit.iter().all(|x: &f64| x.abs() < 1e-14), "{u}");
            let mut cotangent = (Array2::zeros((2, 2)), s * 2.0, Array2::zeros(v.raw_dim()));
            let mut da = Array2::zeros((2, 2));
            svd::pullback(&out, &(), &mut cotangent, &mut da);
            assert!((da - &a * 2.0).iter().all(|x: &f64| x.abs() < 1e-13));
        }
    }

    #[test]
    fn matrices_that_are_not_finite_are_errors() {
        for bad in [f64::NAN, f64::INFINITY] {
            assert_eq!(
                singular_values(&array![[1.0, bad]]),
                Err(Error::NoConvergence)
            );
        }
        assert_eq!(
            singular_values(&Array2::<f64>::zeros((0, 3))),
            Ok(Array1::zeros(0))
        );
    }
}
