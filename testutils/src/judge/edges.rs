//! N1: where partials are infinite, a zero seed still gives zero, if the strong zero is asked for; and E1: a rule fails there
//! only if the primal does.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::pass::both;
use super::push::{run, start};
use super::seeds::Seeds;
use super::silence::Silence;
use crate::check::Check;
use crate::layout::Block;
use crate::subject::{Forward, Reverse, State};

/// Values at which partials are often infinite or not numbers.
const EDGES: [f64; 9] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    f64::MIN_POSITIVE / 4.0,
    f64::MAX,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// A point with one argument at an edge, and the lane whose seeds are zero there: now one, now another.
struct Edge {
    primals: Vec<Vec<f64>>,
    silent: usize,
}

/// The point of `bench` with one argument after the other at each edge.
fn edges(bench: &Bench<'_>) -> Vec<Edge> {
    let mut all = Vec::new();
    for (index, _, activity) in bench.arguments() {
        if activity.needs_primal() && !bench.point.primals[index].is_empty() {
            for (turn, edge) in EDGES.into_iter().enumerate() {
                let mut primals = bench.primals();
                primals[index].fill(edge);
                let silent = turn % bench.mix.width;
                all.push(Edge { primals, silent });
            }
        }
    }
    all
}

pub(super) fn forward(bench: &mut Bench<'_>, call: &Forward<'_>, needs_primal: bool) {
    let config = ForwardConfig::new(needs_primal).with_strong_zero(true);
    let seeded = start(bench);
    for Edge { primals, silent } in edges(bench) {
        let start = State {
            primals,
            ..seeded.silenced(&Silence::Lane(silent))
        };
        let run = match run(call, &config, &start) {
            Ok(run) => run,
            Err(failure) => {
                bench.failed_alone(&start.primals, failure);
                continue;
            }
        };
        for tangent in run.tangents(bench) {
            zero(bench, silent, tangent.lane, &tangent.block, tangent.floats);
        }
    }
}

pub(super) fn reverse(bench: &mut Bench<'_>, call: &Reverse<'_>, needs_primal: bool) {
    let config = ReverseConfig::new(needs_primal).with_strong_zero(true);
    let seeded = Seeds::of(bench).unaccumulated();
    for Edge { primals, silent } in edges(bench) {
        let seeds = seeded.clone().silenced(&Silence::Lane(silent)).at(primals);
        let done = match both(call, &config, &seeds, None) {
            Ok(done) => done,
            Err(failure) => {
                bench.failed_alone(&seeds.primals, failure);
                continue;
            }
        };
        for adjoint in done.adjoints(bench) {
            zero(bench, silent, adjoint.lane, &adjoint.block, adjoint.floats);
        }
    }
}

/// N1 for the lane without seeds; of either sign.
fn zero(bench: &mut Bench<'_>, silent: usize, lane: usize, block: &Block, floats: &[f64]) {
    if lane == silent {
        let floats: Vec<_> = floats.iter().map(|float| float + 0.0).collect();
        let zeros = vec![0.0; floats.len()];
        bench.same(Check::N1, block, Some(lane), &floats, &zeros);
    }
}
