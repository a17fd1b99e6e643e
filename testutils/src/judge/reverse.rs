//! The checks of a reverse rule.

use coenzyme::ReverseConfig;

use super::bench::Bench;
use super::pass::{Done, Failure, Half, Seeds, both, first};
use super::{edges, refusal, tape, threads};
use crate::argument::Access;
use crate::check::Check;
use crate::estimate::Estimate;
use crate::mix::Activity;
use crate::subject::Reverse;
use crate::verdict::Verdict;

/// Judges `call`, of which `single` is the same mix in one lane.
pub(crate) fn reverse(
    bench: &mut Bench<'_>,
    call: &dyn Reverse,
    single: &dyn Reverse,
    needs_primal: bool,
) {
    if refusal::applies(bench) {
        return refusal::reverse(bench, call, needs_primal);
    }
    if let Err((half, fault)) = judge(bench, call, single, needs_primal) {
        bench.fault(half, &fault);
    }
}

fn judge(
    bench: &mut Bench<'_>,
    call: &dyn Reverse,
    single: &dyn Reverse,
    needs_primal: bool,
) -> Result<(), Failure> {
    let config = ReverseConfig::new(needs_primal);
    let seeds = Seeds::of(bench);
    let half = first(call, &config, &seeds)?;
    if !first_half(bench, &half, needs_primal) {
        return Ok(());
    }
    let done = half.second(None)?;
    primals_unchanged(bench, &done);
    let zeroed = seeds.clone().unaccumulated();
    let plain = both(call, &config, &zeroed, None)?;
    differences(bench, &seeds, &done, &plain);
    accumulated(bench, &seeds, &done, &plain);
    agree(
        bench,
        Check::D1,
        &both(call, &config, &seeds, None)?,
        &done,
        |value| value,
    );
    for factor in [2.0, 0.0] {
        let scaled = both(call, &config, &zeroed.clone().scaled(factor), None)?;
        agree(bench, Check::L1, &scaled, &plain, |value| factor * value);
    }
    lanes(bench, single, &config, &seeds, &done)?;
    tape::poison(bench, call, needs_primal, &seeds, &done)?;
    tape::interleaved(bench, call, &config, &seeds, &done)?;
    if threads::apply(bench) {
        threads::reverse(bench, call, &config, &seeds, &done)?;
    }
    layouts(bench, call, &config, &seeds)?;
    edges::reverse(bench, call, needs_primal);
    Ok(())
}

/// P1, I1, P2, P3, R10, I2. Answers whether the second half can be run.
fn first_half(bench: &mut Bench<'_>, half: &Half<'_>, needs_primal: bool) -> bool {
    bench.returned_primal(needs_primal, half.augmented.primal.as_deref());
    bench.primals_after(&half.state);
    bench.same_shadows(Check::R10, &half.state, &half.start, |_| true);
    let length = bench.point.returned().len();
    let fresh =
        |shadow: &Vec<f64>| shadow.len() == length && shadow.iter().all(|float| *float == 0.0);
    let shadows = half.augmented.shadows.as_deref().unwrap_or_default();
    if !shadows.iter().all(fresh) {
        bench.report.pronounce(Verdict::Fail(Check::I2));
        bench.report.note(
            "what",
            format!("the shadow of the return is not {length} zeros in every lane"),
        );
    }
    shadows.iter().all(|shadow| shadow.len() == length)
}

/// R9: the second half changes no primal.
pub(super) fn primals_unchanged(bench: &mut Bench<'_>, done: &Done) {
    for (index, parameter) in bench.signature.arguments.iter().enumerate() {
        let block = parameter.block("");
        bench.same(
            Check::R9,
            &block,
            None,
            &done.after.primals[index],
            &done.between.primals[index],
        );
    }
}

/// R1z, R1, R4: the cotangents are those of the differences, from zero shadows and from others, and that of an overwritten
/// output is zero.
fn differences(bench: &mut Bench<'_>, seeds: &Seeds, done: &Done, plain: &Done) {
    let width = bench.mix.width;
    let expected: Option<Vec<_>> = bench.reference().map(|jacobian| {
        (0..width)
            .map(|lane| jacobian.reverse(&seeds.total(bench, lane)))
            .collect()
    });
    for (check, run) in [(Check::R1z, plain), (Check::R1, done)] {
        for adjoint in run.adjoints(bench) {
            let (argument, lane) = (adjoint.argument, adjoint.lane);
            let parameter = &bench.signature.arguments[argument];
            let columns = bench.point.input(argument);
            if parameter.access == Access::Exclusive {
                if check == Check::R1z {
                    written(
                        bench,
                        &adjoint,
                        expected.as_ref().map(|lanes| &lanes[lane][columns]),
                    );
                }
                continue;
            }
            let Some(expected) = &expected else { continue };
            let expected = &expected[lane][columns];
            let in_memory = matches!(
                bench.mix.arguments[argument],
                Activity::Duplicated | Activity::Mixed
            );
            match check {
                Check::R1 if !in_memory => {}
                Check::R1 => {
                    let (got, expected) =
                        beyond(seeds.initial(argument, lane), adjoint.floats, expected);
                    bench
                        .report
                        .compare_block(check, &adjoint.block, Some(lane), &got, &expected);
                }
                _ => bench.report.compare_block(
                    check,
                    &adjoint.block,
                    Some(lane),
                    adjoint.floats,
                    expected,
                ),
            }
        }
    }
}

/// R4 for the entries that the function overwrites unread, R1z for those that it reads.
fn written(
    bench: &mut Bench<'_>,
    adjoint: &super::pass::Adjoint<'_>,
    expected: Option<&[Estimate]>,
) {
    let parameter = &bench.signature.arguments[adjoint.argument];
    for (entry, got) in adjoint.floats.iter().enumerate() {
        let place = adjoint.block.place(entry);
        let overwritten =
            parameter.write_only || bench.point.is_overwritten(adjoint.argument, entry);
        if overwritten {
            bench.report.compare(
                Check::R4,
                place,
                Some(adjoint.lane),
                *got,
                &Estimate::exact(0.0),
            );
        } else if let Some(expected) = expected {
            bench.report.compare(
                Check::R1z,
                place,
                Some(adjoint.lane),
                *got,
                &expected[entry],
            );
        }
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

/// R3: what is added does not depend on what was there.
fn accumulated(bench: &mut Bench<'_>, seeds: &Seeds, done: &Done, plain: &Done) {
    let terms = |lane: usize, argument: usize| -> Option<Vec<f64>> {
        let expected = bench.reference()?.reverse(&seeds.total(bench, lane));
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
        let terms = terms(lane, argument).unwrap_or_else(|| vec![0.0; plain.floats.len()]);
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
            .compare_block(Check::R3, &block, Some(lane), &added, &expected);
    }
}

/// Requires the cotangents of one run to be those of another, under a map.
pub(super) fn agree(
    bench: &mut Bench<'_>,
    check: Check,
    got: &Done,
    expected: &Done,
    map: impl Fn(f64) -> f64,
) {
    // `+ 0.0` makes the two zeros one: their sign says nothing about linearity.
    let plain = |value: f64| {
        if check == Check::L1 {
            value + 0.0
        } else {
            value
        }
    };
    for (got, expected) in got
        .adjoints(bench)
        .into_iter()
        .zip(expected.adjoints(bench))
    {
        let expected: Vec<_> = expected
            .floats
            .iter()
            .map(|value| Estimate::exact(plain(map(*value))))
            .collect();
        let floats: Vec<_> = got.floats.iter().copied().map(plain).collect();
        bench
            .report
            .compare_block(check, &got.block, Some(got.lane), &floats, &expected);
    }
}

/// B1: each lane is what it would be alone.
fn lanes(
    bench: &mut Bench<'_>,
    single: &dyn Reverse,
    config: &ReverseConfig,
    seeds: &Seeds,
    wide: &Done,
) -> Result<(), Failure> {
    if bench.mix.width == 1 {
        return Ok(());
    }
    for lane in 0..bench.mix.width {
        let alone = both(single, config, &seeds.lane(lane), None)?;
        let alone = alone.adjoints(bench);
        let wide = wide
            .adjoints(bench)
            .into_iter()
            .filter(|adjoint| adjoint.lane == lane);
        for (wide, alone) in wide.zip(alone) {
            bench.same(
                Check::B1,
                &wide.block,
                Some(lane),
                wide.floats,
                alone.floats,
            );
        }
    }
    Ok(())
}

/// S1, P4: in memory laid out otherwise the cotangents are right too, and nothing is written beside it.
fn layouts(
    bench: &mut Bench<'_>,
    call: &dyn Reverse,
    config: &ReverseConfig,
    seeds: &Seeds,
) -> Result<(), Failure> {
    let Some(jacobian) = bench.jacobian else {
        return Ok(());
    };
    for layout in 1..bench.layouts {
        let done = both(
            call,
            config,
            &seeds.clone().unaccumulated().in_layout(layout),
            None,
        )?;
        bench.gaps(&done.after);
        for adjoint in done.adjoints(bench) {
            let expected = jacobian.reverse(&seeds.total(bench, adjoint.lane));
            let expected = &expected[bench.point.input(adjoint.argument)];
            bench.report.compare_block(
                Check::S1,
                &adjoint.block,
                Some(adjoint.lane),
                adjoint.floats,
                expected,
            );
        }
    }
    Ok(())
}
