//! The checks of a forward rule.

use coenzyme::ForwardConfig;

use super::bench::Bench;
use super::pairing::direction;
use super::pass::Failure;
use super::push::{Run, agree, run, start};
use super::{edges, refusal, threads};
use crate::argument::Access;
use crate::check::Check;
use crate::subject::{Forward, State};

/// Judges `call`, of which `single` is the same mix in one lane.
pub(crate) fn forward(
    bench: &mut Bench<'_>,
    call: &dyn Forward,
    single: &dyn Forward,
    needs_primal: bool,
) {
    if refusal::applies(bench) {
        return refusal::forward(bench, call, needs_primal);
    }
    if let Err((half, fault)) = judge(bench, call, single, needs_primal) {
        bench.fault(half, &fault);
    }
}

fn judge(
    bench: &mut Bench<'_>,
    call: &dyn Forward,
    single: &dyn Forward,
    needs_primal: bool,
) -> Result<(), Failure> {
    let config = ForwardConfig::new(needs_primal);
    let start = start(bench);
    let run = run(call, &config, &start)?;
    bench.returned_primal(needs_primal, run.returned.primal.as_deref());
    bench.primals_after(&run.after);
    bench.same_shadows(Check::F3, &run.after, &start, |parameter| {
        parameter.access != Access::Exclusive
    });
    differences(bench, &start, &run, |check| check);
    agree(
        bench,
        Check::D1,
        &self::run(call, &config, &start)?,
        &run,
        |value| value,
    );
    for factor in [2.0, 0.0] {
        let scaled = self::run(call, &config, &start.scaled(factor))?;
        agree(bench, Check::L1, &scaled, &run, |tangent| factor * tangent);
    }
    lanes(bench, single, &config, &start, &run)?;
    layouts(bench, call, &config, &start)?;
    if threads::apply(bench) {
        threads::forward(bench, call, &config, &start, &run)?;
    }
    edges::forward(bench, call, needs_primal);
    Ok(())
}

/// F1, F2: the tangents of the return and of what was written are those of the differences.
fn differences(bench: &mut Bench<'_>, start: &State, run: &Run, check: impl Fn(Check) -> Check) {
    let Some(jacobian) = bench.jacobian else {
        return;
    };
    let lanes = 0..bench.mix.width;
    let expected: Vec<_> = lanes
        .map(|lane| jacobian.forward(&direction(bench, start, lane)))
        .collect();
    let silent = run
        .tangents(bench)
        .iter()
        .all(|tangent| tangent.floats.iter().all(|float| *float == 0.0));
    bench.silent(silent, expected.iter().flatten());
    for tangent in run.tangents(bench) {
        let expected = &expected[tangent.lane][tangent.rows];
        bench.report.compare_block(
            check(tangent.check),
            &tangent.block,
            Some(tangent.lane),
            tangent.floats,
            expected,
        );
    }
}

/// B1: each lane is what it would be alone.
fn lanes(
    bench: &mut Bench<'_>,
    single: &dyn Forward,
    config: &ForwardConfig,
    start: &State,
    wide: &Run,
) -> Result<(), Failure> {
    let width = bench.mix.width;
    if width == 1
        || !bench
            .mix
            .arguments
            .iter()
            .any(|activity| activity.is_active())
    {
        return Ok(());
    }
    for lane in 0..width {
        let alone = run(single, config, &start.lane(lane))?;
        let alone = alone.tangents(bench);
        let wide = wide
            .tangents(bench)
            .into_iter()
            .filter(|tangent| tangent.lane == lane);
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

/// S1, P4: in memory laid out otherwise the tangents are right too, and nothing is written beside it.
fn layouts(
    bench: &mut Bench<'_>,
    call: &dyn Forward,
    config: &ForwardConfig,
    start: &State,
) -> Result<(), Failure> {
    for layout in 1..bench.layouts {
        let start = State {
            layout,
            ..start.clone()
        };
        let run = run(call, config, &start)?;
        bench.gaps(&run.after);
        differences(bench, &start, &run, |_| Check::S1);
    }
    Ok(())
}
