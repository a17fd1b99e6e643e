//! A graph is an operation: it is called in other graphs, registered, differentiated like any other.

use std::any::Any;

use coenzyme_operations::{
    Attrs, Call, Cotangents, ErrorKind, Mask, Modes, OpError, Operation, Outline, Outputs, Reads,
    Shadows, Signature, Spec, Tangents, Tape, Value,
};

use super::Graph;
use super::reverse::Left;
use super::tiles::Pulled;

impl Graph {
    /// What a call will return, cost and keep.
    pub(super) fn outlined(&self, x: &[Spec]) -> Outline {
        let cost = self.cost();
        let mut outline = Outline::of(x, self.outputs().into(), cost.flops);
        let tiled = self.tiled().is_some();
        let kept = Reads {
            operands: if tiled { Mask::ALL } else { Mask::NONE },
            residual: !tiled,
            ..Reads::default()
        };
        outline.reads.fill(kept);
        // between the halves all values are there, or none
        outline.residual = if tiled {
            0
        } else {
            cost.bytes + cost.tape_bytes
        };
        outline
    }
}

/// The tape of a graph in tiles: the operands that were active. The second half computes the values again.
struct Again(Mask);

impl Operation for Graph {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn outline(&self, x: &[Spec], _: &Attrs) -> Result<Outline, OpError> {
        self.signature.check(x)?;
        if !x.iter().eq(self.inputs()) {
            return Err(self.refused(x));
        }
        Ok(self.outlined(x))
    }

    fn value(&self, x: &[&Value], _: &Attrs) -> Result<Outputs, OpError> {
        self.run(x)
    }

    fn modes(&self) -> Modes {
        let calls = || self.nodes().iter().filter_map(super::Node::call);
        let modes = || calls().map(|call| call.operation.modes());
        Modes {
            forward: modes().all(|m| m.forward),
            // a call through which no derivative flows needs no rule
            reverse: true,
            second: modes().all(|m| m.second),
        }
    }

    fn pushforward(
        &self,
        x: &[&Value],
        dx: &[Tangents<'_>],
        call: &Call,
    ) -> Result<(Outputs, Vec<Outputs>), OpError> {
        self.push_lanes(x, dx, call.strong_zero)
    }

    fn augmented(&self, x: &[&Value], call: &Call) -> Result<(Outputs, Tape), OpError> {
        if self.tiled().is_some() {
            return Ok((self.run(x)?, Box::new(Again(call.active))));
        }
        let sweep = self.augment(x, call.active, call.width, call.strong_zero)?;
        let y = self.outputs_of(&sweep.values);
        let mut left = sweep.into_left();
        left.inputs = call.active;
        Ok((y, Box::new(left)))
    }

    fn pullback(
        &self,
        x: &[&Value],
        dy: Vec<Cotangents>,
        tape: Tape,
        dx: &mut [Shadows],
        call: &Call,
    ) -> Result<(), OpError> {
        if let (Some(entries), Some(Again(active))) = (self.tiled(), tape.downcast_ref()) {
            let how = Pulled {
                active: *active,
                strong_zero: call.strong_zero,
                entries,
                value: false,
            };
            return self.pull_in_tiles(x, &dy, dx, &how).map(drop);
        }
        let left = tape
            .downcast::<Left>()
            .map_err(|_| self.signature.error(ErrorKind::ForeignTape))?;
        let sweep = self.sweep(left.inputs, call.width, call.strong_zero);
        let lanes = sweep.resume(*left).pull(dy)?;
        for (dx, lane) in dx.iter_mut().zip(lanes) {
            add(dx, lane);
        }
        Ok(())
    }

    fn pullback_tangent(
        &self,
        x: &[&Value],
        tx: &Tangents<'_>,
        dy: &Cotangents,
        dx: &mut Shadows,
        _: &Call,
    ) -> Result<(), OpError> {
        let wanted: Vec<usize> = (0..x.len()).filter(|i| dx[*i].is_some()).collect();
        let gradient = self.gradient(&wanted)?;
        let seeds: Vec<Value> = self
            .seeded()
            .into_iter()
            .map(|k| match &dy[k] {
                Some(dy) => dy.clone(),
                None => Value::zeros(&self.spec(self.outputs[k])),
            })
            .collect();
        let operands: Vec<&Value> = x.iter().copied().chain(&seeds).collect();
        let still = std::iter::repeat_n(None, seeds.len());
        let moves: Vec<Option<&Value>> = tx.iter().copied().chain(still).collect();
        let (_, tangents) = gradient.pushforward(&operands, &moves)?;
        for (i, tangent) in wanted.into_iter().zip(tangents) {
            if let Some(dx) = &mut dx[i] {
                dx.accumulate(&tangent);
            }
        }
        Ok(())
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}

fn add(dx: &mut Shadows, more: Shadows) {
    for (dx, more) in dx.iter_mut().zip(more) {
        if let (Some(dx), Some(more)) = (dx, more) {
            dx.accumulate(&more);
        }
    }
}

/// The operands that an operation was called with, as a mask.
pub(super) fn mask(indices: &[usize]) -> Mask {
    indices.iter().fold(Mask::NONE, |mask, i| mask.with(*i))
}
