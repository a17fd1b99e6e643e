//! A1: two read-only arguments that are one memory give what two memories with the same numbers give.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::pass::{Failure, Overwrite, both};
use super::push::{agree as agree_forward, run};
use super::reverse::agree as agree_reverse;
use super::seeds::Seeds;
use super::tape::{declared, memory};
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
        match run(call, config, &apart) {
            Ok(expected) => {
                let alias = Some((one, other));
                let together = run(call, config, &State { alias, ..apart })?;
                agree_forward(bench, Check::A1, &together, &expected, |value| value);
                bench.same_primals(Check::A1, &together.after, &expected.after);
            }
            // The primal may refuse equal arguments.
            Err(failure) => bench.failed_alone(&apart.primals, failure),
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
