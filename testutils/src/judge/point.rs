//! The point of a test: the numbers, what the primal makes of them, and all its derivatives.

use std::ops::Range;

use crate::argument::{Access, Draw, Spec};
use crate::jacobian::Jacobian;
use crate::ladder::{Ladder, Precision};
use crate::layout::Block;
use crate::probe::Probes;
use crate::sample::{Points, Stream};
use crate::subject::{Fault, Primal};

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
}

impl Signature {
    pub(crate) fn new(specs: Vec<Spec>, shapes: Vec<Vec<usize>>, access: &[Access]) -> Self {
        let rows = specs.into_iter().zip(shapes).zip(access).enumerate();
        let parameter =
            |(index, ((spec, shape), access)): (usize, ((Spec, Vec<usize>), &Access))| Parameter {
                name: spec.name.unwrap_or_else(|| format!("argument {index}")),
                shape,
                access: *access,
                write_only: spec.write_only,
                draw: spec.draw,
            };
        Signature {
            arguments: rows.map(parameter).collect(),
        }
    }

    /// How many numbers the arguments have.
    pub(crate) fn length(&self) -> usize {
        let lengths = self.arguments.iter();
        lengths
            .map(|parameter| parameter.shape.iter().product::<usize>())
            .sum()
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
            Draw::Within(range) => {
                let single = parameter.shape.iter().product::<usize>() == 1;
                single && range.start < 0.0 && range.end > 0.0
            }
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

    /// The floats of each argument: those given, or drawn.
    pub(crate) fn draw(&self, given: &[Vec<f64>], stream: &Stream) -> Vec<Vec<f64>> {
        let draw = |(parameter, given): (&Parameter, &Vec<f64>)| match &parameter.draw {
            Draw::Given => given.clone(),
            Draw::Within(range) => {
                let mut stream = stream.fork(&parameter.name);
                let point = |_| stream.point(Points::Lattice, range.clone());
                given.iter().map(point).collect()
            }
        };
        self.arguments.iter().zip(given).map(draw).collect()
    }
}

impl Parameter {
    /// The entries of the argument, or of something of its shape: `x`, `x.shadow`.
    pub(crate) fn block(&self, suffix: &str) -> Block {
        Block::alone(format!("{}{suffix}", self.name), &self.shape)
    }
}

/// The numbers of a test, with the reference.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    /// The floats of each argument.
    pub(crate) primals: Vec<Vec<f64>>,
    /// What the primal made of them, or why it did not.
    pub(crate) primal: Result<Primal, Fault>,
    /// All derivatives of the total map: from every argument to the returned value and every argument that can be written.
    pub(crate) jacobian: Option<Jacobian>,
    /// In place of the Jacobian where the arguments are too long for one: probes of each argument.
    pub(crate) probes: Option<Vec<Probes>>,
    inputs: Vec<Range<usize>>,
    returned: Range<usize>,
    outputs: Vec<Option<Range<usize>>>,
}

impl Point {
    /// A point of a function in single precision, of which `double` is the same in double precision.
    ///
    /// The rule cannot know its arguments better than to one unit in the last place: what the derivatives change by there is
    /// part of their bars.
    pub(crate) fn in_single(
        signature: &Signature,
        ladder: &Ladder,
        primals: Vec<Vec<f64>>,
        call: impl Fn(&[Vec<f64>]) -> Result<Primal, Fault>,
        double: impl Fn(&[Vec<f64>]) -> Result<Primal, Fault>,
    ) -> Self {
        let displaced = |floats: &Vec<f64>| {
            floats
                .iter()
                .map(|x| x * (1.0 + Precision::Single.epsilon()))
                .collect()
        };
        let beside = primals.iter().map(displaced).collect();
        let beside = Point::new(signature, ladder, beside, &double, &double);
        let mut point = Point::new(signature, ladder, primals, call, &double);
        point.jacobian = point
            .jacobian
            .zip(beside.jacobian)
            .map(|(at, beside)| at.unsure_by(&beside));
        point
    }

    /// Runs the primal `call` at `primals`, and differentiates `reference` there.
    pub(crate) fn new(
        signature: &Signature,
        ladder: &Ladder,
        primals: Vec<Vec<f64>>,
        call: impl Fn(&[Vec<f64>]) -> Result<Primal, Fault>,
        reference: impl Fn(&[Vec<f64>]) -> Result<Primal, Fault>,
    ) -> Self {
        let mut inputs = Vec::new();
        let mut next = 0;
        for primal in &primals {
            inputs.push(next..next + primal.len());
            next += primal.len();
        }
        let primal = call(&primals);
        let returned = primal.as_ref().map_or(0, |primal| primal.returned.len());
        let mut next = returned;
        let mut outputs = Vec::new();
        for (parameter, primal) in signature.arguments.iter().zip(&primals) {
            outputs.push(match parameter.access {
                Access::Exclusive => {
                    next += primal.len();
                    Some(next - primal.len()..next)
                }
                Access::Shared | Access::Value => None,
            });
        }
        let total = |flat: &[f64]| {
            let split: Vec<_> = inputs
                .iter()
                .map(|range| flat[range.clone()].to_vec())
                .collect();
            let Primal {
                mut returned,
                arguments,
            } = reference(&split).ok()?;
            let written = arguments
                .into_iter()
                .zip(&outputs)
                .filter(|(_, output)| output.is_some());
            returned.extend(written.flat_map(|(argument, _)| argument));
            Some(returned)
        };
        let flat: Vec<f64> = primals.iter().flatten().copied().collect();
        let (mut jacobian, mut probes) = (None, None);
        if primal.is_ok() && flat.len() <= Probes::JACOBIAN_UP_TO {
            jacobian = ladder.jacobian(total, &flat);
        } else if primal.is_ok() {
            let ladder = ladder.clone().stride(4);
            let probe = |(index, range): (usize, &Range<usize>)| {
                let along = |part: &[f64]| total(&replaced(&flat, range, part));
                let mut stream = Stream::of_case(&signature.arguments[index].name, 0);
                Probes::new(&ladder, along, &flat[range.clone()], &mut stream)
            };
            probes = inputs.iter().enumerate().map(probe).collect();
        }
        Point {
            primals,
            primal,
            jacobian,
            probes,
            inputs,
            returned: 0..returned,
            outputs,
        }
    }

    /// The outputs of the total map, from a call of the primal that did not fail.
    pub(crate) fn total(&self, primal: Result<Primal, Fault>) -> Option<Vec<f64>> {
        let Primal {
            mut returned,
            arguments,
        } = primal.ok()?;
        let written = arguments.into_iter().zip(&self.outputs);
        let written = written.filter(|(_, output)| output.is_some());
        returned.extend(written.flat_map(|(argument, _)| argument));
        Some(returned)
    }

    /// How many outputs the total map has.
    pub(crate) fn rows(&self) -> usize {
        let ends = self.outputs.iter().flatten().map(|output| output.end);
        ends.max().unwrap_or(0).max(self.returned.end)
    }

    /// Where an argument stands in the inputs of the total map.
    pub(crate) fn input(&self, argument: usize) -> Range<usize> {
        self.inputs[argument].clone()
    }

    /// Where the returned value stands in the outputs of the total map.
    pub(crate) fn returned(&self) -> Range<usize> {
        self.returned.clone()
    }

    /// Where an argument stands in the outputs of the total map, if the function can write it.
    pub(crate) fn output(&self, argument: usize) -> Option<Range<usize>> {
        self.outputs[argument].clone()
    }

    /// Whether no output depends on what was in entry `entry` of `argument`: the function overwrites it unread.
    pub(crate) fn is_overwritten(&self, argument: usize, entry: usize) -> bool {
        let column = self.inputs[argument].start + entry;
        let Some(jacobian) = &self.jacobian else {
            return false;
        };
        (0..jacobian.rows()).all(|row| {
            let entry = jacobian.entry(row, column);
            entry.flat && entry.value == 0.0
        })
    }
}

/// `flat` with `part` in the place of `range`.
fn replaced(flat: &[f64], range: &Range<usize>, part: &[f64]) -> Vec<f64> {
    let mut replaced = flat.to_vec();
    replaced[range.clone()].copy_from_slice(part);
    replaced
}
