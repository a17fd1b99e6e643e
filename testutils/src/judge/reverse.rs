//! The checks of a reverse rule.

use coenzyme::ReverseConfig;

use super::adjoints::{accumulated, differences};
use super::bench::Bench;
use super::pass::{Done, Failure, Half, both, first};
use super::seeds::Seeds;
use super::{edges, refusal, tape, threads};
use crate::check::Check;
use crate::estimate::Estimate;
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
