//! A second look, at another point, where numbers use the whole mantissa, or where two arguments are equal.
//!
//! The first point is made of short mantissas and lies near one: there a rule that keeps its numbers in single precision, or
//! is wrong far out, is right by accident.
//! Here it is judged by one direction for each argument, and only by what does not depend on the order of a sum.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::pass::{Failure, both};
use super::push::start;
use super::seeds::Seeds;
use super::{long, tape};
use crate::check::Check;
use crate::subject::{Forward, Reverse};

/// F1, F2.
pub(crate) fn forward_beside(bench: &mut Bench<'_>, call: &dyn Forward, needs_primal: bool) {
    let start = start(bench);
    let config = ForwardConfig::new(needs_primal);
    if let Err(failure) = long::forward(bench, call, &config, &start) {
        bench.failed_alone(&start.primals, failure);
    }
}

/// R1z, and R6 where everything is overwritten.
pub(crate) fn reverse_beside(bench: &mut Bench<'_>, call: &dyn Reverse, needs_primal: bool) {
    let config = ReverseConfig::new(needs_primal);
    let seeds = Seeds::of(bench).unaccumulated();
    if let Err(failure) = back(bench, call, &config, &seeds) {
        bench.failed_alone(&seeds.primals, failure);
    }
}

fn back(
    bench: &mut Bench<'_>,
    call: &dyn Reverse,
    config: &ReverseConfig,
    seeds: &Seeds,
) -> Result<(), Failure> {
    let done = both(call, config, seeds, None)?;
    long::reverse(bench, Check::R1z, seeds, &done);
    let memory = tape::memory(bench);
    let config = tape::declared(config, &memory);
    tape::poisoned(bench, call, &config, &memory, seeds, &done)
}
