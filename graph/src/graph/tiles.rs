//! Graphs that work entry by entry run in tiles: what they compute on the way stays in the cache.

use std::ops::Range;
use std::sync::Arc;

use coenzyme_operations::{Cotangents, Mask, OpError, Outputs, Shadows, Spec, Tangents, Value};

use rayon::prelude::*;

use super::{CallNode, Graph, Node};
use crate::session::{Plan, ones};

/// The entries of a tile: a dozen arrays of so many numbers fit into the second cache.
const TILE: usize = 8192;

impl Graph {
    /// The number of entries of each array, if every call works entry by entry on arrays of one shape, and there is more than one tile of them. Constants
    /// are single numbers.
    pub(super) fn tiled(&self) -> Option<usize> {
        let shape = &self.inputs().next()?.shape;
        let own = |spec: &Spec| spec.shape == *shape;
        let entrywise = |node: &Node| match node {
            Node::Input(spec) => own(spec),
            Node::Constant(value) => value.shape().is_empty(),
            Node::Call(call) => call.operation.is_entrywise() && own(&call.plan.outline.outputs[0]),
        };
        let entries = self.inputs().next()?.entries();
        let worth = entries > TILE && self.nodes.iter().all(entrywise);
        let returned = self.outputs.iter().all(|port| own(&self.spec(*port)));
        (worth && returned).then_some(entries)
    }

    /// The same calls on arrays of `n` entries.
    fn of_entries(&self, n: usize) -> Result<Graph, OpError> {
        let mut nodes: Vec<Node> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            nodes.push(match node {
                Node::Input(spec) => Node::Input(Spec::new(spec.dtype, &[n])),
                Node::Constant(value) => Node::Constant(value.clone()),
                Node::Call(call) => {
                    let specs = call.inputs.iter();
                    let specs: Vec<Spec> = specs
                        .map(|port| nodes[port.node].specs()[port.output].clone())
                        .collect();
                    let attrs = call.plan.attrs.clone();
                    let outline = call.operation.outline(&specs, &attrs)?;
                    let plan = Arc::new(Plan {
                        instead: None,
                        attrs,
                        outline,
                    });
                    Node::Call(CallNode {
                        plan,
                        ..call.clone()
                    })
                }
            });
        }
        let outputs = self.outputs.clone();
        Ok(Graph::new(self.signature.clone(), nodes, outputs))
    }

    /// What `f` says of the graph of each tile goes to `put`, in order. Tiles run on the threads of rayon, some at a time.
    fn each_tile<U: Send>(
        &self,
        entries: usize,
        f: impl Fn(&Graph, &Range<usize>) -> Result<U, OpError> + Sync,
        mut put: impl FnMut(usize, U),
    ) -> Result<(), OpError> {
        let whole = self.of_entries(TILE)?;
        let rest = self.of_entries(entries % TILE)?;
        let one = |k: usize| {
            let at = k * TILE..entries.min((k + 1) * TILE);
            f(if at.len() == TILE { &whole } else { &rest }, &at)
        };
        let (tiles, wave) = (entries.div_ceil(TILE), 4 * rayon::current_num_threads());
        for first in (0..tiles).step_by(wave) {
            let wave = (first..tiles.min(first + wave)).into_par_iter();
            let done: Vec<Result<U, OpError>> = wave.map(one).collect();
            for (k, done) in done.into_iter().enumerate() {
                put((first + k) * TILE, done?);
            }
        }
        Ok(())
    }

    /// [`run`](Self::run), of checked operands.
    pub(super) fn run_in_tiles(&self, x: &[&Value], entries: usize) -> Result<Outputs, OpError> {
        let mut y = self.zeros();
        let run = |tile: &Graph, at: &Range<usize>| {
            let parts = parts(x, at);
            tile.run(&parts.iter().collect::<Vec<_>>())
        };
        self.each_tile(entries, run, |start, part| put_all(&mut y, start, &part))?;
        Ok(y)
    }

    /// [`push_lanes`](Self::push_lanes), of checked operands and tangents.
    pub(super) fn push_in_tiles(
        &self,
        x: &[&Value],
        dx: &[Tangents<'_>],
        strong_zero: bool,
        entries: usize,
    ) -> Result<(Outputs, Vec<Outputs>), OpError> {
        let (mut y, mut dy) = (self.zeros(), vec![self.zeros(); dx.len()]);
        let push = |tile: &Graph, at: &Range<usize>| {
            let parts = parts(x, at);
            let part = |dx: &Option<&Value>| dx.map(|dx| dx.part(at.clone()));
            let lane = |dx: &Tangents<'_>| -> Vec<_> { dx.iter().map(part).collect() };
            let lanes: Vec<Vec<Option<Value>>> = dx.iter().map(lane).collect();
            let lanes = lanes
                .iter()
                .map(|dx| dx.iter().map(Option::as_ref).collect());
            let lanes: Vec<Tangents<'_>> = lanes.collect();
            tile.push_lanes(&parts.iter().collect::<Vec<_>>(), &lanes, strong_zero)
        };
        self.each_tile(entries, push, |start, (value, tangents)| {
            put_all(&mut y, start, &value);
            for (dy, tangent) in dy.iter_mut().zip(&tangents) {
                put_all(dy, start, tangent);
            }
        })?;
        Ok((y, dy))
    }

    /// Adds to the shadows of each lane, and returns the value if it is wanted. What the value leaves for the derivatives lives as long as its tile.
    pub(super) fn pull_in_tiles(
        &self,
        x: &[&Value],
        dy: &[Cotangents],
        dx: &mut [Shadows],
        how: &Pulled,
    ) -> Result<Outputs, OpError> {
        self.sweep(how.active, dy.len(), how.strong_zero)
            .check_seeds(dy)?;
        let mut y = if how.value {
            self.zeros()
        } else {
            Outputs::new()
        };
        let pull = |tile: &Graph, at: &Range<usize>| {
            let parts = parts(x, at);
            let operands: Vec<&Value> = parts.iter().collect();
            let part = |dy: &Option<Value>| dy.as_ref().map(|dy| dy.part(at.clone()));
            let lanes = dy.iter().map(|dy| dy.iter().map(part).collect());
            let sweep = tile.augment(&operands, how.active, dy.len(), how.strong_zero)?;
            let value = if how.value {
                tile.outputs_of(&sweep.values)
            } else {
                Outputs::new()
            };
            Ok((value, sweep.pull(lanes.collect())?))
        };
        self.each_tile(how.entries, pull, |start, (value, pulled)| {
            put_all(&mut y, start, &value);
            for (dx, pulled) in dx.iter_mut().zip(pulled) {
                for (dx, part) in dx.iter_mut().zip(pulled) {
                    if let (Some(dx), Some(part)) = (dx, part) {
                        dx.accumulate_at(start, &part);
                    }
                }
            }
        })?;
        Ok(y)
    }

    /// [`gradients`](Self::gradients), of operands that have not been checked.
    pub(super) fn tiled_gradients(
        &self,
        x: &[&Value],
        wanted: &[bool],
        dy: Option<&[Option<Value>]>,
        entries: usize,
    ) -> Result<(Outputs, Shadows), OpError> {
        self.check(x)?;
        let dy: Cotangents = match dy {
            Some(dy) => dy.iter().cloned().collect(),
            None => self.zeros().iter().map(ones).collect(),
        };
        let how = Pulled {
            active: Mask::of(wanted.iter().copied()),
            strong_zero: false,
            entries,
            value: true,
        };
        let shadow = |(x, wanted): (&&Value, &bool)| {
            (*wanted && x.dtype().is_float()).then(|| x.zeros_like())
        };
        let mut dx: [Shadows; 1] = [x.iter().zip(wanted).map(shadow).collect()];
        let y = self.pull_in_tiles(x, &[dy], &mut dx, &how)?;
        let [dx] = dx;
        Ok((y, dx))
    }

    /// Where a value of each output goes.
    fn zeros(&self) -> Outputs {
        self.outputs().iter().map(Value::zeros).collect()
    }
}

/// What a reverse pass in tiles is told.
pub(super) struct Pulled {
    pub(super) active: Mask,
    pub(super) strong_zero: bool,
    pub(super) entries: usize,
    /// Whether the value is wanted.
    pub(super) value: bool,
}

fn parts(x: &[&Value], at: &Range<usize>) -> Vec<Value> {
    x.iter().map(|x| x.part(at.clone())).collect()
}

fn put_all(y: &mut Outputs, start: usize, parts: &Outputs) {
    for (y, part) in y.iter_mut().zip(parts) {
        y.put(start, part);
    }
}
