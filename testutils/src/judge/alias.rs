//! A1: two read-only arguments that are one memory give what two memories with the same numbers give.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::pass::{Failure, both};
use super::push::{agree as agree_forward, run};
use super::reverse::agree as agree_reverse;
use super::seeds::Seeds;
use crate::check::Check;
use crate::subject::{Forward, Reverse, State};

pub(super) fn forward(
    bench: &mut Bench<'_>,
    call: &dyn Forward,
    config: &ForwardConfig,
    start: &State,
) -> Result<(), Failure> {
    for (one, other) in bench.aliases.clone() {
        let mut apart = start.clone();
        apart.primals[other] = apart.primals[one].clone();
        // The primal may refuse equal arguments.
        if let Ok(expected) = run(call, config, &apart) {
            let alias = Some((one, other));
            let together = run(call, config, &State { alias, ..apart })?;
            agree_forward(bench, Check::A1, &together, &expected, |value| value);
        }
    }
    Ok(())
}

pub(super) fn reverse(
    bench: &mut Bench<'_>,
    call: &dyn Reverse,
    config: &ReverseConfig,
    seeds: &Seeds,
) -> Result<(), Failure> {
    for (one, other) in bench.aliases.clone() {
        let mut primals = seeds.primals.clone();
        primals[other] = primals[one].clone();
        let apart = seeds.clone().at(primals);
        // The primal may refuse equal arguments.
        if let Ok(expected) = both(call, config, &apart, None) {
            let together = both(call, config, &apart.aliased((one, other)), None)?;
            agree_reverse(bench, Check::A1, &together, &expected, |value| value);
        }
    }
    Ok(())
}
