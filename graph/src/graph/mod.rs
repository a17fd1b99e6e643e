//! Calls that are recorded: replayed, differentiated, changed, drawn, counted, planned, written.
//!
//! | file | what it does |
//! |---|---|
//! | `recorder.rs` | a closure becomes a graph |
//! | `replay.rs` | values and tangents |
//! | `reverse.rs` | cotangents, on one thread or many |
//! | `gradient.rs` | the reverse pass as a graph |
//! | `pullback.rs` | the reverse rule of an operation as an operation |
//! | `simplify.rs` | dead code, common subexpressions |
//! | `fuse.rs`, `tiles.rs` | neighbours that work entry by entry become one call, which runs in tiles |
//! | `operation.rs` | a graph is an operation |
//! | `cost.rs`, `memory.rs` | what it costs; what is computed again within a budget of memory |
//! | `draw.rs` | DOT and SVG |
//! | `wire.rs` | files |

mod cost;
mod draw;
mod fuse;
mod gradient;
mod memory;
mod operation;
mod pullback;
mod recorder;
mod replay;
mod reverse;
mod simplify;
mod tiles;
mod wire;

pub use cost::{Cost, NodeCost};
pub use memory::MemoryPlan;
pub use recorder::{Recorder, Var};
pub use wire::LoadError;

use std::sync::Arc;

use coenzyme_operations::{OpError, Operation, Signature, Spec, Value};
use smallvec::SmallVec;

use crate::session::Plan;

/// An output of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Port {
    /// The number of the node.
    pub node: usize,
    /// The number of its output.
    pub output: usize,
}

/// A node of a graph.
#[derive(Clone)]
pub(crate) enum Node {
    /// An operand of the graph.
    Input(Spec),
    /// An array that does not change.
    Constant(Value),
    /// A call.
    Call(CallNode),
}

#[derive(Clone)]
pub(crate) struct CallNode {
    pub(crate) operation: Arc<dyn Operation>,
    /// Shared by all calls of the same types and shapes.
    pub(crate) plan: Arc<Plan>,
    pub(crate) inputs: SmallVec<[Port; 2]>,
}

/// Calls in the order in which they were made. It is an operation itself: it replays, and has derivatives in both modes.
///
/// ```
/// use coenzyme_graph::{Graph, Operation, Session, Spec, Value, attrs};
///
/// let graph = Graph::record(Session::global(), "user::energy", &[("x", Spec::f64(&[2]))], |g, x| {
///     let square = g.call("core::mul", &[&x[0], &x[0]], &attrs! {})?;
///     Ok(vec![g.call("core::sum", &[&square], &attrs! {})?])
/// })?;
/// let x = Value::from(vec![3.0, 4.0]);
/// assert_eq!(graph.run(&[&x])?[0].to_number(), Some(25.0));
/// let (_, dx) = graph.gradients(&[&x], &[true], None)?;
/// assert_eq!(dx[0], Some(Value::from(vec![6.0, 8.0])));
/// # Ok::<(), coenzyme_graph::OpError>(())
/// ```
#[derive(Clone)]
pub struct Graph {
    signature: Signature,
    /// An input comes before what reads it, and so does every node.
    nodes: Vec<Node>,
    outputs: Vec<Port>,
}

impl std::fmt::Debug for Graph {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Graph({}, {} nodes)",
            self.signature.name,
            self.nodes.len()
        )
    }
}

impl Node {
    /// The types and shapes of its outputs.
    pub(crate) fn specs(&self) -> SmallVec<[Spec; 1]> {
        match self {
            Node::Input(spec) => SmallVec::from_elem(spec.clone(), 1),
            Node::Constant(value) => SmallVec::from_elem(value.spec(), 1),
            Node::Call(call) => call.plan.outline.outputs.clone(),
        }
    }

    pub(crate) fn outputs(&self) -> usize {
        match self {
            Node::Call(call) => call.plan.outline.outputs.len(),
            _ => 1,
        }
    }

    pub(crate) fn call(&self) -> Option<&CallNode> {
        match self {
            Node::Call(call) => Some(call),
            _ => None,
        }
    }
}

impl Graph {
    pub(crate) fn new(signature: Signature, nodes: Vec<Node>, outputs: Vec<Port>) -> Self {
        Self {
            signature,
            nodes,
            outputs,
        }
    }

    /// The number of nodes: inputs, constants and calls.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The names of the operations that are called, in order.
    pub fn calls(&self) -> impl Iterator<Item = &str> {
        let calls = self.nodes.iter().filter_map(Node::call);
        calls.map(|call| &*call.operation.signature().name)
    }

    /// The types and shapes of the inputs.
    pub fn inputs(&self) -> impl Iterator<Item = &Spec> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Input(spec) => Some(spec),
            _ => None,
        })
    }

    /// The types and shapes of the outputs.
    #[must_use]
    pub fn outputs(&self) -> Vec<Spec> {
        let outputs = self.outputs.iter();
        outputs.map(|port| self.spec(*port)).collect()
    }

    /// A graph of `petgraph`: node weights are names, edge weights the number of the operand. For its algorithms.
    #[must_use]
    pub fn to_petgraph(&self) -> petgraph::graph::DiGraph<String, usize> {
        let mut drawn = petgraph::graph::DiGraph::new();
        let indices: Vec<_> = (0..self.nodes.len())
            .map(|i| drawn.add_node(self.title(i)))
            .collect();
        for (i, node) in self.nodes.iter().enumerate() {
            for (operand, port) in node
                .call()
                .into_iter()
                .flat_map(|c| c.inputs.iter().enumerate())
            {
                drawn.add_edge(indices[port.node], indices[i], operand);
            }
        }
        drawn
    }

    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(crate) fn spec(&self, port: Port) -> Spec {
        self.nodes[port.node].specs()[port.output].clone()
    }

    /// The numbers of the nodes that are inputs.
    pub(crate) fn input_nodes(&self) -> Vec<usize> {
        let nodes = self.nodes.iter().enumerate();
        nodes
            .filter(|(_, node)| matches!(node, Node::Input(_)))
            .map(|(i, _)| i)
            .collect()
    }

    /// What a node is called where it is drawn: the name of the operation without that of the crate, or that of the input.
    pub(crate) fn title(&self, node: usize) -> String {
        match &self.nodes[node] {
            Node::Constant(_) => "const".into(),
            Node::Input(_) => {
                let before = self.nodes[..node].iter();
                let index = before.filter(|n| matches!(n, Node::Input(_))).count();
                self.signature.operand_name(index)
            }
            Node::Call(call) => short(&call.operation.signature().name).into(),
        }
    }

    /// Whether the operands are those that the graph was recorded for.
    pub(crate) fn check(&self, x: &[&Value]) -> Result<(), OpError> {
        self.signature.check_count(x.len())?;
        let same =
            |(x, spec): (&&Value, &Spec)| x.dtype() == spec.dtype && x.shape() == &spec.shape[..];
        match x.iter().zip(self.inputs()).all(same) {
            true => Ok(()),
            false => {
                let specs: Vec<_> = x.iter().map(|x| x.spec()).collect();
                Err(self.refused(&specs))
            }
        }
    }

    pub(crate) fn refused(&self, x: &[Spec]) -> OpError {
        let recorded: Vec<_> = self.inputs().map(ToString::to_string).collect();
        let reason = format!("the graph was recorded for {}", recorded.join(", "));
        self.signature
            .misfit(x, &coenzyme_operations::Attrs::new(), reason)
    }
}

/// A name without that of the crate.
pub(crate) fn short(name: &str) -> &str {
    name.split_once("::").map_or(name, |(_, rest)| rest)
}
