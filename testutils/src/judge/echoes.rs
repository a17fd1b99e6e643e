//! U3: seeds that are numbers of the call itself: the gradient of half a square has its output for a seed, and a step along the
//! point its input.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::pass::Failure;
use super::seeds::Seeds;
use super::units::{self, Row};
use crate::check::Check;
use crate::subject::{Forward, Reverse, State};

/// F1, F2 where each tangent is the number that it is a tangent of, and where all are those of one argument.
pub(super) fn forward(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
) -> Result<(), Failure> {
    let lengths = units::lengths(bench, start);
    let read = lengths.iter().zip(&start.primals);
    let own: Row = read
        .filter(|(length, _)| length.is_some())
        .flat_map(|(_, primal)| primal.clone())
        .collect();
    let lengths: Vec<usize> = lengths.into_iter().flatten().collect();
    let rows = rows(bench, own, &lengths);
    units::forward_by(bench, Check::U3, call, config, start, rows.into_iter())
}

/// R1z where each cotangent is the number that it is a cotangent of, and where all are those of one argument.
pub(super) fn reverse(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    zeroed: &Seeds,
) -> Result<(), Failure> {
    let Ok(primal) = &bench.point.primal else {
        return Ok(());
    };
    let outputs = zeroed.outputs.iter().zip(&primal.arguments);
    let outputs = outputs.filter_map(|(lanes, after)| Some((lanes.as_ref()?, after)));
    let own = std::iter::once((&zeroed.returned, &primal.returned)).chain(outputs);
    let own: Row = own
        .filter(|(lanes, _)| !lanes.is_empty())
        .flat_map(|(_, numbers)| numbers.clone())
        .collect();
    let (_, lengths) = zeroed.extent(bench);
    let rows = rows(bench, own, &lengths);
    units::reverse_by(bench, Check::U3, call, config, zeroed, rows.into_iter())
}

/// The seeds of each run: each block's own numbers, and in every block those of one argument after the other. Numbers only, in one
/// lane, where all that has a derivative is active.
fn rows(bench: &Bench<'_>, own: Row, lengths: &[usize]) -> Vec<(String, Vec<Row>)> {
    if bench.mix.width > 1 || !bench.whole {
        return vec![];
    }
    let total: usize = lengths.iter().sum();
    let filled = |numbers: &Vec<f64>| -> Row {
        let block = |length: &usize| numbers.iter().copied().cycle().take(*length);
        lengths.iter().flat_map(block).collect()
    };
    let arguments = bench.signature.arguments.iter().zip(&bench.point.primals);
    let read = arguments.filter(|(parameter, floats)| !parameter.write_only && !floats.is_empty());
    let of_arguments = read.map(|(parameter, floats)| {
        let words = format!("seeds are the numbers of {}", parameter.name);
        (words, filled(floats))
    });
    let own = ("seeds are what they are seeds of".to_owned(), own);
    let all = std::iter::once(own).chain(of_arguments);
    let told = all.filter(|(_, row)| {
        row.len() == total && row.iter().all(|x| x.is_finite()) && row.iter().any(|x| *x != 0.0)
    });
    told.map(|(words, row)| (words, vec![row])).collect()
}
