//! From closures to graphs.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use coenzyme_operations::{
    Attrs, ErrorKind, OpError, Operand, Operation, Outputs, Signature, Spec, Value,
};
use smallvec::SmallVec;

use super::{CallNode, Graph, Node, Port};
use crate::session::{Options, Plan, Session, stage};

/// A value in a recording: an output of a node. When it is recorded while it runs, the array too.
#[derive(Clone, Debug)]
pub struct Var {
    port: Port,
    spec: Spec,
    value: Option<Value>,
    recording: u64,
}

impl Var {
    /// Its type and shape.
    #[must_use]
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The array, if the recorder runs what it records: a program may then branch on it, and the branch that it took is recorded.
    #[must_use]
    pub fn value(&self) -> Option<&Value> {
        self.value.as_ref()
    }
}

/// What is known of a call that was recorded: operation, types and shapes of its operands, attributes.
type Known = (usize, SmallVec<[Spec; 2]>, Attrs);

/// Records calls, and runs them at the same time if it has values.
pub struct Recorder<'s> {
    session: &'s Session,
    nodes: Vec<Node>,
    /// With the operation, so that its address stays its own.
    plans: HashMap<Known, (Arc<dyn Operation>, Arc<Plan>)>,
    runs: bool,
    recording: u64,
}

impl std::fmt::Debug for Recorder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Recorder({} nodes)", self.nodes.len())
    }
}

/// A number for each recording, so that a variable of another is found.
fn next_recording() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl<'s> Recorder<'s> {
    fn new(session: &'s Session, runs: bool) -> Self {
        Self {
            session,
            nodes: Vec::new(),
            plans: HashMap::new(),
            runs,
            recording: next_recording(),
        }
    }

    fn push(&mut self, node: Node, values: Option<Outputs>) -> Vec<Var> {
        let index = self.nodes.len();
        let specs = node.specs();
        self.nodes.push(node);
        let mut values = values.into_iter().flatten();
        let outputs = specs.into_iter().enumerate();
        outputs
            .map(|(output, spec)| Var {
                port: Port {
                    node: index,
                    output,
                },
                spec,
                value: values.next(),
                recording: self.recording,
            })
            .collect()
    }

    fn one(&mut self, node: Node, value: Option<Value>) -> Var {
        let values = value.map(|value| Outputs::from_elem(value, 1));
        let mut vars = self.push(node, values);
        vars.swap_remove(0)
    }

    /// An array that does not change.
    pub fn constant(&mut self, value: impl Into<Value>) -> Var {
        let value = value.into();
        let known = self.runs.then(|| value.clone());
        self.one(Node::Constant(value), known)
    }

    /// Calls an operation by name, and returns its first output.
    ///
    /// # Errors
    /// If there is no such operation, the call is none that it takes, or it fails.
    pub fn call(&mut self, name: &str, x: &[&Var], attrs: &Attrs) -> Result<Var, OpError> {
        let operation = self.session.registry().get(name)?;
        self.apply(&operation, x, attrs)
    }

    /// Calls an operation, and returns its first output. A graph is one: it becomes one node.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    pub fn apply(
        &mut self,
        operation: &Arc<dyn Operation>,
        x: &[&Var],
        attrs: &Attrs,
    ) -> Result<Var, OpError> {
        let outputs = self.apply_all(operation, x, attrs)?;
        outputs.into_iter().next().ok_or_else(|| {
            let reason = "the operation returns nothing".to_string();
            operation.signature().error(ErrorKind::Invalid(reason))
        })
    }

    /// Calls an operation, and returns all outputs.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    pub fn apply_all(
        &mut self,
        operation: &Arc<dyn Operation>,
        x: &[&Var],
        attrs: &Attrs,
    ) -> Result<Vec<Var>, OpError> {
        if x.iter().any(|x| x.recording != self.recording) {
            let reason = "an operand belongs to another recording".to_string();
            return Err(operation.signature().error(ErrorKind::Invalid(reason)));
        }
        let values: Option<SmallVec<[&Value; 4]>> = x.iter().map(|x| x.value()).collect();
        let (plan, outputs) = match values.filter(|_| self.runs) {
            Some(values) => {
                let plan = self
                    .session
                    .plan(operation, &values, attrs, &Options::default())?;
                let operation = plan.runs(operation);
                stage!("execute", operation);
                let y = operation.value(&values, &plan.attrs)?;
                let y = self.session.verified(operation, &plan, y)?;
                (plan, Some(y))
            }
            None => (self.planned(operation, x, attrs)?, None),
        };
        let operation = plan.runs(operation);
        stage!("record", operation);
        let node = CallNode {
            operation: Arc::clone(operation),
            plan: Arc::clone(&plan),
            inputs: x.iter().map(|x| x.port).collect(),
        };
        Ok(self.push(Node::Call(node), outputs))
    }

    /// The plan of a call of which only types and shapes are known; calls of the same share it.
    fn planned(
        &mut self,
        operation: &Arc<dyn Operation>,
        x: &[&Var],
        attrs: &Attrs,
    ) -> Result<Arc<Plan>, OpError> {
        let specs: SmallVec<[Spec; 2]> = x.iter().map(|x| x.spec.clone()).collect();
        let address = Arc::as_ptr(operation).cast::<()>() as usize;
        let known = (address, specs, attrs.clone());
        if let Some((_, plan)) = self.plans.get(&known) {
            return Ok(Arc::clone(plan));
        }
        stage!("validate", operation);
        let plan = self
            .session
            .planned(operation, &known.1, attrs, &Options::default())?;
        let plan = Arc::new(plan);
        let known_plan = (Arc::clone(operation), Arc::clone(&plan));
        self.plans.insert(known, known_plan);
        Ok(plan)
    }

    fn finish(self, name: &str, operands: Vec<Operand>, outputs: &[Var]) -> Result<Graph, OpError> {
        let signature = Signature {
            name: Cow::Owned(name.into()),
            operands,
            ..Signature::default()
        };
        if outputs.iter().any(|y| y.recording != self.recording) {
            let reason = "an output belongs to another recording".to_string();
            return Err(signature.error(ErrorKind::Invalid(reason)));
        }
        let outputs = outputs.iter().map(|y| y.port).collect();
        Ok(Graph::new(signature, self.nodes, outputs))
    }
}

fn operand(name: &str, spec: &Spec) -> Operand {
    Operand {
        name: Cow::Owned(name.into()),
        dtypes: vec![spec.dtype],
    }
}

impl Graph {
    /// Records what a closure calls on operands of which only name, type and shape are known.
    ///
    /// # Errors
    /// Those of the closure.
    pub fn record(
        session: &Session,
        name: &str,
        inputs: &[(&str, Spec)],
        f: impl FnOnce(&mut Recorder<'_>, &[Var]) -> Result<Vec<Var>, OpError>,
    ) -> Result<Graph, OpError> {
        let mut recorder = Recorder::new(session, false);
        let specs = inputs.iter().map(|(_, spec)| spec.clone());
        let x: Vec<Var> = specs
            .map(|spec| recorder.one(Node::Input(spec), None))
            .collect();
        let y = f(&mut recorder, &x)?;
        let operands = inputs.iter().map(|(name, spec)| operand(name, spec));
        recorder.finish(name, operands.collect(), &y)
    }

    /// Runs a closure and records what it calls: the outputs, and the graph, which gives the same bit by bit.
    ///
    /// # Errors
    /// Those of the closure.
    pub fn trace(
        session: &Session,
        name: &str,
        inputs: &[(&str, &Value)],
        f: impl FnOnce(&mut Recorder<'_>, &[Var]) -> Result<Vec<Var>, OpError>,
    ) -> Result<(Outputs, Graph), OpError> {
        let mut recorder = Recorder::new(session, true);
        let x: Vec<Var> = inputs
            .iter()
            .map(|(_, x)| recorder.one(Node::Input(x.spec()), Some((*x).clone())))
            .collect();
        let y = f(&mut recorder, &x)?;
        let values = y.iter().filter_map(|y| y.value.clone()).collect();
        let operands = inputs.iter().map(|(name, x)| operand(name, &x.spec()));
        let graph = recorder.finish(name, operands.collect(), &y)?;
        Ok((values, graph))
    }
}
