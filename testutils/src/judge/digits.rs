//! X3, X4: the last digits, where the function is generic over the scalar: evaluated on dual numbers it has no steps.
//!
//! What the derivative changes by where the point moves by a unit in the last place is what no rule can be expected to know,
//! and shows the rounding of the dual numbers too. What the rule's answer changes by beyond that is its own rounding: it jumps from
//! one number to the next, which a wrong formula does not.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::{Bench, Flat};
use super::pairing::direction;
use super::pass::{Failure, both};
use super::point::Point;
use super::seeds::Seeds;
use super::{push, refusal};
use crate::argument::Access;
use crate::check::Check;
use crate::estimate::Estimate;
use crate::jacobian::Jacobian;
use crate::ladder::Precision;
use crate::probe::Probes;
use crate::sample::Stream;
use crate::subject::{Forward, Reverse, State};
use crate::tolerance::Judgement;

/// What a rule gives, from the derivatives of every output by each input.
type Projection<'p> = dyn Fn(&[Vec<f64>]) -> Option<Vec<Estimate>> + 'p;

/// What a rule gives at a point, in the order of the projection; `NaN` for what it does not give.
type Answer<'p> = dyn Fn(&Bench<'_>, &[Vec<f64>]) -> Result<Vec<f64>, Failure> + 'p;

/// How often the point is moved by its last place.
const MOVES: u64 = 8;

/// How far off the moves are allowed to be of what many would show. An error that is another at each neighbour is more than this times
/// the largest jump with a probability of 4·10⁻⁵ if errors are uniform, and 10⁻⁵ if they are normal; with four moves it would be
/// 4·10⁻³, and without the factor 2·10⁻³ (each by 10⁶ draws). A rule that cancels six digits beside a number a thousand times as
/// large has one error at all neighbours, and is refused.
const SPREADS: f64 = 2.0;

/// Numbers below this may be what is left of others that have underflowed on the way.
fn underflow(precision: Precision) -> f64 {
    match precision {
        Precision::Double => 1e-200,
        Precision::Single => 1e-20,
    }
}

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
    let smooth = match bench.point.probes {
        Some(_) => bench.point.is_smooth(),
        None => bench.reference().is_some_and(Jacobian::is_smooth),
    };
    smooth && !refusal::applies(bench) && bench.signature.length() <= Probes::JACOBIAN_UP_TO
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
    let length = bench.signature.length();
    let answer = |bench: &Bench<'_>, primals: &[Vec<f64>]| {
        let done = both(call, &config, &seeds.clone().at(primals.to_vec()), None)?;
        let mut answer = vec![f64::NAN; length];
        let first = done.adjoints(bench).into_iter().filter(|of| of.lane == 0);
        for adjoint in first {
            let columns = bench.point.input(adjoint.argument);
            if columns.len() == adjoint.floats.len() {
                answer[columns].copy_from_slice(adjoint.floats);
            }
        }
        Ok(answer)
    };
    let differences = bench
        .reference()
        .map_or_else(Vec::new, |jacobian| jacobian.reverse(&dy));
    let project = |columns: &[Vec<f64>]| pulled(columns, &dy);
    let Some(exact) = exact(bench, dual, &differences, &project, &answer)? else {
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
    let rows = bench.point.rows();
    let answer = |bench: &Bench<'_>, primals: &[Vec<f64>]| {
        let moved = State {
            primals: primals.to_vec(),
            ..start.clone()
        };
        let run = push::run(call, &config, &moved)?;
        let mut answer = vec![f64::NAN; rows];
        let first = run.tangents(bench).into_iter().filter(|of| of.lane == 0);
        for tangent in first {
            if tangent.rows.len() == tangent.floats.len() {
                answer[tangent.rows].copy_from_slice(tangent.floats);
            }
        }
        Ok(answer)
    };
    let differences = bench
        .reference()
        .map_or_else(Vec::new, |jacobian| jacobian.forward(&dx));
    let project = |columns: &[Vec<f64>]| pushed(columns, &dx);
    let Some(exact) = exact(bench, dual, &differences, &project, &answer)? else {
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
    answer: &Answer<'_>,
) -> Result<Option<Vec<Estimate>>, Failure> {
    let at = |primals: &[Vec<f64>]| project(&bench.point.columns_by(dual, primals)?);
    let Some(mut exact) = at(&bench.point.primals) else {
        return Ok(None);
    };
    // Dual numbers too take a side where an intermediate number has a kink: then the differences contradict them.
    let tolerance = Point::tolerance(bench.precision);
    let contradicts = |(exact, differences): (&Estimate, &Estimate)| {
        let judgement = tolerance.judge(exact.value, differences);
        matches!(judgement, Judgement::Fail { .. })
    };
    if exact.iter().zip(differences).any(contradicts) || is_contradicted_by_probes(bench, dual) {
        return Ok(None);
    }
    let unit = 2.0 * bench.precision.epsilon();
    let given = answer(bench, &bench.point.primals)?;
    let mut stream = Stream::of_case("digits", 0);
    let mut spread = vec![0.0_f64; exact.len()];
    for _ in 0..MOVES {
        let mut moved = bench.point.primals.clone();
        let floats = moved.iter_mut().flatten();
        floats.for_each(|x| *x = bench.precision.round(*x * (1.0 + unit * stream.seed())));
        let Some(there) = at(&moved) else {
            return Ok(None);
        };
        let rule = answer(bench, &moved).unwrap_or_else(|_| given.clone());
        for (entry, spread) in spread.iter_mut().enumerate() {
            let change = there[entry].value - exact[entry].value;
            let jump = rule[entry] - given[entry] - change;
            // What the rule does not give jumps nowhere.
            *spread = spread.max(change.abs()).max(jump.abs().max(0.0));
        }
    }
    let underflow = underflow(bench.precision);
    for (entry, spread) in exact.iter_mut().zip(spread) {
        entry.terms += (SPREADS * spread + underflow) / unit;
    }
    Ok(Some(exact))
}

/// Whether dual numbers contradict the differences along the directions in which these were taken at a further point.
fn is_contradicted_by_probes(bench: &Bench<'_>, dual: &Flat<'_>) -> bool {
    let point = bench.point;
    let Some(probes) = &point.probes else {
        return false;
    };
    let Some(columns) = point.columns_by(dual, &point.primals) else {
        return true;
    };
    let tolerance = Point::tolerance(bench.precision);
    let contradicts = |(argument, of): (usize, &Probes)| {
        let columns = &columns[point.input(argument)];
        let mut directions = of.directions();
        directions.any(|(direction, tangent)| {
            let along = pushed(columns, direction).unwrap_or_default();
            let rows = along.iter().zip(tangent);
            let judged = rows.map(|(dual, known)| tolerance.judge(dual.value, known));
            judged
                .into_iter()
                .any(|of| matches!(of, Judgement::Fail { .. }))
        })
    };
    probes.iter().enumerate().any(contradicts)
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
