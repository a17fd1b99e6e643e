//! Quadratic programs under equations: one system of linear equations.

use coenzyme::prelude::*;
use coenzyme_rules::class::Scalar;
use coenzyme_rules::linalg::{self, solve};
use ndarray::{Array1, Array2, ArrayRef1, ArrayRef2};

/// Refuses what is no program.
#[inactive]
#[track_caller]
fn check<T: Scalar>(q: &ArrayRef2<T>, c: &ArrayRef1<T>, a: &ArrayRef2<T>, b: &ArrayRef1<T>) {
    let (n, m) = (c.len(), b.len());
    assert!(
        q.shape() == [n, n] && a.shape() == [m, n],
        "quadratic_program: Q is {:?} and A is {:?}, where c of length {n} and b of length {m} need {:?} and {:?}",
        q.shape(),
        a.shape(),
        [n, n],
        [m, n],
    );
}

/// The `x` for which `½xᵀQx + cᵀx` is least under `Ax = b`, and the multipliers `λ` of the equations.
///
/// | | shape | |
/// |---|---|---|
/// | `q` | `(n, n)` | positive definite on the null space of `A`; only `Q + Qᵀ` matters |
/// | `c` | `(n)` | |
/// | `a` | `(m, n)` | of full rank, `m ≤ n`, or `m = 0` |
/// | `b` | `(m)` | |
/// | `x`, `λ` | `(n)`, `(m)` | with `½(Q + Qᵀ)x + c + Aᵀλ = 0` |
///
/// All four may be active: the derivative is that of the optimum, through one solve of the conditions of Lagrange, whose factors are on the tape. `−λ` is how fast
/// the minimum rises with `b`. Where `Q` is not definite on the null space, the point is stationary and no minimum. Cost: `⅔(n + m)³` flops.
///
/// # Errors
/// [`linalg::Error::Singular`], with the column of the system that has no pivot: the rows of `A` depend on each other, or `Q` is singular on its null space.
///
/// # Panics
/// If the shapes do not fit.
///
/// Source: Nocedal & Wright 2006, *Numerical optimization*, doi:10.1007/978-0-387-40065-5, section 16.1. Amos & Kolter 2017, *OptNet*, ICML, arXiv:1703.00443.
///
/// ```
/// use coenzyme_loops::quadratic_program;
/// use ndarray::array;
///
/// // the point of the plane x + y + z = 1 that is nearest to zero
/// let (q, c) = (ndarray::Array2::eye(3), ndarray::Array1::zeros(3));
/// let (x, multipliers) = quadratic_program(&q, &c, &array![[1.0, 1.0, 1.0]], &array![1.0])?;
/// assert!(x.iter().all(|x: &f64| (x - 1.0 / 3.0).abs() < 1e-15));
/// assert!((multipliers[0] + 1.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), coenzyme_rules::linalg::Error>(())
/// ```
#[differentiable]
pub fn quadratic_program<T: Scalar>(
    q: &ArrayRef2<T>,
    c: &ArrayRef1<T>,
    a: &ArrayRef2<T>,
    b: &ArrayRef1<T>,
) -> Result<(Array1<T>, Array1<T>), linalg::Error> {
    check(q, c, a, b);
    let (n, m) = (c.len(), b.len());
    // [½(Q + Qᵀ), Aᵀ; A, 0]·[x; λ] = [−c; b]
    let mut matrix = Array2::from_elem((n + m, n + m), T::zero());
    let mut right = Array1::from_elem(n + m, T::zero());
    for i in 0..n {
        right[i] = -c[i];
        for j in 0..n {
            matrix[[i, j]] = T::lit(0.5) * (q[[i, j]] + q[[j, i]]);
        }
    }
    for i in 0..m {
        right[n + i] = b[i];
        for j in 0..n {
            matrix[[n + i, j]] = a[[i, j]];
            matrix[[j, n + i]] = a[[i, j]];
        }
    }
    let both = solve(&matrix, &right)?;
    let mut x = Array1::from_elem(n, T::zero());
    let mut multipliers = Array1::from_elem(m, T::zero());
    for i in 0..n {
        x[i] = both[i];
    }
    for i in 0..m {
        multipliers[i] = both[n + i];
    }
    Ok((x, multipliers))
}
