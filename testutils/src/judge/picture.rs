//! Which difference a failure is about: to draw it.

use super::bench::Bench;
use super::pairing::direction;
use super::push::start;
use super::seeds::Seeds;
use crate::check::Check;
use crate::estimate::Estimate;

/// A failed comparison with the differences: the derivative of `Σ weights·outputs` of the total map along `direction`.
pub(crate) struct Question {
    pub(crate) weights: Vec<f64>,
    pub(crate) direction: Vec<f64>,
    pub(crate) got: f64,
    pub(crate) expected: f64,
}

/// What the worst finding is about; `None` if it is not about an entry of the Jacobian with all seeds in place.
pub(crate) fn question(bench: &Bench<'_>) -> Option<Question> {
    let jacobian = bench.jacobian?;
    let worst = bench.report.entries().first()?;
    let lane = worst.lane?;
    let (name, _) = worst.place.argument.rsplit_once('.')?;
    let parameters = &bench.signature.arguments;
    let argument = parameters
        .iter()
        .position(|parameter| parameter.name == name);
    let one = |length: usize, at: usize| {
        let mut axis = vec![0.0; length];
        axis[at] = 1.0;
        axis
    };
    let (weights, direction) = match worst.check {
        Check::F1 | Check::F2 => {
            let rows = match argument {
                Some(argument) => bench.point.output(argument)?,
                None => bench.point.returned(),
            };
            let shape = argument.map_or(vec![rows.len()], |argument| {
                parameters[argument].shape.clone()
            });
            let row = rows.start + worst.place.offset(&shape);
            let direction = direction(bench, &start(bench), lane);
            (one(jacobian.rows(), row), direction)
        }
        Check::R1 | Check::R1z => {
            let shape = &parameters[argument?].shape;
            let column = bench.point.input(argument?).start + worst.place.offset(shape);
            let weights = Seeds::of(bench).total(bench, lane);
            (weights, one(jacobian.columns(), column))
        }
        _ => return None,
    };
    let along = jacobian.forward(&direction);
    let best = Estimate::combine(weights.iter().copied().zip(&along));
    let same = (best.value - worst.expected).abs() <= 4.0 * best.bar + 1e-9 * best.terms;
    same.then_some(Question {
        weights,
        direction,
        got: worst.got,
        expected: worst.expected,
    })
}
