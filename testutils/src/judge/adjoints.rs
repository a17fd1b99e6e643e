//! Whether the cotangents are right: R1z and R1 by the differences, R3 by themselves, R4 exactly.

use std::rc::Rc;

use super::bench::Bench;
use super::pass::{Adjoint, Done};
use super::seeds::Seeds;
use crate::argument::Access;
use crate::check::Check;
use crate::estimate::Estimate;
use crate::mix::Activity;

/// R1z, R1, R4: the cotangents are those of the differences, from zero shadows and from others, and that of an overwritten
/// output is zero.
pub(super) fn differences(bench: &mut Bench<'_>, seeds: &Seeds, done: &Done, plain: &Done) {
    let expected = expected(bench, seeds);
    hint_of_silence(bench, plain, expected.as_deref());
    compare(bench, Check::R1z, seeds, plain, expected.as_deref());
    compare(bench, Check::R1, seeds, done, expected.as_deref());
}

/// R1z and R4 of a run from zero shadows.
pub(super) fn from_zero(bench: &mut Bench<'_>, seeds: &Seeds, plain: &Done) {
    let expected = expected(bench, seeds);
    compare(bench, Check::R1z, seeds, plain, expected.as_deref());
}

/// The cotangent of every input of the total map, in each lane.
fn expected(bench: &Bench<'_>, seeds: &Seeds) -> Option<Vec<Rc<[Estimate]>>> {
    let jacobian = bench.reference()?;
    let lanes = 0..bench.mix.width;
    let pulled = |lane| bench.projections.pulled(jacobian, seeds.total(bench, lane));
    let expected = lanes.map(pulled);
    Some(expected.collect())
}

fn compare(
    bench: &mut Bench<'_>,
    check: Check,
    seeds: &Seeds,
    run: &Done,
    expected: Option<&[Rc<[Estimate]>]>,
) {
    for adjoint in run.adjoints(bench) {
        let (argument, lane) = (adjoint.argument, adjoint.lane);
        let columns = bench.point.input(argument);
        let expected = expected.map(|lanes| &lanes[lane][columns]);
        if bench.signature.arguments[argument].access == Access::Exclusive {
            if check == Check::R1z {
                written(bench, &adjoint, expected);
            }
            continue;
        }
        let Some(expected) = expected else { continue };
        let in_memory = matches!(
            bench.mix.arguments[argument],
            Activity::Duplicated | Activity::Mixed
        );
        if check == Check::R1z {
            bench
                .report
                .compare_block(check, &adjoint.block, Some(lane), adjoint.floats, expected);
        } else if in_memory {
            let (got, expected) = beyond(seeds.initial(argument, lane), adjoint.floats, expected);
            bench
                .report
                .compare_block(check, &adjoint.block, Some(lane), &got, &expected);
        }
    }
}

/// Tells the report if the rule gives no derivatives at all where there are some.
fn hint_of_silence(bench: &mut Bench<'_>, plain: &Done, expected: Option<&[Rc<[Estimate]>]>) {
    let mut adjoints = plain.adjoints(bench);
    adjoints
        .retain(|adjoint| bench.signature.arguments[adjoint.argument].access != Access::Exclusive);
    let silent = adjoints
        .iter()
        .all(|adjoint| adjoint.floats.iter().all(|float| *float == 0.0));
    let point = bench.point;
    let of_inputs = adjoints.iter().flat_map(|adjoint| {
        let columns = point.input(adjoint.argument);
        expected
            .into_iter()
            .flat_map(move |lanes| &lanes[adjoint.lane][columns.clone()])
    });
    bench.silent(silent, of_inputs);
}

/// R4 for the entries that the function overwrites unread, R1z for those that it reads.
fn written(bench: &mut Bench<'_>, adjoint: &Adjoint<'_>, expected: Option<&[Estimate]>) {
    let parameter = &bench.signature.arguments[adjoint.argument];
    if parameter.write_only {
        let zeros = vec![0.0; adjoint.floats.len()];
        let lane = Some(adjoint.lane);
        return bench.same(Check::R4, &adjoint.block, lane, adjoint.floats, &zeros);
    }
    for (entry, got) in adjoint.floats.iter().enumerate() {
        let place = adjoint.block.place(entry);
        let (check, expected) = match expected {
            _ if bench.point.is_overwritten(adjoint.argument, entry) => {
                (Check::R4, Estimate::exact(0.0))
            }
            Some(expected) => (Check::R1z, expected[entry]),
            None => continue,
        };
        bench
            .report
            .compare(check, place, Some(adjoint.lane), *got, &expected);
    }
}

/// What was added to `initial`, with the rounding that adding it may cost.
fn beyond(initial: &[f64], after: &[f64], expected: &[Estimate]) -> (Vec<f64>, Vec<Estimate>) {
    let added = after
        .iter()
        .zip(initial)
        .map(|(after, initial)| after - initial);
    let allow = |(expected, initial): (&Estimate, &f64)| Estimate {
        terms: expected.terms + initial.abs(),
        ..*expected
    };
    (
        added.collect(),
        expected.iter().zip(initial).map(allow).collect(),
    )
}

/// R3, R5: what is added does not depend on what was there.
pub(super) fn accumulated(
    bench: &mut Bench<'_>,
    check: Check,
    seeds: &Seeds,
    done: &Done,
    plain: &Done,
) {
    let terms = |lane: usize, argument: usize| -> Option<Vec<f64>> {
        let jacobian = bench.reference()?;
        let expected = bench.projections.pulled(jacobian, seeds.total(bench, lane));
        Some(
            expected[bench.point.input(argument)]
                .iter()
                .map(|entry| entry.terms)
                .collect(),
        )
    };
    let mut comparisons = Vec::new();
    for (done, plain) in done.adjoints(bench).into_iter().zip(plain.adjoints(bench)) {
        let (argument, lane) = (done.argument, done.lane);
        let by_value = bench.mix.arguments[argument] == Activity::Active;
        if bench.signature.arguments[argument].access == Access::Exclusive || by_value {
            continue;
        }
        // Of long arguments the terms are not known: the largest number beside them stands for those.
        let beside = match bench.point.probes {
            Some(_) => plain
                .floats
                .iter()
                .fold(0.0, |largest: f64, x| largest.max(x.abs())),
            None => 0.0,
        };
        let terms = terms(lane, argument).unwrap_or_else(|| vec![beside; plain.floats.len()]);
        let plain: Vec<_> = plain
            .floats
            .iter()
            .zip(terms)
            .map(|(value, terms)| Estimate {
                terms: terms + value.abs(),
                ..Estimate::exact(*value)
            })
            .collect();
        let (added, expected) = beyond(seeds.initial(argument, lane), done.floats, &plain);
        comparisons.push((done.block, lane, added, expected));
    }
    for (block, lane, added, expected) in comparisons {
        bench
            .report
            .compare_block(check, &block, Some(lane), &added, &expected);
    }
}
