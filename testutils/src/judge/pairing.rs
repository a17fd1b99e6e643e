//! R2: the pullback is the transpose of the pushforward.
//!
//! `⟨dy, J·dx⟩` from the forward rule and `⟨Jᵀ·dy, dx⟩` from the reverse rule are one number. No differences are needed, so
//! this is sharp where the differences are not: to a few roundings of the terms, and where both derivatives lose digits, to what
//! they lose where the point moves by its last place.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::pass::{Failure, both};
use super::push::{Run, run};
use super::refusal;
use super::seeds::Seeds;
use crate::check::Check;
use crate::estimate::Estimate;
use crate::jacobian::Jacobian;
use crate::ladder::Precision;
use crate::layout::Block;
use crate::sample::Stream;
use crate::subject::{Forward, Reverse, State};
use crate::tolerance::Judgement;

/// Judges `reverse` by `forward`, in every lane.
pub(crate) fn pairing(bench: &mut Bench<'_>, forward: &Forward<'_>, reverse: &Reverse<'_>) {
    if refusal::applies(bench) {
        return refusal::reverse(bench, Check::E1, reverse, reverse.needs_primal()[0]);
    }
    if let Err((half, fault)) = judge(bench, forward, reverse) {
        bench.fault(half, &fault);
    }
}

/// By what a product may be off at most because the derivatives lose digits, relative to its terms: half of all digits.
fn most(precision: Precision) -> f64 {
    8.0 * precision.epsilon().sqrt()
}

/// How often the point is moved by its last place.
const MOVES: u64 = 4;

/// `⟨dy, J·dx⟩` and `⟨Jᵀ·dy, dx⟩` of one lane, term by term.
struct Products {
    ahead: Vec<f64>,
    back: Vec<f64>,
}

impl Products {
    fn sums(&self) -> [f64; 2] {
        [&self.ahead, &self.back].map(|terms| terms.iter().sum())
    }

    fn magnitude(&self) -> f64 {
        let terms = self.ahead.iter().chain(&self.back);
        terms.map(|term| term.abs()).sum()
    }
}

fn judge(
    bench: &mut Bench<'_>,
    forward: &Forward<'_>,
    reverse: &Reverse<'_>,
) -> Result<(), Failure> {
    let start = start(bench);
    let products = products(bench, forward, reverse, &start)?;
    let mut moved = None;
    for (lane, of_lane) in products.iter().enumerate() {
        let dy = Seeds::of(bench).total(bench, lane);
        let conditioning: f64 = bench.reference().map_or(0.0, |jacobian| {
            let entries = jacobian.forward(&direction(bench, &start, lane));
            let terms = entries.iter().zip(&dy);
            terms.map(|(entry, dy)| dy.abs() * entry.terms).sum()
        });
        let ([ahead, back], magnitude) = (of_lane.sums(), of_lane.magnitude());
        let exact = Estimate {
            terms: magnitude + conditioning,
            ..Estimate::exact(ahead)
        };
        let agrees = |expected: &Estimate| {
            let comparison = Check::R2.comparison();
            let comparison = comparison.map(|by| by.in_precision(bench.precision));
            comparison.is_none_or(|by| by.judge(back, expected) == Judgement::Pass)
        };
        let expected = match agrees(&exact) {
            true => exact,
            false => {
                let moved = moved.get_or_insert_with(|| moves(bench, forward, reverse, &start));
                let changes = moved.iter().filter_map(|products| products.get(lane));
                let changes = changes.flat_map(|products| {
                    let [other_ahead, other_back] = products.sums();
                    [other_ahead - ahead, other_back - back]
                });
                let lost = changes.fold(0.0, |lost: f64, change| lost.max(change.abs()));
                // Neighbours tell nothing of digits that are lost beside a constant.
                let noise = bench.reference().map_or(0.0, Jacobian::noise);
                let lost = lost.max(noise * bench.precision.epsilon() * magnitude);
                Estimate {
                    terms: exact.terms
                        + lost.min(most(bench.precision) * magnitude) / bench.precision.epsilon(),
                    ..exact
                }
            }
        };
        let place = Block::alone("⟨adjoint, dx⟩", &[]).place(0);
        bench
            .report
            .compare(Check::R2, place, Some(lane), back, &expected);
    }
    Ok(())
}

/// The products where the point is moved by its last place: what derivatives change by there, none of the rules can know.
fn moves(
    bench: &Bench<'_>,
    forward: &Forward<'_>,
    reverse: &Reverse<'_>,
    start: &State,
) -> Vec<Vec<Products>> {
    let mut stream = Stream::of_case("last places", 0);
    let unit = 2.0 * bench.precision.epsilon();
    let moves = (0..MOVES).map(|_| {
        let mut moved = start.clone();
        let floats = moved.primals.iter_mut().flatten();
        floats.for_each(|x| *x *= 1.0 + unit * stream.seed());
        products(bench, forward, reverse, &moved)
    });
    moves.filter_map(Result::ok).collect()
}

/// What both rules make of a point, lane by lane.
fn products(
    bench: &Bench<'_>,
    forward: &Forward<'_>,
    reverse: &Reverse<'_>,
    start: &State,
) -> Result<Vec<Products>, Failure> {
    let config = ForwardConfig::new(forward.needs_primal()[0]);
    let pushed = run(forward, &config, start)?;
    let seeds = Seeds::of(bench).unaccumulated().at(start.primals.clone());
    let config = ReverseConfig::new(reverse.needs_primal()[0]);
    let pulled = both(reverse, &config, &seeds, None)?;
    let adjoints = pulled.adjoints(bench);
    let of_lane = |lane: usize| {
        let dy = seeds.total(bench, lane);
        let tangent = total(bench, &pushed, lane);
        let ahead = dy.iter().zip(&tangent).map(|(dy, tangent)| dy * tangent);
        let mine = adjoints.iter().filter(|adjoint| adjoint.lane == lane);
        let back = mine.flat_map(|adjoint| {
            let dx = &start.shadows[adjoint.argument][lane];
            let terms = adjoint.floats.iter().zip(dx);
            terms.map(|(adjoint, dx)| adjoint * dx)
        });
        Products {
            ahead: ahead.collect(),
            back: back.collect(),
        }
    };
    Ok((0..bench.mix.width).map(of_lane).collect())
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
