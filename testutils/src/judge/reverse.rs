//! The checks of a reverse rule.

use coenzyme::ReverseConfig;

use super::adjoints::{accumulated, differences, from_zero};
use super::bench::{Bench, comparable, overflows};
use super::pass::{Done, Failure, Half, both, first};
use super::seeds::Seeds;
use super::silence::Silence;
use super::{
    alias, budget, domain, echoes, edges, layouts, long, memory, partly, refusal, rows, tape,
    threads, units, unnumbered,
};
use crate::check::Check;
use crate::ladder::Precision;
use crate::subject::Reverse;
use crate::verdict::Verdict;

/// Judges `call`, of which `single` is the same mix in one lane.
pub(crate) fn reverse(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    single: &Reverse<'_>,
    needs_primal: bool,
) {
    if refusal::applies(bench) {
        return refusal::reverse(bench, Check::E1, call, needs_primal);
    }
    if let Err((half, fault)) = judge(bench, call, single, needs_primal) {
        bench.fault(half, &fault);
    }
}

fn judge(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    single: &Reverse<'_>,
    needs_primal: bool,
) -> Result<(), Failure> {
    let config = ReverseConfig::new(needs_primal);
    let seeds = Seeds::of(bench);
    let half = first(call, &config, &seeds)?;
    if !first_half(bench, &half, needs_primal) {
        return Ok(());
    }
    let done = half.second(None)?;
    let again = first(call, &config, &seeds)?;
    bench.same_primals(Check::D1, &again.state, &done.halfway);
    let again = again.second(None)?;
    agree(bench, Check::D1, &again, &done, |value| value);
    primals_unchanged(bench, &done);
    let zeroed = seeds.clone().unaccumulated();
    let plain = both(call, &config, &zeroed, None)?;
    differences(bench, &seeds, &done, &plain);
    if bench.is_wide() {
        lanes(bench, Check::B1, single, &config, &seeds, &done, |float| {
            float
        })?;
        identity(bench, call, single, &config, &zeroed)?;
        let memory = tape::memory(bench);
        let config = tape::declared(&config, &memory);
        return tape::poisoned(bench, call, &config, &memory, &seeds, &done);
    }
    silenced(bench, call, &config, &seeds, &zeroed)?;
    long::reverse(bench, Check::R1z, &zeroed, &plain);
    long::reverse(bench, Check::R1, &seeds, &done);
    if bench.point.probes.is_none() {
        accumulated(bench, Check::R3, &seeds, &done, &plain);
    }
    for factor in factors(bench.precision) {
        let scaled = both(call, &config, &zeroed.clone().scaled(factor), None)?;
        agree(bench, Check::L1, &scaled, &plain, |value| factor * value);
    }
    lanes(bench, Check::B1, single, &config, &seeds, &done, |float| {
        float
    })?;
    identity(bench, call, single, &config, &zeroed)?;
    strong(bench, call, &config, &seeds, &done)?;
    unread(bench, call, &config, &seeds, &done)?;
    tape::poison(bench, call, needs_primal, &seeds, &done)?;
    tape::interleaved(bench, call, &config, &seeds, &done)?;
    if bench.whole && bench.mix.width == 1 {
        let ones = vec![1.0; seeds.extent(bench).1.iter().sum()];
        let ones = seeds.clone().seeded(&[ones]);
        let expected = both(call, &config, &ones, None)?;
        tape::interleaved(bench, call, &config, &ones, &expected)?;
    }
    alias::reverse(bench, call, &config, &seeds, &done)?;
    if threads::apply(bench) {
        threads::reverse(bench, call, &config, &seeds, &done)?;
    }
    layouts::reverse(bench, call, &config, &seeds, &done)?;
    budget::reverse(bench, call, &config, &seeds)?;
    edges::reverse(bench, call, needs_primal);
    if bench.wrong() == 0 && !bench.brief {
        domain::reverse(bench, call, needs_primal);
    }
    if bench.wrong() == 0 && !bench.brief && needs_primal == call.needs_primal()[0] {
        units::reverse(bench, call, &config, &zeroed)?;
        echoes::reverse(bench, call, &config, &zeroed)?;
        partly::reverse(bench, call, &config, &seeds, &plain)?;
        if bench.whole && bench.mix.width == 1 {
            partly::balanced(bench, call, &config, &seeds, &plain)?;
            rows::reverse(bench, call, &config, &zeroed)?;
        }
        together(bench, call, &config, &seeds, &done)?;
        if bench.whole {
            memory::reverse(bench, call, &config, &seeds, &done)?;
            unnumbered::reverse(bench, call, &config, &zeroed, &plain);
        }
    }
    Ok(())
}

/// L2: seeds and shadows times a number give that number times what they give: a shadow that is small is not zero, and one that is
/// large is no mistake.
fn together(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    seeds: &Seeds,
    done: &Done,
) -> Result<(), Failure> {
    if !seeds.accumulating(bench).is_empty() {
        for factor in extremes(bench.precision) {
            let seeds = seeds.clone().scaled(factor).after(factor);
            let scaled = both(call, config, &seeds, None)?;
            agree(bench, Check::L2, &scaled, done, |value| factor * value);
        }
    }
    Ok(())
}

/// What seeds are multiplied by: a linear rule follows exactly. The large and the small find limits and thresholds, such as
/// `if dy.abs() < f64::EPSILON`.
pub(super) fn factors(precision: Precision) -> [f64; 4] {
    let large = match precision {
        Precision::Double => 2_f64.powi(100),
        Precision::Single => 2_f64.powi(40),
    };
    [2.0, 0.0, -large, 1.0 / large]
}

/// Magnitudes that no threshold and no limit of a rule is beyond, of which a rule that computes in single precision knows nothing.
pub(super) fn extremes(precision: Precision) -> [f64; 2] {
    let large = match precision {
        Precision::Double => 2_f64.powi(400),
        Precision::Single => 2_f64.powi(40),
    };
    [-large, 1.0 / large]
}

/// R1z with some cotangents zero, entry by entry, output by output, lane by lane; R3, for a zero leaves what was there; N1, for
/// the strong zero changes nothing.
fn silenced(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    seeded: &Seeds,
    zeroed: &Seeds,
) -> Result<(), Failure> {
    let before = bench.report.set_aside();
    let (names, lengths) = zeroed.extent(bench);
    let mut guilty = Vec::new();
    for silence in Silence::patterns(&lengths, bench.mix.width) {
        let seeds = zeroed.clone().silenced(&silence);
        bench.report.under(silence.to_string());
        let weak = both(call, config, &seeds, None)?;
        let wrong = bench.wrong();
        from_zero(bench, &seeds, &weak);
        if bench.wrong() > wrong {
            guilty.extend(silence.speaker(&lengths));
        }
        if bench.point.probes.is_none() && !seeded.accumulating(bench).is_empty() {
            let seeds = seeded.clone().silenced(&silence);
            let added = both(call, config, &seeds, None)?;
            accumulated(bench, Check::R3, &seeds, &added, &weak);
        }
        let strong = both(call, &config.with_strong_zero(true), &seeds, None)?;
        if weak.is_finite(bench) {
            agree(bench, Check::N1, &strong, &weak, |value| value);
        }
    }
    bench.report.under("");
    bench.report.and_what_is_sure(before);
    bench.suspects("cotangent", &names, &guilty);
    Ok(())
}

/// N1 where no partial is infinite: the strong zero changes nothing.
fn strong(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    seeds: &Seeds,
    expected: &Done,
) -> Result<(), Failure> {
    let half = first(call, &config.with_strong_zero(true), seeds)?;
    first_half(bench, &half, config.needs_primal());
    let done = half.second(None)?;
    primals_unchanged(bench, &done);
    if expected.is_finite(bench) {
        agree(bench, Check::N1, &done, expected, |value| value);
    }
    let memory = tape::memory(bench);
    let config = tape::declared(config, &memory).with_strong_zero(true);
    tape::poisoned(bench, call, &config, &memory, seeds, &done)
}

/// R1z: what an output that is overwritten unread held before, even no number, does not matter.
fn unread(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    seeds: &Seeds,
    expected: &Done,
) -> Result<(), Failure> {
    let half = first(call, config, &seeds.clone().unread(bench))?;
    bench.returned_primal(config.needs_primal(), half.augmented.primal.as_deref());
    bench.primals_after(&half.state);
    let done = half.second(None)?;
    agree(bench, Check::R1z, &done, expected, |value| value);
    Ok(())
}

/// P1, I1, P2, P3, R10, I2. Answers whether the second half can be run.
pub(super) fn first_half(bench: &mut Bench<'_>, half: &Half<'_>, needs_primal: bool) -> bool {
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
    let (map, plain) = (&map, |value| comparable(check, value));
    for (got, expected) in got
        .adjoints(bench)
        .into_iter()
        .zip(expected.adjoints(bench))
    {
        let expected = expected.floats.iter().map(|value| plain(map(*value)));
        if overflows(check, expected.clone()) {
            continue;
        }
        let floats = got.floats.iter().copied().map(plain);
        let lane = Some(got.lane);
        bench
            .report
            .compare_exact(check, &got.block, lane, floats, expected);
    }
}

/// B1, B2: each lane is what it would be alone.
fn lanes(
    bench: &mut Bench<'_>,
    check: Check,
    single: &Reverse<'_>,
    config: &ReverseConfig,
    seeds: &Seeds,
    wide: &Done,
    plain: fn(f64) -> f64,
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
    call: &Reverse<'_>,
    single: &Reverse<'_>,
    config: &ReverseConfig,
    zeroed: &Seeds,
) -> Result<(), Failure> {
    let total: usize = zeroed.extent(bench).1.iter().sum();
    if bench.mix.width == 1 || total == 0 || config.needs_primal() != call.needs_primal()[0] {
        return Ok(());
    }
    let width = bench.mix.width;
    let equal = vec![bench.seeds("equal lanes", 0, total); width];
    for (check, rows) in [
        (Check::B1, units::identity(total, width)),
        (Check::B2, equal),
    ] {
        let seeds = zeroed.clone().seeded(&rows);
        let wide = both(call, config, &seeds, None)?;
        // The sign of a zero may tell how many were added.
        lanes(bench, check, single, config, &seeds, &wide, |float| {
            float + 0.0
        })?;
    }
    Ok(())
}
