//! What can be said of a mix before its rule is run.

use std::ops::Range;

use super::buffers::ConstBuffers;
use crate::jacobian::Jacobian;
use crate::judge::{Bench, Point};
use crate::subject::Fault;
use crate::verdict::Verdict;

/// V1, and the question whether a `Const` buffer receives active data. Answers whether the differences have something to say.
pub(super) fn classify(bench: &mut Bench<'_>, buffers: &ConstBuffers) -> bool {
    let point = bench.point;
    if bench.jacobian.is_none() && bench.probes.is_none() {
        // A primal that returns an error here is judged by that.
        if let Err(Fault::Panicked(message)) = &point.primal {
            let why = format!("the primal panics at this point: {message}");
            bench.report.pronounce(Verdict::Inconclusive(why));
        }
        return false;
    }
    let depends = |rows: &Range<usize>, argument: usize| match (bench.jacobian, bench.probes) {
        (Some(jacobian), _) => jacobian.matters(rows.clone(), point.input(argument)),
        (None, Some(probes)) => probes[argument].matters(rows.clone()),
        (None, None) => false,
    };
    let active = || {
        bench
            .arguments()
            .filter(|(_, _, activity)| activity.is_active())
    };
    let inputs: Vec<_> = active()
        .filter(|(_, parameter, _)| !parameter.write_only)
        .map(|(index, _, _)| index)
        .collect();
    let mut outputs: Vec<_> = active()
        .filter_map(|(index, _, _)| point.output(index))
        .collect();
    if bench.mix.returned.is_active() {
        outputs.push(point.returned());
    }
    let nothing_in = inputs.iter().all(|input| point.input(*input).is_empty());
    if nothing_in || outputs.iter().all(Range::is_empty) {
        return true;
    }
    let matters = |rows: &Range<usize>| inputs.iter().any(|input| depends(rows, *input));
    if !outputs.iter().any(matters) {
        let why = "every derivative of this mix is zero at this point: choose another point";
        bench.report.pronounce(Verdict::Vacuous(why.into()));
        return false;
    }
    let buffer = bench.arguments().find(|(index, _, activity)| {
        !activity.is_active() && point.output(*index).is_some_and(|rows| matters(&rows))
    });
    let Some((index, parameter, _)) = buffer else {
        return true;
    };
    let unread = |jacobian| is_written_only(point, jacobian, index, &outputs);
    if bench.jacobian.is_some_and(unread) {
        return true;
    }
    let name = parameter.name.clone();
    match buffers {
        ConstBuffers::Flowing(reason) => {
            bench
                .report
                .note("buffer", format!("flows through `Const` {name}: {reason}"));
            true
        }
        ConstBuffers::Severed(reason) => {
            bench
                .report
                .note("buffer", format!("severed at `Const` {name}: {reason}"));
            (bench.jacobian, bench.probes) = (None, None);
            false
        }
        ConstBuffers::Undeclared => {
            bench.report.pronounce(Verdict::Inconclusive(format!(
                "active data goes through {name}, which is `Const`: add `const_buffers = severed(\"as in Enzyme\")` to the test"
            )));
            let say = "to Enzyme what is read back from `Const` memory is inactive, which differences cannot know; a rule that \
                       lets the derivative through says `const_buffers = flowing(\"why\")`";
            bench.report.note("means", say);
            (bench.jacobian, bench.probes) = (None, None);
            false
        }
    }
}

/// Whether the function never reads back what it writes to a buffer: of every entry the old contents live on in the new, and
/// no active output sees them. Then it does not matter that the derivative is severed there.
fn is_written_only(
    point: &Point,
    jacobian: &Jacobian,
    buffer: usize,
    outputs: &[Range<usize>],
) -> bool {
    let Some(rows) = point.output(buffer) else {
        return false;
    };
    rows.zip(point.input(buffer)).all(|(row, column)| {
        let lives_on = !jacobian.entry(row, column).may_be_zero();
        let unseen = |row| {
            let entry = jacobian.entry(row, column);
            entry.flat && entry.value == 0.0
        };
        lives_on && outputs.iter().cloned().flatten().all(unseen)
    })
}
