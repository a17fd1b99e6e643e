//! U4: rows of seeds that a rule may know by their signs, their steps or their magnitude, at any size.
//!
//! As for U2 the rule itself is the reference: what it makes of a row is what is missing from a sum with drawn seeds, and what it makes of a
//! multiple is the multiple. L1 has multiples at the sizes that were given, and to the last bit; a fast path for long rows is not met there.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::axes::{self, Answer};
use super::bench::Bench;
use super::pass::Failure;
use super::reverse::extremes;
use super::seeds::Seeds;
use super::units::{self, Row};
use crate::check::Check;
use crate::subject::{Forward, Reverse, State};

/// What a row is made of, by the place of an entry and what was drawn for it.
type Entry = fn(usize, f64) -> f64;

/// Rows that are compared with what is missing where they are left out.
const ROWS: [(&str, Entry); 5] = [
    ("all above zero", |_, drawn| drawn.abs()),
    ("all below zero", |_, drawn| -drawn.abs()),
    ("a ramp", |at, _| 1.0 + at as f64),
    ("all minus one", |_, _| -1.0),
    ("all alike", |_, _| 0.375),
];

/// The last seeds of so many blocks are looked at alone.
const BLOCKS: usize = 3;

/// U4 of a forward rule.
pub(super) fn forward(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
) -> Result<(), Failure> {
    let lengths: Vec<usize> = units::lengths(bench, start).into_iter().flatten().collect();
    whole_rows(bench, &lengths, axes::ahead(call, config, start))
}

/// U4 of a reverse rule.
pub(super) fn reverse(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    zeroed: &Seeds,
) -> Result<(), Failure> {
    let lengths = zeroed.extent(bench).1;
    whole_rows(bench, &lengths, axes::back(call, config, zeroed))
}

fn whole_rows(
    bench: &mut Bench<'_>,
    lengths: &[usize],
    answer: impl Fn(&Bench<'_>, &Row) -> Result<Answer, Failure>,
) -> Result<(), Failure> {
    let total: usize = lengths.iter().sum();
    // What U2 has found need not be found twice.
    if total == 0 || bench.wrong() > 0 {
        return Ok(());
    }
    let drawn = bench.seeds("rows", 0, total);
    let typical = answer(bench, &drawn)?;
    for (words, entry) in ROWS {
        bench.report.under(format!("{total} seeds, {words}"));
        let row: Row = drawn
            .iter()
            .enumerate()
            .map(|(at, of)| entry(at, *of))
            .collect();
        let sum = row.iter().zip(&drawn).map(|(a, b)| a + b).collect();
        let (alone, with) = (answer(bench, &row)?, answer(bench, &sum)?);
        axes::linear(bench, Check::U4, &typical, &alone, 1.0, &with, &typical);
    }
    let unit = |at: usize| {
        let mut row = vec![0.0; total];
        row[at] = 1.0;
        row
    };
    let mut alone = vec![];
    for end in units::ends(lengths)
        .into_iter()
        .skip(1)
        .step_by(2)
        .take(BLOCKS)
    {
        alone.push((unit(end), answer(bench, &unit(end))?));
    }
    for factor in extremes(bench.precision) {
        bench
            .report
            .under(format!("{total} seeds, times {factor:e}"));
        let rows = alone.iter().map(|(row, expected)| (row, expected));
        for (row, expected) in rows.chain([(&drawn, &typical)]) {
            let row = row.iter().map(|seed| seed * factor).collect();
            let mut got = answer(bench, &row)?;
            let floats = got.iter_mut().flat_map(|(_, floats)| floats);
            floats.for_each(|x| *x /= factor);
            axes::alike(bench, Check::U4, &typical, expected, &got);
        }
    }
    bench.report.under("");
    Ok(())
}
