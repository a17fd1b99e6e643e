//! The checks of a forward rule.

use coenzyme::ForwardConfig;

use super::bench::Bench;
use super::pairing::direction;
use super::pass::Failure;
use super::push::{Run, agree, run, start};
use super::reverse::factors;
use super::silence::Silence;
use super::{
    alias, budget, domain, echoes, edges, layouts, long, memory, refusal, rows, threads, units,
    unnumbered,
};
use crate::argument::Access;
use crate::canary::canary;
use crate::check::Check;
use crate::subject::{Forward, State};

/// Judges `call`, of which `single` is the same mix in one lane.
pub(crate) fn forward(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    single: &Forward<'_>,
    needs_primal: bool,
) {
    if refusal::applies(bench) {
        return refusal::forward(bench, Check::E1, call, needs_primal);
    }
    if let Err((half, fault)) = judge(bench, call, single, needs_primal) {
        bench.fault(half, &fault);
    }
}

fn judge(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    single: &Forward<'_>,
    needs_primal: bool,
) -> Result<(), Failure> {
    let config = ForwardConfig::new(needs_primal);
    let start = start(bench);
    let run = run(call, &config, &start)?;
    let again = self::run(call, &config, &start)?;
    agree(bench, Check::D1, &again, &run, |value| value);
    bench.same_primals(Check::D1, &again.after, &run.after);
    bench.returned_primal(needs_primal, run.returned.primal.as_deref());
    bench.primals_after(&run.after);
    bench.same_shadows(Check::F3, &run.after, &start, |parameter| {
        parameter.access != Access::Exclusive
    });
    differences(bench, &start, &run);
    if bench.is_wide() {
        lanes(bench, Check::B1, single, &config, &start, &run, |float| {
            float
        })?;
        return identity(bench, call, single, &config, &start);
    }
    silenced(bench, call, &config, &start)?;
    long::forward(bench, call, &config, &start)?;
    for factor in factors(bench.precision) {
        let scaled = self::run(call, &config, &start.scaled(factor))?;
        agree(bench, Check::L1, &scaled, &run, |tangent| factor * tangent);
    }
    lanes(bench, Check::B1, single, &config, &start, &run, |float| {
        float
    })?;
    identity(bench, call, single, &config, &start)?;
    strong(bench, call, &config, &start, &run)?;
    unread(bench, call, &config, &start, &run)?;
    alias::forward(bench, call, &config, &start, &run)?;
    layouts::forward(bench, call, &config, &start, &run)?;
    if threads::apply(bench) {
        threads::forward(bench, call, &config, &start, &run)?;
    }
    budget::forward(bench, call, &config, &start)?;
    edges::forward(bench, call, needs_primal);
    if bench.wrong() == 0 && !bench.brief {
        domain::forward(bench, call, needs_primal);
    }
    if bench.wrong() == 0 && !bench.brief && needs_primal == call.needs_primal()[0] {
        units::forward(bench, call, &config, &start)?;
        echoes::forward(bench, call, &config, &start)?;
        if bench.whole {
            if bench.mix.width == 1 {
                rows::forward(bench, call, &config, &start)?;
            }
            memory::forward(bench, call, &config, &start, &run)?;
            unnumbered::forward(bench, call, &config, &start, &run);
        }
    }
    Ok(())
}

/// F1, F2 with some tangents zero, entry by entry, input by input, lane by lane; N1, for the strong zero changes nothing.
fn silenced(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
) -> Result<(), Failure> {
    let before = bench.report.set_aside();
    let (names, lengths) = start.extent(bench);
    let mut guilty = Vec::new();
    for silence in Silence::patterns(&lengths, bench.mix.width) {
        let start = start.silenced(&silence);
        bench.report.under(silence.to_string());
        let weak = run(call, config, &start)?;
        let wrong = bench.wrong();
        differences(bench, &start, &weak);
        if bench.wrong() > wrong {
            guilty.extend(silence.speaker(&lengths));
        }
        let strong = run(call, &config.with_strong_zero(true), &start)?;
        if weak.is_finite(bench) {
            agree(bench, Check::N1, &strong, &weak, |value| value);
        }
    }
    bench.report.under("");
    bench.report.and_what_is_sure(before);
    bench.suspects("tangent", &names, &guilty);
    Ok(())
}

/// N1 where no partial is infinite: the strong zero changes nothing.
fn strong(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
    expected: &Run,
) -> Result<(), Failure> {
    let run = run(call, &config.with_strong_zero(true), start)?;
    bench.returned_primal(config.needs_primal(), run.returned.primal.as_deref());
    bench.primals_after(&run.after);
    if expected.is_finite(bench) {
        agree(bench, Check::N1, &run, expected, |value| value);
    }
    Ok(())
}

/// F2: what an output that is overwritten unread held before, even no number, does not matter.
fn unread(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
    expected: &Run,
) -> Result<(), Failure> {
    let mut start = start.clone();
    for (index, parameter, _) in bench.arguments() {
        if parameter.write_only {
            start.primals[index].fill(canary());
            start.shadows[index]
                .iter_mut()
                .for_each(|lane| lane.fill(canary()));
        }
    }
    let run = run(call, config, &start)?;
    bench.primals_after(&run.after);
    for (got, expected) in run.tangents(bench).iter().zip(expected.tangents(bench)) {
        bench.same(
            got.check,
            &got.block,
            Some(got.lane),
            got.floats,
            expected.floats,
        );
    }
    Ok(())
}

/// F1, F2: the tangents of the return and of what was written are those of the differences.
fn differences(bench: &mut Bench<'_>, start: &State, run: &Run) {
    let Some(jacobian) = bench.jacobian else {
        return;
    };
    let lanes = 0..bench.mix.width;
    let expected: Vec<_> = lanes
        .map(|lane| {
            bench
                .projections
                .pushed(jacobian, direction(bench, start, lane))
        })
        .collect();
    let tangents = run.tangents(bench);
    let mut floats = tangents.iter().flat_map(|tangent| tangent.floats);
    let silent = floats.all(|float| *float == 0.0);
    let rows = tangents.iter();
    let of_rows = rows.flat_map(|tangent| &expected[tangent.lane][tangent.rows.clone()]);
    bench.silent(silent, of_rows);
    for tangent in run.tangents(bench) {
        let expected = &expected[tangent.lane][tangent.rows];
        bench.report.compare_block(
            tangent.check,
            &tangent.block,
            Some(tangent.lane),
            tangent.floats,
            expected,
        );
    }
}

/// B1, B2: each lane is what it would be alone.
fn lanes(
    bench: &mut Bench<'_>,
    check: Check,
    single: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
    wide: &Run,
    plain: fn(f64) -> f64,
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
            let [got, expected] = [wide.floats, alone.floats]
                .map(|of| of.iter().copied().map(plain).collect::<Vec<_>>());
            bench.same(check, &wide.block, Some(lane), &got, &expected);
        }
    }
    Ok(())
}

/// B1 where each lane has one seed of its own, as drivers of Jacobians have it, and B2 where all lanes have the same seeds.
fn identity(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    single: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
) -> Result<(), Failure> {
    let total: usize = units::lengths(bench, start).iter().flatten().sum();
    if bench.mix.width == 1 || total == 0 || config.needs_primal() != call.needs_primal()[0] {
        return Ok(());
    }
    let width = bench.mix.width;
    let equal = vec![bench.seeds("equal lanes", 0, total); width];
    for (check, rows) in [
        (Check::B1, units::identity(total, width)),
        (Check::B2, equal),
    ] {
        let start = units::seeded(bench, start, &rows);
        let wide = run(call, config, &start)?;
        // The sign of a zero may tell how many were added.
        lanes(bench, check, single, config, &start, &wide, |float| {
            float + 0.0
        })?;
    }
    Ok(())
}
