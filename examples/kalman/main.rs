//! How much of the Nile's ups and downs is its level: variances of a state space model, by the gradient of the likelihood that
//! Kalman's filter computes. The estimates are asserted against published ones, and the gradient against an adjoint written
//! by hand.
//!
//! `cargo run --release --example kalman`

mod data;
mod model;

use argmin::core::{CostFunction, Error, Executor, Gradient, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use coenzyme::prelude::*;
use data::NILE;
use model::log_likelihood;

/// Durbin and Koopman, *Time Series Analysis by State Space Methods*, section 2.10.3: the variances of the noise and of the level.
const PUBLISHED: [f64; 2] = [15099.0, 1469.1];

/// Minus the log-likelihood of the local level model.
struct LocalLevel;

impl CostFunction for LocalLevel {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, theta: &Vec<f64>) -> Result<f64, Error> {
        Ok(-log_likelihood(theta[0], &[theta[1]], &NILE))
    }
}

impl Gradient for LocalLevel {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, theta: &Vec<f64>) -> Result<Vec<f64>, Error> {
        let (noise, [level]) = gradient(theta[0], &[theta[1]]);
        Ok(vec![-noise, -level])
    }
}

/// The derivatives of the log-likelihood in `ln r` and in each `ln q`.
fn gradient<const N: usize>(log_r: f64, log_q: &[f64; N]) -> (f64, [f64; N]) {
    let mut dlog_q = [0.0; N];
    let ((dlog_r, ..),) = autodiff!(
        Reverse,
        log_likelihood,
        Active,
        Active(log_r),
        Duplicated(log_q, &mut dlog_q),
        Const(&NILE[..])
    );
    (dlog_r, dlog_q)
}

fn main() -> Result<(), Error> {
    let (log_r, log_q) = (9.0, [7.0, 2.0]);
    let (noise, trend) = gradient(log_r, &log_q);
    let (noise_by_hand, trend_by_hand) = model::by_hand(log_r, &log_q, &NILE);
    println!("gradient for a level with slope, generated and by hand\n");
    let pairs = [
        (noise, noise_by_hand),
        (trend[0], trend_by_hand[0]),
        (trend[1], trend_by_hand[1]),
    ];
    for (a, b) in pairs {
        println!("{a:>14.9} {b:>14.9}");
        assert!((a - b).abs() < 1e-9 * (1.0 + b.abs()));
    }

    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 5).with_tolerance_grad(1e-6)?;
    let start = vec![8.0, 8.0];
    let result = Executor::new(LocalLevel, solver)
        .configure(|state| state.param(start).max_iters(100))
        .run()?;
    let theta = result
        .state()
        .get_best_param()
        .expect("an iteration has parameters");
    println!("\n{:24}{:>10}{:>12}", "", "found", "published");
    for (i, name) in ["variance of the noise", "variance of the level"]
        .into_iter()
        .enumerate()
    {
        let found = theta[i].exp();
        println!("{name:24}{found:>10.1}{:>12.1}", PUBLISHED[i]);
        // the printed digits
        assert!((found - PUBLISHED[i]).abs() < 1e-3 * PUBLISHED[i]);
    }
    println!(
        "log-likelihood {:.3} after {} iterations",
        -result.state().get_best_cost(),
        result.state().get_iter()
    );
    Ok(())
}
