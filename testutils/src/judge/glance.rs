//! Z4: a glance at a rule at another size. One run of each half, one direction for each argument, and two steps of differences: what
//! it finds is a suspicion, to be judged like any other size.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::pass::{Done, Failure, first};
use super::push::{run, start};
use super::reverse::first_half;
use super::seeds::Seeds;
use super::signature::Parameter;
use super::{axes, long};
use crate::check::Check;
use crate::subject::{Forward, Reverse};

/// Of longer arguments no seed is looked at alone: where a rule takes the square of a length in time, each run counts.
const SEEDS_UP_TO: usize = 3000;

fn is_looked_at_by_axes(bench: &Bench<'_>) -> bool {
    let mut lengths = bench.signature.arguments.iter().map(Parameter::length);
    bench.mix.width == 1 && lengths.all(|length| length <= SEEDS_UP_TO)
}

/// P1, P2, F1 and F2, where the function does not fail.
pub(crate) fn forward_glanced(bench: &mut Bench<'_>, call: &Forward<'_>, needs_primal: bool) {
    if bench.point.primal.is_err() {
        return;
    }
    let (start, config) = (start(bench), ForwardConfig::new(needs_primal));
    let glanced = run(call, &config, &start).and_then(|run| {
        bench.returned_primal(needs_primal, run.returned.primal.as_deref());
        bench.primals_after(&run.after);
        long::forward(bench, call, &config, &start)?;
        match is_looked_at_by_axes(bench) {
            true => axes::forward_glance(bench, call, &config, &start),
            false => Ok(()),
        }
    });
    if let Err(failure) = glanced {
        bench.failed_alone(&start.primals, failure);
    }
}

/// P1, P2 and R1, where the function does not fail.
pub(crate) fn reverse_glanced(bench: &mut Bench<'_>, call: &Reverse<'_>, needs_primal: bool) {
    if bench.point.primal.is_err() {
        return;
    }
    let seeds = Seeds::of(bench);
    let glanced = both(bench, call, needs_primal, &seeds).and_then(|done| {
        let Some(done) = done else { return Ok(()) };
        long::reverse(bench, Check::Z4, &seeds, &done);
        match is_looked_at_by_axes(bench) {
            true => axes::reverse_glance(bench, call, &ReverseConfig::new(needs_primal), &seeds),
            false => Ok(()),
        }
    });
    if let Err(failure) = glanced {
        bench.failed_alone(&seeds.primals, failure);
    }
}

/// Both halves, unless the first is wrong.
fn both(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    needs_primal: bool,
    seeds: &Seeds,
) -> Result<Option<Done>, Failure> {
    let half = first(call, &ReverseConfig::new(needs_primal), seeds)?;
    let goes_on = first_half(bench, &half, needs_primal);
    goes_on.then(|| half.second(None)).transpose()
}
