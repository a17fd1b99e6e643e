//! One run of a reverse rule: both halves, and what the caller does in between.

use coenzyme::ReverseConfig;

use super::bench::Bench;
use crate::argument::Access;
use crate::ladder::Precision;
use crate::layout::Block;
use crate::mix::{Activity, Augmented};
use crate::subject::{Fault, Gradients, Halfway, Reverse, State};

/// What a call is given: primals, what the shadows of inputs have accumulated so far, the cotangents of outputs.
#[derive(Clone)]
pub(super) struct Seeds {
    pub(super) primals: Vec<Vec<f64>>,
    /// By argument and lane. Outputs hold numbers that the first half must not touch.
    before: Vec<Vec<Vec<f64>>>,
    /// By argument and lane; `None` for inputs, which keep what they have.
    outputs: Vec<Option<Vec<Vec<f64>>>>,
    returned: Vec<Vec<f64>>,
    layout: usize,
}

impl Seeds {
    pub(super) fn of(bench: &Bench<'_>) -> Self {
        let fill = |suffix: &str| {
            bench.shadows(|index, lane, parameter, _| {
                let length = bench.point.primals[index].len();
                bench.seeds(&format!("{}{suffix}", parameter.name), lane, length)
            })
        };
        let arguments = bench.signature.arguments.iter().zip(fill(""));
        let cotangent = |(parameter, seeds): (&super::point::Parameter, _)| {
            (parameter.access == Access::Exclusive).then_some(seeds)
        };
        Seeds {
            primals: bench.primals(),
            before: fill(" before"),
            outputs: arguments.map(cotangent).collect(),
            returned: bench.returned_seeds(),
            layout: 0,
        }
    }

    /// The same cotangents at another point.
    pub(super) fn at(mut self, primals: Vec<Vec<f64>>) -> Self {
        self.primals = primals;
        self
    }

    /// The same in another layout of memory.
    pub(super) fn in_layout(mut self, layout: usize) -> Self {
        self.layout = layout;
        self
    }

    /// The same cotangents, and nothing accumulated so far.
    pub(super) fn unaccumulated(mut self) -> Self {
        self.before
            .iter_mut()
            .flatten()
            .flatten()
            .for_each(|seed| *seed = 0.0);
        self
    }

    /// The cotangents times `factor`.
    pub(super) fn scaled(mut self, factor: f64) -> Self {
        let outputs = self.outputs.iter_mut().flatten().flatten().flatten();
        let returned = self.returned.iter_mut().flatten();
        outputs.chain(returned).for_each(|seed| *seed *= factor);
        self
    }

    /// One lane alone.
    pub(super) fn lane(&self, lane: usize) -> Self {
        let one = |lanes: &Vec<Vec<f64>>| lanes.get(lane).cloned().into_iter().collect();
        Seeds {
            primals: self.primals.clone(),
            before: self.before.iter().map(one).collect(),
            outputs: self
                .outputs
                .iter()
                .map(|lanes| lanes.as_ref().map(one))
                .collect(),
            returned: one(&self.returned),
            layout: self.layout,
        }
    }

    /// What an input had accumulated before the call.
    pub(super) fn initial(&self, argument: usize, lane: usize) -> &[f64] {
        &self.before[argument][lane]
    }

    /// The cotangent of every output of the total map, in one lane: zero for what is inactive.
    pub(super) fn total(&self, bench: &Bench<'_>, lane: usize) -> Vec<f64> {
        let length = bench.point.returned().len();
        let mut total = self
            .returned
            .get(lane)
            .cloned()
            .unwrap_or_else(|| vec![0.0; length]);
        for (index, cotangents) in self.outputs.iter().enumerate() {
            if let Some(cotangents) = cotangents {
                match cotangents.get(lane) {
                    Some(cotangent) => total.extend(cotangent),
                    None => total.resize(total.len() + self.primals[index].len(), 0.0),
                }
            }
        }
        total
    }

    /// The state before the call.
    pub(super) fn start(&self) -> State {
        State {
            primals: self.primals.clone(),
            shadows: self.before.clone(),
            layout: self.layout,
            gaps: vec![],
        }
    }
}

/// Memory that the caller overwrites between the halves.
#[derive(Clone, Copy)]
pub(super) struct Overwrite<'a> {
    pub(super) arguments: &'a [usize],
    /// What it is filled with, for each argument.
    pub(super) fill: fn(usize) -> f64,
    /// The precision that the memory has.
    pub(super) precision: Precision,
}

/// A call between its halves.
pub(super) struct Half<'c> {
    pub(super) augmented: Augmented,
    pub(super) start: State,
    pub(super) state: State,
    tape: Box<dyn Halfway + 'c>,
    seeds: Seeds,
}

/// A call when both halves are over.
pub(super) struct Done {
    /// Before the second half.
    pub(super) between: State,
    pub(super) after: State,
    gradients: Gradients,
}

/// Which half failed, and how.
pub(super) type Failure = (&'static str, Fault);

/// Runs the first half.
pub(super) fn first<'c>(
    call: &'c dyn Reverse,
    config: &ReverseConfig,
    seeds: &Seeds,
) -> Result<Half<'c>, Failure> {
    let start = seeds.start();
    let mut state = start.clone();
    let (augmented, tape) = call
        .augmented(config, &mut state)
        .map_err(|fault| ("augmented_primal", fault))?;
    Ok(Half {
        augmented,
        start,
        state,
        tape,
        seeds: seeds.clone(),
    })
}

impl Half<'_> {
    /// The same call with a copy of the tape, if it can be copied.
    pub(super) fn twin(&self) -> Option<Half<'_>> {
        Some(Half {
            augmented: self.augmented.clone(),
            start: self.start.clone(),
            state: self.state.clone(),
            tape: self.tape.twin()?,
            seeds: self.seeds.clone(),
        })
    }

    /// Does what the caller does in between, and runs the second half.
    pub(super) fn second(self, overwrite: Option<Overwrite<'_>>) -> Result<Done, Failure> {
        let mut between = self.state;
        for (shadows, cotangents) in between.shadows.iter_mut().zip(&self.seeds.outputs) {
            if let Some(cotangents) = cotangents {
                shadows.clone_from(cotangents);
            }
        }
        if let Some(Overwrite {
            arguments,
            fill,
            precision,
        }) = overwrite
        {
            arguments.iter().for_each(|argument| {
                between.primals[*argument].fill(precision.round(fill(*argument)))
            });
        }
        let mut after = between.clone();
        let gradients = self.tape.reverse(&mut after, &self.seeds.returned);
        Ok(Done {
            between,
            after,
            gradients: gradients.map_err(|fault| ("reverse", fault))?,
        })
    }
}

/// Runs both halves.
pub(super) fn both(
    call: &dyn Reverse,
    config: &ReverseConfig,
    seeds: &Seeds,
    overwrite: Option<Overwrite<'_>>,
) -> Result<Done, Failure> {
    first(call, config, seeds)?.second(overwrite)
}

/// The cotangent of one argument in one lane after a call: what the rule returned, or left in the shadow.
pub(super) struct Adjoint<'d> {
    pub(super) argument: usize,
    pub(super) lane: usize,
    pub(super) block: Block,
    pub(super) floats: &'d [f64],
}

impl Done {
    /// The cotangents of all active arguments.
    pub(super) fn adjoints<'d>(&'d self, bench: &Bench<'_>) -> Vec<Adjoint<'d>> {
        let mut adjoints = Vec::new();
        for (argument, parameter, activity) in bench.arguments() {
            let (suffix, lanes) = match (activity, &self.gradients[argument]) {
                (Activity::Const, _) => continue,
                (_, Some(gradient)) => (".gradient", gradient),
                (_, None) => (".shadow", &self.after.shadows[argument]),
            };
            adjoints.extend(lanes.iter().enumerate().map(|(lane, floats)| Adjoint {
                argument,
                lane,
                block: parameter.block(suffix),
                floats,
            }));
        }
        adjoints
    }
}
