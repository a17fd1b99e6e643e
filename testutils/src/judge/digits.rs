//! X3, X4: the last digits, where the function is generic over the scalar: evaluated on dual numbers it has no steps.
//!
//! What the derivative changes by where the point moves by a unit in the last place is what no rule can be expected to know,
//! and shows the rounding of the dual numbers too.

use coenzyme::ReverseConfig;

use super::bench::{Bench, Flat};
use super::pass::{Failure, both};
use super::refusal;
use super::seeds::Seeds;
use crate::argument::Access;
use crate::check::Check;
use crate::estimate::Estimate;
use crate::jacobian::Jacobian;
use crate::ladder::Precision;
use crate::probe::Probes;
use crate::sample::Stream;
use crate::subject::Reverse;
use crate::tolerance::{Judgement, Tolerance};

/// How often the point is moved by its last place.
const MOVES: u64 = 4;

/// Judges `call` by `dual`, the function of dual numbers.
pub(crate) fn digits(bench: &mut Bench<'_>, call: &dyn Reverse, dual: &Flat<'_>) {
    let length = bench.point.primals.iter().map(Vec::len).sum::<usize>();
    // At a kink the function and the dual numbers may each take a side of their own.
    let judged = bench.reference().is_some_and(Jacobian::is_smooth) && !refusal::applies(bench);
    if judged && length <= Probes::JACOBIAN_UP_TO {
        // What fails without is known already.
        let _ = judge(bench, call, dual);
    }
}

fn judge(bench: &mut Bench<'_>, call: &dyn Reverse, dual: &Flat<'_>) -> Result<(), Failure> {
    let check = match bench.precision {
        Precision::Double => Check::X3,
        Precision::Single => Check::X4,
    };
    let config = ReverseConfig::new(call.needs_primal()[0]);
    let seeds = Seeds::of(bench).unaccumulated();
    let done = both(call, &config, &seeds, None)?;
    let dy = seeds.total(bench, 0);
    let Some(exact) = pulled(bench, dual, &bench.point.primals, &dy) else {
        return Ok(());
    };
    // Dual numbers too take a side where an intermediate number has a kink: then the differences contradict them.
    let differences = bench
        .reference()
        .map_or_else(Vec::new, |jacobian| jacobian.reverse(&dy));
    let contradicts = |(exact, differences): (&Estimate, &Estimate)| {
        let judgement = Tolerance::DOUBLE.judge(exact.value, differences);
        matches!(judgement, Judgement::Fail { .. })
    };
    if exact.iter().zip(&differences).any(contradicts) && bench.precision == Precision::Double {
        return Ok(());
    }
    let mut stream = Stream::of_case("digits", 0);
    let mut spread = vec![0.0_f64; exact.len()];
    for _ in 0..MOVES {
        let unit = 2.0 * bench.precision.epsilon();
        let mut moved = bench.point.primals.clone();
        moved
            .iter_mut()
            .flatten()
            .for_each(|x| *x *= 1.0 + unit * stream.seed());
        let Some(moved) = pulled(bench, dual, &moved, &dy) else {
            return Ok(());
        };
        for (spread, (exact, moved)) in spread.iter_mut().zip(exact.iter().zip(moved)) {
            *spread = spread.max((moved.value - exact.value).abs());
        }
    }
    for adjoint in done.adjoints(bench) {
        let parameter = &bench.signature.arguments[adjoint.argument];
        if parameter.access == Access::Exclusive {
            continue;
        }
        let entries = bench.point.input(adjoint.argument);
        let expected: Vec<Estimate> = entries
            .map(|entry| Estimate {
                terms: exact[entry].terms + spread[entry] / (2.0 * bench.precision.epsilon()),
                ..exact[entry]
            })
            .collect();
        if adjoint.lane == 0 && expected.iter().all(|entry| entry.value.is_finite()) {
            bench
                .report
                .compare_block(check, &adjoint.block, Some(0), adjoint.floats, &expected);
        }
    }
    Ok(())
}

/// The cotangent of every input, one evaluation of the dual function for each.
fn pulled(
    bench: &Bench<'_>,
    dual: &Flat<'_>,
    primals: &[Vec<f64>],
    dy: &[f64],
) -> Option<Vec<Estimate>> {
    let columns = bench.point.columns_by(dual, primals)?;
    let entry = |column: &Vec<f64>| {
        let exact: Vec<Estimate> = column.iter().copied().map(Estimate::exact).collect();
        Estimate::combine(dy.iter().copied().zip(&exact))
    };
    let known = columns.iter().all(|column| column.len() == dy.len());
    known.then(|| columns.iter().map(entry).collect())
}
