//! S1, S2, P4: in memory laid out otherwise the rule does the same, and writes nothing beside it.
//!
//! The expected numbers are those of the rule itself in contiguous memory, which the differences have judged. They may
//! differ by a few roundings of their terms, for another layout may be summed in another order.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::pairing::direction;
use super::pass::{Done, Failure, both, first};
use super::push::{Run, run};
use super::reverse::primals_unchanged;
use super::seeds::Seeds;
use super::signature::Parameter;
use super::tape;
use crate::argument::Access;
use crate::check::Check;
use crate::estimate::Estimate;
use crate::layout::Block;
use crate::subject::{Forward, Reverse, State};

/// What is tried of how memory may be laid out.
struct Tried {
    /// The check by which it is judged.
    check: Check,
    layouts: Vec<usize>,
    /// In which ways a view is one row repeated.
    broadcasts: Vec<usize>,
}

/// What is tried of how memory may be laid out: all once, where all that has a derivative is active. Elsewhere, where
/// there are views, those with gaps and two others, which are others in every mix; where there are none, that which is not aligned.
fn tried(bench: &Bench<'_>, once: bool) -> Tried {
    let check = if bench.views { Check::S1 } else { Check::S2 };
    let all = 1..bench.layouts;
    if (bench.whole || bench.thorough) && once {
        return Tried {
            check,
            layouts: all.collect(),
            broadcasts: (0..bench.broadcasts).collect(),
        };
    }
    let turn = bench.mix.number() + usize::from(once);
    let others = all.clone().skip(1).cycle().skip(2 * turn);
    let others = others.take(if bench.views { 2 } else { 0 });
    Tried {
        check,
        layouts: all.take(1).chain(others).collect(),
        broadcasts: (0..bench.broadcasts).cycle().skip(turn).take(1).collect(),
    }
}

pub(super) fn forward(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
    contiguous: &Run,
) -> Result<(), Failure> {
    let Tried {
        check,
        layouts,
        broadcasts,
    } = tried(bench, config.needs_primal() == call.needs_primal()[0]);
    for layout in layouts {
        let start = State {
            layout,
            ..start.clone()
        };
        agree_forward(
            bench,
            check,
            &start,
            &run(call, config, &start)?,
            contiguous,
        );
    }
    let tangents = broadcasts.clone();
    for way in broadcasts {
        let start = State {
            primals: repeated(bench, &start.primals, way),
            ..start.clone()
        };
        let Ok(contiguous) = run(call, config, &start) else {
            continue;
        };
        let start = State {
            layout: bench.layouts + way,
            ..start
        };
        agree_forward(
            bench,
            check,
            &start,
            &run(call, config, &start)?,
            &contiguous,
        );
    }
    for way in tangents {
        let start = State {
            shadows: repeated_tangents(bench, &start.shadows, way),
            ..start.clone()
        };
        let contiguous = run(call, config, &start)?;
        let start = State {
            layout: bench.layouts + bench.broadcasts + way,
            ..start
        };
        let run = run(call, config, &start)?;
        agree_forward(bench, check, &start, &run, &contiguous);
    }
    Ok(())
}

fn agree_forward(bench: &mut Bench<'_>, check: Check, start: &State, got: &Run, expected: &Run) {
    bench.gaps(&got.after);
    primals(bench, check, &got.after, &expected.after);
    returned(
        bench,
        check,
        got.returned.primal.as_deref(),
        expected.returned.primal.as_deref(),
    );
    for (got, expected) in got.tangents(bench).iter().zip(expected.tangents(bench)) {
        let terms = bench.point.jacobian.as_ref().map(|jacobian| {
            let dx = direction(bench, start, got.lane);
            let tangents = bench.projections.pushed(jacobian, dx);
            tangents[got.rows.clone()].to_vec()
        });
        let expected = near(expected.floats, terms.as_deref());
        bench
            .report
            .compare_block(check, &got.block, Some(got.lane), got.floats, &expected);
    }
}

pub(super) fn reverse(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    seeds: &Seeds,
    contiguous: &Done,
) -> Result<(), Failure> {
    let Tried {
        check,
        layouts,
        broadcasts,
    } = tried(bench, config.needs_primal() == call.needs_primal()[0]);
    for layout in layouts {
        let seeds = seeds.clone().in_layout(layout);
        laid_out(bench, check, call, config, &seeds, contiguous)?;
    }
    for way in broadcasts {
        let seeds = seeds.clone().at(repeated(bench, &seeds.primals, way));
        let Ok(contiguous) = both(call, config, &seeds, None) else {
            continue;
        };
        let seeds = seeds.in_layout(bench.layouts + way);
        laid_out(bench, check, call, config, &seeds, &contiguous)?;
    }
    Ok(())
}

/// One layout, left alone and, where there are views, overwritten between the halves: what was not saved of memory that is not
/// aligned was not saved of memory that is (R6).
fn laid_out(
    bench: &mut Bench<'_>,
    check: Check,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    seeds: &Seeds,
    contiguous: &Done,
) -> Result<(), Failure> {
    let memory = tape::memory(bench);
    let overwritten = tape::declared(config, &memory);
    let poison = tape::Overwrite::with_poison(&memory, bench.precision);
    let poisoned = (check == Check::S1).then_some((&overwritten, Some(poison)));
    for (config, overwrite) in [(config, None)].into_iter().chain(poisoned) {
        let half = first(call, config, seeds)?;
        bench.same_shadows(Check::R10, &half.state, &half.start, |_| true);
        returned(
            bench,
            check,
            half.augmented.primal.as_deref(),
            contiguous.returned.as_deref(),
        );
        let done = half.second(overwrite)?;
        bench.gaps(&done.after);
        primals(bench, check, &done.halfway, &contiguous.halfway);
        primals_unchanged(bench, &done);
        for (got, expected) in done.adjoints(bench).iter().zip(contiguous.adjoints(bench)) {
            let terms = bench.point.jacobian.as_ref().map(|jacobian| {
                let dy = seeds.total(bench, got.lane);
                let adjoints = bench.projections.pulled(jacobian, dy);
                adjoints[bench.point.input(got.argument)].to_vec()
            });
            let mut expected = near(expected.floats, terms.as_deref());
            if bench.signature.arguments[got.argument].access == Access::Shared
                && let Some(before) = seeds.before(got.argument, got.lane)
            {
                let added = expected.iter_mut().zip(before);
                added.for_each(|(entry, before)| entry.terms += before.abs());
            }
            bench
                .report
                .compare_block(check, &got.block, Some(got.lane), got.floats, &expected);
        }
    }
    Ok(())
}

/// The primal that a call returned.
fn returned(bench: &mut Bench<'_>, check: Check, got: Option<&[f64]>, expected: Option<&[f64]>) {
    if let (Some(got), Some(expected)) = (got, expected) {
        let block = bench.block_of_return("");
        let x = bench.point.primals.concat();
        let jacobian = bench.point.jacobian.as_ref();
        let values = jacobian.map(|jacobian| bench.projections.pushed(jacobian, x));
        let terms = values.map(|values| values[bench.point.returned()].to_vec());
        let expected = near(expected, terms.as_deref());
        bench
            .report
            .compare_block(check, &block, None, got, &expected);
    }
}

/// The primals after a call.
fn primals(bench: &mut Bench<'_>, check: Check, got: &State, expected: &State) {
    let x: Vec<f64> = bench.point.primals.iter().flatten().copied().collect();
    let values = bench
        .point
        .jacobian
        .as_ref()
        .map(|jacobian| bench.projections.pushed(jacobian, x));
    for (index, parameter) in bench.signature.arguments.iter().enumerate() {
        let needed = bench.mix.arguments[index].needs_primal();
        if !needed || parameter.access == Access::Value {
            continue;
        }
        let terms = match (bench.point.output(index), &values) {
            (Some(rows), Some(values)) => Some(&values[rows]),
            _ => None,
        };
        let expected = near(&expected.primals[index], terms);
        let block: Block = parameter.block("");
        let got = &got.primals[index];
        bench
            .report
            .compare_block(check, &block, None, got, &expected);
    }
}

/// Numbers that may be off by a few roundings of the terms of `like`, or of the largest of them if it is not known.
fn near(floats: &[f64], like: Option<&[Estimate]>) -> Vec<Estimate> {
    let largest = floats.iter().map(|float| float.abs()).fold(0.0, f64::max);
    let known = |entry: usize| like.and_then(|like| like.get(entry));
    let terms = |entry: usize| known(entry).map_or(largest, |like| like.terms);
    let near = |(entry, value): (usize, &f64)| Estimate {
        terms: value.abs() + terms(entry),
        ..Estimate::exact(*value)
    };
    floats.iter().enumerate().map(near).collect()
}

/// The same with the first row of every read-only argument in place of the others, or with the first column.
fn repeated(bench: &Bench<'_>, primals: &[Vec<f64>], way: usize) -> Vec<Vec<f64>> {
    let mut primals = primals.to_vec();
    for (parameter, floats) in bench.signature.arguments.iter().zip(&mut primals) {
        repeat(parameter, floats, way);
    }
    primals
}

/// The same of the tangents in each lane.
fn repeated_tangents(
    bench: &Bench<'_>,
    shadows: &[Vec<Vec<f64>>],
    way: usize,
) -> Vec<Vec<Vec<f64>>> {
    let mut shadows = shadows.to_vec();
    for (parameter, lanes) in bench.signature.arguments.iter().zip(&mut shadows) {
        lanes
            .iter_mut()
            .for_each(|floats| repeat(parameter, floats, way));
    }
    shadows
}

/// The first row in place of the others, or the first column, if the argument is only read.
fn repeat(parameter: &Parameter, floats: &mut [f64], way: usize) {
    if parameter.access != Access::Shared || floats.is_empty() {
        return;
    }
    if let (1, [_, .., columns]) = (way, &parameter.shape[..]) {
        for entry in 0..floats.len() {
            floats[entry] = floats[entry - entry % columns];
        }
    } else if parameter.shape.first().is_some_and(|rows| *rows > 0) {
        let row = floats.len() / parameter.shape[0];
        for entry in row..floats.len() {
            floats[entry] = floats[entry - row];
        }
    }
}
