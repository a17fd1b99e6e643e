//! N2, N3: where else the arguments can be taken: beside zeros and ties, and to the extremes of the numbers.
//!
//! Each place has a centre, at which the function may be singular: a zero, or two numbers that are equal. Beside a centre at
//! which the differences know no derivative nothing is judged, for there each side has a derivative of its own.

use crate::argument::Draw;
use crate::check::Check;
use crate::ladder::Precision;

use super::signature::{Parameter, Signature};

/// What becomes of the numbers of a point.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change {
    /// One entry of an argument, or all of it, times a factor.
    Times(usize, Option<usize>, f64),
    /// One entry of an argument, or all of it, set.
    Set(usize, Option<usize>, f64),
    /// Two entries of an argument zero.
    Zeros(usize, [usize; 2]),
    /// An entry of an argument is another, times a factor.
    Tie(usize, [usize; 2], f64),
    /// All entries of an argument are the first, each times a factor more often.
    Level(usize, f64),
    /// An argument is another, times a factor.
    Twin([usize; 2], f64),
    /// The second entry of an argument is the first of another.
    Cross([usize; 2]),
    /// The entries of an argument lie at a number and a little beyond it, no two the same.
    Beyond(usize, f64),
    /// All that is read lies at a number and a little beyond it.
    Everything(f64),
    /// The first three entries of an argument are equal.
    Triple(usize),
    /// The magnitudes of an argument, or their squares, add up to one.
    Norm(usize, i32),
    /// All that is read is zero.
    Origin,
}

use Change::{
    Beyond, Cross, Everything, Level, Norm, Origin, Set, Tie, Times, Triple, Twin, Zeros,
};

/// A point with something changed, and by what it is judged there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) check: Check,
    pub(crate) change: Change,
}

/// A place at which a function may be singular, and places beside it.
pub(crate) struct Neighbourhood {
    /// Where the differences must know a derivative, if something beside is to be judged.
    pub(crate) centre: Change,
    /// Whether the centre itself is judged.
    pub(crate) at_centre: bool,
    pub(crate) around: Vec<Place>,
}

/// How far from a centre: both sides, down to where half of all digits are gone.
const BESIDE: [f64; 6] = [1e-2, -1e-3, 6e-5, 1e-5, -1e-7, 1e-9];

/// Numbers at which nothing is singular: where an asymptote, a series or a special case takes over that no drawn point meets.
const PLAIN: [f64; 11] = [
    0.5,
    2.0,
    -4.0,
    10.0,
    -20.0,
    40.0,
    3.0,
    std::f64::consts::PI,
    -8.0,
    -150.0,
    2000.0,
];

/// Numbers near zero that a square or an inverse does not survive.
const TINY: [f64; 2] = [-1e-150, f64::MIN_POSITIVE / 4.0];

/// Numbers far out that an exponential, a fourth power or a square does not survive.
const HUGE: [f64; 6] = [700.0, 710.0, -710.0, 1e8, 1e150, -1e150];

/// The same in single precision.
const TINY_SINGLE: [f64; 2] = [-1e-20, 3e-39];
const HUGE_SINGLE: [f64; 6] = [87.0, 89.0, -89.0, 1e4, 1e19, -1e19];

/// Seeds where partials may be near the largest number.
pub(crate) const SMALL_SEEDS: f64 = 1.0 / (1_u64 << 20) as f64;

impl Signature {
    /// Every neighbourhood of a point.
    pub(crate) fn neighbourhoods(&self, precision: Precision) -> Vec<Neighbourhood> {
        let rows = self.arguments.iter().enumerate();
        let read = rows.filter(|(_, parameter)| !parameter.write_only && parameter.length() > 0);
        let of_one = read.flat_map(|(index, parameter)| of_one(index, parameter, precision));
        let pairs = self.pairs();
        let multiples = pairs
            .iter()
            .flat_map(|pair| [0.5, 2.0].map(|factor| (pair, factor)));
        let multiples = multiples.map(|((one, other), factor)| Neighbourhood {
            centre: Twin([*one, *other], factor),
            at_centre: true,
            around: vec![],
        });
        let twins = pairs.iter().map(|(one, other)| Neighbourhood {
            centre: Twin([*one, *other], 1.0),
            at_centre: false,
            around: beside(|delta| Twin([*one, *other], 1.0 + delta)),
        });
        let several = |(one, _): &&(usize, usize)| self.arguments[*one].length() > 1;
        let crossed = pairs
            .iter()
            .filter(several)
            .map(|(one, other)| Neighbourhood {
                centre: Cross([*one, *other]),
                at_centre: true,
                around: vec![],
            });
        // Numbers whose sum is zero.
        let opposite = pairs.iter().map(|(one, other)| {
            let centre = Twin([*one, *other], -1.0);
            let mut around = vec![at(centre)];
            around.extend(beside(|delta| Twin([*one, *other], -1.0 - delta)));
            Neighbourhood {
                centre,
                at_centre: false,
                around,
            }
        });
        // Where the function has no derivative there, nobody says what a rule may answer.
        let origin = Neighbourhood {
            centre: Origin,
            at_centre: false,
            around: vec![at(Origin)],
        };
        let origin = (!pairs.is_empty()).then_some(origin);
        let together = Neighbourhood {
            centre: Times(0, None, 1.0),
            at_centre: false,
            around: [6.0, -3.0, 200.0]
                .map(|value| at(Everything(value)))
                .to_vec(),
        };
        let together = (!pairs.is_empty()).then_some(together);
        let all = of_one
            .chain(twins)
            .chain(opposite)
            .chain(multiples)
            .chain(crossed)
            .chain(origin)
            .chain(together);
        all.collect()
    }

    /// Takes the numbers of a point where a change takes them, if they may go there.
    pub(crate) fn change(&self, primals: &mut [Vec<f64>], change: Change) {
        let entries = |argument: usize, of: Option<usize>| match of {
            Some(entry) => entry..entry + 1,
            None => 0..self.arguments[argument].length(),
        };
        match change {
            Times(argument, of, factor) => {
                for entry in entries(argument, of) {
                    primals[argument][entry] *= factor;
                }
            }
            Set(argument, of, value) => primals[argument][entries(argument, of)].fill(value),
            Zeros(argument, both) => both
                .into_iter()
                .for_each(|entry| primals[argument][entry] = 0.0),
            Tie(argument, [from, to], factor) => {
                let value = primals[argument][from] * factor;
                primals[argument][to] = value;
            }
            Level(argument, factor) => {
                let mut value = primals[argument][0];
                primals[argument].iter_mut().for_each(|entry| {
                    *entry = value;
                    value *= factor;
                });
            }
            Everything(value) => {
                let read = self.arguments.iter().zip(primals);
                let read = read.filter(|(parameter, _)| !parameter.write_only);
                let mut entries = read.flat_map(|(_, floats)| floats).enumerate();
                entries
                    .by_ref()
                    .for_each(|(entry, x)| *x = value * (1.0 + entry as f64 / 64.0));
            }
            Triple(argument) => {
                let first = primals[argument][0];
                primals[argument][..3].fill(first);
            }
            Norm(argument, power) => {
                let floats = &mut primals[argument];
                let sum: f64 = floats.iter().map(|x| x.abs().powi(power)).sum();
                let norm = sum.powf(1.0 / f64::from(power));
                floats.iter_mut().for_each(|x| *x /= norm);
            }
            Beyond(argument, value) => {
                let entries = primals[argument].iter_mut().enumerate();
                entries.for_each(|(entry, x)| *x = value * (1.0 + entry as f64 / 64.0));
            }
            Origin => {
                let read = self.arguments.iter().zip(primals);
                let read = read.filter(|(parameter, _)| !parameter.write_only);
                read.for_each(|(_, floats)| floats.fill(0.0));
            }
            Cross([from, to]) => primals[to][1] = primals[from][0],
            Twin([from, to], factor) => {
                primals[to] = primals[from].iter().map(|x| x * factor).collect();
            }
        }
    }

    /// Whether all numbers of a point lie where they may.
    pub(crate) fn admits(&self, primals: &[Vec<f64>]) -> bool {
        let mut rows = self.arguments.iter().zip(primals);
        rows.all(|(parameter, floats)| floats.iter().all(|x| parameter.may_be(*x)))
    }
}

impl Parameter {
    /// Whether the argument may hold this number. A range that nobody has given forbids nothing.
    fn may_be(&self, value: f64) -> bool {
        match &self.draw {
            Draw::Within(range) => self.free || range.contains(&value),
            Draw::Given => true,
        }
    }
}

fn at(change: Change) -> Place {
    Place {
        check: Check::N3,
        change,
    }
}

fn beside(change: impl Fn(f64) -> Change) -> Vec<Place> {
    BESIDE.into_iter().map(|delta| at(change(delta))).collect()
}

/// The neighbourhoods of one argument.
fn of_one(argument: usize, parameter: &Parameter, precision: Precision) -> Vec<Neighbourhood> {
    let length = parameter.length();
    let last = length - 1;
    let (tiny, huge) = match precision {
        Precision::Double => (TINY, HUGE),
        Precision::Single => (TINY_SINGLE, HUGE_SINGLE),
    };
    let extremes = |entry: Option<usize>, of: &[f64]| -> Vec<Place> {
        let extreme = |value: &f64| Place {
            check: Check::N2,
            change: Set(argument, entry, *value),
        };
        of.iter().map(extreme).collect()
    };
    let zero = |entry: Option<usize>| {
        let mut around = beside(|delta| Times(argument, entry, delta));
        around.extend(extremes(entry, &tiny));
        Neighbourhood {
            centre: Set(argument, entry, 0.0),
            at_centre: true,
            around,
        }
    };
    // Nothing is singular where the point is: far out all is judged.
    let plain = PLAIN.into_iter().map(|value| Place {
        check: Check::N3,
        change: Beyond(argument, value),
    });
    let far = Neighbourhood {
        centre: Times(argument, None, 1.0),
        at_centre: false,
        around: plain.chain(extremes(None, &huge)).collect(),
    };
    let mut all = vec![zero(None), far];
    if length == 1 {
        all.extend([1.0, -1.0].map(|one| Neighbourhood {
            centre: Set(argument, None, one),
            at_centre: true,
            around: beside(|delta| Set(argument, None, one + delta)),
        }));
        return all;
    }
    let centre = |centre: Change| Neighbourhood {
        centre,
        at_centre: true,
        around: vec![],
    };
    all.push(Neighbourhood {
        around: extremes(Some(last), &tiny),
        ..centre(Set(argument, Some(last), 0.0))
    });
    all.push(centre(Set(argument, None, 1.0)));
    all.extend([1, 2].map(|power| centre(Norm(argument, power))));
    let alone = [(last, 40.0), (0, 3.0)].map(|(entry, value)| Place {
        check: Check::N3,
        change: Set(argument, Some(entry), value),
    });
    all.push(Neighbourhood {
        around: alone.to_vec(),
        at_centre: false,
        ..centre(Times(argument, None, 1.0))
    });
    all.push(Neighbourhood {
        around: beside(|delta| Tie(argument, [0, last], 1.0 + delta)),
        ..centre(Tie(argument, [0, last], 1.0))
    });
    all.push(Neighbourhood {
        around: beside(|delta| Level(argument, 1.0 + delta)),
        ..centre(Level(argument, 1.0))
    });
    let pairs = [[0, 1], [0, last]];
    let different = if length > 2 { 2 } else { 1 };
    all.extend(
        pairs[..different]
            .iter()
            .map(|pair| centre(Zeros(argument, *pair))),
    );
    if length > 2 {
        all.push(centre(Tie(argument, [0, 1], 1.0)));
        all.push(centre(Tie(argument, [last - 1, last], 1.0)));
        all.push(centre(Triple(argument)));
        all.push(centre(Set(argument, Some(length / 2), 0.0)));
        all.push(centre(Times(argument, Some(length / 2), 1e-7)));
        all.push(centre(Tie(argument, [0, 1], -1.0)));
    }
    if length > 3 {
        all.push(centre(Tie(argument, [1, 3], 1.0)));
    }
    all
}
