//! R5: shadows that are zero in some places only. R8: shadows that are numbers of the call.
//!
//! A rule that assigns where it finds a zero, as BLAS does with `beta = 0`, is right where all is zero and where nothing is.

use coenzyme::ReverseConfig;

use super::adjoints::accumulated;
use super::bench::Bench;
use super::pass::{Done, Failure, both};
use super::seeds::Seeds;
use crate::check::Check;
use crate::subject::Reverse;

/// Which entries of the shadows of inputs are zero before the call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Partly {
    /// One entry of every shadow.
    Entry(Place),
    /// All but one entry of every shadow.
    AllBut(Place),
    /// Every second entry of every shadow, from this on.
    Alternate(usize),
    /// The first half of every shadow, or the second.
    Half(usize),
    /// One lane.
    Lane(usize),
    /// All but one lane.
    AllButLane(usize),
    /// One argument, in all lanes.
    Argument(usize),
    /// The first along an axis of every shadow that has several: a row, a column.
    Along(usize),
    /// None, but all are one.
    Ones,
    /// All, and below zero, as a sum of nothing begins.
    Negative,
}

/// Where in a shadow.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    First,
    Second,
    Middle,
    Last,
}

use Place::{First, Last, Middle, Second};

impl Place {
    fn of(self, length: usize) -> usize {
        match self {
            First => 0,
            Second => 1.min(length - 1),
            Middle => length / 2,
            Last => length - 1,
        }
    }
}

impl Partly {
    /// The patterns for `arguments` shadows in `width` lanes.
    fn patterns(arguments: &[usize], width: usize, several_axes: bool) -> Vec<Partly> {
        let mut patterns = vec![Partly::Entry(First)];
        match width {
            1 => {
                patterns.extend([Second, Last].map(Partly::Entry));
                patterns.extend([First, Middle, Last].map(Partly::AllBut));
                patterns.extend([0, 1].map(Partly::Alternate));
                patterns.extend([0, 1].map(Partly::Half));
                patterns.extend([Partly::Ones, Partly::Negative]);
            }
            _ => {
                patterns.push(Partly::Entry(Last));
                patterns.extend([0, width - 1].map(Partly::Lane));
                patterns.push(Partly::AllButLane(0));
            }
        }
        if arguments.len() > 1 {
            patterns.extend(arguments.iter().copied().map(Partly::Argument));
        }
        if several_axes {
            patterns.extend([0, 1].map(Partly::Along));
        }
        patterns
    }

    /// The patterns that are tried at sizes that nobody has given.
    pub(super) fn of_any_size() -> [Partly; 7] {
        [
            Partly::Entry(First),
            Partly::Entry(Last),
            Partly::AllBut(Middle),
            Partly::Alternate(0),
            Partly::Alternate(1),
            Partly::Half(0),
            Partly::Ones,
        ]
    }

    /// Zeroes what the pattern says of one shadow of this shape.
    pub(super) fn apply(self, argument: usize, shape: &[usize], lane: usize, shadow: &mut [f64]) {
        let length = shadow.len();
        if length == 0 {
            return;
        }
        match self {
            Partly::Entry(place) => shadow[place.of(length)] = 0.0,
            Partly::AllBut(place) => {
                let kept = place.of(length);
                let others = shadow.iter_mut().enumerate();
                others
                    .filter(|(entry, _)| *entry != kept)
                    .for_each(|(_, x)| *x = 0.0);
            }
            Partly::Alternate(first) => shadow
                .iter_mut()
                .skip(first)
                .step_by(2)
                .for_each(|x| *x = 0.0),
            Partly::Half(0) => shadow[..length / 2].fill(0.0),
            Partly::Half(_) => shadow[length / 2..].fill(0.0),
            Partly::Ones => shadow.fill(1.0),
            Partly::Negative => shadow.fill(-0.0),
            Partly::Lane(zero) if lane == zero => shadow.fill(0.0),
            Partly::AllButLane(kept) if lane != kept => shadow.fill(0.0),
            Partly::Argument(zero) if argument == zero => shadow.fill(0.0),
            Partly::Along(axis) if shape.len() > 1 && axis < shape.len() => {
                let within: usize = shape[axis + 1..].iter().product();
                let entries = shadow.iter_mut().enumerate();
                entries
                    .filter(|(entry, _)| (entry / within).is_multiple_of(shape[axis]))
                    .for_each(|(_, x)| *x = 0.0);
            }
            Partly::Lane(_) | Partly::AllButLane(_) | Partly::Argument(_) | Partly::Along(_) => {}
        }
    }
}

/// R5: whatever is zero beforehand, the same is added.
pub(super) fn reverse(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    seeds: &Seeds,
    plain: &Done,
) -> Result<(), Failure> {
    let arguments = seeds.accumulating(bench);
    if arguments.is_empty() {
        return Ok(());
    }
    let shapes = arguments
        .iter()
        .map(|of| &bench.signature.arguments[*of].shape);
    let several_axes = shapes.into_iter().any(|shape| shape.len() > 1);
    for partly in Partly::patterns(&arguments, bench.mix.width, several_axes) {
        let seeds = seeds.clone().partly_zero(bench, partly);
        bench
            .report
            .under(format!("shadows are zero in {partly:?}"));
        let done = both(call, config, &seeds, None)?;
        accumulated(bench, Check::R5, &seeds, &done, plain);
    }
    bench.report.under("");
    Ok(())
}

/// What is in a shadow beforehand, by what is added and what was there.
type Number = fn(f64, f64) -> f64;

/// R8: whatever numbers of the call are there beforehand, the same is added: what is added itself, the other sign of it, and numbers of one
/// sign.
pub(super) fn balanced(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    seeds: &Seeds,
    plain: &Done,
) -> Result<(), Failure> {
    let arguments = seeds.accumulating(bench);
    let befores: [(&str, Number); 4] = [
        ("what is added", |added, _| added),
        ("what is added, with the other sign", |added, _| -added),
        ("all below zero", |_, before| -before.abs()),
        ("all above zero", |_, before| before.abs()),
    ];
    for (words, number) in befores {
        let mut seeds = seeds.clone();
        for adjoint in plain.adjoints(bench) {
            if arguments.contains(&adjoint.argument) {
                seeds.replace_before(adjoint.argument, adjoint.lane, |entry, before| {
                    number(adjoint.floats.get(entry).copied().unwrap_or(before), before)
                });
            }
        }
        bench.report.under(format!("shadows are {words}"));
        let done = both(call, config, &seeds, None)?;
        accumulated(bench, Check::R8, &seeds, &done, plain);
    }
    bench.report.under("");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_leave_what_they_do_not_speak_of() {
        let apply = |partly: Partly, argument, lane| {
            let mut shadow = [1.0; 3];
            partly.apply(argument, &[3], lane, &mut shadow);
            shadow
        };
        assert_eq!(apply(Partly::Entry(First), 0, 1), [0.0, 1.0, 1.0]);
        assert_eq!(apply(Partly::AllBut(Middle), 0, 1), [0.0, 1.0, 0.0]);
        assert_eq!(apply(Partly::Lane(1), 0, 1), [0.0; 3]);
        assert_eq!(apply(Partly::Lane(1), 0, 0), [1.0; 3]);
        assert_eq!(apply(Partly::AllButLane(1), 0, 0), [0.0; 3]);
        assert_eq!(apply(Partly::Argument(2), 2, 0), [0.0; 3]);
        assert_eq!(apply(Partly::Argument(2), 1, 0), [1.0; 3]);
        assert_eq!(Partly::patterns(&[1, 2], 3, false).len(), 7);
        assert_eq!(apply(Partly::Alternate(1), 0, 0), [1.0, 0.0, 1.0]);
        assert_eq!(apply(Partly::Half(0), 0, 0), [0.0, 1.0, 1.0]);
        assert_eq!(apply(Partly::Half(1), 0, 0), [1.0, 0.0, 0.0]);
        assert!(apply(Partly::Negative, 0, 0)[2].is_sign_negative());
        assert_eq!(Partly::patterns(&[1], 1, false).len(), 12);
        assert_eq!(Partly::patterns(&[1], 1, true).len(), 14);
        Partly::Entry(Last).apply(0, &[0], 0, &mut []);
    }

    #[test]
    fn a_row_and_a_column_are_zero_where_there_are_any() {
        let apply = |axis, shape: &[usize]| {
            let mut shadow = [1.0; 6];
            Partly::Along(axis).apply(0, shape, 0, &mut shadow);
            shadow
        };
        assert_eq!(apply(0, &[2, 3]), [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
        assert_eq!(apply(1, &[2, 3]), [0.0, 1.0, 1.0, 0.0, 1.0, 1.0]);
        assert_eq!(apply(0, &[6]), [1.0; 6]);
    }
}
