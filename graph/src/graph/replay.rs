//! Values and tangents of a graph.

use coenzyme_operations::{Call, Mask, OpError, Outputs, Tangents, Value};
use smallvec::SmallVec;

use super::{CallNode, Graph, Node, Port};

/// The values of the nodes that have been computed.
pub(crate) type Values = Vec<Outputs>;

/// The operands of a call.
pub(crate) fn operands<'v>(call: &CallNode, values: &'v Values) -> SmallVec<[&'v Value; 4]> {
    let ports = call.inputs.iter();
    ports.map(|port| &values[port.node][port.output]).collect()
}

/// Says which node of which graph failed.
pub(crate) fn at(graph: &Graph, node: usize) -> impl FnOnce(OpError) -> OpError + '_ {
    move |error| {
        error.within(format_args!(
            "at node {node} of graph '{}'",
            graph.signature.name
        ))
    }
}

impl Graph {
    /// The outputs, of operands of the types and shapes that it was recorded for. What is not read any more is let go at once.
    ///
    /// # Errors
    /// If the operands are others, or an operation fails.
    pub fn run(&self, x: &[&Value]) -> Result<Outputs, OpError> {
        self.check(x)?;
        if let Some(entries) = self.tiled() {
            return self.run_in_tiles(x, entries);
        }
        let last = self.last_reads();
        let mut values: Values = vec![Outputs::new(); self.nodes.len()];
        let mut inputs = x.iter();
        for (i, node) in self.nodes.iter().enumerate() {
            values[i] = match node {
                Node::Input(_) => inputs.next().map(|x| (*x).clone()).into_iter().collect(),
                Node::Constant(value) => Outputs::from_elem(value.clone(), 1),
                Node::Call(call) => {
                    let x = operands(call, &values);
                    let y = call.operation.value(&x, &call.plan.attrs);
                    y.map_err(at(self, i))?
                }
            };
            for port in node.call().into_iter().flat_map(|call| &call.inputs) {
                if last[port.node] == i {
                    values[port.node] = Outputs::new();
                }
            }
        }
        Ok(self.outputs_of(&values))
    }

    /// The outputs, and their tangents along the tangents of the operands, `None` for those that do not move.
    ///
    /// # Errors
    /// If operands or tangents are not those of the recording, an operation fails, or has no forward rule.
    pub fn pushforward(
        &self,
        x: &[&Value],
        dx: &[Option<&Value>],
    ) -> Result<(Outputs, Outputs), OpError> {
        let lane: Tangents<'_> = dx.iter().copied().collect();
        let (y, mut dy) = self.push_lanes(x, &[lane], false)?;
        Ok((y, dy.pop().unwrap_or_default()))
    }

    /// Likewise in each lane.
    pub(crate) fn push_lanes(
        &self,
        x: &[&Value],
        dx: &[Tangents<'_>],
        strong_zero: bool,
    ) -> Result<(Outputs, Vec<Outputs>), OpError> {
        self.check(x)?;
        self.check_seeds(x, dx)?;
        if let Some(entries) = self.tiled() {
            return self.push_in_tiles(x, dx, strong_zero, entries);
        }
        let mut values: Values = Vec::with_capacity(self.nodes.len());
        // of each lane, the tangents of the nodes that move
        let mut tangents: Vec<Vec<Option<Outputs>>> =
            vec![Vec::with_capacity(self.nodes.len()); dx.len()];
        let mut inputs = x.iter().enumerate();
        for (i, node) in self.nodes.iter().enumerate() {
            let (y, dy) = match node {
                Node::Constant(value) => (Outputs::from_elem(value.clone(), 1), None),
                Node::Input(_) => {
                    let (operand, x) = inputs.next().expect("as many inputs as operands");
                    let moves = dx.iter().any(|lane| lane[operand].is_some());
                    let tangent = |lane: &Tangents<'_>| {
                        let d = lane[operand].cloned().unwrap_or_else(|| x.zeros_like());
                        Outputs::from_elem(d, 1)
                    };
                    let dy = moves.then(|| dx.iter().map(tangent).collect());
                    (Outputs::from_elem((*x).clone(), 1), dy)
                }
                Node::Call(call) => {
                    let pushed = push(call, &values, &tangents, strong_zero);
                    pushed.map_err(at(self, i))?
                }
            };
            values.push(y);
            let mut dy: Vec<Outputs> = dy.unwrap_or_default();
            for (lane, tangents) in tangents.iter_mut().enumerate() {
                let own = dy.get_mut(lane).map(std::mem::take);
                tangents.push(own);
            }
        }
        let outputs = self.outputs_of(&values);
        let of_lane = |tangents: Vec<Option<Outputs>>| -> Outputs {
            let ports = self.outputs.iter().zip(&outputs);
            ports
                .map(|(port, y)| match &tangents[port.node] {
                    Some(dy) => dy[port.output].clone(),
                    None => y.zeros_like(),
                })
                .collect()
        };
        let dy = tangents.into_iter().map(of_lane).collect();
        Ok((outputs, dy))
    }

    pub(crate) fn outputs_of(&self, values: &Values) -> Outputs {
        let ports = self.outputs.iter();
        ports
            .map(|Port { node, output }| values[*node][*output].clone())
            .collect()
    }

    /// The last node that reads each node; `usize::MAX` for outputs.
    pub(crate) fn last_reads(&self) -> Vec<usize> {
        let mut last = vec![0; self.nodes.len()];
        for (i, node) in self.nodes.iter().enumerate() {
            for port in node.call().into_iter().flat_map(|call| &call.inputs) {
                last[port.node] = i;
            }
        }
        for port in &self.outputs {
            last[port.node] = usize::MAX;
        }
        last
    }

    fn check_seeds(&self, x: &[&Value], dx: &[Tangents<'_>]) -> Result<(), OpError> {
        use coenzyme_operations::ErrorKind;
        for lane in dx {
            if lane.len() != x.len() {
                let (expected, found) = (x.len(), lane.len());
                let of = "tangents";
                return Err(self.signature.error(ErrorKind::Seeds {
                    of,
                    expected,
                    found,
                }));
            }
            for (i, (x, dx)) in x.iter().zip(lane).enumerate() {
                if let Some(dx) = dx.filter(|dx| dx.spec() != x.spec()) {
                    return Err(self.signature.error(ErrorKind::Seed {
                        of: self.signature.operand_name(i),
                        expected: x.spec(),
                        found: dx.spec(),
                    }));
                }
            }
        }
        Ok(())
    }
}

/// One call of a forward sweep; without tangents if none of its operands moves.
fn push(
    call: &CallNode,
    values: &Values,
    tangents: &[Vec<Option<Outputs>>],
    strong_zero: bool,
) -> Result<(Outputs, Option<Vec<Outputs>>), OpError> {
    let x = operands(call, values);
    let moving = |port: &Port| tangents.iter().any(|lane| lane[port.node].is_some());
    let float = |port: &Port| values[port.node][port.output].dtype().is_float();
    let active = Mask::of(call.inputs.iter().map(|port| moving(port) && float(port)));
    if active.is_empty() || call.operation.is_inactive() {
        return Ok((call.operation.value(&x, &call.plan.attrs)?, None));
    }
    let lanes: Vec<Tangents<'_>> = tangents
        .iter()
        .map(|lane| {
            let ports = call.inputs.iter().enumerate();
            let tangent = |(i, port): (usize, &Port)| {
                let d = lane[port.node].as_ref().map(|d| &d[port.output]);
                d.filter(|_| active.has(i))
            };
            ports.map(tangent).collect()
        })
        .collect();
    let told = Call {
        width: lanes.len(),
        strong_zero,
        ..Call::new(call.plan.attrs.clone()).with_active(active)
    };
    let (y, dy) = call.operation.pushforward(&x, &lanes, &told)?;
    Ok((y, Some(dy)))
}
