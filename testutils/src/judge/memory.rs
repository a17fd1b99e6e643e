//! D4: the same memory with new contents is a new call.
//!
//! All other checks give each call memory of its own. A rule that keeps something under the address of an argument, or
//! recognizes a call by a part of it, is right there.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::pass::{Done, Failure, both, first_in};
use super::push::{Run, agree as agree_forward, run, run_in};
use super::reverse::agree as agree_reverse;
use super::seeds::Seeds;
use crate::check::Check;
use crate::subject::{Forward, Reverse, State};

/// The point with all numbers moved, with only the last, the first or the middle one of each argument moved, and with the same
/// numbers in another order.
fn moved(primals: &[Vec<f64>]) -> Vec<Vec<Vec<f64>>> {
    let which: [fn(usize, usize) -> bool; 4] = [
        |_, _| true,
        |entry, length| entry + 1 == length,
        |entry, _| entry == 0,
        |entry, length| entry == length / 2,
    ];
    let moved = which.map(|which| {
        let of = |floats: &Vec<f64>| -> Vec<f64> {
            let rows = floats.iter().enumerate();
            let there = rows.map(|(entry, x)| match which(entry, floats.len()) {
                true => x * 1.0625,
                false => *x,
            });
            there.collect()
        };
        primals.iter().map(of).collect()
    });
    let backwards = primals
        .iter()
        .map(|floats| floats.iter().rev().copied().collect());
    moved.into_iter().chain([backwards.collect()]).collect()
}

pub(super) fn forward(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
    expected: &Run,
) -> Result<(), Failure> {
    if bench.mix.width > 1 {
        return Ok(());
    }
    for primals in moved(&start.primals) {
        let other = State {
            primals,
            ..start.clone()
        };
        // The primal may refuse to be called nearby.
        let Ok(expected_other) = run(call, config, &other) else {
            continue;
        };
        let mut memory = None;
        for (start, expected) in [
            (start, expected),
            (&other, &expected_other),
            (start, expected),
        ] {
            let run = run_in(&mut memory, call, config, start)?;
            agree_forward(bench, Check::D4, &run, expected, |value| value);
            bench.same_primals(Check::D4, &run.after, &expected.after);
        }
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
    if bench.mix.width > 1 {
        return Ok(());
    }
    for primals in moved(&seeds.primals) {
        let other = seeds.clone().at(primals);
        // The primal may refuse to be called nearby.
        let Ok(expected_other) = both(call, config, &other, None) else {
            continue;
        };
        let mut memory = None;
        for (seeds, expected) in [
            (seeds, expected),
            (&other, &expected_other),
            (seeds, expected),
        ] {
            let half = first_in(memory.take(), call, config, seeds)?;
            let (done, left) = half.second_and_memory(None);
            let done = done?;
            memory = Some(left);
            agree_reverse(bench, Check::D4, &done, expected, |value| value);
            bench.same_primals(Check::D4, &done.halfway, &expected.halfway);
        }
    }
    Ok(())
}
