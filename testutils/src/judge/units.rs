//! U1: seeds that are exactly one, minus one and zero: those of `gradient!` and of the drivers of Jacobians.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::long;
use super::pairing::direction;
use super::pass::{Failure, both};
use super::push::run;
use super::seeds::Seeds;
use crate::argument::Access;
use crate::check::Check;
use crate::estimate::Estimate;
use crate::subject::{Forward, Reverse, State};

/// Unit vectors up to this length are all tried, of longer ones a few.
const ALL_UP_TO: usize = 32;

/// The seeds of all entries in a row.
pub(super) type Row = Vec<f64>;

/// F1, F2 along the axes, and where every tangent is one.
pub(super) fn forward(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
) -> Result<(), Failure> {
    let lengths: Vec<usize> = lengths(bench, start).into_iter().flatten().collect();
    let rows = rows(&lengths, bench.mix.width, bench.whole).into_iter();
    let rows = rows.map(|lanes| (described(&lanes), lanes));
    forward_by(bench, Check::U1, call, config, start, rows)
}

/// F1, F2 with these tangents, run by run.
pub(super) fn forward_by(
    bench: &mut Bench<'_>,
    check: Check,
    call: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
    rows: impl Iterator<Item = (String, Vec<Row>)>,
) -> Result<(), Failure> {
    let Some(jacobian) = bench.jacobian else {
        return Ok(());
    };
    let before = bench.report.set_aside();
    for (words, lanes) in rows {
        bench.report.under(words);
        let start = seeded(bench, start, &lanes);
        let run = run(call, config, &start)?;
        for tangent in run.tangents(bench) {
            let dx = direction(bench, &start, tangent.lane);
            let expected = bench.projections.pushed(jacobian, dx);
            bench.report.compare_block(
                check,
                &tangent.block,
                Some(tangent.lane),
                tangent.floats,
                &expected[tangent.rows.clone()],
            );
        }
    }
    bench.report.under("");
    bench.report.and_what_is_sure(before);
    Ok(())
}

/// The length of every tangent that is read.
pub(super) fn lengths(bench: &Bench<'_>, start: &State) -> Vec<Option<usize>> {
    let seeded = |index: usize| {
        let read = !bench.signature.arguments[index].write_only;
        start.shadows[index].first().filter(|_| read).map(Vec::len)
    };
    (0..start.shadows.len()).map(seeded).collect()
}

/// The state with these tangents, of all that is read in a row, lane by lane.
pub(super) fn seeded(bench: &Bench<'_>, start: &State, lanes: &[Row]) -> State {
    let (mut state, mut next) = (start.clone(), 0);
    for (shadows, length) in state.shadows.iter_mut().zip(lengths(bench, start)) {
        let Some(length) = length else { continue };
        for (shadow, row) in shadows.iter_mut().zip(lanes) {
            shadow.copy_from_slice(&row[next..next + length]);
        }
        next += length;
    }
    state
}

/// R1z for one output at a time, and where every cotangent is one.
pub(super) fn reverse(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    zeroed: &Seeds,
) -> Result<(), Failure> {
    let (_, lengths) = zeroed.extent(bench);
    let rows = rows(&lengths, bench.mix.width, bench.whole).into_iter();
    let rows = rows.map(|lanes| (described(&lanes), lanes));
    reverse_by(bench, Check::U1, call, config, zeroed, rows)
}

/// R1z with these cotangents, run by run.
pub(super) fn reverse_by(
    bench: &mut Bench<'_>,
    check: Check,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    zeroed: &Seeds,
    rows: impl Iterator<Item = (String, Vec<Row>)>,
) -> Result<(), Failure> {
    let before = bench.report.set_aside();
    for (words, lanes) in rows {
        bench.report.under(words);
        let seeds = zeroed.clone().seeded(&lanes);
        let done = both(call, config, &seeds, None)?;
        long::reverse(bench, check, &seeds, &done);
        let Some(jacobian) = bench.jacobian else {
            continue;
        };
        for adjoint in done.adjoints(bench) {
            let parameter = &bench.signature.arguments[adjoint.argument];
            let columns = bench.point.input(adjoint.argument);
            let dy = seeds.total(bench, adjoint.lane);
            let mut expected = bench.projections.pulled(jacobian, dy)[columns].to_vec();
            if parameter.access == Access::Exclusive {
                let rows = expected.iter_mut().enumerate();
                rows.filter(|(entry, _)| bench.point.is_overwritten(adjoint.argument, *entry))
                    .for_each(|(_, entry)| *entry = Estimate::exact(0.0));
            }
            if !parameter.write_only {
                bench.report.compare_block(
                    check,
                    &adjoint.block,
                    Some(adjoint.lane),
                    adjoint.floats,
                    &expected,
                );
            }
        }
    }
    bench.report.under("");
    bench.report.and_what_is_sure(before);
    Ok(())
}

/// In each lane one seed of its own; none in lanes beyond the last seed.
pub(super) fn identity(total: usize, width: usize) -> Vec<Row> {
    let unit = |lane| (0..total).map(move |entry| f64::from(u8::from(entry == lane)));
    (0..width).map(|lane| unit(lane).collect()).collect()
}

/// The seeds of a run, for a message.
fn described(lanes: &[Row]) -> String {
    match lanes[0].len() {
        0..=8 => format!("seeds are {lanes:?}"),
        length => {
            let hot = |row: &Row| row.iter().position(|seed| *seed != 0.0);
            let firsts: Vec<_> = lanes.iter().filter_map(hot).collect();
            format!("of {length} seeds the first not zero is {firsts:?}")
        }
    }
}

/// The seeds of each run, of blocks of these lengths, lane by lane: of one lane all, of more, or where not all is active, a few.
fn rows(lengths: &[usize], width: usize, whole: bool) -> Vec<Vec<Row>> {
    let total: usize = lengths.iter().sum();
    if total == 0 {
        return vec![];
    }
    let all = width == 1 && whole;
    let unit = |at: usize, value: f64| {
        let mut row = vec![0.0; total];
        row[at] = value;
        row
    };
    let axes: Vec<usize> = match total <= ALL_UP_TO {
        _ if !all => vec![0, total - 1],
        true => (0..total).collect(),
        false => (0..8).map(|part| part * (total - 1) / 7).collect(),
    };
    let alternate = (0..total).map(|entry| [1.0, 0.0, -1.0][entry % 3]);
    let mut rows = vec![vec![1.0; total], vec![-1.0; total], alternate.collect()];
    rows.extend(axes.into_iter().map(|at| unit(at, 1.0)));
    if all {
        rows.extend([0, total / 2, total - 1].map(|at| unit(at, -1.0)));
        rows.extend([2.0, 0.5].map(|seed| vec![seed; total]));
        rows.push((0..total).map(|entry| [1.0, -1.0][entry % 2]).collect());
        // In each block the difference of two entries, whose seeds add up to nothing.
        let mut start = 0;
        for length in lengths {
            if *length > 1 {
                let mut row = unit(start, 1.0);
                row[start + length - 1] = -1.0;
                rows.push(row);
            }
            start += length;
        }
        let but_one = |at: usize| (0..total).map(move |entry| f64::from(u8::from(entry != at)));
        let left_out = ends(lengths).into_iter().filter(|_| total > 2);
        rows.extend(left_out.map(|at| but_one(at).collect()));
    }
    let padded = |lanes: &[Row]| {
        let mut lanes = lanes.to_vec();
        lanes.resize(width, vec![0.0; total]);
        lanes
    };
    rows.chunks(width).map(padded).collect()
}

/// The first and the last entry of each block that has some.
pub(super) fn ends(lengths: &[usize]) -> Vec<usize> {
    let mut start = 0;
    let mut ends: Vec<usize> = Vec::new();
    for length in lengths.iter().filter(|length| **length > 0) {
        ends.extend([start, start + length - 1]);
        start += length;
    }
    ends.dedup();
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_axis_is_tried_once() {
        let rows: Vec<Row> = rows(&[2, 3], 1, true).into_iter().flatten().collect();
        assert_eq!(rows.len(), 20);
        assert!(rows.contains(&vec![1.0, 0.0, 1.0, 1.0, 1.0]));
        assert!(rows.contains(&vec![0.0, 0.0, 1.0, 0.0, -1.0]));
        for axis in 0..5 {
            let hot = |row: &&Row| row[axis] == 1.0 && row.iter().sum::<f64>() == 1.0;
            assert!(rows.iter().any(|row| hot(&row)), "{axis}");
        }
        assert_eq!(super::rows(&[0], 3, true), Vec::<Vec<Row>>::new());
        assert_eq!(super::rows(&[1000], 1, true).len(), 20);
        assert_eq!(super::rows(&[5], 2, true).len(), 3);
    }
}
