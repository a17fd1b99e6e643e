//! D4: the same memory with new contents is a new call.
//!
//! All other checks give each call memory of its own. A rule that keeps something under the address of an argument, or
//! recognizes a call by a part of it, is right there. What is expected is computed on a thread that has never called the rule,
//! so that nothing is remembered there.

use std::thread;

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::pass::{Done, Failure, both, first_in};
use super::push::{Run, agree as agree_forward, run, run_in, start};
use super::reverse::agree as agree_reverse;
use super::seeds::Seeds;
use crate::check::Check;
use crate::subject::{Forward, Reverse, State};

/// How far numbers are moved: so that nobody takes them for the same, and so little that somebody may.
const FAR: f64 = 1.0625;
const HARDLY: f64 = 1.0 + 1.0 / (1_u64 << 40) as f64;

/// The point with all numbers moved, far and hardly; with one argument alone moved; with one entry of each argument moved, those of
/// long arguments at the ends and in the middle; with the same numbers in another order, which have the same sum to the last bit
/// if only the first two change their places; and on the other side of zero.
fn moved(primals: &[Vec<f64>]) -> Vec<Vec<Vec<f64>>> {
    let moved = |which: &dyn Fn(usize, usize, usize) -> bool, by: f64| {
        let of = |(argument, floats): (usize, &Vec<f64>)| -> Vec<f64> {
            let rows = floats.iter().enumerate();
            let there = rows.map(|(entry, x)| match which(argument, entry, floats.len()) {
                true => x * by,
                false => *x,
            });
            there.collect()
        };
        primals.iter().enumerate().map(of).collect::<Vec<_>>()
    };
    let mut all = vec![moved(&|_, _, _| true, FAR), moved(&|_, _, _| true, HARDLY)];
    let several = (0..primals.len()).filter(|_| primals.len() > 1);
    all.extend(several.map(|alone| moved(&|argument, _, _| argument == alone, FAR)));
    let longest = primals.iter().map(Vec::len).max().unwrap_or(0);
    let which: [fn(usize, usize, usize) -> bool; 5] = [
        |_, entry, length| entry + 1 == length,
        |_, entry, _| entry == 0,
        |_, entry, length| entry == length / 2,
        |_, entry, _| entry == 1,
        |_, entry, length| entry + 2 == length,
    ];
    all.extend(
        which[..longest.min(5)]
            .iter()
            .map(|which| moved(which, FAR)),
    );
    let backwards = |floats: &Vec<f64>| floats.iter().rev().copied().collect();
    all.push(primals.iter().map(backwards).collect());
    let swapped = |floats: &Vec<f64>| {
        let mut swapped = floats.clone();
        if let [first, second, ..] = &mut swapped[..] {
            std::mem::swap(first, second);
        }
        swapped
    };
    all.push(primals.iter().map(swapped).collect());
    all.push(moved(&|_, _, _| true, -1.0));
    all
}

/// What `work` gives on a thread of its own.
fn afresh<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let ended = scope.spawn(work).join();
        ended.expect("a panic of the rule is caught on its thread")
    })
}

/// D4 of a forward rule at another size.
pub(crate) fn forward_again(bench: &mut Bench<'_>, call: &Forward<'_>, needs_primal: bool) {
    let (start, config) = (start(bench), ForwardConfig::new(needs_primal));
    // What fails is found by others.
    let _ = run(call, &config, &start)
        .and_then(|expected| forward(bench, call, &config, &start, &expected));
}

/// D4 of a reverse rule at another size.
pub(crate) fn reverse_again(bench: &mut Bench<'_>, call: &Reverse<'_>, needs_primal: bool) {
    let (seeds, config) = (Seeds::of(bench), ReverseConfig::new(needs_primal));
    let _ = both(call, &config, &seeds, None)
        .and_then(|expected| reverse(bench, call, &config, &seeds, &expected));
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
        let Ok(expected_other) = afresh(|| run(call, config, &other)) else {
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
        let Ok(expected_other) = afresh(|| both(call, config, &other, None)) else {
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
