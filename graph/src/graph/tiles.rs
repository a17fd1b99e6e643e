//! Graphs that work entry by entry run in tiles: what they compute on the way stays in the cache.

use std::ops::Range;
use std::sync::Arc;

use coenzyme_operations::{Cotangents, Mask, OpError, Outputs, Shadows, Spec, Tangents, Value};

use super::{CallNode, Graph, Node};
use crate::session::{Plan, ones};

/// The entries of a tile: some arrays of so many numbers fit into the first cache.
const TILE: usize = 2048;

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

    /// Runs `f` on the graph of each tile.
    fn each_tile(
        &self,
        entries: usize,
        mut f: impl FnMut(&Graph, Range<usize>) -> Result<(), OpError>,
    ) -> Result<(), OpError> {
        let whole = self.of_entries(TILE)?;
        let mut start = 0;
        while start + TILE <= entries {
            f(&whole, start..start + TILE)?;
            start += TILE;
        }
        match start < entries {
            true => f(&self.of_entries(entries - start)?, start..entries),
            false => Ok(()),
        }
    }

    /// [`run`](Self::run), of checked operands.
    pub(super) fn run_in_tiles(&self, x: &[&Value], entries: usize) -> Result<Outputs, OpError> {
        let mut y = self.zeros();
        self.each_tile(entries, |tile, at| {
            let parts = parts(x, &at);
            let operands: Vec<&Value> = parts.iter().collect();
            put_all(&mut y, &at, &tile.run(&operands)?);
            Ok(())
        })?;
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
        let mut y = self.zeros();
        let mut dy = vec![self.zeros(); dx.len()];
        self.each_tile(entries, |tile, at| {
            let parts = parts(x, &at);
            let operands: Vec<&Value> = parts.iter().collect();
            let part = |dx: &Option<&Value>| dx.map(|dx| dx.part(at.clone()));
            let lanes: Vec<Vec<Option<Value>>> = dx
                .iter()
                .map(|lane| lane.iter().map(part).collect())
                .collect();
            let lanes: Vec<Tangents<'_>> = lanes
                .iter()
                .map(|lane| lane.iter().map(Option::as_ref).collect())
                .collect();
            let (value, tangents) = tile.push_lanes(&operands, &lanes, strong_zero)?;
            put_all(&mut y, &at, &value);
            for (dy, tangent) in dy.iter_mut().zip(&tangents) {
                put_all(dy, &at, tangent);
            }
            Ok(())
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
        self.each_tile(how.entries, |tile, at| {
            let parts = parts(x, &at);
            let operands: Vec<&Value> = parts.iter().collect();
            let lane = |dy: &Cotangents| {
                let part = |dy: &Option<Value>| dy.as_ref().map(|dy| dy.part(at.clone()));
                dy.iter().map(part).collect()
            };
            let sweep = tile.augment(&operands, how.active, dy.len(), how.strong_zero)?;
            put_all(&mut y, &at, &tile.outputs_of(&sweep.values));
            let pulled = sweep.pull(dy.iter().map(lane).collect())?;
            for (dx, pulled) in dx.iter_mut().zip(pulled) {
                for (dx, part) in dx.iter_mut().zip(pulled) {
                    if let (Some(dx), Some(part)) = (dx, part) {
                        dx.accumulate_at(at.start, &part);
                    }
                }
            }
            Ok(())
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

/// Nothing if there is nowhere to put it.
fn put_all(y: &mut Outputs, at: &Range<usize>, parts: &Outputs) {
    for (y, part) in y.iter_mut().zip(parts) {
        y.put(at.start, part);
    }
}
