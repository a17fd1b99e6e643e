//! The checks of a forward rule.

use coenzyme::ForwardConfig;

use super::bench::Bench;
use super::edges;
use super::pairing::direction;
use super::refusal;
use crate::argument::Access;
use crate::check::Check;
use crate::estimate::Estimate;
use crate::mix::{Activity, Tangents};
use crate::subject::{Fault, Forward, State};

/// What a call left behind.
#[derive(Clone)]
pub(super) struct Run {
    pub(super) returned: Tangents,
    pub(super) after: State,
}

pub(super) fn run(call: &dyn Forward, config: &ForwardConfig, start: &State) -> Result<Run, Fault> {
    let mut after = start.clone();
    let returned = call.run(config, &mut after)?;
    Ok(Run { returned, after })
}

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
    let config = ForwardConfig::new(needs_primal);
    let start = start(bench);
    let run = match run(call, &config, &start) {
        Ok(run) => run,
        Err(fault) => return bench.fault("forward", &fault),
    };
    bench.returned_primal(needs_primal, run.returned.primal.as_deref());
    bench.primals_after(&run.after);
    differences(bench, &start, &run);
    bench.same_shadows(Check::F3, &run.after, &start, |parameter| {
        parameter.access != Access::Exclusive
    });
    again(bench, call, &config, &start, &run);
    linear(bench, call, &config, &start, &run);
    lanes(bench, single, &config, &start, &run);
    edges::forward(bench, call, needs_primal);
}

/// The state before the call: inputs carry tangents; so do outputs, where they are stale.
fn start(bench: &Bench<'_>) -> State {
    State {
        primals: bench.primals(),
        shadows: bench.shadows(|index, lane, parameter, _| {
            let length = bench.point.primals[index].len();
            bench.seeds(&parameter.name, lane, length)
        }),
    }
}

/// F1, F2: the tangents of the return and of what was written are those of the differences.
fn differences(bench: &mut Bench<'_>, start: &State, run: &Run) {
    for lane in 0..bench.mix.width {
        let Some(jacobian) = bench.reference() else {
            return;
        };
        let expected = jacobian.forward(&direction(bench, start, lane));
        if let Some(tangents) = &run.returned.tangents {
            let block = bench.block_of_return(".tangent");
            let expected = &expected[bench.point.returned()];
            bench
                .report
                .compare_block(Check::F1, &block, Some(lane), &tangents[lane], expected);
        }
        each_output(bench, run, lane, |bench, block, rows, got| {
            bench
                .report
                .compare_block(Check::F2, block, Some(lane), got, &expected[rows]);
        });
    }
}

/// Gives `f` the shadow of each active argument that can be written.
fn each_output(
    bench: &mut Bench<'_>,
    run: &Run,
    lane: usize,
    mut f: impl FnMut(&mut Bench<'_>, &crate::layout::Block, std::ops::Range<usize>, &[f64]),
) {
    for index in 0..bench.signature.arguments.len() {
        if let (Some(rows), Some(got)) = (
            bench.point.output(index),
            run.after.shadows[index].get(lane),
        ) {
            let block = bench.signature.arguments[index].block(".shadow");
            f(bench, &block, rows, got);
        }
    }
}

/// D1: a second run gives the same bits.
fn again(
    bench: &mut Bench<'_>,
    call: &dyn Forward,
    config: &ForwardConfig,
    start: &State,
    first: &Run,
) {
    match run(call, config, start) {
        Ok(second) => agree(bench, Check::D1, &second, first, |value| value),
        Err(fault) => bench.fault("forward", &fault),
    }
}

/// L1: twice the seeds give twice the tangents, and no seeds none.
fn linear(
    bench: &mut Bench<'_>,
    call: &dyn Forward,
    config: &ForwardConfig,
    start: &State,
    once: &Run,
) {
    for factor in [2.0, 0.0] {
        let mut scaled = start.clone();
        scaled
            .shadows
            .iter_mut()
            .flatten()
            .flatten()
            .for_each(|seed| *seed *= factor);
        match run(call, config, &scaled) {
            // `+ 0.0` makes the two zeros one: their sign says nothing about linearity.
            Ok(run) => agree(bench, Check::L1, &plain_zeros(run), once, |tangent| {
                factor * tangent + 0.0
            }),
            Err(fault) => bench.fault("forward", &fault),
        }
    }
}

fn plain_zeros(mut run: Run) -> Run {
    let tangents = run.returned.tangents.iter_mut().flatten().flatten();
    let shadows = run.after.shadows.iter_mut().flatten().flatten();
    tangents.chain(shadows).for_each(|value| *value += 0.0);
    run
}

/// Requires the tangents of one run to be those of another, under a map.
fn agree(bench: &mut Bench<'_>, check: Check, got: &Run, expected: &Run, map: impl Fn(f64) -> f64) {
    let mapped = |values: &[f64]| -> Vec<Estimate> {
        values.iter().map(|v| Estimate::exact(map(*v))).collect()
    };
    for lane in 0..bench.mix.width {
        if let (Some(got), Some(expected)) = (&got.returned.tangents, &expected.returned.tangents) {
            let block = bench.block_of_return(".tangent");
            bench.report.compare_block(
                check,
                &block,
                Some(lane),
                &got[lane],
                &mapped(&expected[lane]),
            );
        }
        each_output(bench, got, lane, |bench, block, rows, got| {
            let index = (0..).find(|index| bench.point.output(*index).as_ref() == Some(&rows));
            let index = index.expect("these are the rows of some argument");
            bench.report.compare_block(
                check,
                block,
                Some(lane),
                got,
                &mapped(&expected.after.shadows[index][lane]),
            );
        });
    }
}

/// B1: each lane is what it would be alone.
fn lanes(
    bench: &mut Bench<'_>,
    single: &dyn Forward,
    config: &ForwardConfig,
    start: &State,
    wide: &Run,
) {
    if bench.mix.width == 1
        || bench
            .mix
            .arguments
            .iter()
            .all(|activity| *activity == Activity::Const)
    {
        return;
    }
    for lane in 0..bench.mix.width {
        let one = |lanes: &Vec<Vec<f64>>| lanes.get(lane).cloned().into_iter().collect();
        let alone = State {
            primals: start.primals.clone(),
            shadows: start.shadows.iter().map(one).collect(),
        };
        let alone = match run(single, config, &alone) {
            Ok(alone) => alone,
            Err(fault) => return bench.fault("forward", &fault),
        };
        if let (Some(wide), Some(alone)) = (&wide.returned.tangents, &alone.returned.tangents) {
            let block = bench.block_of_return(".tangent");
            bench.same(Check::B1, &block, Some(lane), &wide[lane], &alone[0]);
        }
        for index in 0..bench.signature.arguments.len() {
            if let (Some(wide), Some(alone)) = (
                wide.after.shadows[index].get(lane),
                alone.after.shadows[index].first(),
            ) {
                let block = bench.signature.arguments[index].block(".shadow");
                bench.same(Check::B1, &block, Some(lane), wide, alone);
            }
        }
    }
}
