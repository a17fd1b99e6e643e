//! The linear systems of implicit differentiation, on the floats of a state.

use coenzyme::Tangent;

use crate::{Copied, Error};

/// How the linear system of an implicit derivative is solved, for `n` floats in the state.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Solver {
    /// LU factorization of the matrix, which takes `n` products of the Jacobian with a vector and `2n³/3` flops. Singular matrices
    /// are an error of the primal.
    Direct,
    /// Christianson's iteration `w ← b + Jᵀw`, which converges as the fixed point does: nothing is stored but `w`.
    Iteration,
    /// GMRES, which takes a product of the Jacobian with a vector in each of at most `n` iterations, and stores as many vectors. For
    /// large systems with clustered eigenvalues.
    Gmres,
    /// Conjugate gradients, for a matrix that is symmetric and definite, as the Hessian at a minimum: a product of the matrix with a vector in
    /// each of about `n` iterations at most, and four vectors.
    ConjugateGradients,
}

impl Solver {
    /// The solution of a system of which only products are known, as well as rounding allows.
    pub(crate) fn matrix_free(
        self,
        b: &[f64],
        apply: impl FnMut(&[f64]) -> Vec<f64>,
    ) -> Result<Vec<f64>, Error> {
        match self {
            Self::ConjugateGradients => conjugate_gradients(b, 1e-13, apply),
            _ => gmres(b, 1e-13, apply),
        }
    }
}

/// A matrix, factorized with partial pivoting.
#[derive(Clone, Debug)]
pub struct Lu {
    rows: Vec<Vec<f64>>,
    order: Vec<usize>,
}

impl Lu {
    /// The matrix whose columns are `column(0)`, `column(1)`, …
    pub(crate) fn of_columns(
        n: usize,
        mut column: impl FnMut(usize) -> Vec<f64>,
    ) -> Result<Self, Error> {
        let mut rows = vec![vec![0.0; n]; n];
        for j in 0..n {
            for (row, entry) in rows.iter_mut().zip(column(j)) {
                row[j] = entry;
            }
        }
        Self::new(rows)
    }

    fn new(mut rows: Vec<Vec<f64>>) -> Result<Self, Error> {
        let size = rows.len();
        let largest = rows.iter().flatten().fold(0.0, |a: f64, b| a.max(b.abs()));
        let mut order: Vec<usize> = (0..size).collect();
        for column in 0..size {
            let magnitude = |row: &usize| rows[*row][column].abs();
            let pivot = (column..size)
                .max_by(|a, b| magnitude(a).total_cmp(&magnitude(b)))
                .expect("there are rows left");
            // what is left of a singular matrix is rounding
            let negligible = largest * size as f64 * f64::EPSILON;
            if !(rows[pivot][column].abs() > negligible && largest.is_finite()) {
                return Err(Error::SingularJacobian { column, size });
            }
            rows.swap(column, pivot);
            order.swap(column, pivot);
            let (above, below) = rows.split_at_mut(column + 1);
            let above = &above[column];
            for row in below {
                let factor = row[column] / above[column];
                row[column] = factor;
                for j in column + 1..size {
                    row[j] -= factor * above[j];
                }
            }
        }
        Ok(Self { rows, order })
    }

    /// `A⁻¹b`
    pub(crate) fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x: Vec<f64> = self.order.iter().map(|i| b[*i]).collect();
        for i in 0..x.len() {
            x[i] -= (0..i).map(|j| self.rows[i][j] * x[j]).sum::<f64>();
        }
        for i in (0..x.len()).rev() {
            let known: f64 = (i + 1..x.len()).map(|j| self.rows[i][j] * x[j]).sum();
            x[i] = (x[i] - known) / self.rows[i][i];
        }
        x
    }
}

/// The solution of `A·x = b` by GMRES without restart, to a residual of `tolerance·‖b‖`: Saad and Schultz 1986,
/// doi:10.1137/0907058, with Givens rotations.
pub(crate) fn gmres(
    b: &[f64],
    tolerance: f64,
    mut apply: impl FnMut(&[f64]) -> Vec<f64>,
) -> Result<Vec<f64>, Error> {
    let size = norm(b);
    if size == 0.0 {
        return Ok(vec![0.0; b.len()]);
    }
    let mut basis = vec![b.iter().map(|b| b / size).collect::<Vec<f64>>()];
    let mut columns: Vec<Vec<f64>> = Vec::new();
    let mut rotations: Vec<(f64, f64)> = Vec::new();
    let mut right = vec![size];
    for k in 0..b.len() {
        let mut w = apply(&basis[k]);
        let mut column = Vec::with_capacity(k + 2);
        for v in &basis {
            let h = dot(v, &w);
            axpy(&mut w, -h, v);
            column.push(h);
        }
        // once more: rounding leaves a part along the basis
        for (v, h) in basis.iter().zip(&mut column) {
            let rest = dot(v, &w);
            axpy(&mut w, -rest, v);
            *h += rest;
        }
        let length = norm(&w);
        for (i, (c, s)) in rotations.iter().enumerate() {
            let (a, b) = (column[i], column[i + 1]);
            (column[i], column[i + 1]) = (c * a + s * b, c * b - s * a);
        }
        let hypotenuse = column[k].hypot(length);
        let regular = hypotenuse > f64::EPSILON * size.min(1.0) * 1e-3;
        if !regular {
            return Err(Error::SingularJacobian {
                column: k,
                size: b.len(),
            });
        }
        let (c, s) = (column[k] / hypotenuse, length / hypotenuse);
        column[k] = hypotenuse;
        rotations.push((c, s));
        columns.push(column);
        let last = right[k];
        right[k] = c * last;
        right.push(-s * last);
        if right[k + 1].abs() <= tolerance * size || length == 0.0 {
            break;
        }
        basis.push(w.iter().map(|w| w / length).collect());
    }
    let residual = right[columns.len()].abs();
    // what rounding allows, if the tolerance asks for more
    if residual > tolerance.max(1e-10) * size {
        return Err(Error::NoConvergence {
            iterations: columns.len(),
            residual: residual / size,
            tolerance,
        });
    }
    let mut y = vec![0.0; columns.len()];
    for i in (0..y.len()).rev() {
        let known: f64 = (i + 1..y.len()).map(|j| columns[j][i] * y[j]).sum();
        y[i] = (right[i] - known) / columns[i][i];
    }
    let mut x = vec![0.0; b.len()];
    for (y, v) in y.iter().zip(&basis) {
        axpy(&mut x, *y, v);
    }
    Ok(x)
}

/// The solution of `A·x = b`, for a symmetric `A` that is positive or negative definite, by conjugate gradients, to a residual of
/// `tolerance·‖b‖`: Hestenes & Stiefel 1952, doi:10.6028/jres.049.044. NaN for a `b` that is not finite.
pub(crate) fn conjugate_gradients(
    b: &[f64],
    tolerance: f64,
    mut apply: impl FnMut(&[f64]) -> Vec<f64>,
) -> Result<Vec<f64>, Error> {
    let (mut x, mut r) = (vec![0.0; b.len()], b.to_vec());
    let mut direction = r.clone();
    let mut square = dot(&r, &r);
    if !square.is_finite() {
        return Ok(vec![f64::NAN; b.len()]);
    }
    let goal = (tolerance * norm(b)).powi(2);
    // in exact arithmetic `n` iterations; rounding wants some more
    let limit = 10 * b.len() + 10;
    let mut sign = 0.0;
    for k in 0..limit {
        if square <= goal {
            return Ok(x);
        }
        let image = apply(&direction);
        let curvature = dot(&direction, &image);
        if k == 0 {
            sign = curvature.signum();
        }
        // a curvature of zero, of both signs or NaN: not definite
        if sign * curvature <= 0.0 || curvature.is_nan() {
            return Err(Error::SingularJacobian {
                column: k,
                size: b.len(),
            });
        }
        let step = square / curvature;
        axpy(&mut x, step, &direction);
        axpy(&mut r, -step, &image);
        let new = dot(&r, &r);
        let ratio = new / square;
        square = new;
        direction.iter_mut().for_each(|d| *d *= ratio);
        axpy(&mut direction, 1.0, &r);
    }
    // what rounding allows, if the tolerance asks for more
    let residual = square.sqrt();
    match residual <= 1e-10 * norm(b) {
        true => Ok(x),
        false => Err(Error::NoConvergence {
            iterations: limit,
            residual: residual / norm(b),
            tolerance,
        }),
    }
}

/// The solution of `w = b + J·w` by iteration, until a step is at most `tolerance·‖w‖`. NaN for a `b` that is not finite.
pub(crate) fn neumann(
    b: &[f64],
    tolerance: f64,
    limit: usize,
    mut apply: impl FnMut(&[f64]) -> Vec<f64>,
) -> Result<Vec<f64>, Error> {
    if !norm(b).is_finite() {
        return Ok(vec![f64::NAN; b.len()]);
    }
    let mut w = b.to_vec();
    let mut residual = f64::INFINITY;
    // rounding leaves that much
    let tolerance = tolerance.max(4.0 * f64::EPSILON);
    for _ in 0..limit {
        let mut next = apply(&w);
        axpy(&mut next, 1.0, b);
        residual = distance(&next, &w);
        w = next;
        if residual <= tolerance * norm(&w).max(norm(b)) {
            return Ok(w);
        }
    }
    Err(Error::NoConvergence {
        iterations: limit,
        residual,
        tolerance,
    })
}

pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

pub(crate) fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

pub(crate) fn distance(x: &[f64], y: &[f64]) -> f64 {
    let squares = x.iter().zip(y).map(|(x, y)| (x - y) * (x - y));
    squares.sum::<f64>().sqrt()
}

/// `y += a·x`
pub(crate) fn axpy(y: &mut [f64], a: f64, x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += a * x);
}

/// The vector with a one at `i`.
pub(crate) fn unit(n: usize, i: usize) -> Vec<f64> {
    let mut e = vec![0.0; n];
    e[i] = 1.0;
    e
}

/// Memory of the shape of `like` with these floats.
pub(crate) fn shaped<S>(like: &S, floats: &[f64]) -> Copied<S>
where
    S: crate::Operand + ?Sized,
{
    let mut owned = like.to_owned();
    Tangent::unflatten(std::borrow::BorrowMut::borrow_mut(&mut owned), floats);
    owned
}

/// The floats of a value.
pub(crate) fn floats<S: Tangent + ?Sized>(x: &S) -> Vec<f64> {
    Tangent::to_flat(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f4_linear_systems() {
        let lu = Lu::new(vec![vec![4.0, 1.0], vec![2.0, 3.0]]).expect("regular");
        let close = |a: &[f64], b: &[f64]| assert!(distance(a, b) < 1e-15, "{a:?} {b:?}");
        close(&lu.solve(&[1.0, 2.0]), &[0.1, 0.6]);
        let transposed = Lu::new(vec![vec![4.0, 2.0], vec![1.0, 3.0]]).expect("regular");
        close(&transposed.solve(&[1.0, 0.0]), &[0.3, -0.1]);
        let swapped = Lu::new(vec![vec![0.0, 2.0], vec![3.0, 1.0]]).expect("regular");
        close(&swapped.solve(&[2.0, 4.0]), &[1.0, 1.0]);
    }

    #[test]
    fn singular_matrices_are_refused() {
        let singular = vec![
            vec![1.0, 2.0, 3.0],
            vec![4.0, 5.0, 6.0],
            vec![7.0, 8.0, 9.0],
        ];
        assert_eq!(
            Lu::new(singular).map(|_| ()),
            Err(Error::SingularJacobian { column: 2, size: 3 })
        );
        let nan = vec![vec![f64::NAN]];
        assert!(Lu::new(nan).is_err());
    }

    #[test]
    fn gmres_solves_in_as_many_iterations_as_there_are_eigenvalues() {
        let n = 40;
        let apply = |x: &[f64]| -> Vec<f64> {
            (0..n)
                .map(|i| x[i] * if i % 2 == 0 { 2.0 } else { 5.0 })
                .collect()
        };
        let b: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
        let mut calls = 0;
        let x = gmres(&b, 1e-13, |x| {
            calls += 1;
            apply(x)
        });
        assert_eq!(calls, 2);
        assert!(distance(&apply(&x.expect("regular")), &b) < 1e-12);
        assert!(gmres(&b, 1e-13, |x| vec![0.0; x.len()]).is_err());
    }

    #[test]
    fn conjugate_gradients_solve_definite_systems_and_refuse_others() {
        let n = 30;
        let of = |sign: f64| {
            move |x: &[f64]| -> Vec<f64> {
                let at = |i: usize| if i < n { x[i] } else { 0.0 };
                (0..n)
                    .map(|i| sign * (2.5 * x[i] - at(i.wrapping_sub(1)) - at(i + 1)))
                    .collect()
            }
        };
        let b: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
        for sign in [1.0, -1.0] {
            let mut calls = 0;
            let x = conjugate_gradients(&b, 1e-14, |x| {
                calls += 1;
                of(sign)(x)
            });
            assert!(calls <= n, "{calls}");
            assert!(distance(&of(sign)(&x.expect("definite")), &b) < 1e-12);
        }
        let saddle = |x: &[f64]| vec![x[0], -x[1]];
        assert!(conjugate_gradients(&[1.0, 2.0], 1e-12, saddle).is_err());
        assert_eq!(
            conjugate_gradients(&[0.0; 3], 1e-12, of(1.0)),
            Ok(vec![0.0; 3])
        );
    }

    #[test]
    fn gmres_agrees_with_lu() {
        let rows: Vec<Vec<f64>> = (0..12)
            .map(|i| {
                (0..12)
                    .map(|j| ((i * 7 + j * 3) as f64).sin() + if i == j { 4.0 } else { 0.0 })
                    .collect()
            })
            .collect();
        let b: Vec<f64> = (0..12).map(|i| (i as f64).cos()).collect();
        let product = |x: &[f64]| rows.iter().map(|row| dot(row, x)).collect::<Vec<f64>>();
        let by_gmres = gmres(&b, 1e-14, product).expect("regular");
        let by_lu = Lu::new(rows.clone()).expect("regular").solve(&b);
        assert!(distance(&by_gmres, &by_lu) < 1e-12);
    }
}
