//! E1 where the primal returns `Err` or `None`: the rule does too, and leaves as it was what the primal leaves as it was.
//!
//! A solver that gives up after some iterations leaves its last iterate. What a function has changed before it fails is its own
//! affair: such an argument, and its shadow, may hold anything.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::point::Parameter;
use super::push;
use super::seeds::Seeds;
use crate::check::Check;
use crate::subject::{Fault, Forward, Reverse, State};
use crate::verdict::Verdict;

/// Whether the primal refuses the point. Then the differences have nothing to say.
pub(super) fn applies(bench: &Bench<'_>) -> bool {
    bench.point.primal == Err(Fault::Refused)
}

pub(super) fn forward(bench: &mut Bench<'_>, call: &dyn Forward, needs_primal: bool) {
    let start = push::start(bench);
    let mut after = start.clone();
    let fault = call
        .run(&ForwardConfig::new(needs_primal), &mut after)
        .err();
    refused(bench, Check::E1, "forward", fault, &start, &after);
}

pub(super) fn reverse(bench: &mut Bench<'_>, call: &dyn Reverse, needs_primal: bool) {
    let start = Seeds::of(bench).start();
    let mut after = start.clone();
    let fault = call
        .augmented(None, &ReverseConfig::new(needs_primal), &mut after)
        .err();
    refused(bench, Check::E1, "augmented_primal", fault, &start, &after);
}

pub(super) fn refused(
    bench: &mut Bench<'_>,
    check: Check,
    half: &'static str,
    fault: Option<Fault>,
    start: &State,
    after: &State,
) {
    match fault {
        Some(Fault::Refused) => {}
        Some(fault) => return bench.fault(half, &fault),
        None => {
            bench.report.pronounce(Verdict::Fail(check));
            let what = format!("the primal returns an error here, but `{half}` does not");
            return bench.report.note("what", what);
        }
    }
    let left = (bench.left)(&start.primals);
    // That an infinity is still one does not tell that nothing was done to it.
    let untouched = |index: usize| {
        let before = &start.primals[index];
        is_same(&left[index], before) && before.iter().all(|x| x.is_finite())
    };
    let read_only: Vec<bool> = bench
        .signature
        .arguments
        .iter()
        .map(Parameter::is_read_only)
        .collect();
    let kept = |index: usize| read_only[index] || untouched(index);
    for (index, parameter) in bench.signature.arguments.iter().enumerate() {
        if !kept(index) {
            continue;
        }
        let (got, expected) = (&after.primals[index], &start.primals[index]);
        bench.same(check, &parameter.block(""), None, got, expected);
        bench.same_shadow(check, index, after, start);
    }
}

/// Whether two arrays agree bit by bit.
fn is_same(one: &[f64], other: &[f64]) -> bool {
    let bits = |floats: &[f64]| -> Vec<u64> { floats.iter().map(|x| x.to_bits()).collect() };
    bits(one) == bits(other)
}
