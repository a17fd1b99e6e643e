//! The fit: L-BFGS of the crate `argmin`, with gradients from `#[differentiable]`.

use std::sync::{Arc, Mutex};

use argmin::core::observers::{Observe, ObserverMode};
use argmin::core::{CostFunction, Error, Executor, Gradient, IterState, KV, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use coenzyme::prelude::*;

use super::data::Observation;
use super::model::log_likelihood;

/// What the optimizer minimizes: minus the mean log-likelihood.
struct Problem<'a> {
    data: &'a [Observation],
}

impl CostFunction for Problem<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, theta: &Vec<f64>) -> Result<f64, Error> {
        Ok(-log_likelihood(theta, self.data) / self.data.len() as f64)
    }
}

impl Gradient for Problem<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, theta: &Vec<f64>) -> Result<Vec<f64>, Error> {
        let (mut gradient, ()) = gradient!(log_likelihood, theta, Const(self.data));
        for entry in &mut gradient {
            *entry /= -(self.data.len() as f64);
        }
        Ok(gradient)
    }
}

/// One iteration: the parameters, the log-likelihood, and the norm of the mean gradient.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) theta: Vec<f64>,
    pub(crate) log_likelihood: f64,
    pub(crate) gradient_norm: f64,
}

/// Keeps the iterations, and prints every fifth if it is not `quiet`.
struct Progress {
    steps: Arc<Mutex<Vec<Step>>>,
    observations: f64,
    quiet: bool,
}

type Iteration = IterState<Vec<f64>, Vec<f64>, (), (), (), f64>;

impl Observe<Iteration> for Progress {
    fn observe_iter(&mut self, state: &Iteration, _: &KV) -> Result<(), Error> {
        let (Some(theta), Some(gradient)) = (state.get_param(), state.get_gradient()) else {
            return Ok(());
        };
        let step = Step {
            theta: theta.clone(),
            log_likelihood: -state.get_cost() * self.observations,
            gradient_norm: gradient.iter().map(|g| g * g).sum::<f64>().sqrt(),
        };
        let iteration = state.get_iter();
        if !self.quiet && iteration.is_multiple_of(5) {
            println!(
                "{iteration:>9} {:>16.6} {:>14.3e}",
                step.log_likelihood, step.gradient_norm
            );
        }
        self.steps.lock().expect("no observer panics").push(step);
        Ok(())
    }
}

/// The maximum of the likelihood, climbed to from `start`: all iterations, of which the last is the fit.
///
/// # Errors
/// As the optimizer does, when its line search fails.
pub(crate) fn fit(data: &[Observation], start: Vec<f64>, quiet: bool) -> Result<Vec<Step>, Error> {
    let steps = Arc::new(Mutex::new(Vec::new()));
    let progress = Progress {
        steps: steps.clone(),
        observations: data.len() as f64,
        quiet,
    };
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 11).with_tolerance_grad(1e-6)?;
    Executor::new(Problem { data }, solver)
        .configure(|state| state.param(start).max_iters(200))
        .add_observer(progress, ObserverMode::Always)
        .run()?;
    let steps = steps.lock().expect("no observer panics").clone();
    Ok(steps)
}
