//! The reverse pass of a graph, as a graph.

use std::collections::HashMap;
use std::sync::Arc;

use coenzyme_operations::{Attrs, ErrorKind, Mask, OpError, Operand, Operation, Signature, Spec};
use smallvec::SmallVec;

use super::operation::mask;
use super::pullback::Pullback;
use super::{CallNode, Graph, Node, Port};
use crate::registry::Registry;
use crate::session::Plan;

/// What identifies a reverse rule: the operation, how it is called, what is asked.
type Rule = (usize, usize, Mask, Mask);

/// What identifies a call: the operation, types and shapes of its operands, attributes.
type Known = (usize, SmallVec<[Spec; 4]>, Attrs);

/// A graph that grows.
struct Growing {
    nodes: Vec<Node>,
    rules: HashMap<Rule, Arc<dyn Operation>>,
    plans: HashMap<Known, Arc<Plan>>,
    add: Arc<dyn Operation>,
}

impl Growing {
    fn spec(&self, port: Port) -> Spec {
        self.nodes[port.node].specs()[port.output].clone()
    }

    /// A call; calls of the same operation, types and shapes share their plan.
    fn call(
        &mut self,
        operation: &Arc<dyn Operation>,
        inputs: SmallVec<[Port; 2]>,
        attrs: &Attrs,
    ) -> Result<usize, OpError> {
        let specs: SmallVec<[Spec; 4]> = inputs.iter().map(|port| self.spec(*port)).collect();
        let key = (
            Arc::as_ptr(operation).cast::<()>() as usize,
            specs,
            attrs.clone(),
        );
        let plan = match self.plans.get(&key) {
            Some(plan) => Arc::clone(plan),
            None => {
                let outline = operation.outline(&key.1, attrs)?;
                let attrs = attrs.clone();
                let plan = Arc::new(Plan {
                    instead: None,
                    attrs,
                    outline,
                });
                self.plans.insert(key, Arc::clone(&plan));
                plan
            }
        };
        self.nodes.push(Node::Call(CallNode {
            operation: Arc::clone(operation),
            plan,
            inputs,
        }));
        Ok(self.nodes.len() - 1)
    }

    /// The sum of what arrived, in the order in which the reverse sweep sums.
    fn sum(&mut self, parts: &[Port]) -> Result<Option<Port>, OpError> {
        let Some((first, rest)) = parts.split_first() else {
            return Ok(None);
        };
        let mut sum = *first;
        for part in rest {
            let inputs = SmallVec::from_slice(&[sum, *part]);
            let add = Arc::clone(&self.add);
            let node = self.call(&add, inputs, &Attrs::new())?;
            sum = Port { node, output: 0 };
        }
        Ok(Some(sum))
    }

    fn rule(&mut self, call: &CallNode, active: Mask, seeded: Mask) -> Arc<dyn Operation> {
        let (operands, outputs) = (call.inputs.len(), call.plan.outline.outputs.len());
        let address = Arc::as_ptr(&call.operation).cast::<()>() as usize;
        let make = || {
            Arc::new(Pullback::new(
                &call.operation,
                operands,
                outputs,
                active,
                seeded,
            )) as Arc<dyn Operation>
        };
        let key = (address, operands, active, seeded);
        Arc::clone(self.rules.entry(key).or_insert_with(make))
    }
}

impl Graph {
    /// The outputs that have derivatives.
    pub(super) fn seeded(&self) -> Vec<usize> {
        let outputs = self.outputs.iter().enumerate();
        outputs
            .filter(|(_, port)| self.spec(**port).dtype.is_float())
            .map(|(k, _)| k)
            .collect()
    }

    /// A graph of the operands and of the cotangents of the outputs, which returns the cotangents of the operands `wanted`. It is a graph
    /// like any other: replayed, written to files, and differentiated again.
    ///
    /// ```
    /// use coenzyme_graph::{Graph, Session, Spec, Value, attrs};
    ///
    /// let cube = Graph::record(Session::global(), "user::cube", &[("x", Spec::f64(&[]))], |g, x| {
    ///     let square = g.call("core::mul", &[&x[0], &x[0]], &attrs! {})?;
    ///     Ok(vec![g.call("core::mul", &[&square, &x[0]], &attrs! {})?])
    /// })?;
    /// let (first, one) = (cube.gradient(&[0])?, Value::number(1.0));
    /// let second = first.gradient(&[0])?;
    /// let x = Value::number(2.0);
    /// assert_eq!(first.run(&[&x, &one])?[0].to_number(), Some(12.0));
    /// assert_eq!(second.run(&[&x, &one, &one])?[0].to_number(), Some(12.0));
    /// # Ok::<(), coenzyme_graph::OpError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such operand, or a call through which derivatives flow has no reverse rule.
    pub fn gradient(&self, wanted: &[usize]) -> Result<Graph, OpError> {
        let inputs = self.input_nodes();
        if let Some(i) = wanted.iter().find(|i| **i >= inputs.len()) {
            let name = format!("#{i}");
            return Err(self.signature.error(ErrorKind::UnknownOperand(name)));
        }
        let active = self.activity(mask(wanted));
        let mut growing = Growing {
            nodes: self.nodes.clone(),
            rules: HashMap::new(),
            plans: HashMap::new(),
            add: Registry::global().get("core::add")?,
        };
        let mut operands = self.signature.operands.clone();
        let mut parts: HashMap<Port, Vec<Port>> = HashMap::new();
        for k in self.seeded() {
            let port = self.outputs[k];
            let spec = self.spec(port);
            operands.push(Operand {
                name: format!("cotangent of output {k}").into(),
                dtypes: vec![spec.dtype],
            });
            growing.nodes.push(Node::Input(spec));
            let node = growing.nodes.len() - 1;
            parts
                .entry(port)
                .or_default()
                .push(Port { node, output: 0 });
        }
        for i in (0..self.nodes.len()).rev() {
            let Some(call) = self.nodes[i].call().filter(|_| !active[i].is_empty()) else {
                continue;
            };
            self.pull_back(i, call, active[i], &mut growing, &mut parts)?;
        }
        let mut outputs = Vec::new();
        for i in wanted {
            let port = Port {
                node: inputs[*i],
                output: 0,
            };
            let sum = growing.sum(parts.get(&port).map_or(&[][..], |parts| parts))?;
            outputs.push(match sum {
                Some(port) => port,
                None => {
                    let zeros = coenzyme_operations::Value::zeros(&self.spec(port));
                    growing.nodes.push(Node::Constant(zeros));
                    Port {
                        node: growing.nodes.len() - 1,
                        output: 0,
                    }
                }
            });
        }
        let signature = Signature {
            name: format!("{}.gradient", self.signature.name).into(),
            operands,
            ..Signature::default()
        };
        Ok(Graph::new(signature, growing.nodes, outputs).without_dead_code())
    }

    fn pull_back(
        &self,
        i: usize,
        call: &CallNode,
        active: Mask,
        growing: &mut Growing,
        parts: &mut HashMap<Port, Vec<Port>>,
    ) -> Result<(), OpError> {
        if !call.operation.modes().reverse {
            return Err(call.operation.signature().error(ErrorKind::NoReverse));
        }
        let mut seeds = SmallVec::<[Port; 2]>::new();
        let mut seeded = Mask::NONE;
        for output in 0..self.nodes[i].outputs() {
            let own = parts.remove(&Port { node: i, output }).unwrap_or_default();
            if let Some(sum) = growing.sum(&own)? {
                seeds.push(sum);
                seeded = seeded.with(output);
            }
        }
        if seeds.is_empty() {
            return Ok(());
        }
        let rule = growing.rule(call, active, seeded);
        let inputs = call.inputs.iter().copied().chain(seeds).collect();
        let node = growing.call(&rule, inputs, &call.plan.attrs)?;
        let edges = call.inputs.iter().enumerate();
        let edges = edges.filter(|(k, _)| active.has(*k));
        for (output, (_, port)) in edges.enumerate() {
            parts.entry(*port).or_default().push(Port { node, output });
        }
        Ok(())
    }
}
