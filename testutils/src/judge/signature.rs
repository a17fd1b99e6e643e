//! The arguments of a function: their names, shapes, and where their numbers are drawn.

use std::ops::Range;

use crate::argument::{Access, Draw, Spec};
use crate::ladder::Precision;
use crate::layout::Block;
use crate::sample::{Stream, displaced};

/// The names and shapes of the arguments.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub(crate) arguments: Vec<Parameter>,
}

/// One argument, whatever its type.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) shape: Vec<usize>,
    pub(crate) access: Access,
    pub(crate) write_only: bool,
    pub(crate) draw: Draw,
    /// No range was given.
    pub(crate) free: bool,
    blocks: Vec<(&'static str, Block)>,
}

/// What a name is followed by of which a rule gives numbers: the primal, its shadow, its gradient.
const SUFFIXES: [&str; 3] = ["", ".shadow", ".gradient"];

/// One argument taken elsewhere: one of its entries, or all, times a factor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elsewhere {
    argument: usize,
    entry: Option<usize>,
    factor: f64,
}

impl Elsewhere {
    /// Whether it is so far out that differences may see nothing but waves.
    pub(crate) fn is_far(self) -> bool {
        self.factor == LARGE
    }
}

/// To where series begin, and to where exponentials end.
const SMALL: f64 = 1.0 / 16.0;
const LARGE: f64 = 1024.0;

/// What numbers of single precision are multiplied by besides: of them the last digits are asked wherever they are.
const SINGLE: [f64; 9] = [0.3, 0.55, 0.8, 1.3, 1.7, 4.0, -0.4, -0.8, -1.7];

impl Signature {
    pub(crate) fn new(specs: Vec<Spec>, shapes: Vec<Vec<usize>>, access: &[Access]) -> Self {
        let rows = specs.into_iter().zip(shapes).zip(access).enumerate();
        let parameter =
            |(index, ((spec, shape), access)): (usize, ((Spec, Vec<usize>), &Access))| {
                Parameter {
                    name: spec.name.unwrap_or_else(|| format!("argument {index}")),
                    shape: Vec::new(),
                    access: *access,
                    write_only: spec.write_only,
                    draw: spec.draw,
                    free: spec.free,
                    blocks: Vec::new(),
                }
                .reshaped(shape)
            };
        Signature {
            arguments: rows.map(parameter).collect(),
        }
    }

    /// The same arguments in other shapes.
    pub(crate) fn reshaped(&self, shapes: Vec<Vec<usize>>) -> Self {
        let rows = self.arguments.iter().cloned().zip(shapes);
        Signature {
            arguments: rows
                .map(|(parameter, shape)| parameter.reshaped(shape))
                .collect(),
        }
    }

    /// How many numbers the arguments have.
    pub(crate) fn length(&self) -> usize {
        self.arguments.iter().map(Parameter::length).sum()
    }

    /// Whether the arguments have so few numbers that a function in single precision is looked at often.
    pub(crate) fn is_short(&self) -> bool {
        self.length() <= 32
    }

    /// Whether some argument is drawn, so that there are other points to try.
    pub(crate) fn is_drawn(&self) -> bool {
        let drawn = |parameter: &Parameter| parameter.draw != Draw::Given && parameter.shape != [0];
        self.arguments.iter().any(drawn)
    }

    /// Whether some argument is one drawn number, so that a point lies on one side of zero only where both are in range.
    pub(crate) fn is_one_sided(&self) -> bool {
        let one_sided = |parameter: &Parameter| match &parameter.draw {
            Draw::Given => false,
            Draw::Within(range) => parameter.length() == 1 && range.start < 0.0 && range.end > 0.0,
        };
        self.arguments.iter().any(one_sided)
    }

    /// Takes every drawn number to the other side of zero, if that is in range.
    pub(crate) fn mirror(&self, primals: &mut [Vec<f64>]) {
        for (parameter, floats) in self.arguments.iter().zip(primals) {
            if let Draw::Within(range) = &parameter.draw {
                let there = floats.iter_mut().filter(|float| range.contains(&-**float));
                there.for_each(|float| *float = -*float);
            }
        }
    }

    /// Takes every drawn number to anywhere in its range.
    pub(crate) fn scatter(&self, primals: &mut [Vec<f64>], stream: &Stream) {
        for (parameter, floats) in self.arguments.iter().zip(primals) {
            if let Draw::Within(range) = &parameter.draw {
                let (middle, half) = (range.start / 2.0 + range.end / 2.0, range.end - range.start);
                let mut stream = stream.fork(&parameter.name);
                let anywhere = |float: &mut f64| *float = middle + half / 2.0 * stream.unit();
                floats.iter_mut().for_each(anywhere);
            }
        }
    }

    /// Moves every number by up to 3 %, to one that uses the whole mantissa.
    pub(crate) fn displace(&self, primals: &mut [Vec<f64>], stream: &Stream) {
        for (parameter, floats) in self.arguments.iter().zip(primals) {
            let range = parameter.range();
            let mut stream = stream.fork(&parameter.name);
            for float in floats {
                *float = displaced(*float, stream.unit(), &range);
            }
        }
    }

    /// Takes one argument elsewhere.
    pub(crate) fn take(&self, primals: &mut [Vec<f64>], to: Elsewhere) {
        let range = self.arguments[to.argument].range();
        for (index, float) in primals[to.argument].iter_mut().enumerate() {
            let there = *float * to.factor;
            if to.entry.is_none_or(|entry| entry == index) && range.contains(&there) {
                *float = there;
            }
        }
    }

    /// Where else the arguments can be taken: near zero, where that is in range, and far out, where there is no range. Only one
    /// entry is made zero at a time: where several are equal, the choice among them is the rule's.
    pub(crate) fn elsewhere(&self, precision: Precision) -> Vec<Elsewhere> {
        let rows = self.arguments.iter().enumerate();
        let read = rows.filter(|(_, parameter)| !parameter.write_only && parameter.length() > 0);
        let places = read.flat_map(|(argument, parameter)| {
            let zero = Some(argument % parameter.length());
            let near = [(None, SMALL), (zero, 0.0)];
            let far = [(None, LARGE)];
            let (near_zero, anywhere) = (
                parameter.range().contains(&0.0),
                parameter.draw == Draw::Given,
            );
            let near = near.into_iter().filter(move |_| near_zero);
            let far = far.into_iter().filter(move |_| anywhere);
            let single = SINGLE.into_iter().map(|factor| (None, factor));
            let single = single.filter(move |_| precision == Precision::Single);
            near.chain(far)
                .chain(single)
                .map(move |(entry, factor)| Elsewhere {
                    argument,
                    entry,
                    factor,
                })
        });
        places.collect()
    }

    /// The pairs of arguments that can hold the same numbers, if they have as many.
    pub(crate) fn pairs(&self) -> Vec<(usize, usize)> {
        let read = |index: &usize| !self.arguments[*index].write_only;
        let alike = |(one, other): &(usize, usize)| {
            let (one, other) = (&self.arguments[*one], &self.arguments[*other]);
            one.shape == other.shape && one.length() > 0
        };
        let count = self.arguments.len();
        let pairs = (0..count).filter(read).flat_map(|one| {
            let others = (one + 1..count).filter(read);
            others.map(move |other| (one, other))
        });
        pairs.filter(alike).collect()
    }

    /// The floats of each argument: those given, or drawn.
    pub(crate) fn draw(&self, given: &[Vec<f64>], stream: &Stream) -> Vec<Vec<f64>> {
        let draw = |(parameter, given): (&Parameter, &Vec<f64>)| match &parameter.draw {
            Draw::Given => given.clone(),
            Draw::Within(range) => {
                let mut stream = stream.fork(&parameter.name);
                stream.lattice_points(given.len(), range)
            }
        };
        self.arguments.iter().zip(given).map(draw).collect()
    }
}

impl Parameter {
    /// How many numbers the argument has.
    pub(crate) fn length(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether the function cannot write to it.
    pub(super) fn is_read_only(&self) -> bool {
        self.access != Access::Exclusive
    }

    /// Where its numbers may lie.
    fn range(&self) -> Range<f64> {
        match &self.draw {
            Draw::Given => f64::NEG_INFINITY..f64::INFINITY,
            Draw::Within(range) => range.clone(),
        }
    }

    /// The argument in another shape.
    fn reshaped(self, shape: Vec<usize>) -> Self {
        let block = |suffix: &str| Block::alone(format!("{}{suffix}", self.name), &shape);
        Parameter {
            blocks: SUFFIXES.map(|suffix| (suffix, block(suffix))).to_vec(),
            shape,
            ..self
        }
    }

    /// The entries of the argument, or of something of its shape: `x`, `x.shadow`.
    pub(crate) fn block(&self, suffix: &str) -> Block {
        let mut known = self.blocks.iter();
        match known.find(|(of, _)| *of == suffix) {
            Some((_, block)) => block.clone(),
            None => Block::alone(format!("{}{suffix}", self.name), &self.shape),
        }
    }
}
