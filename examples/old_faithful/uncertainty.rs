//! Standard errors of the fit, from the Hessian: forward over reverse, through the rule written by hand.

use coenzyme::{hessian, jacobian_forward};

use super::model::{log_likelihood_of, natural};

/// The standard errors of the natural parameters at the maximum `theta`, by the delta method.
///
/// The covariance of the estimate is `(−∇²ℓ)⁻¹ = (L·Lᵀ)⁻¹`, hence the variance of a function with the gradient `j` is `|L⁻¹·j|²`.
///
/// # Panics
/// If `theta` is not a maximum.
pub(crate) fn standard_errors(theta: &[f64]) -> Vec<f64> {
    let information = hessian(&log_likelihood_of {}, theta)
        .into_iter()
        .map(|row| row.into_iter().map(|entry| -entry).collect())
        .collect();
    let factor = cholesky(information);
    let jacobian = jacobian_forward::<4, _, _>(&natural {}, theta);
    (0..jacobian.rows())
        .map(|i| norm(&forward_substitution(&factor, jacobian.row(i))))
        .collect()
}

/// `L` with `L·Lᵀ = a`, in the lower triangle of `a`.
fn cholesky(mut a: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    for i in 0..a.len() {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| a[i][k] * a[j][k]).sum();
            let rest = a[i][j] - sum;
            a[i][j] = if i > j { rest / a[j][j] } else { rest.sqrt() };
        }
        assert!(
            a[i][i] > 0.0,
            "the information matrix is not positive definite"
        );
    }
    a
}

/// `L⁻¹·b`.
fn forward_substitution(l: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let mut z: Vec<f64> = Vec::with_capacity(b.len());
    for (row, b) in l.iter().zip(b) {
        let sum: f64 = row.iter().zip(&z).map(|(l, z)| l * z).sum();
        z.push((b - sum) / row[z.len()]);
    }
    z
}

/// The Euclidean norm.
fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
