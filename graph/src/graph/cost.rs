//! What a graph costs, told before it runs.

use coenzyme_operations::Mask;

use super::{Graph, short};

/// What one call costs.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeCost {
    /// The operation, without the name of its crate.
    pub operation: String,
    /// An estimate of its operations.
    pub flops: f64,
    /// The bytes of its outputs.
    pub bytes: usize,
    /// The bytes that its tape owns if all operands are active: an upper bound where it is not known what derivatives read.
    pub tape_bytes: usize,
}

/// What a graph costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// Each call, in order.
    pub nodes: Vec<NodeCost>,
    /// The sum of the operations.
    pub flops: f64,
    /// The sum of the bytes of the outputs of calls.
    pub bytes: usize,
    /// The sum of the bytes on tapes.
    pub tape_bytes: usize,
}

impl Graph {
    /// What each call costs, and all together.
    #[must_use]
    pub fn cost(&self) -> Cost {
        let calls = self.nodes.iter().filter_map(super::Node::call);
        let nodes: Vec<NodeCost> = calls
            .map(|call| NodeCost {
                operation: short(&call.operation.signature().name).into(),
                flops: call.plan.outline.flops,
                bytes: call.plan.outline.bytes(),
                tape_bytes: call.plan.outline.tape_bytes(Mask::ALL, Mask::NONE),
            })
            .collect();
        Cost {
            flops: nodes.iter().map(|node| node.flops).sum(),
            bytes: nodes.iter().map(|node| node.bytes).sum(),
            tape_bytes: nodes.iter().map(|node| node.tape_bytes).sum(),
            nodes,
        }
    }
}
