//! N6: seeds that are no numbers. What went wrong before a call must not look right after it: a rule that takes a NaN for a zero, or
//! cuts an infinity off, hides it.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::pass::{Done, both};
use super::push::{Run, run};
use super::seeds::Seeds;
use super::units;
use crate::check::Check;
use crate::layout::Block;
use crate::subject::{Forward, Reverse, State};

/// What every seed is.
const SEEDS: [f64; 2] = [f64::NAN, f64::INFINITY];

/// Requires every tangent that is not zero to be no finite number where no seed is one. A rule may also refuse the call.
pub(super) fn forward(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
    plain: &Run,
) {
    let total: usize = units::lengths(bench, start).iter().flatten().sum();
    for seed in SEEDS {
        let lanes = vec![vec![seed; total]; bench.mix.width];
        let start = units::seeded(bench, start, &lanes);
        let Ok(run) = run(call, config, &start) else {
            continue;
        };
        for (got, plain) in run.tangents(bench).iter().zip(plain.tangents(bench)) {
            lost(bench, &got.block, seed, got.floats, plain.floats);
        }
    }
}

/// Requires every cotangent that is not zero to be no finite number where no seed is one. `plain` has nothing accumulated before.
pub(super) fn reverse(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    zeroed: &Seeds,
    plain: &Done,
) {
    let total: usize = zeroed.extent(bench).1.iter().sum();
    for seed in SEEDS {
        let lanes = vec![vec![seed; total]; bench.mix.width];
        let seeds = zeroed.clone().seeded(&lanes);
        let Ok(done) = both(call, config, &seeds, None) else {
            continue;
        };
        for (got, plain) in done.adjoints(bench).iter().zip(plain.adjoints(bench)) {
            lost(bench, &got.block, seed, got.floats, plain.floats);
        }
    }
}

/// Refuses the first entry that is a number though what it is made of is none.
fn lost(bench: &mut Bench<'_>, block: &Block, seed: f64, got: &[f64], plain: &[f64]) {
    let mut entries = got.iter().zip(plain).enumerate();
    let lost = entries.find(|(_, (got, plain))| got.is_finite() && **plain != 0.0);
    if let Some((index, (got, _))) = lost {
        let what = format!("{} is {got} where every seed is {seed}", block.place(index));
        bench.refuse(Check::N6, what);
    }
}
