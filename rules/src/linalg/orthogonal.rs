//! The QR factorization.
//!
//! Source: Roberts & Roberts 2020, *QR and LQ decomposition matrix backpropagation algorithms for square, wide, and deep
//! matrices*, arXiv:2009.10071; Walter & Lehmann 2010, arXiv:1001.1654, for the tangents.

use coenzyme::primitive;
use ndarray::{Array2, ArrayRef2, Axis, Slice, concatenate, s};

use super::Error;
use super::blocked::Triangle;
use super::factorized::{Factorized, factorized_rule};
use crate::class::Scalar;

/// `(Q, R)` with `A = Q·R` for `A` of shape `(m, n)`: with `k = min(m, n)`, `Q` of shape `(m, k)` has orthonormal columns, and
/// `R` of shape `(k, n)` is upper triangular with a positive diagonal. By Householder reflections, `2mnk` flops and as many
/// for `Q`.
///
/// For `m ≥ n`, with `C = ȦR⁻¹` and `Ω` the antisymmetric matrix that agrees with `QᵀC` below the diagonal: forward
/// `Q̇ = QΩ + C − QQᵀC`, `Ṙ = (QᵀC − Ω)R`; reverse `Ā += (Q̄ + Q·copyltu(RR̄ᵀ − Q̄ᵀQ))·R⁻ᵀ`, where `copyltu` mirrors the lower
/// triangle. A wide matrix is its first `m` columns, and others that are `Q·R₂`.
///
/// # Errors
/// [`Error::Singular`] if the first `k` columns are exactly dependent, or not finite.
///
/// ```
/// # use ndarray::array;
/// let (q, r) = coenzyme_rules::linalg::qr(&array![[0.0, 2.0], [3.0, 4.0]])?;
/// assert_eq!((q, r), (array![[0.0, 1.0], [1.0, 0.0]], array![[3.0, 4.0], [0.0, 2.0]]));
/// # Ok::<_, coenzyme_rules::linalg::Error>(())
/// ```
#[primitive]
pub fn qr<T: Scalar>(a: &ArrayRef2<T>) -> Result<(Array2<T>, Array2<T>), Error> {
    let (m, n) = a.dim();
    let k = m.min(n);
    let mut r = a.to_owned();
    let mut reflectors = Vec::with_capacity(k);
    for j in 0..k {
        let mut v = r.slice(s![j.., j]).to_owned();
        let length = v.iter().fold(T::zero(), |length, &x| length.hypot(x));
        if length.is_zero() || !length.is_finite() {
            return Err(Error::Singular { column: j });
        }
        let sign = if v[0] < T::zero() {
            -T::one()
        } else {
            T::one()
        };
        v[0] += sign * length;
        let scale = T::lit(2.0) / v.dot(&v);
        reflect(&v, scale, &mut r.slice_mut(s![j.., j..]));
        reflectors.push((v, scale));
    }
    let mut q = Array2::zeros((m, k));
    q.diag_mut().fill(T::one());
    for (j, (v, scale)) in reflectors.iter().enumerate().rev() {
        reflect(v, *scale, &mut q.slice_mut(s![j.., ..]));
    }
    let mut r = crate::array::upper_triangle(&r.slice(s![..k, ..]));
    for j in 0..k {
        if r[(j, j)] < T::zero() {
            r.row_mut(j).mapv_inplace(|x| -x);
            q.column_mut(j).mapv_inplace(|x| -x);
        }
    }
    Ok((q, r))
}

/// `A −= scale·v·(vᵀA)`
fn reflect<T: Scalar>(v: &ndarray::Array1<T>, scale: T, a: &mut ArrayRef2<T>) {
    let product = a.t().dot(v);
    for (mut row, &v) in a.rows_mut().into_iter().zip(v) {
        row.scaled_add(-scale * v, &product);
    }
}

impl qr {
    /// The lower triangle, mirrored at the diagonal with this sign (and no diagonal, if it is −1).
    fn mirror<T: Scalar>(x: &ArrayRef2<T>, sign: T) -> Array2<T> {
        let half = T::lit(0.5) * (T::one() + sign);
        Array2::from_shape_fn(x.raw_dim(), |(i, j)| match i.cmp(&j) {
            std::cmp::Ordering::Greater => x[(i, j)],
            std::cmp::Ordering::Equal => half * x[(i, j)],
            std::cmp::Ordering::Less => sign * x[(j, i)],
        })
    }

    /// `(Q̇, Ṙ)` for as many columns as `Q` has.
    fn tangent<T: Scalar>(
        q: &Array2<T>,
        r: &ArrayRef2<T>,
        da: &ArrayRef2<T>,
    ) -> (Array2<T>, Array2<T>) {
        let c = Triangle::UPPER.solve_right(r.view(), da.view());
        let inner = q.t().dot(&c);
        let omega = Self::mirror(&inner, -T::one());
        let rest = &inner - &omega;
        (c - q.dot(&rest), crate::array::upper_triangle(&rest.dot(r)))
    }
}

impl<T: Scalar> Factorized<T> for qr {
    type Out = (Array2<T>, Array2<T>);
    type Factors = ();

    fn factorize(a: &ArrayRef2<T>) -> Result<(Self::Out, ()), Error> {
        Ok((qr(a)?, ()))
    }

    fn pushforward((q, r): &Self::Out, (): &(), da: &ArrayRef2<T>) -> Self::Out {
        let (first, last) = (Slice::from(..q.ncols()), Slice::from(q.ncols()..));
        let (dq, dr) = Self::tangent(
            q,
            &r.slice_axis(Axis(1), first),
            &da.slice_axis(Axis(1), first),
        );
        // Ṙ₂ = Qᵀ(Ȧ₂ − Q̇R₂)
        let right = q
            .t()
            .dot(&(&da.slice_axis(Axis(1), last) - &dq.dot(&r.slice_axis(Axis(1), last))));
        let dr = concatenate(Axis(1), &[dr.view(), right.view()]).expect("as many rows");
        (dq, dr)
    }

    fn pullback((q, r): &Self::Out, (): &(), (dq, dr): &mut Self::Out, da: &mut ArrayRef2<T>) {
        let k = q.ncols();
        let (r1, r2) = r.view().split_at(Axis(1), k);
        let (dr1, dr2) = dr.view().split_at(Axis(1), k);
        let (mut da1, mut da2) = da.view_mut().split_at(Axis(1), k);
        // R₂ = QᵀA₂ with A₂ = QR₂: Q̄ += A₂R̄₂ᵀ
        let dq = &*dq + &q.dot(&r2.dot(&dr2.t()));
        da2 += &q.dot(&dr2);
        let m = r1.dot(&crate::array::upper_triangle(&dr1).t()) - dq.t().dot(q);
        let x = dq + q.dot(&Self::mirror(&m, T::one()));
        da1 += &Triangle::LOWER.solve_right(r1.t(), x.view());
    }
}

factorized_rule!(qr);

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;
    use crate::samples::samples;

    #[test]
    fn factors_multiply_to_the_matrix() {
        for (shape, seed) in [((4, 2), 40), ((3, 3), 41), ((2, 4), 42), ((1, 1), 43)] {
            let mut a = samples(seed, shape);
            a.diag_mut().mapv_inplace(|x| x + 1.5);
            let (q, r) = qr(&a).expect("independent columns");
            assert!((q.dot(&r) - &a).iter().all(|x: &f64| x.abs() < 1e-14));
            assert!(r.diag().iter().all(|x| *x > 0.0));
        }
    }

    #[test]
    fn dependent_columns_are_errors() {
        let cases = [
            (array![[0.0, 1.0], [0.0, 2.0]], 0),
            (array![[1.0, 2.0], [0.0, 0.0]], 1),
            (array![[f64::NAN, 1.0], [0.0, 2.0]], 0),
            (array![[1.0, f64::INFINITY], [0.0, f64::INFINITY]], 1),
        ];
        for (a, column) in cases {
            assert_eq!(qr(&a), Err(Error::Singular { column }));
        }
        let none = Array2::<f64>::zeros((3, 0));
        assert_eq!(
            qr(&none),
            Ok((Array2::zeros((3, 0)), Array2::zeros((0, 0))))
        );
    }
}
