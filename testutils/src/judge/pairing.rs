//! R2: the pullback is the transpose of the pushforward.
//!
//! `⟨dy, J·dx⟩` from the forward rule and `⟨Jᵀ·dy, dx⟩` from the reverse rule are one number. No differences are needed, so
//! this is sharp where the differences are not: to a few roundings of the terms.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::pass::{Failure, both};
use super::push::{Run, run};
use super::refusal;
use super::seeds::Seeds;
use crate::check::Check;
use crate::estimate::Estimate;
use crate::layout::Block;
use crate::subject::{Forward, Reverse, State};

/// Judges `reverse` by `forward`, in every lane.
pub(crate) fn pairing(bench: &mut Bench<'_>, forward: &Forward<'_>, reverse: &Reverse<'_>) {
    if refusal::applies(bench) {
        return refusal::reverse(bench, Check::E1, reverse, reverse.needs_primal()[0]);
    }
    if let Err((half, fault)) = judge(bench, forward, reverse) {
        bench.fault(half, &fault);
    }
}

fn judge(
    bench: &mut Bench<'_>,
    forward: &Forward<'_>,
    reverse: &Reverse<'_>,
) -> Result<(), Failure> {
    let start = start(bench);
    let config = ForwardConfig::new(forward.needs_primal()[0]);
    let pushed = run(forward, &config, &start)?;
    let seeds = Seeds::of(bench).unaccumulated();
    let pulled = both(
        reverse,
        &ReverseConfig::new(reverse.needs_primal()[0]),
        &seeds,
        None,
    )?;
    for lane in 0..bench.mix.width {
        let dy = seeds.total(bench, lane);
        let tangent = total(bench, &pushed, lane);
        let conditioning: f64 = bench.reference().map_or(0.0, |jacobian| {
            let entries = jacobian.forward(&direction(bench, &start, lane));
            entries
                .iter()
                .zip(&dy)
                .map(|(entry, dy)| dy.abs() * entry.terms)
                .sum()
        });
        let ahead: Vec<f64> = dy
            .iter()
            .zip(&tangent)
            .map(|(dy, tangent)| dy * tangent)
            .collect();
        let adjoints = pulled.adjoints(bench);
        let mine = adjoints.iter().filter(|adjoint| adjoint.lane == lane);
        let back = mine.flat_map(|adjoint| {
            let dx = &start.shadows[adjoint.argument][lane];
            adjoint
                .floats
                .iter()
                .zip(dx)
                .map(|(adjoint, dx)| adjoint * dx)
        });
        let back: Vec<f64> = back.collect();
        let magnitude: f64 = ahead.iter().chain(&back).map(|term| term.abs()).sum();
        let expected = Estimate {
            terms: magnitude + conditioning,
            ..Estimate::exact(ahead.iter().sum())
        };
        let place = Block::alone("⟨adjoint, dx⟩", &[]).place(0);
        bench
            .report
            .compare(Check::R2, place, Some(lane), back.iter().sum(), &expected);
    }
    Ok(())
}

/// The state that the forward rule starts from: a tangent for every active argument, also for values.
fn start(bench: &Bench<'_>) -> State {
    let tangents = |(index, parameter, activity): (
        usize,
        &super::signature::Parameter,
        crate::mix::Activity,
    )| {
        let lanes = if activity.is_active() {
            bench.mix.width
        } else {
            0
        };
        let label = format!("{} tangent", parameter.name);
        let length = bench.point.primals[index].len();
        (0..lanes)
            .map(|lane| bench.seeds(&label, lane, length))
            .collect()
    };
    State {
        primals: bench.primals(),
        shadows: bench.arguments().map(tangents).collect(),
        ..State::default()
    }
}

/// The tangent of every input of the total map.
pub(super) fn direction(bench: &Bench<'_>, start: &State, lane: usize) -> Vec<f64> {
    let mut direction = Vec::new();
    for (index, primal) in bench.point.primals.iter().enumerate() {
        match start.shadows[index].get(lane) {
            Some(shadow) => direction.extend(shadow),
            None => direction.resize(direction.len() + primal.len(), 0.0),
        }
    }
    direction
}

/// The tangent of every output of the total map.
fn total(bench: &Bench<'_>, run: &Run, lane: usize) -> Vec<f64> {
    let length = bench.point.returned().len();
    let mut total = match &run.returned.tangents {
        Some(tangents) => tangents[lane].clone(),
        None => vec![0.0; length],
    };
    for index in 0..bench.signature.arguments.len() {
        if let Some(rows) = bench.point.output(index) {
            match run.after.shadows[index].get(lane) {
                Some(shadow) => total.extend(shadow),
                None => total.resize(total.len() + rows.len(), 0.0),
            }
        }
    }
    total
}
