//! U1 at sizes that nobody has given: every seed alone, though the differences know only a few directions there.
//!
//! A rule is linear in its seeds: what unit seeds give one by one, weighed, is what some seeds give together, and those the directions
//! have judged.

use std::ops::Range;

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::pass::{Failure, both};
use super::push::run;
use super::seeds::Seeds;
use super::units::ALL_UP_TO;
use crate::check::Check;
use crate::estimate::Estimate;
use crate::subject::{Forward, Reverse, State};

/// Up to so many seeds each is tried alone at sizes that nobody has given.
const ONE_BY_ONE_UP_TO: usize = 160;

/// Seeds that are tried together, and then one by one.
const TOGETHER: usize = 16;

/// The blocks of seeds that are tried together: none if there are too many, or hardly more than units show.
fn blocks(total: usize) -> impl Iterator<Item = Range<usize>> {
    let some = ALL_UP_TO < total && total <= ONE_BY_ONE_UP_TO;
    let starts = (0..total).step_by(TOGETHER).filter(move |_| some);
    starts.map(move |start| start..(start + TOGETHER).min(total))
}

/// What unit seeds one by one give of some seeds together: for each block of an output the sum, with the size of its terms.
struct Sum(Vec<Vec<Estimate>>);

impl Sum {
    fn new() -> Self {
        Sum(Vec::new())
    }

    fn add<'f>(&mut self, seed: f64, parts: impl Iterator<Item = &'f [f64]>) {
        for (number, part) in parts.enumerate() {
            if number == self.0.len() {
                self.0.push(vec![Estimate::exact(0.0); part.len()]);
            }
            for (sum, float) in self.0[number].iter_mut().zip(part) {
                sum.value += seed * float;
                sum.terms += (seed * float).abs();
            }
        }
    }
}

/// U1 for all positions at another size: the tangents along the axes add up to that along their sum.
pub(super) fn forward(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
) -> Result<(), Failure> {
    let places = |state: &State| -> Vec<(usize, usize)> {
        let read = |index: &usize| !bench.signature.arguments[*index].write_only;
        let arguments = (0..state.shadows.len()).filter(read);
        let entries = arguments.flat_map(|index| {
            let length = state.shadows[index].first().map_or(0, Vec::len);
            (0..length).map(move |entry| (index, entry))
        });
        entries.collect()
    };
    let places = places(start);
    let silent = start.scaled(0.0);
    let seeded = |block: Range<usize>, unit: bool| {
        let mut state = silent.clone();
        for (index, entry) in &places[block] {
            let seed = start.shadows[*index][0][*entry];
            state.shadows[*index][0][*entry] = if unit { 1.0 } else { seed };
        }
        state
    };
    for block in blocks(places.len()) {
        let together = run(call, config, &seeded(block.clone(), false))?;
        let mut sum = Sum::new();
        for place in block.clone() {
            let alone = run(call, config, &seeded(place..place + 1, true))?;
            let (index, entry) = places[place];
            let tangents = alone.tangents(bench);
            let floats = tangents.iter().map(|tangent| tangent.floats);
            sum.add(start.shadows[index][0][entry], floats);
        }
        bench.report.under(described(&block));
        for (tangent, expected) in together.tangents(bench).iter().zip(&sum.0) {
            let (block, lane) = (&tangent.block, Some(tangent.lane));
            bench
                .report
                .compare_block(Check::U1, block, lane, tangent.floats, expected);
        }
    }
    bench.report.under("");
    Ok(())
}

/// U1 for all positions at another size: the cotangents of unit cotangents add up to those of their sum.
pub(super) fn reverse(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    zeroed: &Seeds,
) -> Result<(), Failure> {
    let (_, lengths) = zeroed.extent(bench);
    let total = lengths.iter().sum();
    let mut stream = bench.stream.fork("one by one");
    let row = stream.seeds(total);
    let seeded = |block: Range<usize>, unit: bool| {
        let mut part = vec![0.0; total];
        for place in block {
            part[place] = if unit { 1.0 } else { row[place] };
        }
        zeroed.clone().seeded(&[part])
    };
    for block in blocks(total) {
        let together = both(call, config, &seeded(block.clone(), false), None)?;
        let mut sum = Sum::new();
        for place in block.clone() {
            let alone = both(call, config, &seeded(place..place + 1, true), None)?;
            let adjoints = alone.adjoints(bench);
            sum.add(row[place], adjoints.iter().map(|adjoint| adjoint.floats));
        }
        bench.report.under(described(&block));
        for (adjoint, expected) in together.adjoints(bench).iter().zip(&sum.0) {
            let (block, lane) = (&adjoint.block, Some(adjoint.lane));
            bench
                .report
                .compare_block(Check::U1, block, lane, adjoint.floats, expected);
        }
    }
    bench.report.under("");
    Ok(())
}

fn described(block: &Range<usize>) -> String {
    format!("seeds {block:?} together, beside one by one")
}

#[cfg(test)]
mod tests {
    use super::blocks;

    #[test]
    fn every_seed_is_in_one_block() {
        assert_eq!(
            blocks(5).count() + blocks(32).count() + blocks(161).count(),
            0
        );
        let blocks: Vec<_> = blocks(67).collect();
        assert_eq!(blocks.iter().map(|block| block.len()).sum::<usize>(), 67);
        assert!(blocks.windows(2).all(|two| two[0].end == two[1].start));
    }
}
