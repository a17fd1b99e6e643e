//! One run of a reverse rule: both halves, and what the caller does in between.

use std::thread;

use coenzyme::ReverseConfig;

use super::bench::Bench;
use super::seeds::Seeds;
use crate::canary::poison;
use crate::ladder::Precision;
use crate::layout::Block;
use crate::mix::{Activity, Augmented};
use crate::subject::{Fault, Gradients, Halfway, Memory, Reverse, State};

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
    tape: Halfway<'c>,
    seeds: Seeds,
}

/// A call when both halves are over.
pub(super) struct Done {
    /// After the first half.
    pub(super) halfway: State,
    /// The primal that the first half returned.
    pub(super) returned: Option<Vec<f64>>,
    /// Before the second half.
    pub(super) between: State,
    pub(super) after: State,
    gradients: Gradients,
}

/// Which half failed, and how.
pub(super) type Failure = (&'static str, Fault);

/// Runs the first half.
pub(super) fn first<'c>(
    call: &'c Reverse<'_>,
    config: &ReverseConfig,
    seeds: &Seeds,
) -> Result<Half<'c>, Failure> {
    first_in(None, call, config, seeds)
}

/// Runs the first half, in memory that an earlier call has left.
pub(super) fn first_in<'c>(
    memory: Option<Memory>,
    call: &'c Reverse<'_>,
    config: &ReverseConfig,
    seeds: &Seeds,
) -> Result<Half<'c>, Failure> {
    let start = seeds.start();
    let mut state = start.clone();
    let (augmented, tape) = call
        .augmented(memory, config, &mut state)
        .map_err(|fault| ("augmented_primal", fault))?;
    Ok(Half {
        augmented,
        start,
        state,
        tape,
        seeds: seeds.clone(),
    })
}

impl<'a> Overwrite<'a> {
    /// Each argument with a NaN of its own.
    pub(super) fn with_poison(arguments: &'a [usize], precision: Precision) -> Self {
        Overwrite {
            arguments,
            fill: |argument| poison(argument as u16),
            precision,
        }
    }
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

    /// Throws the tape away. Returns how many bytes it owned.
    pub(super) fn discard(self) -> usize {
        self.tape.discard()
    }

    /// Does what the caller does in between, and runs the second half.
    pub(super) fn second(self, overwrite: Option<Overwrite<'_>>) -> Result<Done, Failure> {
        self.second_and_memory(overwrite).0
    }

    /// Runs the second half on another thread.
    pub(super) fn second_elsewhere(self) -> Result<Done, Failure> {
        thread::scope(|scope| {
            let done = scope.spawn(|| self.second(None)).join();
            done.expect("a panic of the rule is caught on its thread")
        })
    }

    /// The same, with the memory of the call.
    pub(super) fn second_and_memory(
        self,
        overwrite: Option<Overwrite<'_>>,
    ) -> (Result<Done, Failure>, Memory) {
        let halfway = self.state;
        let mut between = halfway.clone();
        between.shadows = self.seeds.between();
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
        let (gradients, memory) = self.tape.reverse(&mut after, &self.seeds.returned);
        let done = gradients.map(|gradients| Done {
            halfway,
            returned: self.augmented.primal,
            between,
            after,
            gradients,
        });
        (done.map_err(|fault| ("reverse", fault)), memory)
    }
}

/// Runs both halves.
pub(super) fn both(
    call: &Reverse<'_>,
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
    /// Whether all cotangents are finite.
    pub(super) fn is_finite(&self, bench: &Bench<'_>) -> bool {
        let adjoints = self.adjoints(bench);
        let mut floats = adjoints.iter().flat_map(|adjoint| adjoint.floats);
        floats.all(|float| float.is_finite())
    }

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
