//! N7: where a function is proportional to some of its arguments, its derivative by them is the same at any scale, however large or small
//! they are.
//!
//! A norm that is taken with care for overflow, and a derivative that divides by the root of a sum of squares, part where differences
//! have no step. No step is needed: twice the vector has twice the norm, and the same derivative.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::axes::compare;
use super::bench::Bench;
use super::pass::{Failure, both};
use super::push::run;
use super::seeds::Seeds;
use crate::argument::Access;
use crate::check::Check;
use crate::ladder::Precision;
use crate::subject::{Forward, Reverse, State};

/// The point's neighbours at which the function must scale too.
const NEIGHBOURS: u64 = 3;

/// A function scales if it does to so many roundings.
const ROUNDINGS: f64 = 8.0;

/// Arguments that are multiplied, and with them all that the function computes.
struct Scaling {
    arguments: Vec<usize>,
    factor: f64,
}

impl Scaling {
    /// Each argument alone, and all: far larger and far smaller. What does not change with the scale, as a quotient, is not looked at:
    /// its derivative is inverse to the scale, and whoever writes `-x / (y * y)` is right wherever that is of use.
    fn all(bench: &Bench<'_>) -> Vec<Scaling> {
        let arguments = bench.signature.arguments.iter().enumerate();
        let read = arguments.filter(|(_, of)| !of.write_only && of.length() > 0);
        let read: Vec<usize> = read.map(|(argument, _)| argument).collect();
        let together = (read.len() > 1).then(|| read.clone());
        let groups = read.into_iter().map(|one| vec![one]).chain(together);
        // The square of a number so large overflows, and that of one so small is zero.
        let large = match bench.precision {
            Precision::Double => 2_f64.powi(600),
            Precision::Single => 2_f64.powi(90),
        };
        let of = |arguments: Vec<usize>| {
            [large, 1.0 / large].map(|factor| Scaling {
                arguments: arguments.clone(),
                factor,
            })
        };
        groups.flat_map(of).collect()
    }

    /// What the derivative by this argument is multiplied by.
    fn of_derivative(&self, argument: usize) -> f64 {
        match self.arguments.contains(&argument) {
            true => 1.0,
            false => self.factor,
        }
    }

    fn apply(&self, primals: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let mut scaled = primals.to_vec();
        for argument in &self.arguments {
            scaled[*argument].iter_mut().for_each(|x| *x *= self.factor);
        }
        scaled
    }

    /// Whether the function scales so at the point and beside it.
    fn holds(&self, bench: &Bench<'_>) -> bool {
        let mut stream = bench.stream.fork("beside");
        (0..=NEIGHBOURS).all(|neighbour| {
            let mut primals = bench.point.primals.clone();
            for x in primals.iter_mut().flatten().filter(|_| neighbour > 0) {
                let size = if *x == 0.0 { 1.0 } else { x.abs() };
                *x = bench.precision.round(*x + size * stream.seed() / 16.0);
            }
            let scaled = self.apply(&primals);
            let admitted = bench.signature.admits(&primals) && bench.signature.admits(&scaled);
            let values = outputs(bench, &primals).zip(outputs(bench, &scaled));
            admitted && values.is_some_and(|(near, far)| self.is_multiple(bench, &near, &far))
        })
    }

    fn is_multiple(&self, bench: &Bench<'_>, near: &[f64], far: &[f64]) -> bool {
        let rounding = ROUNDINGS * bench.precision.epsilon();
        let multiple = |(near, far): (&f64, &f64)| {
            let expected = near * self.factor;
            far.is_finite() && (far - expected).abs() <= rounding * expected.abs()
        };
        near.len() == far.len()
            && near.iter().zip(far).all(multiple)
            && near.iter().any(|x| *x != 0.0)
    }
}

/// All that the function computes.
fn outputs(bench: &Bench<'_>, primals: &[Vec<f64>]) -> Option<Vec<f64>> {
    let primal = (bench.primal)(primals).ok()?;
    let arguments = bench.signature.arguments.iter().zip(&primal.arguments);
    let written = arguments.filter(|(of, _)| of.access == Access::Exclusive);
    let written = written.flat_map(|(_, floats)| floats.iter().copied());
    Some(primal.returned.iter().copied().chain(written).collect())
}

/// Requires the tangents of the scaled call to be those of the plain one, scaled.
pub(super) fn forward(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
) -> Result<(), Failure> {
    for scaling in Scaling::all(bench) {
        if !scaling.holds(bench) {
            continue;
        }
        let mut far = start.clone();
        far.primals = scaling.apply(&start.primals);
        for argument in &scaling.arguments {
            let seeds = far.shadows[*argument].iter_mut().flatten();
            seeds.for_each(|seed| *seed *= scaling.factor);
        }
        let (near, far) = (run(call, config, start)?, run(call, config, &far)?);
        bench.report.under(scaling.described(bench));
        for (near, far) in near.tangents(bench).iter().zip(far.tangents(bench)) {
            let far: Vec<f64> = far.floats.iter().map(|x| x / scaling.factor).collect();
            let scale = near
                .floats
                .iter()
                .fold(0.0_f64, |most, x| most.max(x.abs()));
            compare(bench, Check::N7, &near.block, &far, near.floats, scale);
        }
    }
    bench.report.under("");
    Ok(())
}

/// Requires the cotangents of the scaled call to be those of the plain one, scaled.
pub(super) fn reverse(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    zeroed: &Seeds,
) -> Result<(), Failure> {
    for scaling in Scaling::all(bench) {
        if !scaling.holds(bench) {
            continue;
        }
        let far = zeroed.clone().at(scaling.apply(&zeroed.primals));
        let (near, far) = (
            both(call, config, zeroed, None)?,
            both(call, config, &far, None)?,
        );
        bench.report.under(scaling.described(bench));
        for (near, far) in near.adjoints(bench).iter().zip(far.adjoints(bench)) {
            if bench.signature.arguments[near.argument].access == Access::Exclusive {
                continue;
            }
            let factor = scaling.of_derivative(near.argument);
            let far: Vec<f64> = far.floats.iter().map(|x| x / factor).collect();
            let scale = near
                .floats
                .iter()
                .fold(0.0_f64, |most, x| most.max(x.abs()));
            compare(bench, Check::N7, &near.block, &far, near.floats, scale);
        }
    }
    bench.report.under("");
    Ok(())
}

impl Scaling {
    /// The scaling, for a message.
    fn described(&self, bench: &Bench<'_>) -> String {
        let names = self.arguments.iter();
        let names = names.map(|of| bench.signature.arguments[*of].name.as_str());
        format!(
            "{} times {:e}",
            names.collect::<Vec<_>>().join(", "),
            self.factor
        )
    }
}
