//! X3, X4: the last digits, where the function is generic over the scalar: evaluated on dual numbers it has no steps.
//!
//! What the derivative changes by where the point moves by a unit in the last place is what no rule can be expected to know,
//! and shows the rounding of the dual numbers too.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::{Bench, Flat};
use super::pairing::direction;
use super::pass::{Failure, both};
use super::seeds::Seeds;
use super::{push, refusal};
use crate::argument::Access;
use crate::check::Check;
use crate::estimate::Estimate;
use crate::jacobian::Jacobian;
use crate::ladder::Precision;
use crate::probe::Probes;
use crate::sample::Stream;
use crate::subject::{Forward, Reverse};
use crate::tolerance::{Judgement, Tolerance};

/// What a rule gives, from the derivatives of every output by each input.
type Projection<'p> = dyn Fn(&[Vec<f64>]) -> Option<Vec<Estimate>> + 'p;

/// How often the point is moved by its last place.
const MOVES: u64 = 4;

/// Judges a reverse rule by `dual`, the function of dual numbers.
pub(crate) fn digits(bench: &mut Bench<'_>, call: &Reverse<'_>, dual: &Flat<'_>) {
    if is_judged(bench) {
        // What fails without is known already.
        let _ = back(bench, call, dual);
    }
}

/// Judges a forward rule by `dual`, the function of dual numbers.
pub(crate) fn digits_ahead(bench: &mut Bench<'_>, call: &Forward<'_>, dual: &Flat<'_>) {
    if is_judged(bench) {
        let _ = ahead(bench, call, dual);
    }
}

/// At a kink the function and the dual numbers may each take a side of their own.
fn is_judged(bench: &Bench<'_>) -> bool {
    let smooth = bench.reference().is_some_and(Jacobian::is_smooth) && !refusal::applies(bench);
    smooth && bench.signature.length() <= Probes::JACOBIAN_UP_TO
}

fn check(bench: &Bench<'_>) -> Check {
    match bench.precision {
        Precision::Double => Check::X3,
        Precision::Single => Check::X4,
    }
}

fn back(bench: &mut Bench<'_>, call: &Reverse<'_>, dual: &Flat<'_>) -> Result<(), Failure> {
    let config = ReverseConfig::new(call.needs_primal()[0]);
    let seeds = Seeds::of(bench).unaccumulated();
    let done = both(call, &config, &seeds, None)?;
    let dy = seeds.total(bench, 0);
    let differences = bench
        .reference()
        .map_or_else(Vec::new, |jacobian| jacobian.reverse(&dy));
    let project = |columns: &[Vec<f64>]| pulled(columns, &dy);
    let Some(exact) = exact(bench, dual, &differences, &project) else {
        return Ok(());
    };
    for adjoint in done.adjoints(bench) {
        let parameter = &bench.signature.arguments[adjoint.argument];
        if parameter.access == Access::Exclusive || adjoint.lane > 0 {
            continue;
        }
        let expected = &exact[bench.point.input(adjoint.argument)];
        if expected.iter().all(|entry| entry.value.is_finite()) {
            bench.report.compare_block(
                check(bench),
                &adjoint.block,
                Some(0),
                adjoint.floats,
                expected,
            );
        }
    }
    Ok(())
}

fn ahead(bench: &mut Bench<'_>, call: &Forward<'_>, dual: &Flat<'_>) -> Result<(), Failure> {
    let config = ForwardConfig::new(call.needs_primal()[0]);
    let start = push::start(bench);
    let run = push::run(call, &config, &start)?;
    let dx = direction(bench, &start, 0);
    let differences = bench
        .reference()
        .map_or_else(Vec::new, |jacobian| jacobian.forward(&dx));
    let project = |columns: &[Vec<f64>]| pushed(columns, &dx);
    let Some(exact) = exact(bench, dual, &differences, &project) else {
        return Ok(());
    };
    for tangent in run.tangents(bench) {
        let expected = &exact[tangent.rows.clone()];
        if tangent.lane == 0 && expected.iter().all(|entry| entry.value.is_finite()) {
            bench.report.compare_block(
                check(bench),
                &tangent.block,
                Some(0),
                tangent.floats,
                expected,
            );
        }
    }
    Ok(())
}

/// What dual numbers make of a projection of the derivatives, with how much of it rounding may change; `None` where they fail, or
/// contradict the differences.
fn exact(
    bench: &Bench<'_>,
    dual: &Flat<'_>,
    differences: &[Estimate],
    project: &Projection<'_>,
) -> Option<Vec<Estimate>> {
    let at = |primals: &[Vec<f64>]| project(&bench.point.columns_by(dual, primals)?);
    let mut exact = at(&bench.point.primals)?;
    // Dual numbers too take a side where an intermediate number has a kink: then the differences contradict them.
    let contradicts = |(exact, differences): (&Estimate, &Estimate)| {
        let judgement = Tolerance::DOUBLE.judge(exact.value, differences);
        matches!(judgement, Judgement::Fail { .. })
    };
    if exact.iter().zip(differences).any(contradicts) && bench.precision == Precision::Double {
        return None;
    }
    let unit = 2.0 * bench.precision.epsilon();
    let mut stream = Stream::of_case("digits", 0);
    let mut spread = vec![0.0_f64; exact.len()];
    for _ in 0..MOVES {
        let mut moved = bench.point.primals.clone();
        moved
            .iter_mut()
            .flatten()
            .for_each(|x| *x *= 1.0 + unit * stream.seed());
        for (spread, (exact, moved)) in spread.iter_mut().zip(exact.iter().zip(at(&moved)?)) {
            *spread = spread.max((moved.value - exact.value).abs());
        }
    }
    for (entry, spread) in exact.iter_mut().zip(spread) {
        entry.terms += spread / unit;
    }
    Some(exact)
}

/// The cotangent of every input.
fn pulled(columns: &[Vec<f64>], dy: &[f64]) -> Option<Vec<Estimate>> {
    let entry = |column: &Vec<f64>| {
        let exact: Vec<Estimate> = column.iter().copied().map(Estimate::exact).collect();
        Estimate::combine(dy.iter().copied().zip(&exact))
    };
    let known = columns.iter().all(|column| column.len() == dy.len());
    known.then(|| columns.iter().map(entry).collect())
}

/// The tangent of every output.
fn pushed(columns: &[Vec<f64>], dx: &[f64]) -> Option<Vec<Estimate>> {
    let rows = columns.first()?.len();
    let entry = |row: usize| {
        let exact: Vec<Estimate> = columns
            .iter()
            .map(|column| Estimate::exact(column[row]))
            .collect();
        Estimate::combine(dx.iter().copied().zip(&exact))
    };
    Some((0..rows).map(entry).collect())
}
