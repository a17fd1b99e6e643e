//! The differences of an argument list too long for a Jacobian: along a few directions, and along a few axes.
//!
//! A direction sees every entry at once. When one disagrees, bisection names the entry to blame.

use coenzyme::ForwardConfig;

use super::bench::Bench;
use super::pass::{Done, Failure};
use super::push::run;
use super::seeds::Seeds;
use crate::argument::Access;
use crate::check::Check;
use crate::estimate::Estimate;
use crate::layout::Block;
use crate::mix::Activity;
use crate::subject::{Forward, State};
use crate::tolerance::Judgement;
use crate::verdict::Verdict;

/// Names the entry of an argument whose derivative is wrong, and what it should be, given the cotangent of every output and
/// the derivatives in question.
pub(crate) type Blame<'a> = dyn Fn(usize, &[f64], &[f64]) -> Option<(usize, Estimate)> + 'a;

/// Floats of an argument, one for each entry.
type Entries = Vec<f64>;

/// F1, F2.
pub(super) fn forward(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
) -> Result<(), Failure> {
    let Some(probes) = bench.probes else {
        return Ok(());
    };
    // Along the directions, in all active arguments at once; then along the axes, in one at a time.
    let turns = probes.iter().map(|of| of.directions().count()).max();
    for turn in 0..turns.unwrap_or(0) {
        pushed(bench, call, config, start, |argument, lane| {
            probes[argument].direction(turn + lane)
        })?;
    }
    for (argument, of) in probes.iter().enumerate() {
        for (index, column) in of.columns() {
            let length = bench.point.primals[argument].len();
            let mut axis = vec![0.0; length];
            axis[index] = 1.0;
            pushed(bench, call, config, start, |of, _| {
                (of == argument).then(|| (axis.clone(), column.to_vec()))
            })?;
        }
    }
    Ok(())
}

/// Runs the rule with the tangent that `along` gives for each argument and lane, beside the derivatives along it.
fn pushed(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
    along: impl Fn(usize, usize) -> Option<(Entries, Vec<Estimate>)>,
) -> Result<(), Failure> {
    let (mut start, mut any) = (start.clone(), false);
    let outputs = bench.point.rows();
    let mut expected: Vec<Vec<Vec<Estimate>>> = vec![vec![]; bench.mix.width];
    for (argument, lanes) in start.shadows.iter_mut().enumerate() {
        for (lane, shadow) in lanes.iter_mut().enumerate() {
            shadow.fill(0.0);
            if let Some((mut direction, tangent)) = along(argument, lane) {
                let loudness = bench.loudness();
                direction.iter_mut().for_each(|seed| *seed *= loudness);
                shadow.clone_from(&direction);
                expected[lane].push(tangent);
                any = true;
            }
        }
    }
    if !any {
        return Ok(());
    }
    let run = run(call, config, &start)?;
    for tangent in run.tangents(bench) {
        let terms = &expected[tangent.lane];
        let loudness = bench.loudness();
        let entry = |row: usize| Estimate::combine(terms.iter().map(|term| (loudness, &term[row])));
        debug_assert!(tangent.rows.end <= outputs);
        let expected: Vec<_> = tangent.rows.clone().map(entry).collect();
        let looked_at = |(row, got): (usize, &f64)| match expected.get(row) {
            Some(expected) => bench.looked_at(*got, expected),
            None => *got,
        };
        let floats = tangent.floats.iter().enumerate().map(looked_at);
        let floats: Vec<_> = floats.collect();
        bench.report.compare_block(
            bench.near.unwrap_or(tangent.check),
            &tangent.block,
            Some(tangent.lane),
            &floats,
            &expected,
        );
    }
    Ok(())
}

/// R1z from zero shadows, R1 from others, by what was added to them.
pub(super) fn reverse(bench: &mut Bench<'_>, check: Check, seeds: &Seeds, done: &Done) {
    let Some(probes) = bench.probes else { return };
    for adjoint in done.adjoints(bench) {
        let (argument, lane) = (adjoint.argument, adjoint.lane);
        let parameter = &bench.signature.arguments[argument];
        let transformed = parameter.access == Access::Exclusive;
        let by_value = bench.mix.arguments[argument] == Activity::Active;
        if parameter.write_only || check == Check::R1 && (transformed || by_value) {
            continue;
        }
        if adjoint.floats.len() != bench.point.primals[argument].len() {
            // The gradient of a value may have any length.
            bench.report.pronounce(Verdict::Fail(check));
            let (name, length) = (adjoint.block.name(), bench.point.primals[argument].len());
            let text = format!(
                "{name} has {} floats, expected {length}",
                adjoint.floats.len()
            );
            bench.report.note("shape", text);
            continue;
        }
        let zeros = vec![0.0; adjoint.floats.len()];
        let before = match seeds.before(argument, lane) {
            Some(before) if !transformed => before,
            _ => &zeros,
        };
        let added = adjoint
            .floats
            .iter()
            .zip(before)
            .map(|(after, before)| after - before);
        let added: Vec<f64> = added.collect();
        let dy = seeds.total(bench, lane);
        let mut wrong = false;
        for (turn, expected) in probes[argument].reverse(&dy).into_iter().enumerate() {
            let Some((direction, _)) = probes[argument].direction(turn) else {
                continue;
            };
            let along = added.iter().zip(before).zip(&direction);
            let terms: f64 = along
                .map(|((added, before), direction)| (added.abs() + before.abs()) * direction.abs())
                .sum();
            let got: f64 = added
                .iter()
                .zip(&direction)
                .map(|(added, d)| added * d)
                .sum();
            let expected = Estimate {
                terms: expected.terms + terms,
                ..expected
            };
            let name = format!("{} along direction {turn}", adjoint.block.name());
            let place = Block::alone(name, &[]).place(0);
            let got = bench.looked_at(got, &expected);
            let judgement = bench
                .report
                .compare(check, place, Some(lane), got, &expected);
            wrong |= matches!(judgement, Judgement::Fail { .. });
        }
        let sampled = probes[argument].gradient(&dy);
        let blamed = wrong
            .then(|| (bench.blame)(argument, &dy, &added))
            .flatten();
        for (index, expected) in sampled.into_iter().chain(blamed) {
            let expected = Estimate {
                terms: expected.terms + before[index].abs(),
                ..expected
            };
            let place = adjoint.block.place(index);
            bench
                .report
                .compare(check, place, Some(lane), added[index], &expected);
        }
    }
}
