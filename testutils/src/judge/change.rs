//! What becomes of the numbers of a point in other places.

use super::signature::Signature;

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
    /// All of an argument is on one side of zero, but for one entry, which is zero.
    Reflected(usize, usize, f64),
    /// The second largest entry of an argument, or the second smallest, is the first, times a factor.
    Rival(usize, Rank, f64),
    /// An argument is another, but every second number has the other sign, as a complex conjugate has.
    Conjugate([usize; 2]),
    /// An argument is what is left of one beside another, as of probabilities.
    Rest([usize; 2]),
    /// An argument is the inverse of another.
    Inverse([usize; 2]),
    /// The squares of two arguments add up to one, entry by entry.
    Circle([usize; 2]),
    /// An argument is a unit vector.
    Unit(usize, usize),
    /// The numbers of an argument add up to zero, to the last bit.
    Balanced(usize),
    /// An argument is zero, and all others are on the other side of it.
    Across(usize),
    /// Two or three arguments have changed their places: the first becomes the second, that the next, and the last the first; and all are on
    /// the other side of zero, or not.
    Permuted([usize; 3], bool),
    /// An argument is the mean of two others.
    Middle([usize; 3]),
    /// An argument lies between two others that are this part of themselves apart.
    Between([usize; 3], f64),
    /// All that is read is moved by one number, so that the first entry of an argument is zero.
    Shifted(usize),
    /// All that is read is above zero, but the arguments whose bit is set below.
    Orthant(u8),
    /// The entries of an argument are counted up from zero, as in an example.
    Counted(usize),
}

/// Which end of the numbers of an argument, sorted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rank {
    Largest,
    Smallest,
}

/// How far from the one end an argument lies that is between two others.
const INSIDE: f64 = 0.375;

use Change::{
    Across, Balanced, Between, Beyond, Circle, Conjugate, Counted, Cross, Everything, Inverse,
    Level, Middle, Norm, Origin, Orthant, Permuted, Reflected, Rest, Rival, Set, Shifted, Tie,
    Times, Triple, Twin, Unit, Zeros,
};

impl Signature {
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
            Orthant(below) => {
                let read = self.arguments.iter().zip(primals);
                let read = read.filter(|(parameter, _)| !parameter.write_only);
                for (index, (_, floats)) in read.enumerate() {
                    let side = if below >> index & 1 == 1 { -1.0 } else { 1.0 };
                    floats.iter_mut().for_each(|x| *x = x.abs() * side);
                }
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
            Reflected(argument, entry, side) => {
                let floats = &mut primals[argument];
                floats.iter_mut().for_each(|x| *x = x.abs() * side);
                floats[entry] = 0.0;
            }
            Rest([from, to]) => primals[to] = primals[from].iter().map(|x| 1.0 - x).collect(),
            Inverse([from, to]) => primals[to] = primals[from].iter().map(|x| 1.0 / x).collect(),
            Circle([one, other]) => {
                primals[one].fill(0.6);
                primals[other].fill(0.8);
            }
            Rival(argument, rank, factor) => {
                let floats = &mut primals[argument];
                let mut order: Vec<usize> = (0..floats.len()).collect();
                order.sort_by(|a, b| floats[*b].total_cmp(&floats[*a]));
                if let Rank::Smallest = rank {
                    order.reverse();
                }
                floats[order[1]] = floats[order[0]] * factor;
            }
            Conjugate([from, to]) => {
                let signs = [1.0, -1.0].into_iter().cycle();
                primals[to] = primals[from]
                    .iter()
                    .zip(signs)
                    .map(|(x, s)| x * s)
                    .collect();
            }
            Unit(argument, entry) => {
                primals[argument].fill(0.0);
                primals[argument][entry] = 1.0;
            }
            Balanced(argument) => {
                if let [others @ .., last] = &mut primals[argument][..] {
                    *last = -others.iter().sum::<f64>();
                }
            }
            Across(argument) => {
                primals.iter_mut().flatten().for_each(|x| *x = -*x);
                primals[argument].fill(0.0);
            }
            Permuted([one, two, three], negated) => {
                primals.swap(one, two);
                primals.swap(two, three);
                let read = self.arguments.iter().zip(primals);
                let read = read.filter(|(parameter, _)| negated && !parameter.write_only);
                read.flat_map(|(_, floats)| floats).for_each(|x| *x = -*x);
            }
            Counted(argument) => {
                let entries = primals[argument].iter_mut().enumerate();
                entries.for_each(|(entry, x)| *x = entry as f64);
            }
            Middle([one, two, three]) => {
                for end in [two, three] {
                    primals[end].iter_mut().for_each(|x| *x = short(*x));
                }
                let both = primals[two].iter().zip(&primals[three]);
                primals[one] = both.map(|(a, b)| (a + b) / 2.0).collect();
            }
            Between([one, two, three], apart) => {
                primals[three] = primals[two].iter().map(|x| x + apart * x.abs()).collect();
                let both = primals[two].iter().zip(&primals[three]);
                primals[one] = both.map(|(a, b)| a + INSIDE * (b - a)).collect();
            }
            Shifted(argument) => {
                let by = primals[argument][0];
                let read = self.arguments.iter().zip(primals);
                let read = read.filter(|(parameter, _)| !parameter.write_only);
                read.flat_map(|(_, floats)| floats).for_each(|x| *x -= by);
            }
            Cross([from, to]) => primals[to][1] = primals[from][0],
            Twin([from, to], factor) => {
                primals[to] = primals[from].iter().map(|x| x * factor).collect();
            }
        }
    }
}

/// A number with so few digits that the mean of two such is exact, and what either is away from it.
fn short(x: f64) -> f64 {
    const DIGITS: u64 = 40;
    f64::from_bits(x.to_bits() >> DIGITS << DIGITS)
}
