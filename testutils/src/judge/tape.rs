//! The checks of a tape: that it holds what it must, and belongs to one call.

use coenzyme::ReverseConfig;

use super::bench::Bench;
pub(super) use super::pass::Overwrite;
use super::pass::{Done, Failure, both, first};
use super::refusal;
use super::reverse::{agree, first_half, primals_unchanged};
use super::seeds::Seeds;
use crate::argument::Access;
use crate::canary;
use crate::check::Check;
use crate::subject::Reverse;

/// Subsets of more arguments than this are sampled.
const ALL_SUBSETS_UP_TO: usize = 4;

/// What overwritten memory is filled with: a NaN that names the argument, and a number that survives what masks a NaN.
const FILLS: [fn(usize) -> f64; 2] = [|argument| canary::poison(argument as u16), |_| 1e30];

/// R6: whichever arguments are overwritten between the halves, the cotangents stay the same.
pub(super) fn poison(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    needs_primal: bool,
    seeds: &Seeds,
    expected: &Done,
) -> Result<(), Failure> {
    for arguments in subsets(&memory(bench)) {
        let config = declared(&ReverseConfig::new(needs_primal), &arguments);
        first_half(bench, &first(call, &config, seeds)?, needs_primal);
        poisoned(bench, call, &config, &arguments, seeds, expected)?;
    }
    Ok(())
}

/// R6 for one subset, which `config` declares.
pub(super) fn poisoned(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    arguments: &[usize],
    seeds: &Seeds,
    expected: &Done,
) -> Result<(), Failure> {
    for fill in FILLS {
        let overwrite = Overwrite {
            arguments,
            fill,
            precision: bench.precision,
        };
        let done = both(call, config, seeds, Some(overwrite))?;
        agree(bench, Check::R6, &done, expected, |value| value);
        primals_unchanged(bench, &done);
    }
    Ok(())
}

/// The arguments that are memory with something in it.
pub(super) fn memory(bench: &Bench<'_>) -> Vec<usize> {
    let memory = bench.arguments().filter(|(index, parameter, _)| {
        parameter.access != Access::Value && !bench.point.primals[*index].is_empty()
    });
    memory.map(|(index, _, _)| index).collect()
}

/// The configuration that declares these arguments overwritten.
pub(super) fn declared(config: &ReverseConfig, arguments: &[usize]) -> ReverseConfig {
    let declare =
        |config: ReverseConfig, argument: &usize| config.with_overwritten(*argument, true);
    arguments.iter().fold(*config, declare)
}

/// The non-empty subsets; of many arguments each alone, and all.
pub(super) fn subsets(of: &[usize]) -> Vec<Vec<usize>> {
    if of.len() > ALL_SUBSETS_UP_TO {
        let singles = of.iter().map(|argument| vec![*argument]);
        return singles.chain([of.to_vec()]).collect();
    }
    let subset = |bits: u32| {
        let members = of
            .iter()
            .enumerate()
            .filter(|(bit, _)| bits >> bit & 1 == 1);
        members.map(|(_, argument)| *argument).collect()
    };
    (1..1 << of.len()).map(subset).collect()
}

/// D2: the tapes of two calls do not know of each other, whichever is used first: of numbers nearby, and of the same in another order.
pub(super) fn interleaved(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    seeds: &Seeds,
    expected: &Done,
) -> Result<(), Failure> {
    let (other, expected_other) = another(bench, call, config, seeds)?;
    let calls = [(seeds, expected), (&other, &expected_other)];
    side_by_side(bench, call, config, calls)?;
    if bench.mix.width > 1 || seeds.primals.iter().all(|floats| floats.len() < 2) {
        return Ok(());
    }
    let backwards = |floats: &Vec<f64>| floats.iter().rev().copied().collect();
    let other = other.at(seeds.primals.iter().map(backwards).collect());
    // The primal may refuse another order.
    match both(call, config, &other, None) {
        Ok(expected_other) => {
            let calls = [(seeds, expected), (&other, &expected_other)];
            side_by_side(bench, call, config, calls)
        }
        Err(_) => Ok(()),
    }
}

/// D2 for two calls, each with what comes of it alone.
fn side_by_side(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    [(seeds, expected), (other, expected_other)]: [(&Seeds, &Done); 2],
) -> Result<(), Failure> {
    for last_first in [true, false] {
        let one = first(call, config, seeds)?;
        let two = first(call, config, other)?;
        let (one, two) = if last_first {
            let two = two.second(None)?;
            (one.second(None)?, two)
        } else {
            let one = one.second(None)?;
            (one, two.second(None)?)
        };
        agree(bench, Check::D2, &one, expected, |value| value);
        agree(bench, Check::D2, &two, expected_other, |value| value);
    }
    // A call whose second half never comes is none of the others' business.
    let one = first(call, config, seeds)?;
    drop(first(call, config, other)?);
    agree(bench, Check::D2, &one.second(None)?, expected, |value| {
        value
    });
    Ok(())
}

/// D3: a tape that can be copied serves as often as it is copied.
pub(crate) fn reused(bench: &mut Bench<'_>, call: &Reverse<'_>) {
    if let Err((half, fault)) = reuse(bench, call) {
        bench.fault(half, &fault);
    }
}

fn reuse(bench: &mut Bench<'_>, call: &Reverse<'_>) -> Result<(), Failure> {
    if refusal::applies(bench) {
        return Ok(());
    }
    let config = ReverseConfig::new(call.needs_primal()[0]).with_all_overwritten();
    let seeds = Seeds::of(bench);
    let expected = both(call, &config, &seeds, None)?;
    let half = first(call, &config, &seeds)?;
    if let Some(twin) = half.twin() {
        let twin = twin.second(None)?;
        agree(bench, Check::D3, &twin, &expected, |value| value);
    }
    agree(bench, Check::D3, &half.second(None)?, &expected, |value| {
        value
    });
    Ok(())
}

/// D5: the second half gives on another thread what it gives on its own.
pub(crate) fn elsewhere(bench: &mut Bench<'_>, call: &Reverse<'_>) {
    if let Err((half, fault)) = on_another_thread(bench, call) {
        bench.fault(half, &fault);
    }
}

fn on_another_thread(bench: &mut Bench<'_>, call: &Reverse<'_>) -> Result<(), Failure> {
    if refusal::applies(bench) {
        return Ok(());
    }
    let config = ReverseConfig::new(call.needs_primal()[0]).with_all_overwritten();
    let seeds = Seeds::of(bench);
    let expected = both(call, &config, &seeds, None)?;
    let half = first(call, &config, &seeds)?;
    let done = half.second_elsewhere()?;
    agree(bench, Check::D5, &done, &expected, |value| value);
    Ok(())
}

/// A call with other cotangents at another point, and what comes of it alone.
pub(super) fn another(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    seeds: &Seeds,
) -> Result<(Seeds, Done), Failure> {
    let other = seeds.clone().scaled(-1.5);
    let elsewhere = other.clone().at(nearby(&seeds.primals));
    match both(call, config, &elsewhere, None) {
        Ok(done) => return Ok((elsewhere, done)),
        // The primal may refuse to be called nearby.
        Err(failure) => bench.failed_alone(&elsewhere.primals, failure),
    }
    let done = both(call, config, &other, None)?;
    Ok((other, done))
}

pub(super) fn nearby(primals: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let move_all = |floats: &Vec<f64>| floats.iter().map(|float| float * 1.0625).collect();
    primals.iter().map(move_all).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subset_of_few_arguments_is_tried() {
        assert_eq!(subsets(&[0, 3]), [vec![0], vec![3], vec![0, 3]]);
        assert_eq!(subsets(&[0, 1, 2, 3]).len(), 15);
        assert!(subsets(&[]).is_empty());
    }

    #[test]
    fn of_many_arguments_each_alone_and_all_are_tried() {
        let subsets = subsets(&[0, 1, 2, 3, 4]);
        assert_eq!(subsets.len(), 6);
        assert_eq!(subsets[5], [0, 1, 2, 3, 4]);
    }
}
