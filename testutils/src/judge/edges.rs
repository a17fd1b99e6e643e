//! N1: where partials are infinite, a zero seed still gives zero, if the strong zero is asked for.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::pass::both;
use super::push::run;
use super::seeds::Seeds;
use crate::check::Check;
use crate::subject::{Forward, Reverse, State};

/// Values at which partials are often infinite or not numbers.
const EDGES: [f64; 5] = [0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MAX];

/// The point of `bench` with one argument after the other at each edge.
fn edges(bench: &Bench<'_>) -> Vec<Vec<Vec<f64>>> {
    let mut all = Vec::new();
    for (index, _, activity) in bench.arguments() {
        if activity.needs_primal() && !bench.point.primals[index].is_empty() {
            for edge in EDGES {
                let mut primals = bench.primals();
                primals[index].fill(edge);
                all.push(primals);
            }
        }
    }
    all
}

fn zeros(bench: &Bench<'_>) -> Vec<Vec<Vec<f64>>> {
    bench.shadows(|index, _, _, _| vec![0.0; bench.point.primals[index].len()])
}

pub(super) fn forward(bench: &mut Bench<'_>, call: &dyn Forward, needs_primal: bool) {
    let config = ForwardConfig::new(needs_primal).with_strong_zero(true);
    for primals in edges(bench) {
        let start = State {
            primals,
            shadows: zeros(bench),
            ..State::default()
        };
        // A primal may well refuse an infinite argument.
        let Ok(run) = run(call, &config, &start) else {
            continue;
        };
        for tangent in run.tangents(bench) {
            let zeros = vec![0.0; tangent.floats.len()];
            let floats: Vec<_> = tangent.floats.iter().map(|float| float + 0.0).collect();
            bench.same(
                Check::N1,
                &tangent.block,
                Some(tangent.lane),
                &floats,
                &zeros,
            );
        }
    }
}

pub(super) fn reverse(bench: &mut Bench<'_>, call: &dyn Reverse, needs_primal: bool) {
    let config = ReverseConfig::new(needs_primal).with_strong_zero(true);
    let seeds = Seeds::of(bench).scaled(0.0).unaccumulated();
    for primals in edges(bench) {
        // A primal may well refuse an infinite argument.
        let Ok(done) = both(call, &config, &seeds.clone().at(primals), None) else {
            continue;
        };
        for adjoint in done.adjoints(bench) {
            let zeros = vec![0.0; adjoint.floats.len()];
            let floats: Vec<_> = adjoint.floats.iter().map(|float| float + 0.0).collect();
            bench.same(
                Check::N1,
                &adjoint.block,
                Some(adjoint.lane),
                &floats,
                &zeros,
            );
        }
    }
}
