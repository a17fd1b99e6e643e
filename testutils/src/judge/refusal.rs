//! E1 where the primal returns `Err` or `None`: the rule does too, and leaves everything as it was.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
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
    refused(bench, "forward", fault, &start, &after);
}

pub(super) fn reverse(bench: &mut Bench<'_>, call: &dyn Reverse, needs_primal: bool) {
    let start = Seeds::of(bench).start();
    let mut after = start.clone();
    let fault = call
        .augmented(&ReverseConfig::new(needs_primal), &mut after)
        .err();
    refused(bench, "augmented_primal", fault, &start, &after);
}

fn refused(
    bench: &mut Bench<'_>,
    half: &'static str,
    fault: Option<Fault>,
    start: &State,
    after: &State,
) {
    match fault {
        Some(Fault::Refused) => {}
        Some(fault) => return bench.fault(half, &fault),
        None => {
            bench.report.pronounce(Verdict::Fail(Check::E1));
            let what = format!("the primal returns an error here, but `{half}` does not");
            return bench.report.note("what", what);
        }
    }
    for (index, parameter) in bench.signature.arguments.iter().enumerate() {
        bench.same(
            Check::E1,
            &parameter.block(""),
            None,
            &after.primals[index],
            &start.primals[index],
        );
    }
    bench.same_shadows(Check::E1, after, start, |_| true);
}
