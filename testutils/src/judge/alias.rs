//! A1: two things that are only read and are one memory give what two memories with the same numbers give: two arguments, a tangent and its
//! primal, the tangents of two arguments, and of several lanes. A2: so do two slices of which one ends where the other begins.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::pass::{Done, Failure, Overwrite, both};
use super::push::{Run, agree as agree_forward, run};
use super::reverse::agree as agree_reverse;
use super::seeds::Seeds;
use super::tape::{declared, memory};
use crate::argument::Access;
use crate::check::Check;
use crate::subject::{Adjacent, Alias, Forward, Reverse, State};

pub(super) fn forward(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
    expected: &Run,
) -> Result<(), Failure> {
    side_by_side(bench, call, config, start, expected)?;
    for (one, other) in bench.aliases.clone() {
        let mut apart = start.clone();
        apart.primals[other] = apart.primals[one].clone();
        together(bench, call, config, apart, Alias::Primals(one, other))?;
        let [Some(tangent), Some(_)] = [one, other].map(|index| start.shadows[index].first())
        else {
            continue;
        };
        let mut apart = start.clone();
        apart.shadows[other][0].clone_from(tangent);
        together(bench, call, config, apart, Alias::Tangents(one, other))?;
    }
    // In reverse mode a shadow is written, and nobody else's memory.
    let read = |access: Access| access == Access::Shared;
    for index in 0..start.shadows.len() {
        let lanes = start.shadows[index].len();
        if lanes == 0 || !read(bench.signature.arguments[index].access) {
            continue;
        }
        let mut apart = start.clone();
        apart.shadows[index][0] = apart.primals[index].clone();
        together(bench, call, config, apart, Alias::Tangent(index))?;
        if lanes > 1 {
            let mut apart = start.clone();
            apart.shadows[index] = vec![apart.shadows[index][0].clone(); lanes];
            together(bench, call, config, apart, Alias::Lanes(index))?;
        }
    }
    Ok(())
}

/// A2: the same numbers, of two arguments that are only read, or of their tangents.
fn side_by_side(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
    expected: &Run,
) -> Result<(), Failure> {
    for (one, other) in bench.adjacent.clone() {
        let shadowed = [one, other].iter().all(|of| !start.shadows[*of].is_empty());
        let tangents = shadowed.then_some(Adjacent::Tangents(one, other));
        for adjacent in [Some(Adjacent::Primals(one, other)), tangents]
            .into_iter()
            .flatten()
        {
            let state = State {
                adjacent: Some(adjacent),
                ..start.clone()
            };
            let run = run(call, config, &state)?;
            agree_forward(bench, Check::A2, &run, expected, |value| value);
            bench.same_primals(Check::A2, &run.after, &expected.after);
        }
    }
    Ok(())
}

/// A1 for two things that hold the same numbers in `apart`.
fn together(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    config: &ForwardConfig,
    apart: State,
    alias: Alias,
) -> Result<(), Failure> {
    match run(call, config, &apart) {
        Ok(expected) => {
            let alias = Some(alias);
            let together = run(call, config, &State { alias, ..apart })?;
            agree_forward(bench, Check::A1, &together, &expected, |value| value);
            bench.same_primals(Check::A1, &together.after, &expected.after);
        }
        // The primal may refuse equal arguments.
        Err(failure) => bench.failed_alone(&apart.primals, failure),
    }
    Ok(())
}

pub(super) fn reverse(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    seeds: &Seeds,
    expected: &Done,
) -> Result<(), Failure> {
    for pair in bench.adjacent.clone() {
        let done = both(call, config, &seeds.clone().adjoining(pair), None)?;
        agree_reverse(bench, Check::A2, &done, expected, |value| value);
        bench.same_primals(Check::A2, &done.halfway, &expected.halfway);
    }
    for (one, other) in bench.aliases.clone() {
        let mut primals = seeds.primals.clone();
        primals[other] = primals[one].clone();
        let apart = seeds.clone().at(primals);
        let expected = match both(call, config, &apart, None) {
            Ok(expected) => expected,
            // The primal may refuse equal arguments.
            Err(failure) => {
                bench.failed_alone(&apart.primals, failure);
                continue;
            }
        };
        let apart = apart.aliased((one, other));
        let together = both(call, config, &apart, None)?;
        agree_reverse(bench, Check::A1, &together, &expected, |value| value);
        bench.same_primals(Check::A1, &together.halfway, &expected.halfway);
        let memory = memory(bench);
        let poison = Overwrite::with_poison(&memory, bench.precision);
        let together = both(call, &declared(config, &memory), &apart, Some(poison))?;
        agree_reverse(bench, Check::A1, &together, &expected, |value| value);
    }
    Ok(())
}
