//! A mixture of two normal distributions in the plane, and its log-likelihood.
//!
//! A point of the parameter space is 11 real numbers without constraints, `θ = (a, p₁, p₂)`: the weight of the first component
//! is `1/(1 + exp(−a))`, and each component has its mean `μ` and the Cholesky factor `L` of its covariance,
//! `p = (μ₀, μ₁, ln L₀₀, L₁₀, ln L₁₁)`.

use coenzyme::Real;
use coenzyme::prelude::*;

use super::data::{Observation, observations};
use super::exponentials::logsumexp;

/// The names of the natural parameters, in the order of [`natural`].
pub(crate) const NAMES: [&str; 11] = [
    "weight",
    "short: mean eruption",
    "short: mean waiting",
    "short: s.d. eruption",
    "short: s.d. waiting",
    "short: correlation",
    "long: mean eruption",
    "long: mean waiting",
    "long: s.d. eruption",
    "long: s.d. waiting",
    "long: correlation",
];

/// `ln N(x | μ, L·Lᵀ) + ln 2π`, for `p = (μ₀, μ₁, ln L₀₀, L₁₀, ln L₁₁)`.
#[differentiable]
pub(crate) fn log_normal<T: Real>(p: &[T], x: &[T; 2]) -> T {
    let z0 = (x[0] - p[0]) / p[2].exp();
    let z1 = (x[1] - p[1] - p[3] * z0) / p[4].exp();
    -T::lit(0.5) * (z0 * z0 + z1 * z1) - p[2] - p[4]
}

/// `Σ ln (w₁·N(x | p₁) + w₂·N(x | p₂))` over the observations `x`, each weight as `ln w = logit − ln Σ exp(logits)`.
#[differentiable]
pub(crate) fn log_likelihood<T: Real>(theta: &[T], data: &[[T; 2]]) -> T {
    let total = logsumexp([theta[0], T::zero()]) + T::TAU().ln();
    let mut sum = T::zero();
    for x in data {
        let short = theta[0] + log_normal(&theta[1..6], x);
        let long = log_normal(&theta[6..11], x);
        sum += logsumexp([short, long]) - total;
    }
    sum
}

/// The log-likelihood of the parameters alone, of which the Hessian is taken.
#[differentiable]
pub(crate) fn log_likelihood_of<T: Real>(theta: &[T]) -> T {
    let rows = observations();
    let data = rows.iter().map(|row| row.map(T::lit)).collect::<Vec<_>>();
    log_likelihood(theta, &data)
}

/// The parameters as people read them: see [`NAMES`].
#[differentiable]
pub(crate) fn natural(theta: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; 11];
    out[0] = 1.0 / (1.0 + (-theta[0]).exp());
    for component in 0..2 {
        let first = 1 + 5 * component;
        let (l10, l11) = (theta[first + 3], theta[first + 4].exp());
        out[first] = theta[first];
        out[first + 1] = theta[first + 1];
        out[first + 2] = theta[first + 2].exp();
        out[first + 3] = l10.hypot(l11);
        out[first + 4] = l10 / l10.hypot(l11);
    }
    out
}

/// Where a fit may begin: two round clouds, one standard deviation left and right of the mean of all.
pub(crate) fn start(data: &[Observation]) -> Vec<f64> {
    let n = data.len() as f64;
    let mean = [0, 1].map(|i| data.iter().map(|x| x[i]).sum::<f64>() / n);
    let deviation = [0, 1].map(|i| {
        let squares = data.iter().map(|x| (x[i] - mean[i]).powi(2));
        (squares.sum::<f64>() / n).sqrt()
    });
    let component = |side: f64| {
        let mean = [0, 1].map(|i| mean[i] + side * deviation[i]);
        [mean[0], mean[1], deviation[0].ln(), 0.0, deviation[1].ln()]
    };
    [&[0.0][..], &component(-1.0), &component(1.0)].concat()
}

/// The probability that each observation belongs to the first component.
pub(crate) fn responsibilities(theta: &[f64], data: &[Observation]) -> Vec<f64> {
    let of = |x| {
        let logit = theta[0] + log_normal(&theta[1..6], x) - log_normal(&theta[6..11], x);
        1.0 / (1.0 + (-logit).exp())
    };
    data.iter().map(of).collect()
}
