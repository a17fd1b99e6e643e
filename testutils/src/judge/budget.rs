//! T1, T2: what a rule keeps on its tape, how often it allocates, and whether it gives everything back.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::pass::{Failure, both, first};
use super::push::run;
use super::seeds::Seeds;
use super::tape::{declared, memory, subsets};
use crate::allocation::{self, counted};
use crate::check::Check;
use crate::subject::{Forward, Reverse, State, allocated};

/// What a rule's author has declared; nothing by default.
#[derive(Default)]
pub(crate) struct Budgets {
    /// The bytes that a tape may own, by what is overwritten.
    pub(crate) tape: Option<TapeBudget>,
    /// How often a call may allocate.
    pub(crate) allocations: Option<u64>,
}

pub(crate) type TapeBudget = Box<dyn Fn(&ReverseConfig) -> usize + Send + Sync>;

/// Calls that each keep some memory are a leak; a cache grows in some of them only.
const CALLS: usize = 4;

pub(super) fn forward(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
) -> Result<(), Failure> {
    run(call, config, start)?;
    within(bench, "forward", allocated());
    leak(bench, || drop(run(call, config, start)));
    Ok(())
}

pub(super) fn reverse(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    seeds: &Seeds,
) -> Result<(), Failure> {
    let half = first(call, config, seeds)?;
    within(bench, "augmented_primal", allocated());
    half.second(None)?;
    within(bench, "reverse", allocated());
    leak(bench, || drop(both(call, config, seeds, None)));
    leak(bench, || drop(first(call, config, seeds)));
    tape(bench, call, config, seeds)
}

/// T1: the tape owns no more than its budget, whatever is overwritten.
fn tape(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    seeds: &Seeds,
) -> Result<(), Failure> {
    let Some(budget) = bench.budgets.tape.as_ref() else {
        return large(bench, call, config, seeds);
    };
    if !allocation::COUNTED {
        uncounted(bench, Check::T1);
        return Ok(());
    }
    let memory = memory(bench);
    for overwritten in [vec![]].into_iter().chain(subsets(&memory)) {
        let config = declared(config, &overwritten);
        let (bytes, budget) = (first(call, &config, seeds)?.discard(), budget(&config));
        if bytes > budget {
            let name = |index: &usize| bench.signature.arguments[*index].name.clone();
            let names: Vec<_> = overwritten.iter().map(name).collect();
            let names = names.join(", ");
            let what = format!(
                "the tape owns {bytes} bytes where {{{names}}} is overwritten, budget {budget}"
            );
            bench.refuse(Check::T1, what);
        }
    }
    Ok(())
}

/// T1 without a budget: a tape that owns twice the bytes of all that the second half could read again is worth a word.
fn large(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    seeds: &Seeds,
) -> Result<(), Failure> {
    let once =
        bench.whole && bench.mix.width == 1 && config.needs_primal() == call.needs_primal()[0];
    if !(allocation::COUNTED && once) {
        return Ok(());
    }
    let floats = bench.point.rows() + bench.signature.length();
    let bytes = first(call, config, seeds)?.discard();
    if bytes > 2 * floats * size_of::<f64>() {
        let text = format!(
            "T1: the tape owns {bytes} bytes though nothing is overwritten, where all arguments and outputs have {floats} \
             numbers; `tape_budget` makes a limit of it"
        );
        bench.report.advise(text);
    }
    Ok(())
}

/// T2: a call allocates no more often than its budget.
fn within(bench: &mut Bench<'_>, half: &str, count: u64) {
    match bench.budgets.allocations {
        Some(_) if !allocation::COUNTED => uncounted(bench, Check::T2),
        Some(budget) if count > budget => {
            let what = format!("`{half}` allocates {count} times, budget {budget}");
            bench.refuse(Check::T2, what);
        }
        _ => {}
    }
}

/// T2: what is allocated is freed. Whether a call waits for other threads takes longer to see than most calls take: at
/// widths above one it is asked only of calls that seem to leak.
fn leak(bench: &mut Bench<'_>, call: impl Fn() + Sync) {
    if !allocation::COUNTED {
        let why = "the feature `allocations` of coenzyme-testutils is off";
        return bench.report.not_judged(Check::T2, why);
    }
    let always = bench.mix.width == 1;
    let leaked = allocation::undisturbed(|| match always || kept(&call) > 0 {
        true => leaked(&call),
        false => Some(0),
    });
    match leaked {
        Some(0) => {}
        Some(bytes) => {
            let what = format!("every call leaves {bytes} bytes allocated for ever");
            bench.refuse(Check::T2, what);
        }
        None => bench.report.not_judged(
            Check::T2,
            "leaks: the rule waits for threads, whose memory is not counted",
        ),
    }
}

/// The bytes that every call leaves behind; `None` if calls wait for other threads, which may free them, or leave more.
fn leaked(call: impl Fn()) -> Option<u64> {
    let before = waits();
    let kept = kept(call);
    (waits() == before).then_some(kept)
}

/// The bytes that every call leaves behind on this thread.
fn kept(call: impl Fn()) -> u64 {
    let kept = (0..CALLS).map(|_| counted(&call).1.kept);
    u64::try_from(kept.min().unwrap_or(0)).unwrap_or(0)
}

/// How often this thread has waited for something. Where the system does not count that, it never does.
fn waits() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/thread-self/status").ok()?;
    let mut lines = status.lines();
    let count = lines.find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?;
    count.trim().parse().ok()
}

fn uncounted(bench: &mut Bench<'_>, check: Check) {
    let what = "there is a budget, but the feature `allocations` of coenzyme-testutils is off";
    bench.refuse(check, what.into());
}
