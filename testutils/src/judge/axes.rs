//! U2, R7: seeds one by one, and shadows with zeros among them, at sizes that nobody has given.
//!
//! Judged by the rule itself, for a derivative is linear in its seeds: what one seed gives alone is what is missing where it is left
//! out. Six digits of the largest number will do, so that no rounding and no cancelling term is taken for a mistake; a fast path
//! that is wrong loses all of them.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::partly::Partly;
use super::pass::{Done, Failure, both};
use super::push::run;
use super::seeds::Seeds;
use super::units::{self, Row};
use crate::check::Check;
use crate::estimate::Estimate;
use crate::layout::Block;
use crate::subject::{Forward, Reverse, State};

/// Up to so many seeds are tried eight at a time, of more three.
const SHORT: usize = 100;

/// Numbers below so many roundings of one may be what is left of larger ones: all six digits of them are known only above. The
/// correlation of two observations is ±1, and its derivative a few roundings.
const CANCELLED: f64 = 1e9;

/// What a rule makes of seeds.
pub(super) type Answer = Vec<(Block, Vec<f64>)>;

/// What a forward rule makes of a row of tangents.
pub(super) fn ahead<'c>(
    call: &'c Forward<'_>,
    config: &'c ForwardConfig,
    start: &'c State,
) -> impl Fn(&Bench<'_>, &Row) -> Result<Answer, Failure> + 'c {
    move |bench, row| {
        let start = units::seeded(bench, start, std::slice::from_ref(row));
        let run = run(call, config, &start)?;
        let tangents = run.tangents(bench).into_iter();
        Ok(tangents.map(|t| (t.block, t.floats.to_vec())).collect())
    }
}

/// What a reverse rule makes of a row of cotangents.
pub(super) fn back<'c>(
    call: &'c Reverse<'_>,
    config: &'c ReverseConfig,
    zeroed: &'c Seeds,
) -> impl Fn(&Bench<'_>, &Row) -> Result<Answer, Failure> + 'c {
    move |bench, row| {
        let seeds = zeroed.clone().seeded(std::slice::from_ref(row));
        Ok(answer(bench, &both(call, config, &seeds, None)?))
    }
}

/// U2 of a forward rule.
pub(super) fn forward(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
) -> Result<(), Failure> {
    let lengths: Vec<usize> = units::lengths(bench, start).into_iter().flatten().collect();
    one_by_one(bench, &lengths, ahead(call, config, start))
}

/// U2 and R7 of a reverse rule.
pub(super) fn reverse(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    seeds: &Seeds,
) -> Result<(), Failure> {
    let zeroed = seeds.clone().unaccumulated();
    let lengths = zeroed.extent(bench).1;
    one_by_one(bench, &lengths, back(call, config, &zeroed))?;
    let arguments = seeds.accumulating(bench);
    if arguments.is_empty() {
        return Ok(());
    }
    let plain = both(call, config, &zeroed, None)?;
    for partly in Partly::of_any_size() {
        let seeds = seeds.clone().partly_zero(bench, partly);
        let done = both(call, config, &seeds, None)?;
        bench
            .report
            .under(format!("shadows are zero in {partly:?}"));
        let before = |argument| seeds.before(argument, 0).unwrap_or_default().to_vec();
        let kept = |argument: &usize| arguments.contains(argument);
        let of = |bench: &Bench<'_>, done: &Done| -> Vec<(usize, Block, Vec<f64>)> {
            let adjoints = done.adjoints(bench).into_iter();
            let adjoints = adjoints.filter(|adjoint| kept(&adjoint.argument));
            adjoints
                .map(|a| (a.argument, a.block, a.floats.to_vec()))
                .collect()
        };
        for ((argument, block, after), (_, _, plain)) in
            of(bench, &done).into_iter().zip(of(bench, &plain))
        {
            let before = before(argument);
            if before.len() == after.len() && plain.len() == after.len() {
                let added: Vec<f64> = after.iter().zip(&before).map(|(a, b)| a - b).collect();
                let scale = largest([&before, &plain]);
                compare(bench, Check::R7, &block, &added, &plain, scale);
            }
        }
    }
    bench.report.under("");
    Ok(())
}

fn answer(bench: &Bench<'_>, done: &Done) -> Answer {
    let adjoints = done.adjoints(bench).into_iter();
    adjoints.map(|a| (a.block, a.floats.to_vec())).collect()
}

/// What one seed gives alone is what is missing where it is left out: of drawn seeds, of ones, and of two.
fn one_by_one(
    bench: &mut Bench<'_>,
    lengths: &[usize],
    answer: impl Fn(&Bench<'_>, &Row) -> Result<Answer, Failure>,
) -> Result<(), Failure> {
    let total = lengths.iter().sum();
    let drawn = bench.seeds("one by one", 0, total);
    let ones = vec![1.0; total];
    let whole = [
        (&drawn, answer(bench, &drawn)?),
        (&ones, answer(bench, &ones)?),
    ];
    // What drawn seeds give cancels by accident only.
    let typical = whole[0].1.clone();
    let middles = middles(lengths);
    let all = positions(total)
        .into_iter()
        .chain(middles.into_iter().filter(|_| total > 8));
    for at in all {
        let row = |of: &[usize]| {
            let mut row = vec![0.0; total];
            of.iter().for_each(|entry| row[*entry] = 1.0);
            row
        };
        bench
            .report
            .under(format!("seed {at} of {total}, alone and left out"));
        let alone = answer(bench, &row(&[at]))?;
        for (seeds, with) in &whole {
            let mut others = (*seeds).clone();
            others[at] = 0.0;
            let without = answer(bench, &others)?;
            linear(
                bench,
                Check::U2,
                &typical,
                &alone,
                seeds[at],
                with,
                &without,
            );
        }
        let next = (at + 1) % total;
        if next != at {
            let (both, other) = (
                answer(bench, &row(&[at, next]))?,
                answer(bench, &row(&[next]))?,
            );
            linear(bench, Check::U2, &typical, &alone, 1.0, &both, &other);
        }
    }
    bench.report.under("");
    Ok(())
}

/// `with − without = seed·alone`, beside what is `typical`.
pub(super) fn linear(
    bench: &mut Bench<'_>,
    check: Check,
    typical: &Answer,
    alone: &Answer,
    seed: f64,
    with: &Answer,
    without: &Answer,
) {
    let rows = typical.iter().zip(alone).zip(with.iter().zip(without));
    for (((_, typical), (block, alone)), ((_, with), (_, without))) in rows {
        if alone.len() == with.len() && alone.len() == without.len() {
            let got: Vec<f64> = alone.iter().map(|x| seed * x).collect();
            let expected: Vec<f64> = with.iter().zip(without).map(|(a, b)| a - b).collect();
            let scale = largest([typical, &got, with, without]);
            compare(bench, check, block, &got, &expected, scale);
        }
    }
}

/// Two answers that must be one, beside what is `typical`.
pub(super) fn alike(
    bench: &mut Bench<'_>,
    check: Check,
    typical: &Answer,
    expected: &Answer,
    got: &Answer,
) {
    for ((_, typical), ((block, expected), (_, got))) in
        typical.iter().zip(expected.iter().zip(got))
    {
        if expected.len() == got.len() {
            let scale = largest([typical, expected]);
            compare(bench, check, block, got, expected, scale);
        }
    }
}

/// The largest magnitude; not finite if one of the numbers is not.
fn largest<'f>(of: impl IntoIterator<Item = &'f Vec<f64>>) -> f64 {
    let magnitudes = of.into_iter().flatten().map(|x| x.abs());
    magnitudes.fold(0.0, |a, b| if b > a || b.is_nan() { b } else { a })
}

/// Compares numbers of which the largest is `scale`, if that is a number. What is nothing but rounding is not compared with itself: a
/// derivative that is zero in exact numbers is a sum of terms that cancel.
fn compare(
    bench: &mut Bench<'_>,
    check: Check,
    block: &Block,
    got: &[f64],
    expected: &[f64],
    scale: f64,
) {
    if scale.is_finite() {
        let scale = scale.max(CANCELLED * bench.precision.epsilon());
        let of = |value: &f64| Estimate {
            scale,
            ..Estimate::exact(*value)
        };
        let expected: Vec<_> = expected.iter().map(of).collect();
        bench
            .report
            .compare_block(check, block, Some(0), got, &expected);
    }
}

/// The seed in the middle of each block of this length, which is another at every size.
fn middles(lengths: &[usize]) -> Vec<usize> {
    let mut start = 0;
    let middle = |length: &usize| {
        let at = (*length > 0).then_some(start + length / 2);
        start += length;
        at
    };
    lengths.iter().filter_map(middle).collect()
}

/// U2 at a glance: one seed of each block alone, which is another at every size, beside all and all others.
fn glance(
    bench: &mut Bench<'_>,
    lengths: &[usize],
    answer: impl Fn(&Bench<'_>, &Row) -> Result<Answer, Failure>,
) -> Result<(), Failure> {
    let total = lengths.iter().sum();
    let drawn = bench.seeds("one by one", 0, total);
    let with = answer(bench, &drawn)?;
    for at in middles(lengths) {
        let (mut alone, mut others) = (vec![0.0; total], drawn.clone());
        (alone[at], others[at]) = (1.0, 0.0);
        let (alone, without) = (answer(bench, &alone)?, answer(bench, &others)?);
        linear(bench, Check::U2, &with, &alone, drawn[at], &with, &without);
    }
    Ok(())
}

/// U2 of a forward rule at a glance.
pub(super) fn forward_glance(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
) -> Result<(), Failure> {
    let lengths: Vec<usize> = units::lengths(bench, start).into_iter().flatten().collect();
    glance(bench, &lengths, ahead(call, config, start))
}

/// U2 of a reverse rule at a glance.
pub(super) fn reverse_glance(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    seeds: &Seeds,
) -> Result<(), Failure> {
    let zeroed = seeds.clone().unaccumulated();
    let lengths = zeroed.extent(bench).1;
    glance(bench, &lengths, back(call, config, &zeroed))
}

/// Which seeds are tried one by one.
fn positions(total: usize) -> Vec<usize> {
    let count = if total <= SHORT { 8 } else { 3 };
    let mut all: Vec<usize> = match total {
        0 => vec![],
        _ if total <= count => (0..total).collect(),
        _ => (0..count)
            .map(|part| part * (total - 1) / (count - 1))
            .collect(),
    };
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_tried_all_or_from_end_to_end() {
        assert!(positions(0).is_empty());
        assert_eq!(positions(3), [0, 1, 2]);
        assert_eq!(positions(17), [0, 2, 4, 6, 9, 11, 13, 16]);
        assert_eq!(positions(1009), [0, 504, 1008]);
    }

    #[test]
    fn every_block_has_a_middle() {
        assert_eq!(middles(&[5, 0, 4]), [2, 7]);
        assert!(middles(&[]).is_empty());
    }

    #[test]
    fn what_is_no_number_is_the_largest() {
        assert_eq!(largest([&vec![1.0, -3.0], &vec![2.0]]), 3.0);
        assert!(!largest([&vec![f64::NAN, 1.0], &vec![2.0]]).is_finite());
        assert!(!largest([&vec![1.0, f64::NEG_INFINITY]]).is_finite());
    }
}
