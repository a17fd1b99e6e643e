//! The same function with fewer calls.

use std::collections::HashMap;
use std::sync::Arc;

use coenzyme_operations::Attrs;
use smallvec::SmallVec;

use super::{Graph, Node, Port};

impl Graph {
    /// Without the calls and constants that no output depends on. Inputs stay.
    #[must_use]
    pub fn without_dead_code(&self) -> Graph {
        let mut alive = vec![false; self.nodes.len()];
        for port in &self.outputs {
            alive[port.node] = true;
        }
        for (i, node) in self.nodes.iter().enumerate().rev() {
            alive[i] |= matches!(node, Node::Input(_));
            for port in node.call().into_iter().flat_map(|call| &call.inputs) {
                alive[port.node] |= alive[i];
            }
        }
        self.rebuilt(|i, _, _, _| if alive[i] { Place::New } else { Place::Nowhere })
    }

    /// Calls of the same operation on the same operands with the same attributes become one, and so do equal constants. Operations are
    /// functions: the value stays the same bit by bit.
    #[must_use]
    pub fn without_common_subexpressions(&self) -> Graph {
        let mut calls: HashMap<(usize, Attrs, SmallVec<[Port; 2]>), usize> = HashMap::new();
        let mut constants: Vec<usize> = Vec::new();
        self.rebuilt(|i, node, index, next| match node {
            Node::Input(_) => Place::New,
            Node::Constant(value) => {
                let same = |old: &&usize| {
                    matches!(&self.nodes[**old], Node::Constant(x) if x.same_bits(value))
                };
                match constants.iter().find(same) {
                    Some(old) => Place::Old(index[*old]),
                    None => {
                        constants.push(i);
                        Place::New
                    }
                }
            }
            Node::Call(call) => {
                let address = Arc::as_ptr(&call.operation).cast::<()>() as usize;
                let key = (address, call.plan.attrs.clone(), call.inputs.clone());
                match calls.get(&key) {
                    Some(old) => Place::Old(*old),
                    None => {
                        calls.insert(key, next);
                        Place::New
                    }
                }
            }
        })
    }

    /// The graph with each node where `place` says, from its number, the node with its inputs renumbered, where those before it went, and the
    /// number that it will have if it is new.
    fn rebuilt(&self, mut place: impl FnMut(usize, &Node, &[usize], usize) -> Place) -> Graph {
        let mut index = Vec::with_capacity(self.nodes.len());
        let mut nodes = Vec::new();
        for (i, node) in self.nodes.iter().enumerate() {
            let mut node = node.clone();
            if let Node::Call(call) = &mut node {
                for port in &mut call.inputs {
                    port.node = index[port.node];
                }
            }
            index.push(match place(i, &node, &index, nodes.len()) {
                Place::Old(old) => old,
                Place::Nowhere => usize::MAX,
                Place::New => {
                    nodes.push(node);
                    nodes.len() - 1
                }
            });
        }
        let outputs = self.outputs.iter();
        let outputs = outputs
            .map(|port| Port {
                node: index[port.node],
                ..*port
            })
            .collect();
        Graph::new(self.signature.clone(), nodes, outputs)
    }
}

/// Where a node goes.
enum Place {
    New,
    Old(usize),
    Nowhere,
}
