//! Sylvester and Lyapunov equations.
//!
//! Source: Bartels & Stewart 1972, *Solution of the matrix equation AX + XB = C*, Comm. ACM 15, with complex Schur forms; the
//! derivatives follow from the equation's own differential.

use coenzyme::primitive;
use ndarray::{Array2, ArrayRef2, s};
use num_complex::Complex;

use super::schur::Schur;
use super::{Error, order};
use crate::class::{Scalar, several_rule};

/// What solves `A·X + X·B = C`, also with `Aᵀ` and `Bᵀ`: both matrices and their Schur forms.
#[derive(Clone, Debug)]
pub struct Sylvester<T> {
    a: Array2<T>,
    b: Array2<T>,
    of_a: Schur<T>,
    of_b: Schur<T>,
}

impl<T: Scalar> Sylvester<T> {
    fn new(a: &ArrayRef2<T>, b: &ArrayRef2<T>) -> Result<Self, Error> {
        let (of_a, of_b) = (Schur::new(a)?, Schur::new(b)?);
        for &p in of_a.t.diag() {
            let shared = |q: &Complex<T>| (p + q).re.is_zero() && (p + q).im.is_zero();
            if let Some(column) = of_b.t.diag().iter().position(shared) {
                return Err(Error::Singular { column });
            }
        }
        Ok(Self {
            a: a.to_owned(),
            b: b.to_owned(),
            of_a,
            of_b,
        })
    }

    /// The solution, and one step of refinement: the Schur forms of [`Dual`](coenzyme::Dual) numbers have converged in the value, and
    /// in the tangent only nearly.
    fn solve(&self, c: &ArrayRef2<T>) -> Array2<T> {
        let x = through(&self.of_a, &self.of_b, c);
        let rest = c.to_owned() - self.a.dot(&x) - x.dot(&self.b);
        x + through(&self.of_a, &self.of_b, &rest)
    }

    /// The solution of `Aᵀ·S + S·Bᵀ = C`, which is `B·Sᵀ + Sᵀ·A = Cᵀ`.
    fn solve_transposed(&self, c: &ArrayRef2<T>) -> Array2<T> {
        let s = through(&self.of_b, &self.of_a, &c.t());
        let rest = c.t().to_owned() - self.b.dot(&s) - s.dot(&self.a);
        (s + through(&self.of_b, &self.of_a, &rest)).reversed_axes()
    }
}

/// `U·Y·Vᴴ` with `T·Y + Y·R = UᴴC·V`, where `A = U·T·Uᴴ`, `B = V·R·Vᴴ`: column by column, from the last row up.
fn through<T: Scalar>(a: &Schur<T>, b: &Schur<T>, c: &ArrayRef2<T>) -> Array2<T> {
    let conjugate = |m: &Array2<Complex<T>>| m.t().mapv(|z| z.conj());
    let c = c.mapv(|c| Complex::new(c, T::zero()));
    let mut y = conjugate(&a.u).dot(&c).dot(&b.u);
    let n = y.nrows();
    for k in 0..y.ncols() {
        let (known, mut rest) = y.multi_slice_mut((s![.., ..k], s![.., k]));
        rest -= &known.dot(&b.t.slice(s![..k, k]));
        for i in (0..n).rev() {
            let (mut above, known) = rest.view_mut().split_at(ndarray::Axis(0), i + 1);
            let sum = a.t.slice(s![i, i + 1..]).dot(&known);
            above[i] = (above[i] - sum) / (a.t[(i, i)] + b.t[(k, k)]);
        }
    }
    a.u.dot(&y).dot(&conjugate(&b.u)).mapv(|z| z.re)
}

/// The solution `X` of the Sylvester equation `A·X + X·B = C` for `A` of shape `(m, m)`, `B` of shape `(n, n)` and `C` of shape
/// `(m, n)`. By the Schur forms of `A` and `B`: `O(m³ + n³)` flops. **Panics** if the shapes do not fit.
///
/// Forward `A·Ẋ + Ẋ·B = Ċ − Ȧ·X − X·Ḃ`. Reverse with `S` from `Aᵀ·S + S·Bᵀ = X̄`: `C̄ += S`, `Ā −= S·Xᵀ`, `B̄ −= Xᵀ·S`. The Schur
/// forms are on the tape and serve both.
///
/// # Errors
/// [`Error::Singular`] if an eigenvalue of `A` is exactly the negative of one of `B`, [`Error::NoConvergence`] if a matrix is not
/// finite.
///
/// ```
/// # use ndarray::array;
/// let x = coenzyme_rules::linalg::sylvester(&array![[1.0]], &array![[2.0, 0.0], [0.0, 4.0]], &array![[3.0, 10.0]])?;
/// assert!((x - array![[1.0, 2.0]]).iter().all(|x: &f64| x.abs() < 1e-14));
/// # Ok::<_, coenzyme_rules::linalg::Error>(())
/// ```
#[primitive]
#[track_caller]
pub fn sylvester<T: Scalar>(
    a: &ArrayRef2<T>,
    b: &ArrayRef2<T>,
    c: &ArrayRef2<T>,
) -> Result<Array2<T>, Error> {
    Ok(sylvester::evaluate(a, b, c)?.0)
}

impl sylvester {
    #[track_caller]
    fn evaluate<T: Scalar>(
        a: &ArrayRef2<T>,
        b: &ArrayRef2<T>,
        c: &ArrayRef2<T>,
    ) -> Result<(Array2<T>, Sylvester<T>), Error> {
        let shape = (order("sylvester", a), order("sylvester", b));
        assert!(
            c.dim() == shape,
            "sylvester: matrices of shape {:?} and {:?} and a right-hand side of shape {:?}",
            a.shape(),
            b.shape(),
            c.shape()
        );
        let kept = Sylvester::new(a, b)?;
        Ok((kept.solve(c), kept))
    }

    fn pushforward<T: Scalar>(
        x: &Array2<T>,
        kept: &Sylvester<T>,
        da: Option<&ArrayRef2<T>>,
        db: Option<&ArrayRef2<T>>,
        dc: Option<&ArrayRef2<T>>,
    ) -> Array2<T> {
        let mut right = dc.map_or_else(|| Array2::zeros(x.raw_dim()), |dc| dc.to_owned());
        if let Some(da) = da {
            right -= &da.dot(x);
        }
        if let Some(db) = db {
            right -= &x.dot(db);
        }
        kept.solve(&right)
    }

    fn pull<T: Scalar>(_: &Array2<T>, kept: &Sylvester<T>, dx: &Array2<T>) -> Array2<T> {
        kept.solve_transposed(dx)
    }
    fn pull_a<T: Scalar>(x: &Array2<T>, _: &Sylvester<T>, s: &Array2<T>, da: &mut ArrayRef2<T>) {
        *da -= &s.dot(&x.t());
    }
    fn pull_b<T: Scalar>(x: &Array2<T>, _: &Sylvester<T>, s: &Array2<T>, db: &mut ArrayRef2<T>) {
        *db -= &x.t().dot(s);
    }
    fn pull_c<T: Scalar>(_: &Array2<T>, _: &Sylvester<T>, s: &Array2<T>, dc: &mut ArrayRef2<T>) {
        *dc += s;
    }
}

several_rule!(
    sylvester[T: Scalar](a: ArrayRef2<T> => pull_a, b: ArrayRef2<T> => pull_b, c: ArrayRef2<T> => pull_c)
        -> Result<Array2<T>, Error>, keeps Sylvester<T>, pulls Array2<T>
);

/// The solution `X` of the Lyapunov equation `A·X + X·Aᵀ = Q` for `A` and `Q` of shape `(n, n)`: symmetric, if `Q` is. As
/// [`sylvester()`], with `B = Aᵀ`. **Panics** if the shapes do not fit.
///
/// Forward `A·Ẋ + Ẋ·Aᵀ = Q̇ − Ȧ·X − X·Ȧᵀ`. Reverse with `S` from `Aᵀ·S + S·A = X̄`: `Q̄ += S`, `Ā −= S·Xᵀ + Sᵀ·X`.
///
/// # Errors
/// [`Error::Singular`] if two eigenvalues of `A`, or one taken twice, have the sum 0, [`Error::NoConvergence`] if `A` is not
/// finite.
///
/// ```
/// # use ndarray::array;
/// let x = coenzyme_rules::linalg::lyapunov(&array![[-1.0, 0.0], [0.0, -2.0]], &array![[-2.0, 3.0], [3.0, -8.0]])?;
/// assert!((x - array![[1.0, -1.0], [-1.0, 2.0]]).iter().all(|x: &f64| x.abs() < 1e-14));
/// # Ok::<_, coenzyme_rules::linalg::Error>(())
/// ```
#[primitive]
#[track_caller]
pub fn lyapunov<T: Scalar>(a: &ArrayRef2<T>, q: &ArrayRef2<T>) -> Result<Array2<T>, Error> {
    Ok(lyapunov::evaluate(a, q)?.0)
}

impl lyapunov {
    #[track_caller]
    fn evaluate<T: Scalar>(
        a: &ArrayRef2<T>,
        q: &ArrayRef2<T>,
    ) -> Result<(Array2<T>, Sylvester<T>), Error> {
        let n = order("lyapunov", a);
        assert!(
            q.dim() == (n, n),
            "lyapunov: a matrix of shape {:?} and a right-hand side of shape {:?}",
            a.shape(),
            q.shape()
        );
        let kept = Sylvester::new(a, &a.t())?;
        Ok((kept.solve(q), kept))
    }

    fn pushforward<T: Scalar>(
        x: &Array2<T>,
        kept: &Sylvester<T>,
        da: Option<&ArrayRef2<T>>,
        dq: Option<&ArrayRef2<T>>,
    ) -> Array2<T> {
        let mut right = dq.map_or_else(|| Array2::zeros(x.raw_dim()), |dq| dq.to_owned());
        if let Some(da) = da {
            right -= &(da.dot(x) + x.dot(&da.t()));
        }
        kept.solve(&right)
    }

    fn pull<T: Scalar>(_: &Array2<T>, kept: &Sylvester<T>, dx: &Array2<T>) -> Array2<T> {
        kept.solve_transposed(dx)
    }
    fn pull_a<T: Scalar>(x: &Array2<T>, _: &Sylvester<T>, s: &Array2<T>, da: &mut ArrayRef2<T>) {
        *da -= &(s.dot(&x.t()) + s.t().dot(x));
    }
    fn pull_q<T: Scalar>(_: &Array2<T>, _: &Sylvester<T>, s: &Array2<T>, dq: &mut ArrayRef2<T>) {
        *dq += s;
    }
}

several_rule!(
    lyapunov[T: Scalar](a: ArrayRef2<T> => pull_a, q: ArrayRef2<T> => pull_q)
        -> Result<Array2<T>, Error>, keeps Sylvester<T>, pulls Array2<T>
);
