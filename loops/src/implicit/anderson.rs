//! Anderson's acceleration of an iteration to a fixed point.
//!
//! The next iterate is the combination of the last images whose residuals, combined so, are smallest: `min ‖r − ΔR·γ‖`, `x ← g − ΔG·γ`.
//!
//! Source: Walker & Ni 2011, *Anderson acceleration for fixed-point iterations*, doi:10.1137/10078356X.

use std::collections::VecDeque;

use super::linear::{axpy, dot, norm};

/// The last residuals and images of an iteration.
pub(crate) struct Anderson {
    depth: usize,
    /// The last residual and image.
    last: Option<(Vec<f64>, Vec<f64>)>,
    /// Differences of residuals, and of images.
    differences: VecDeque<(Vec<f64>, Vec<f64>)>,
}

impl Anderson {
    /// Remembers so many differences.
    pub(crate) fn new(depth: usize) -> Self {
        Self {
            depth,
            last: None,
            differences: VecDeque::new(),
        }
    }

    /// The next iterate, after `x` and its image `g`.
    pub(crate) fn next(&mut self, x: &[f64], g: &[f64]) -> Vec<f64> {
        let mut residual = g.to_vec();
        axpy(&mut residual, -1.0, x);
        let now = (residual.clone(), g.to_vec());
        if let Some((r, before)) = self.last.replace(now) {
            let minus = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect();
            let difference = (minus(&residual, &r), minus(g, &before));
            self.differences.push_back(difference);
            if self.differences.len() > self.depth {
                self.differences.pop_front();
            }
        }
        let mut next = g.to_vec();
        for (gamma, (_, of_image)) in self.weights(residual).iter().zip(&self.differences) {
            axpy(&mut next, -gamma, of_image);
        }
        next
    }

    /// The least squares `min ‖r − ΔR·γ‖`, by Gram and Schmidt. A difference that depends on later ones has no weight.
    fn weights(&self, mut r: Vec<f64>) -> Vec<f64> {
        let n = self.differences.len();
        let mut basis: Vec<Option<Vec<f64>>> = vec![None; n];
        let mut triangle = vec![vec![0.0; n]; n];
        let mut right = vec![0.0; n];
        // the latest first: the older may be dropped
        for j in (0..n).rev() {
            let column = &self.differences[j].0;
            let mut v = column.clone();
            for i in j + 1..n {
                if let Some(q) = &basis[i] {
                    triangle[i][j] = dot(q, &v);
                    axpy(&mut v, -triangle[i][j], q);
                }
            }
            let length = norm(&v);
            if length > 1e-10 * norm(column) {
                v.iter_mut().for_each(|v| *v /= length);
                triangle[j][j] = length;
                right[j] = dot(&v, &r);
                axpy(&mut r, -right[j], &v);
                basis[j] = Some(v);
            }
        }
        let mut weights = vec![0.0; n];
        for i in 0..n {
            if basis[i].is_some() {
                let known: f64 = (0..i).map(|j| triangle[i][j] * weights[j]).sum();
                weights[i] = (right[i] - known) / triangle[i][i];
            }
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a linear map it is GMRES: as many rounds as there are eigenvalues, and two.
    #[test]
    fn a_linear_map_ends_after_as_many_rounds_as_it_has_eigenvalues() {
        let map = |x: &[f64]| -> Vec<f64> {
            let rate = |i: usize| [0.9, 0.5, -0.7][i % 3];
            x.iter()
                .enumerate()
                .map(|(i, x)| rate(i) * x + 1.0)
                .collect()
        };
        let mut anderson = Anderson::new(5);
        let mut x = vec![0.0; 12];
        for _ in 0..5 {
            x = anderson.next(&x, &map(&x));
        }
        let mut residual = map(&x);
        axpy(&mut residual, -1.0, &x);
        assert!(norm(&residual) < 1e-12, "{residual:?}");
        // at the solution nothing is left to combine
        let there = anderson.next(&x, &map(&x));
        assert!(there.iter().all(|x| x.is_finite()));
    }
}
