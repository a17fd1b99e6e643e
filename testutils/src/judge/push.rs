//! One run of a forward rule.

use std::ops::Range;

use coenzyme::ForwardConfig;

use super::bench::{Bench, comparable, overflows};
use super::pass::Failure;
use super::silence::Silence;
use crate::check::Check;
use crate::layout::Block;
use crate::mix::Tangents;
use crate::subject::{Forward, Memory, State};

/// What a call left behind.
#[derive(Clone)]
pub(super) struct Run {
    pub(super) returned: Tangents,
    pub(super) after: State,
}

/// Runs the rule.
pub(super) fn run(
    call: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
) -> Result<Run, Failure> {
    run_in(&mut None, call, config, start)
}

/// Runs the rule in memory that an earlier run has left.
pub(super) fn run_in(
    memory: &mut Option<Memory>,
    call: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
) -> Result<Run, Failure> {
    let mut after = start.clone();
    let returned = call
        .run_in(memory, config, &mut after)
        .map_err(|fault| ("forward", fault))?;
    Ok(Run { returned, after })
}

/// The state before a call: inputs carry tangents; so do outputs, where they are stale.
pub(super) fn start(bench: &Bench<'_>) -> State {
    State {
        primals: bench.primals(),
        shadows: bench.shadows(|index, lane, parameter, _| {
            let length = bench.point.primals[index].len();
            bench.seeds(&parameter.name, lane, length)
        }),
        ..State::default()
    }
}

impl State {
    /// The state with every shadow times `factor`.
    pub(super) fn scaled(&self, factor: f64) -> State {
        let mut state = self.clone();
        let shadows = state.shadows.iter_mut().flatten().flatten();
        shadows.for_each(|seed| *seed *= factor);
        state
    }

    /// The state with some shadows zero.
    pub(super) fn silenced(&self, silence: &Silence) -> State {
        let mut state = self.clone();
        let mut start = 0;
        for lanes in &mut state.shadows {
            silence.apply(start, lanes);
            start += lanes.first().map_or(0, Vec::len);
        }
        state
    }

    /// The shadows that have entries: their names and lengths.
    pub(super) fn extent(&self, bench: &Bench<'_>) -> (Vec<String>, Vec<usize>) {
        let rows = bench.signature.arguments.iter().zip(&self.shadows);
        let lengths = rows.filter_map(|(parameter, lanes)| {
            let length = lanes.first().map_or(0, Vec::len);
            (length > 0).then(|| (parameter.name.clone(), length))
        });
        lengths.unzip()
    }

    /// The state with one lane alone.
    pub(super) fn lane(&self, lane: usize) -> State {
        let one = |lanes: &Vec<Vec<f64>>| lanes.get(lane).cloned().into_iter().collect();
        State {
            shadows: self.shadows.iter().map(one).collect(),
            ..self.clone()
        }
    }
}

/// The tangent of one output in one lane after a call: of the returned value, or of an argument that was written.
pub(super) struct Tangent<'r> {
    pub(super) check: Check,
    pub(super) lane: usize,
    pub(super) block: Block,
    /// Where it stands in the outputs of the total map.
    pub(super) rows: Range<usize>,
    pub(super) floats: &'r [f64],
}

impl Run {
    /// Whether all tangents are finite.
    pub(super) fn is_finite(&self, bench: &Bench<'_>) -> bool {
        let tangents = self.tangents(bench);
        let mut floats = tangents.iter().flat_map(|tangent| tangent.floats);
        floats.all(|float| float.is_finite())
    }

    /// The tangents of all active outputs.
    pub(super) fn tangents<'r>(&'r self, bench: &Bench<'_>) -> Vec<Tangent<'r>> {
        let mut tangents = Vec::new();
        for (lane, floats) in self.returned.tangents.iter().flatten().enumerate() {
            tangents.push(Tangent {
                check: Check::F1,
                lane,
                block: bench.block_of_return(".tangent"),
                rows: bench.point.returned(),
                floats,
            });
        }
        for (index, parameter, _) in bench.arguments() {
            let Some(rows) = bench.point.output(index) else {
                continue;
            };
            for (lane, floats) in self.after.shadows[index].iter().enumerate() {
                tangents.push(Tangent {
                    check: Check::F2,
                    lane,
                    block: parameter.block(".shadow"),
                    rows: rows.clone(),
                    floats,
                });
            }
        }
        tangents
    }
}

/// Requires the tangents of one run to be those of another, under a map.
pub(super) fn agree(
    bench: &mut Bench<'_>,
    check: Check,
    got: &Run,
    expected: &Run,
    map: impl Fn(f64) -> f64,
) {
    let (map, plain) = (&map, |value| comparable(check, value));
    for (got, expected) in got.tangents(bench).iter().zip(expected.tangents(bench)) {
        let expected = expected.floats.iter().map(|value| plain(map(*value)));
        if overflows(check, expected.clone()) {
            continue;
        }
        let floats = got.floats.iter().copied().map(plain);
        let lane = Some(got.lane);
        bench
            .report
            .compare_exact(check, &got.block, lane, floats, expected);
    }
}
