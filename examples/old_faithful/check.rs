//! What is checked before anything is fitted: the gradient against finite differences.

use coenzyme::prelude::*;

use super::data::Observation;
use super::model::log_likelihood;

/// One entry of the gradient, twice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compared {
    pub(crate) derivative: f64,
    pub(crate) difference: f64,
}

impl Compared {
    /// The distance between the two, relative to the larger; absolute below 1.
    pub(crate) fn error(self) -> f64 {
        let scale = self.derivative.abs().max(self.difference.abs()).max(1.0);
        (self.derivative - self.difference).abs() / scale
    }
}

/// The gradient of the log-likelihood at `theta`, beside differences of fourth order.
///
/// `f′ = (8·(f(h) − f(−h)) − (f(2h) − f(−2h)))/12h + O(h⁴)`. With a step of `ε^(1/5)` truncation and rounding are both about
/// `ε^(4/5)`, 3e-13 of the value, which is a thousand here.
pub(crate) fn gradient_check(theta: &[f64], data: &[Observation]) -> Vec<Compared> {
    let (gradient, ()) = gradient!(log_likelihood, theta, Const(data));
    let compare = |(i, derivative): (usize, f64)| {
        let h = f64::EPSILON.powf(0.2) * theta[i].abs().max(1.0);
        let at = |steps: f64| {
            let mut theta = theta.to_vec();
            theta[i] += steps * h;
            log_likelihood(&theta, data)
        };
        let difference = (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * h);
        Compared {
            derivative,
            difference,
        }
    };
    gradient.into_iter().enumerate().map(compare).collect()
}
