//! E1 where the primal returns `Err` or `None`: the rule does too, and leaves as it was what the primal leaves as it was.
//!
//! A solver that gives up after some iterations leaves its last iterate. What a function has changed before it fails is its own
//! affair: such an argument, and its shadow, may hold anything.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::push;
use super::seeds::Seeds;
use crate::check::Check;
use crate::subject::{Fault, Forward, Reverse, State};

/// Whether the primal refuses the point. Then the differences have nothing to say.
pub(super) fn applies(bench: &Bench<'_>) -> bool {
    matches!(bench.point.primal, Err(Fault::Refused(_)))
}

pub(super) fn forward(bench: &mut Bench<'_>, check: Check, call: &Forward<'_>, needs_primal: bool) {
    let start = push::start(bench);
    let mut after = start.clone();
    let fault = call
        .run(&ForwardConfig::new(needs_primal), &mut after)
        .err();
    refused(bench, check, "forward", fault, &start, &after, needs_primal);
}

pub(super) fn reverse(bench: &mut Bench<'_>, check: Check, call: &Reverse<'_>, needs_primal: bool) {
    let start = Seeds::of(bench).start();
    let mut after = start.clone();
    let fault = call
        .augmented(None, &ReverseConfig::new(needs_primal), &mut after)
        .err();
    refused(
        bench,
        check,
        "augmented_primal",
        fault,
        &start,
        &after,
        needs_primal,
    );
}

/// What a call left behind at a point where the primal fails. A call that needs no primal need not run into its panic.
pub(super) fn refused(
    bench: &mut Bench<'_>,
    check: Check,
    half: &'static str,
    fault: Option<Fault>,
    start: &State,
    after: &State,
    needs_primal: bool,
) {
    // What is not needed holds nothing that may be read: the primal finds there what it is given elsewhere.
    let mut before = start.primals.clone();
    for (index, _, activity) in bench.arguments() {
        if !activity.needs_primal() {
            before[index].clone_from(&bench.point.primals[index]);
        }
    }
    let primal = (bench.primal)(&before).err();
    match (primal, fault) {
        (Some(Fault::Panicked(message)), None) if !needs_primal || is_incidental(&message) => {
            return;
        }
        (Some(Fault::Panicked(message)), None) => {
            let what = format!("the primal panics here, but `{half}` does not: {message}");
            return bench.refuse(check, what);
        }
        (_, None) => {
            let what = format!("the primal returns an error here, but `{half}` does not");
            return bench.refuse(check, what);
        }
        (Some(Fault::Refused(_)), Some(fault @ Fault::Panicked(_))) => {
            return bench.fault(half, &fault);
        }
        (Some(Fault::Refused(mine)), Some(Fault::Refused(other)))
            if words(&mine) != words(&other) =>
        {
            let what = format!("the primal returns the error {mine}, but `{half}` {other}");
            return bench.refuse(check, what);
        }
        _ => {}
    }
    let left = (bench.left)(&before);
    // That an infinity is still one does not tell that nothing was done to it.
    let untouched = |index: usize| {
        let before = &before[index];
        is_same(&left[index], before) && before.iter().all(|x| x.is_finite())
    };
    let needed = bench.mix.arguments;
    for (index, parameter) in bench.signature.arguments.iter().enumerate() {
        if !parameter.is_read_only() && !untouched(index) {
            continue;
        }
        if needed[index].needs_primal() {
            let (got, expected) = (&after.primals[index], &start.primals[index]);
            bench.same(check, &parameter.block(""), None, got, expected);
        }
        bench.same_shadow(check, index, after, start);
    }
}

/// Whether a panic is none that somebody wrote: an index, or arithmetic. A rule need not run into it.
fn is_incidental(message: &str) -> bool {
    let incidental = [
        "index out of bounds",
        "range ",
        "attempt to ",
        "slice index",
    ];
    incidental.iter().any(|start| message.starts_with(start))
}

/// An error without its floats, which a rule may compute in another order. Integers are places and counts, which are the same.
pub(super) fn words(error: &str) -> Vec<&str> {
    let word = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '+' | '-');
    let words = error.split(|c| !word(c));
    let stays = |word: &&str| word.parse::<f64>().is_err() || word.parse::<i64>().is_ok();
    words.filter(stays).collect()
}

/// Whether two arrays agree bit by bit.
fn is_same(one: &[f64], other: &[f64]) -> bool {
    let bits = |floats: &[f64]| -> Vec<u64> { floats.iter().map(|x| x.to_bits()).collect() };
    bits(one) == bits(other)
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn errors_are_compared_without_their_numbers() {
        assert_eq!(
            words("NotConverged { left: 1e-7 }"),
            words("NotConverged { left: 2.5 }")
        );
        assert_ne!(words("Negative(3)"), words("TooLarge(3)"));
        assert_ne!(words("Negative(3)"), words("Negative(0)"));
    }
}
