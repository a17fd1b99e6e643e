//! E2: outside the domain, which is found by probing: the rule refuses what the primal refuses, panics where it panics, and
//! changes nothing then.

use std::collections::BTreeMap;

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::push;
use super::refusal::{refused, words};
use super::seeds::Seeds;
use crate::check::Check;
use crate::subject::{Fault, Forward, Reverse, State};

/// Numbers that functions refuse.
const OUTSIDE: [f64; 8] = [
    0.0,
    -1.0,
    1.0,
    1e3,
    -1e3,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// What two arguments are at once, where each may be refused for a reason of its own.
const TWICE: [[f64; 2]; 5] = [
    [-1.0, f64::NAN],
    [f64::NAN, -1.0],
    [-1.0, -1.0],
    [-1.0, 0.0],
    [0.0, -1.0],
];

/// Points of one argument at which the primal fails in one way, with one error: a few will do.
const FEW: usize = 3;

/// The floats of each argument.
type Primals = Vec<Vec<f64>>;

/// Points near a point at which the function fails.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outside {
    /// Where it returns an error.
    refused: Vec<Primals>,
    /// Where it panics.
    panicked: Vec<Primals>,
}

impl Outside {
    /// With one argument, or one of its entries, replaced, or its entries in another order; and with two arguments replaced at once. No
    /// panic is provoked by what is no number, for that is often nobody's intention.
    fn probed(bench: &Bench<'_>) -> Self {
        let (mut outside, at) = (Outside::default(), bench.point.primals.clone());
        if !at.concat().iter().all(|x| x.is_finite()) {
            return outside;
        }
        let read = bench
            .arguments()
            .filter(|(index, parameter, _)| !parameter.write_only && !at[*index].is_empty());
        let read: Vec<usize> = read.map(|(index, _, _)| index).collect();
        for index in &read {
            let candidates = replaced(&at[*index]).into_iter().map(|replaced| {
                let mut primals = at.clone();
                primals[*index] = replaced;
                primals
            });
            outside.tried(bench, candidates);
        }
        for (place, one) in read.iter().enumerate() {
            for other in &read[place + 1..] {
                let both = TWICE.map(|[first, second]| {
                    let mut primals = at.clone();
                    primals[*one].fill(first);
                    primals[*other].fill(second);
                    primals
                });
                outside.tried(bench, both);
            }
        }
        outside
    }

    /// Keeps a few of the points for each way in which the function fails there, and of each kind of number: one comparison refuses what
    /// is too small, and another what is no number.
    fn tried(&mut self, bench: &Bench<'_>, candidates: impl IntoIterator<Item = Primals>) {
        let mut seen: BTreeMap<(Option<Vec<String>>, bool, bool), usize> = BTreeMap::new();
        for primals in candidates {
            let finite = primals.iter().flatten().all(|x| x.is_finite());
            let numbers = !primals.iter().flatten().any(|x| x.is_nan());
            let (error, found) = match (bench.primal)(&primals) {
                Err(Fault::Refused(error)) => {
                    let words = words(&error).into_iter().map(str::to_owned).collect();
                    (Some(words), &mut self.refused)
                }
                Err(Fault::Panicked(_)) if finite => (None, &mut self.panicked),
                _ => continue,
            };
            let count = seen.entry((error, finite, numbers)).or_default();
            *count += 1;
            if *count <= FEW {
                found.push(primals);
            }
        }
    }

    /// All of them; or one of each kind, another in every mix.
    fn chosen(&self, all: bool, turn: usize) -> Vec<Primals> {
        let both = [&self.refused, &self.panicked];
        let chosen = both.map(|of| match all {
            true => of.clone(),
            false => of.iter().cycle().skip(turn).take(1).cloned().collect(),
        });
        chosen.concat()
    }
}

/// An argument with entries that functions refuse.
fn replaced(floats: &[f64]) -> Vec<Vec<f64>> {
    let length = floats.len();
    let mut all = reordered(floats);
    for value in OUTSIDE {
        // The last, all, the first, one between: one place where there is one number.
        let middle = length / 2;
        let places = [length - 1..length, 0..length, 0..1, middle..middle + 1];
        let count = match length {
            1 => 1,
            2 => 3,
            _ => places.len(),
        };
        for place in places.into_iter().take(count) {
            let mut other = floats.to_vec();
            other[place].fill(value);
            all.push(other);
        }
    }
    all
}

/// An argument whose own entries stand in another order, or are equal to each other; and one that is outside for two reasons, in
/// either order.
fn reordered(floats: &[f64]) -> Vec<Vec<f64>> {
    let [first, .., _] = *floats else {
        return vec![];
    };
    let length = floats.len();
    let mut ends_alike = floats.to_vec();
    ends_alike[length - 1] = first;
    let mut sorted = floats.to_vec();
    sorted.sort_by(f64::total_cmp);
    let backwards = sorted.iter().rev().copied().collect();
    let ends = |one: f64, other: f64| {
        let mut ends = floats.to_vec();
        (ends[0], ends[length - 1]) = (one, other);
        ends
    };
    let mut all = vec![ends_alike, vec![first; length], backwards, sorted];
    all.extend([ends(f64::NAN, -1.0), ends(-1.0, f64::NAN)]);
    if length > 2 {
        let mut apart = floats.to_vec();
        apart[2] = first;
        all.push(apart);
    }
    all
}

/// Where the rule is to fail: everywhere that is known where all that has a derivative is active, elsewhere at a point or two.
fn outside(bench: &Bench<'_>, first: bool) -> Vec<Primals> {
    let outside = bench.point.outside.get_or_init(|| Outside::probed(bench));
    let all = (bench.whole || bench.thorough) && bench.mix.width == 1 && first;
    let mut chosen = outside.chosen(all, bench.mix.number() + usize::from(first));
    let start = bench.primals();
    let unneeded = bench
        .arguments()
        .filter(|(_, _, activity)| !activity.needs_primal());
    for (index, _, _) in unneeded {
        for primals in &mut chosen {
            primals[index].clone_from(&start[index]);
        }
    }
    chosen
}

pub(super) fn forward(bench: &mut Bench<'_>, call: &Forward<'_>, needs_primal: bool) {
    for primals in outside(bench, needs_primal == call.needs_primal()[0]) {
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
    for primals in outside(bench, needs_primal == call.needs_primal()[0]) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_replaced_alone_and_together_and_reordered() {
        let all = replaced(&[2.0, 5.0, 3.0]);
        let expected = [
            [2.0, 5.0, 2.0],
            [-1.0, 5.0, 3.0],
            [2.0, 5.0, -1.0],
            [-1.0; 3],
            [2.0; 3],
            [5.0, 3.0, 2.0],
            [2.0, 3.0, 5.0],
        ];
        for expected in expected {
            assert!(all.iter().any(|floats| *floats == expected), "{expected:?}");
        }
        assert_eq!(replaced(&[2.0]).len(), OUTSIDE.len());
    }

    #[test]
    fn one_mix_tries_all_and_others_take_turns() {
        let point = |x: f64| vec![vec![x]];
        let outside = Outside {
            refused: vec![point(1.0), point(2.0), point(3.0)],
            panicked: vec![point(4.0)],
        };
        assert_eq!(outside.chosen(true, 7).len(), 4);
        assert_eq!(outside.chosen(false, 4), [point(2.0), point(4.0)]);
        assert!(Outside::default().chosen(false, 1).is_empty());
    }
}
