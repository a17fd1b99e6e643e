//! A second look, at another point, where numbers use the whole mantissa, or where two arguments are equal.
//!
//! The first point is made of short mantissas and lies near one: there a rule that keeps its numbers in single precision, or
//! is wrong far out, is right by accident.
//! Here it is judged by one direction for each argument, and only by what does not depend on the order of a sum.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::pass::{Done, Failure, both, first};
use super::push::{run, start};
use super::reverse::{first_half, primals_unchanged};
use super::seeds::Seeds;
use super::{axes, domain, long, refusal, rows, tape};
use crate::check::Check;
use crate::subject::{Forward, Reverse};

/// F1, F2.
pub(crate) fn forward_beside(bench: &mut Bench<'_>, call: &Forward<'_>, needs_primal: bool) {
    let start = start(bench);
    let config = ForwardConfig::new(needs_primal);
    if let Err(failure) = long::forward(bench, call, &config, &start) {
        bench.failed_alone(&start.primals, failure);
    }
}

/// R1z, and R6 where everything is overwritten.
pub(crate) fn reverse_beside(bench: &mut Bench<'_>, call: &Reverse<'_>, needs_primal: bool) {
    let config = ReverseConfig::new(needs_primal);
    let seeds = Seeds::of(bench).unaccumulated().scaled(bench.loudness());
    if let Err(failure) = back(bench, call, &config, &seeds) {
        bench.failed_alone(&seeds.primals, failure);
    }
}

/// P1, P2, P3, F1, F2 at another size.
pub(crate) fn forward_sized(bench: &mut Bench<'_>, call: &Forward<'_>, needs_primal: bool) {
    if bench.point.primal.is_err() {
        refusal::forward(bench, Check::E2, call, needs_primal);
        // A length that is refused may not be the only reason; where the primal panics half way, memory may hold anything.
        if refusal::applies(bench) {
            domain::forward(bench, call, needs_primal);
        }
        return;
    }
    let start = start(bench);
    let config = ForwardConfig::new(needs_primal);
    match run(call, &config, &start) {
        Ok(run) => {
            bench.returned_primal(needs_primal, run.returned.primal.as_deref());
            bench.primals_after(&run.after);
            forward_beside(bench, call, needs_primal);
            let fine = bench.wrong() == 0 && bench.mix.width == 1;
            let axes = fine.then(|| -> Result<(), Failure> {
                axes::forward(bench, call, &config, &start)?;
                rows::forward(bench, call, &config, &start)
            });
            if let Some(Err(failure)) = axes {
                bench.failed_alone(&start.primals, failure);
            }
        }
        Err(failure) => bench.failed_alone(&start.primals, failure),
    }
}

/// P1, P2, P3, R10, R9, R1z, R1, R4 and R6 at another size.
pub(crate) fn reverse_sized(bench: &mut Bench<'_>, call: &Reverse<'_>, needs_primal: bool) {
    if bench.point.primal.is_err() {
        refusal::reverse(bench, Check::E2, call, needs_primal);
        // A length that is refused may not be the only reason; where the primal panics half way, memory may hold anything.
        if refusal::applies(bench) {
            domain::reverse(bench, call, needs_primal);
        }
        return;
    }
    let config = ReverseConfig::new(needs_primal);
    let seeds = Seeds::of(bench);
    let done = first(call, &config, &seeds).and_then(|half| {
        let goes_on = first_half(bench, &half, needs_primal);
        goes_on.then(|| half.second(None)).transpose()
    });
    match done {
        Ok(Some(done)) => {
            primals_unchanged(bench, &done);
            long::reverse(bench, Check::R1, &seeds, &done);
            consumed(bench, &done);
            reverse_beside(bench, call, needs_primal);
            let fine = bench.wrong() == 0 && bench.mix.width == 1;
            let axes = fine.then(|| -> Result<(), Failure> {
                axes::reverse(bench, call, &config, &seeds)?;
                rows::reverse(bench, call, &config, &seeds.clone().unaccumulated())
            });
            if let Some(Err(failure)) = axes {
                bench.failed_alone(&seeds.primals, failure);
            }
        }
        Ok(None) => {}
        Err(failure) => bench.failed_alone(&seeds.primals, failure),
    }
}

/// R4 for what is overwritten unread.
fn consumed(bench: &mut Bench<'_>, done: &Done) {
    for adjoint in done.adjoints(bench) {
        if bench.signature.arguments[adjoint.argument].write_only {
            let zeros = vec![0.0; adjoint.floats.len()];
            let lane = Some(adjoint.lane);
            bench.same(Check::R4, &adjoint.block, lane, adjoint.floats, &zeros);
        }
    }
}

fn back(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    seeds: &Seeds,
) -> Result<(), Failure> {
    let done = both(call, config, seeds, None)?;
    if let Some(check) = bench.near {
        long::reverse(bench, check, seeds, &done);
        return match is_level(bench) {
            true => level(bench, call, config, check, seeds),
            false => Ok(()),
        };
    }
    long::reverse(bench, Check::R1z, seeds, &done);
    let memory = tape::memory(bench);
    let config = tape::declared(config, &memory);
    tape::poisoned(bench, call, &config, &memory, seeds, &done)
}

/// Whether all numbers of some argument are equal. Not zeros: of an iteration that ends there nothing is left but what it stopped at.
fn is_level(bench: &Bench<'_>) -> bool {
    let equal = |floats: &Vec<f64>| floats[0] != 0.0 && floats.iter().all(|x| *x == floats[0]);
    let mut primals = bench.point.primals.iter();
    primals.any(|floats| floats.len() > 1 && equal(floats))
}

/// With seeds that are equal too, so that no two entries differ in anything but their place.
fn level(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    check: Check,
    seeds: &Seeds,
) -> Result<(), Failure> {
    let length = seeds.extent(bench).1.iter().sum();
    let row = vec![bench.loudness(); length];
    let seeds = seeds.clone().seeded(&[row]);
    let done = both(call, config, &seeds, None)?;
    long::reverse(bench, check, &seeds, &done);
    Ok(())
}
