//! E2: outside the domain, which is found by probing: the rule refuses what the primal refuses, panics where it panics, and
//! changes nothing then.

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::push;
use super::refusal::refused;
use super::seeds::Seeds;
use crate::check::Check;
use crate::subject::{Fault, Forward, Reverse, State};

/// Numbers that functions refuse.
const OUTSIDE: [f64; 7] = [
    0.0,
    -1.0,
    1e3,
    -1e3,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Points of one argument, by which the primal fails in one way: a few will do.
const FEW: usize = 3;

/// Points that the primal refuses, and points at which it panics: with one argument, or its last entry, replaced. No panic is
/// provoked by what is no number, for that is often nobody's intention.
fn outside(bench: &Bench<'_>) -> Vec<Vec<Vec<f64>>> {
    let mut found = Vec::new();
    if bench.mix.width > 1 || !bench.primals().concat().iter().all(|x| x.is_finite()) {
        return found;
    }
    for (index, parameter, _) in bench.arguments() {
        let length = bench.point.primals[index].len();
        if parameter.write_only || length == 0 {
            continue;
        }
        let (mut refuses, mut panics) = (0, 0);
        for value in OUTSIDE {
            for entries in [length - 1..length, 0..length] {
                let mut primals = bench.primals();
                primals[index][entries].fill(value);
                let count = match (bench.primal)(&primals) {
                    Err(Fault::Refused(_)) => &mut refuses,
                    Err(Fault::Panicked(_)) if value.is_finite() => &mut panics,
                    _ => continue,
                };
                *count += 1;
                if *count <= FEW {
                    found.push(primals);
                }
            }
        }
    }
    found
}

pub(super) fn forward(bench: &mut Bench<'_>, call: &Forward<'_>, needs_primal: bool) {
    for primals in outside(bench) {
        let start = State {
            primals,
            ..push::start(bench)
        };
        let mut after = start.clone();
        let config = ForwardConfig::new(needs_primal);
        let fault = call.run(&config, &mut after).err();
        refused(
            bench,
            Check::E2,
            "forward",
            fault,
            &start,
            &after,
            needs_primal,
        );
    }
}

pub(super) fn reverse(bench: &mut Bench<'_>, call: &Reverse<'_>, needs_primal: bool) {
    for primals in outside(bench) {
        let start = Seeds::of(bench).at(primals).start();
        let mut after = start.clone();
        let config = ReverseConfig::new(needs_primal);
        let fault = call.augmented(None, &config, &mut after).err();
        refused(
            bench,
            Check::E2,
            "augmented_primal",
            fault,
            &start,
            &after,
            needs_primal,
        );
    }
}
