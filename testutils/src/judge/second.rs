//! X2: a reverse rule on dual numbers gives second derivatives, those of its own gradient, and they are symmetric.
//!
//! With cotangents that are constants, a rule for `x + ε·v` gives `Jᵀȳ + ε·H·v` for the Hessian `H` of `⟨ȳ, f⟩`. The differences
//! of the rule in plain numbers are another way to `H·v`, and `⟨w, H·v⟩ = ⟨v, H·w⟩` is a third.

use coenzyme::ReverseConfig;

use super::bench::Bench;
use super::pass::{Done, Failure, both};
use super::refusal;
use super::seeds::Seeds;
use crate::check::Check;
use crate::estimate::Estimate;
use crate::ladder::Ladder;
use crate::layout::Block;
use crate::subject::Reverse;

/// Judges `dual`, the rule `plain` on dual numbers, both in one lane.
pub(crate) fn second_order(
    bench: &mut Bench<'_>,
    ladder: &Ladder,
    plain: &Reverse<'_>,
    dual: &Reverse<'_>,
) {
    if refusal::applies(bench) {
        return;
    }
    if let Err((half, fault)) = judge(bench, ladder, plain, dual) {
        bench.fault(half, &fault);
    }
}

fn judge(
    bench: &mut Bench<'_>,
    ladder: &Ladder,
    plain: &Reverse<'_>,
    dual: &Reverse<'_>,
) -> Result<(), Failure> {
    let config = ReverseConfig::new(plain.needs_primal()[0]);
    let seeds = Seeds::of(bench).unaccumulated();
    let gradient = both(plain, &config, &seeds, None)?;
    let (one, other) = (direction(bench, "second"), direction(bench, "third"));
    let first = both(dual, &config, &seeds.dual(&one), None)?;
    let second = both(dual, &config, &seeds.dual(&other), None)?;
    values(bench, &gradient, &first);
    curvature(bench, ladder, plain, &config, &seeds, &one, &first)?;
    let (ahead, back) = (inner(bench, &second, &one), inner(bench, &first, &other));
    let expected = Estimate {
        terms: ahead.iter().chain(&back).map(|term| term.abs()).sum(),
        ..Estimate::exact(ahead.iter().sum())
    };
    let place = Block::alone("⟨w, H·v⟩", &[]).place(0);
    let got = back.iter().sum();
    bench
        .report
        .compare(Check::X2, place, Some(0), got, &expected);
    Ok(())
}

/// A direction in all active inputs; zero in the others.
fn direction(bench: &Bench<'_>, label: &str) -> Vec<Vec<f64>> {
    let seeds = |(index, parameter, activity): (usize, &super::Parameter, crate::Activity)| {
        let length = bench.point.primals[index].len();
        match activity.is_active() && !parameter.write_only {
            true => bench.seeds(&format!("{} {label}", parameter.name), 0, length),
            false => vec![0.0; length],
        }
    };
    bench.arguments().map(seeds).collect()
}

/// Every second number, from `first` on: values, or tangents.
fn part(floats: &[f64], first: usize) -> Vec<f64> {
    floats.iter().skip(first).step_by(2).copied().collect()
}

/// The values of the dual gradient are the gradient.
fn values(bench: &mut Bench<'_>, plain: &Done, dual: &Done) {
    for (plain, dual) in plain.adjoints(bench).iter().zip(dual.adjoints(bench)) {
        let expected: Vec<_> = plain.floats.iter().copied().map(Estimate::exact).collect();
        let got = part(dual.floats, 0);
        bench
            .report
            .compare_block(Check::X2, &plain.block, Some(0), &got, &expected);
    }
}

/// The tangents of the dual gradient are the differences of the gradient.
fn curvature(
    bench: &mut Bench<'_>,
    ladder: &Ladder,
    plain: &Reverse<'_>,
    config: &ReverseConfig,
    seeds: &Seeds,
    along: &[Vec<f64>],
    dual: &Done,
) -> Result<(), Failure> {
    let flat = |done: &Done| -> Vec<f64> {
        let adjoints = done.adjoints(bench);
        adjoints
            .iter()
            .flat_map(|adjoint| adjoint.floats)
            .copied()
            .collect()
    };
    let gradient = |x: &[f64]| {
        let seeds = seeds.clone().at(bench.point.split(x));
        both(plain, config, &seeds, None)
            .ok()
            .map(|done| flat(&done))
    };
    let Some(expected) = ladder.directional(gradient, &seeds.primals.concat(), &along.concat())
    else {
        return Ok(());
    };
    let mut next = 0;
    for adjoint in dual.adjoints(bench) {
        let got = part(adjoint.floats, 1);
        let expected = &expected[next..next + got.len()];
        next += got.len();
        let block = bench.signature.arguments[adjoint.argument].block(".second");
        bench
            .report
            .compare_block(Check::X2, &block, Some(0), &got, expected);
    }
    Ok(())
}

/// The terms of `⟨w, H·v⟩`.
fn inner(bench: &Bench<'_>, dual: &Done, with: &[Vec<f64>]) -> Vec<f64> {
    let terms = |adjoint: super::pass::Adjoint<'_>| {
        let tangent = part(adjoint.floats, 1);
        let pairs = tangent.into_iter().zip(with[adjoint.argument].clone());
        pairs
            .map(|(tangent, with)| tangent * with)
            .collect::<Vec<_>>()
    };
    dual.adjoints(bench).into_iter().flat_map(terms).collect()
}
