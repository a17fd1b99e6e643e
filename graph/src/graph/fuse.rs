//! Neighbours that work entry by entry become one call.

use std::collections::HashMap;
use std::sync::Arc;

use coenzyme_operations::{Attrs, Operand, Operation, Signature, Spec};
use smallvec::SmallVec;

use super::{CallNode, Graph, Node, Port};
use crate::session::Plan;

impl Graph {
    /// With each chain of calls that work entry by entry on arrays of one shape as one call, of a graph that runs in tiles: nothing between them is
    /// written to memory, in either pass. The value stays the same bit by bit.
    ///
    /// ```
    /// use coenzyme_graph::{Graph, Session, Spec, Value, attrs};
    ///
    /// // sin(x)·x + exp(x)
    /// let graph = Graph::record(Session::global(), "user::g", &[("x", Spec::f64(&[10_000]))], |g, x| {
    ///     let sine = g.call("core::sin", &[&x[0]], &attrs! {})?;
    ///     let product = g.call("core::mul", &[&sine, &x[0]], &attrs! {})?;
    ///     let exp = g.call("core::exp", &[&x[0]], &attrs! {})?;
    ///     Ok(vec![g.call("core::add", &[&product, &exp], &attrs! {})?])
    /// })?;
    /// let fused = graph.fused();
    /// assert_eq!((graph.calls().count(), fused.calls().collect::<Vec<_>>()), (4, vec!["fused::sin-mul-exp-add"]));
    /// let x = Value::full(&Spec::f64(&[10_000]), 0.3);
    /// assert!(fused.run(&[&x])?[0].same_bits(&graph.run(&[&x])?[0]));
    /// # Ok::<(), coenzyme_graph::OpError>(())
    /// ```
    ///
    /// Operands may be arrays of that shape and constants of one number. Gradients are the same to rounding: sums of three and more terms may be in another order.
    /// Cost: of a fused call the reverse pass computes the values again, tile by tile.
    #[must_use]
    pub fn fused(&self) -> Graph {
        let chains = self.chains();
        let read = self.read_outside(&chains);
        let mut units: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut order: Vec<(usize, usize)> = Vec::new();
        for (i, chain) in chains.iter().enumerate() {
            let members = units.entry(chain.root).or_default();
            if members.is_empty() {
                order.push((chain.level, chain.root));
            }
            members.push(i);
        }
        // a level reads lower ones, inputs and constants; within one, the order is as it was
        order.sort_by_key(|(level, root)| match self.nodes[*root] {
            Node::Call(_) => (1, *level),
            _ => (0, 0),
        });
        let mut went: HashMap<Port, Port> = HashMap::new();
        let mut nodes: Vec<Node> = Vec::new();
        for (_, root) in order {
            let members = &units[&root];
            let node = match &members[..] {
                [one] => self.moved(*one, &went),
                _ => self.chained(members, &read, &mut went, nodes.len()),
            };
            if members.len() == 1 {
                for output in 0..node.outputs() {
                    let node = nodes.len();
                    went.insert(Port { node: root, output }, Port { node, output });
                }
            }
            nodes.push(node);
        }
        let outputs = self.outputs.iter().map(|port| went[port]).collect();
        Graph::new(self.signature.clone(), nodes, outputs)
    }

    /// Whether a call may be in a chain.
    fn links(&self, call: &CallNode) -> bool {
        let shape = &call.plan.outline.outputs[0].shape;
        let fits = |port: &Port| match &self.nodes[port.node] {
            Node::Constant(value) if value.shape().is_empty() => true,
            _ => self.spec(*port).shape == *shape,
        };
        call.operation.is_entrywise() && call.inputs.iter().all(fits)
    }

    /// The chain of each node. A chain is on one level, and what reads it from outside on a higher one: no path leaves it and comes back.
    fn chains(&self) -> Vec<Chain> {
        let linked = |node: &Node| node.call().is_some_and(|call| self.links(call));
        let links: Vec<bool> = self.nodes.iter().map(linked).collect();
        let mut chains: Vec<Chain> = Vec::with_capacity(self.nodes.len());
        for (i, node) in self.nodes.iter().enumerate() {
            let ports = node.call().map_or(&[][..], |call| &call.inputs);
            let together = |r: usize| links[i] && links[r];
            let above = |port: &Port| match &self.nodes[port.node] {
                Node::Call(_) => chains[port.node].level + usize::from(!together(port.node)),
                _ => 0,
            };
            let level = ports.iter().map(above).max().unwrap_or(0);
            chains.push(Chain { level, root: i });
            for port in ports.iter().filter(|port| together(port.node)) {
                if chains[port.node].level == level {
                    let (one, other) = (root(&mut chains, port.node), root(&mut chains, i));
                    chains[one.max(other)].root = one.min(other);
                }
            }
        }
        for i in 0..chains.len() {
            chains[i].root = root(&mut chains, i);
        }
        chains
    }

    /// Of each node, whether an output of the graph or another chain reads it.
    fn read_outside(&self, chains: &[Chain]) -> Vec<bool> {
        let mut read = vec![false; self.nodes.len()];
        for port in &self.outputs {
            read[port.node] = true;
        }
        for (i, node) in self.nodes.iter().enumerate() {
            for port in node.call().into_iter().flat_map(|call| &call.inputs) {
                read[port.node] |= chains[port.node].root != chains[i].root;
            }
        }
        read
    }

    /// A node with its inputs where they went.
    fn moved(&self, i: usize, went: &HashMap<Port, Port>) -> Node {
        let mut node = self.nodes[i].clone();
        if let Node::Call(call) = &mut node {
            call.inputs.iter_mut().for_each(|port| *port = went[port]);
        }
        node
    }

    /// A call of the graph of some nodes, which will be the node `own`.
    fn chained(
        &self,
        members: &[usize],
        read: &[bool],
        went: &mut HashMap<Port, Port>,
        own: usize,
    ) -> Node {
        let mut inside: HashMap<Port, Port> = HashMap::new();
        let (mut nodes, mut inputs) = (Vec::new(), SmallVec::new());
        let calls = || members.iter().filter_map(|i| self.nodes[*i].call());
        for port in calls().flat_map(|call| &call.inputs) {
            if members.binary_search(&port.node).is_ok() || inside.contains_key(port) {
                continue;
            }
            let (node, output) = (nodes.len(), 0);
            inside.insert(*port, Port { node, output });
            nodes.push(match &self.nodes[port.node] {
                Node::Constant(value) if value.shape().is_empty() => Node::Constant(value.clone()),
                _ => {
                    inputs.push(went[port]);
                    Node::Input(self.spec(*port))
                }
            });
        }
        let mut outputs = Vec::new();
        for i in members {
            let (port, place) = (
                Port {
                    node: *i,
                    output: 0,
                },
                nodes.len(),
            );
            nodes.push(self.moved(*i, &inside));
            inside.insert(
                port,
                Port {
                    node: place,
                    output: 0,
                },
            );
            if read[*i] {
                let output = outputs.len();
                outputs.push(Port {
                    node: place,
                    output: 0,
                });
                went.insert(port, Port { node: own, output });
            }
        }
        let names: Vec<&str> = calls()
            .map(|call| super::short(&call.operation.signature().name))
            .collect();
        let specs: Vec<Spec> = nodes
            .iter()
            .filter_map(|node| match node {
                Node::Input(spec) => Some(spec.clone()),
                _ => None,
            })
            .collect();
        let operands = specs.iter().enumerate().map(|(i, spec)| Operand {
            name: format!("x{i}").into(),
            dtypes: vec![spec.dtype],
        });
        let signature = Signature {
            name: title(&names).into(),
            operands: operands.collect(),
            ..Signature::default()
        };
        let graph = Graph::new(signature, nodes, outputs);
        let outline = graph.outlined(&specs);
        let (instead, attrs) = (None, Attrs::new());
        Node::Call(CallNode {
            operation: Arc::new(graph) as Arc<dyn Operation>,
            plan: Arc::new(Plan {
                instead,
                attrs,
                outline,
            }),
            inputs,
        })
    }
}

/// Where a node belongs: its chain has the number of the first of its nodes.
struct Chain {
    level: usize,
    root: usize,
}

/// The first node of a chain, and a shorter way to it.
fn root(chains: &mut [Chain], mut i: usize) -> usize {
    while chains[i].root != i {
        let above = chains[i].root;
        chains[i].root = chains[above].root;
        i = above;
    }
    i
}

/// The name of a call of some others.
fn title(names: &[&str]) -> String {
    match names {
        [first, _, _, _, _, .., last] => format!("fused::{first}-…-{last}"),
        _ => format!("fused::{}", names.join("-")),
    }
}
