//! N2, N3: where else the arguments can be taken: beside zeros and ties, and to the extremes of the numbers.
//!
//! Each place has a centre, at which the function may be singular: a zero, or two numbers that are equal. Beside a centre at
//! which the differences know no derivative nothing is judged, for there each side has a derivative of its own.

use crate::argument::Draw;
use crate::check::Check;
use crate::ladder::Precision;

use super::change::Change::{
    self, Across, Balanced, Between, Beyond, Circle, Conjugate, Counted, Cross, Everything,
    Inverse, Level, Middle, Norm, Origin, Orthant, Permuted, Reflected, Rest, Rival, Set, Shifted,
    Tie, Times, Triple, Twin, Unit, Zeros,
};
use super::change::Rank;
use super::signature::{Parameter, Signature};

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

/// Of so many threes of arguments the places are exchanged.
const THREES: usize = 4;

/// How far two arguments are apart that another lies between.
const APART: [f64; 2] = [1e-2, 1e-3];

/// A number beyond one.
const BEYOND: f64 = 2.5;

/// How near the second comes to the first: near enough for a tolerance, and far enough for steps between the two; and the same on the
/// other side of zero.
const RIVALS: [f64; 5] = [1.01, 0.999, 1.0001, 1.000_001, -1.0];

/// Numbers near zero that a square or an inverse does not survive.
const TINY: [f64; 2] = [-1e-150, f64::MIN_POSITIVE / 4.0];

/// Numbers far out that an exponential, a fourth power or a square does not survive.
const HUGE: [f64; 6] = [700.0, 710.0, -710.0, 1e8, 1e150, -1e150];

/// Of so many arguments every choice of sides is tried.
const SIDES: usize = 3;

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
        let multiples =
            multiples.map(|((one, other), factor)| centre(Twin([*one, *other], factor)));
        let twins = pairs.iter().map(|(one, other)| Neighbourhood {
            centre: Twin([*one, *other], 1.0),
            at_centre: false,
            around: beside(|delta| Twin([*one, *other], 1.0 + delta)),
        });
        let several = |(one, _): &&(usize, usize)| self.arguments[*one].length() > 1;
        let conjugate = pairs
            .iter()
            .filter(|(one, _)| self.arguments[*one].length() > 1)
            .flat_map(|(one, other)| [[*one, *other], [*other, *one]])
            .map(|pair| centre(Conjugate(pair)));
        let related = pairs
            .iter()
            .map(|(one, other)| [*one, *other])
            .flat_map(|pair| [Rest(pair), Inverse(pair), Circle(pair)])
            .map(centre);
        let permuted = self.permutations().into_iter().map(centre);
        let crossed = pairs
            .iter()
            .filter(several)
            .map(|(one, other)| centre(Cross([*one, *other])));
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
            around: [6.0, -3.0, 200.0, 1e-3, 1e-6]
                .map(|value| at(Everything(value)))
                .to_vec(),
        };
        let together = (!pairs.is_empty()).then_some(together);
        let all = of_one
            .chain(twins)
            .chain(opposite)
            .chain(multiples)
            .chain(permuted)
            .chain(crossed)
            .chain(conjugate)
            .chain(related)
            .chain(origin)
            .chain(together)
            .chain(self.orthants());
        all.collect()
    }

    /// Each argument on one side of zero, and all choices of sides for a few.
    fn orthants(&self) -> Vec<Neighbourhood> {
        let read = self.arguments.iter().filter(|of| !of.write_only);
        match read.clone().count() {
            count @ 1..=SIDES if read.clone().any(|of| of.length() > 1) => (0..1 << count)
                .map(|below| centre(Orthant(below)))
                .collect(),
            _ => vec![],
        }
    }

    /// The arguments that can hold the same numbers in other places, on both sides of zero: which is the largest, and what lies between
    /// two others, is another one there.
    fn permutations(&self) -> Vec<Change> {
        let pairs = self.pairs();
        let swapped = pairs.iter().map(|(one, other)| [*one, *other, *other]);
        let of_three = pairs.iter().flat_map(|(one, two)| {
            let thirds = pairs.iter().filter(move |(of, _)| of == two);
            thirds.map(move |(_, three)| [*one, *two, *three])
        });
        let of_three: Vec<[usize; 3]> = of_three.take(THREES).collect();
        let turned = of_three
            .iter()
            .flat_map(|[a, b, c]| [[*a, *b, *c], [*c, *b, *a]]);
        let first = pairs.first().map(|(one, _)| [*one; 3]);
        let same = first.map(|first| Permuted(first, true));
        let other = swapped.chain(turned);
        let other = other.flat_map(|order| [false, true].map(|negated| Permuted(order, negated)));
        let between = of_three
            .iter()
            .flat_map(|[a, b, c]| [[*a, *b, *c], [*b, *a, *c], [*c, *a, *b]]);
        let between = between.flat_map(|of| {
            let near = APART.map(|apart| Between(of, apart));
            [Middle(of)].into_iter().chain(near)
        });
        // What depends on differences only has no zero but these.
        let shifted = pairs.first().map(|(one, _)| *one).into_iter();
        let shifted = shifted.chain(pairs.iter().map(|(_, other)| *other));
        let mut shifted: Vec<usize> = shifted.collect();
        shifted.sort_unstable();
        shifted.dedup();
        let shifted = shifted.into_iter().map(Shifted);
        same.into_iter()
            .chain(other)
            .chain(between)
            .chain(shifted)
            .collect()
    }

    /// On the other side of zero, at zero, and beyond one on both sides: where a case of the configuration may be wrong.
    pub(crate) fn sides(&self) -> Vec<Place> {
        let rows = self.arguments.iter().enumerate();
        let read = rows.filter(|(_, parameter)| !parameter.write_only && parameter.length() > 0);
        let sides = read.flat_map(|(argument, _)| {
            [
                Times(argument, None, -1.0),
                Set(argument, None, 0.0),
                Beyond(argument, BEYOND),
                Beyond(argument, -BEYOND),
            ]
        });
        sides.map(at).collect()
    }

    /// Whether all numbers of a point lie where they may.
    pub(crate) fn admits(&self, primals: &[Vec<f64>]) -> bool {
        let mut rows = self.arguments.iter().zip(primals);
        rows.all(|(parameter, floats)| floats.iter().all(|x| parameter.may_be(*x)))
    }
}

impl Place {
    /// Whether nothing is singular near the place, only far from where points are drawn.
    pub(crate) fn is_plain(self) -> bool {
        let plain = |value: f64| value.abs() >= PLAIN[0];
        match self.change {
            Beyond(_, value) | Everything(value) => self.check == Check::N3 && plain(value),
            _ => false,
        }
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

/// A place that is judged, and nothing beside it.
fn centre(centre: Change) -> Neighbourhood {
    Neighbourhood {
        centre,
        at_centre: true,
        around: vec![],
    }
}

fn beside(change: impl Fn(f64) -> Change) -> Vec<Place> {
    BESIDE.into_iter().map(|delta| at(change(delta))).collect()
}

/// The neighbourhoods of one argument.
fn of_one(argument: usize, parameter: &Parameter, precision: Precision) -> Vec<Neighbourhood> {
    let length = parameter.length();
    let last = length - 1;
    let (tiny, huge): (&[f64], &[f64]) = match precision {
        Precision::Double => (&TINY, &HUGE),
        Precision::Single => (&TINY_SINGLE, &HUGE_SINGLE),
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
        around.extend(extremes(entry, tiny));
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
        around: plain.chain(extremes(None, huge)).collect(),
    };
    let mut all = vec![zero(None), far, centre(Across(argument))];
    if length == 1 {
        all.extend([1.0, -1.0].map(|one| Neighbourhood {
            centre: Set(argument, None, one),
            at_centre: true,
            around: beside(|delta| Set(argument, None, one + delta)),
        }));
        return all;
    }
    all.push(Neighbourhood {
        around: extremes(Some(last), tiny),
        ..centre(Set(argument, Some(last), 0.0))
    });
    all.push(centre(Set(argument, None, 1.0)));
    all.push(centre(Counted(argument)));
    all.extend([0, last].map(|entry| centre(Unit(argument, entry))));
    all.push(centre(Balanced(argument)));
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
    let ranks = [Rank::Largest, Rank::Smallest];
    let rivals = ranks.map(|rank| RIVALS.map(|factor| at(Rival(argument, rank, factor))));
    all.push(Neighbourhood {
        around: rivals.concat(),
        at_centre: false,
        ..centre(Times(argument, None, 1.0))
    });
    all.extend(
        [(0, -1.0), (last, 1.0)].map(|(entry, side)| centre(Reflected(argument, entry, side))),
    );
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
