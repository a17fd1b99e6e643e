//! Cotangents of a graph, on one thread or many.
//!
//! Each call that reads a value makes one contribution to its cotangent. Contributions are summed in the order of the calls, the last
//! first, whichever thread made them and whenever: the result has the same bits on any number of threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use coenzyme_operations::{
    Call, Cotangents, ErrorKind, Mask, OpError, Outputs, Shadows, Tape, Value,
};

use super::replay::{Values, at, operands};
use super::{CallNode, Graph, Node};
use crate::session::ones;

/// So many operations are worth the threads.
const WORTH_THREADS: f64 = 1e5;

/// What one call adds to the cotangent of one output of a node, in each lane.
struct Contribution {
    /// The call that reads it: the greatest comes first.
    consumer: usize,
    operand: usize,
    output: usize,
    lanes: Vec<Option<Value>>,
}

/// The reverse pass of a graph.
pub(super) struct Sweep<'g> {
    graph: &'g Graph,
    /// Of each call through which derivatives flow, its active operands.
    active: Vec<Mask>,
    width: usize,
    strong_zero: bool,
    pub(super) values: Values,
    tapes: Vec<Mutex<Option<Tape>>>,
    arrived: Vec<Mutex<Vec<Contribution>>>,
    failed: Mutex<Option<(usize, OpError)>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Graph {
    /// The outputs, and the cotangents of the operands that are wanted, from those of the outputs; `None` stands for one at each entry of
    /// every output. Calls that do not depend on each other run on the threads of rayon.
    ///
    /// # Errors
    /// If operands or cotangents are not those of the recording, an operation fails, or one through which derivatives flow has no reverse
    /// rule.
    pub fn gradients(
        &self,
        x: &[&Value],
        wanted: &[bool],
        dy: Option<&[Option<Value>]>,
    ) -> Result<(Outputs, Shadows), OpError> {
        if let Some(entries) = self.tiled() {
            return self.tiled_gradients(x, wanted, dy, entries);
        }
        let sweep = self.augment(x, Mask::of(wanted.iter().copied()), 1, false)?;
        let outputs = self.outputs_of(&sweep.values);
        let dy: Cotangents = match dy {
            Some(dy) => dy.iter().cloned().collect(),
            None => outputs.iter().map(ones).collect(),
        };
        let mut lanes = sweep.pull(vec![dy])?;
        let mut dx = lanes.swap_remove(0);
        for ((dx, x), wanted) in dx.iter_mut().zip(x).zip(wanted) {
            match *wanted && x.dtype().is_float() {
                true => *dx = dx.take().or_else(|| Some(x.zeros_like())),
                false => *dx = None,
            }
        }
        Ok((outputs, dx))
    }

    /// The calls through which derivatives flow from these inputs to the outputs, with their active operands.
    pub(super) fn activity(&self, inputs: Mask) -> Vec<Mask> {
        let mut varied = vec![false; self.nodes.len()];
        let mut active = vec![Mask::NONE; self.nodes.len()];
        let mut operand = 0;
        for (i, node) in self.nodes.iter().enumerate() {
            match node {
                Node::Constant(_) => {}
                Node::Input(spec) => {
                    varied[i] = inputs.has(operand) && spec.dtype.is_float();
                    operand += 1;
                }
                Node::Call(call) if call.operation.is_inactive() => {}
                Node::Call(call) => {
                    let varies =
                        |port: &super::Port| varied[port.node] && self.dtype(*port).is_float();
                    active[i] = Mask::of(call.inputs.iter().map(varies));
                    varied[i] = !active[i].is_empty();
                }
            }
        }
        let mut useful = vec![false; self.nodes.len()];
        for port in &self.outputs {
            useful[port.node] = true;
        }
        for (i, node) in self.nodes.iter().enumerate().rev() {
            if !useful[i] {
                active[i] = Mask::NONE;
                continue;
            }
            for port in node.call().into_iter().flat_map(|call| &call.inputs) {
                useful[port.node] = true;
            }
        }
        active
    }

    fn dtype(&self, port: super::Port) -> coenzyme_operations::DType {
        match &self.nodes[port.node] {
            Node::Input(spec) => spec.dtype,
            Node::Constant(value) => value.dtype(),
            Node::Call(call) => call.plan.outline.outputs[port.output].dtype,
        }
    }

    /// A sweep before its first call.
    pub(super) fn sweep(&self, inputs: Mask, width: usize, strong_zero: bool) -> Sweep<'_> {
        let n = self.nodes.len();
        Sweep {
            graph: self,
            active: self.activity(inputs),
            width,
            strong_zero,
            values: vec![Outputs::new(); n],
            tapes: (0..n).map(|_| Mutex::new(None)).collect(),
            arrived: (0..n).map(|_| Mutex::new(Vec::new())).collect(),
            failed: Mutex::new(None),
        }
    }

    /// The first half: all values, and the tapes of the calls through which derivatives flow.
    pub(super) fn augment(
        &self,
        x: &[&Value],
        inputs: Mask,
        width: usize,
        strong_zero: bool,
    ) -> Result<Sweep<'_>, OpError> {
        self.check(x)?;
        let mut sweep = self.sweep(inputs, width, strong_zero);
        sweep.begin(x);
        for i in 0..self.nodes.len() {
            sweep.compute(i, true)?;
        }
        Ok(sweep)
    }
}

impl<'g> Sweep<'g> {
    /// Puts operands and constants in their places.
    pub(super) fn begin(&mut self, x: &[&Value]) {
        let mut inputs = x.iter();
        for (node, value) in self.graph.nodes.iter().zip(&mut self.values) {
            match node {
                Node::Input(_) => {
                    *value = inputs.next().map(|x| (*x).clone()).into_iter().collect()
                }
                Node::Constant(constant) => *value = Outputs::from_elem(constant.clone(), 1),
                Node::Call(_) => {}
            }
        }
    }

    fn told(&self, node: usize, call: &CallNode) -> Call {
        Call {
            width: self.width,
            strong_zero: self.strong_zero,
            ..Call::new(call.plan.attrs.clone()).with_active(self.active[node])
        }
    }

    /// Makes a call, and keeps its tape if it is `taped` and derivatives flow through it.
    pub(super) fn compute(&mut self, i: usize, taped: bool) -> Result<(), OpError> {
        let Some(call) = self.graph.nodes[i].call() else {
            return Ok(());
        };
        let x = operands(call, &self.values);
        let y = if !taped || self.active[i].is_empty() {
            let y = call.operation.value(&x, &call.plan.attrs);
            y.map_err(at(self.graph, i))?
        } else {
            if !call.operation.modes().reverse {
                let error = call.operation.signature().error(ErrorKind::NoReverse);
                return Err(at(self.graph, i)(error));
            }
            let (y, tape) = call
                .operation
                .augmented(&x, &self.told(i, call))
                .map_err(at(self.graph, i))?;
            *locked(&self.tapes[i]) = Some(tape);
            y
        };
        drop(x);
        self.values[i] = y;
        Ok(())
    }

    /// Puts the cotangents of the outputs in their places.
    pub(super) fn seed(&self, dy: Vec<Cotangents>) -> Result<(), OpError> {
        self.check_seeds(&dy)?;
        for (k, port) in self.graph.outputs.iter().enumerate() {
            locked(&self.arrived[port.node]).push(Contribution {
                consumer: usize::MAX,
                operand: k,
                output: port.output,
                lanes: dy.iter().map(|lane| lane[k].clone()).collect(),
            });
        }
        Ok(())
    }

    /// Whether each lane has a cotangent for each output, of its type and shape.
    pub(super) fn check_seeds(&self, dy: &[Cotangents]) -> Result<(), OpError> {
        let signature = &self.graph.signature;
        for lane in dy {
            if lane.len() != self.graph.outputs.len() {
                return Err(signature.error(ErrorKind::Seeds {
                    of: "cotangents",
                    expected: self.graph.outputs.len(),
                    found: lane.len(),
                }));
            }
        }
        for (k, port) in self.graph.outputs.iter().enumerate() {
            let expected = self.graph.spec(*port);
            let mut lanes = dy.iter().filter_map(|lane| lane[k].as_ref());
            if let Some(found) = lanes.find(|dy| dy.spec() != expected) {
                return Err(signature.error(ErrorKind::Seed {
                    of: format!("output {k}"),
                    expected,
                    found: found.spec(),
                }));
            }
        }
        Ok(())
    }

    /// The second half: the cotangents of the inputs in each lane, `None` where none flows.
    pub(super) fn pull(&self, dy: Vec<Cotangents>) -> Result<Vec<Shadows>, OpError> {
        self.seed(dy)?;
        let nodes = self.graph.nodes.iter().enumerate();
        let work: f64 = nodes
            .filter(|(i, _)| !self.active[*i].is_empty())
            .filter_map(|(_, node)| Some(node.call()?.plan.outline.flops))
            .sum();
        match work > WORTH_THREADS && rayon::current_num_threads() > 1 {
            true => self.pull_on_threads(),
            false => (0..self.graph.nodes.len())
                .rev()
                .for_each(|i| self.pull_one(i)),
        }
        self.finish()
    }

    /// Each call as soon as all that read its outputs have been pulled back.
    fn pull_on_threads(&self) {
        let readers: Vec<AtomicUsize> = self.graph.nodes.iter().map(|_| 0.into()).collect();
        for (i, _) in self.graph.nodes.iter().enumerate() {
            for (_, port) in self.edges(i) {
                readers[port.node].fetch_add(1, Ordering::Relaxed);
            }
        }
        let ready =
            |i: &usize| !self.active[*i].is_empty() && readers[*i].load(Ordering::Relaxed) == 0;
        let first: Vec<usize> = (0..self.graph.nodes.len()).filter(ready).collect();
        let readers = &readers[..];
        rayon::scope(|scope| {
            for i in first {
                scope.spawn(move |scope| self.pull_from(i, readers, scope));
            }
        });
    }

    /// One call and then one of those that it made ready; the others are tasks of their own.
    fn pull_from<'s>(&'s self, mut i: usize, readers: &'s [AtomicUsize], scope: &rayon::Scope<'s>) {
        loop {
            self.pull_one(i);
            let mut next = None;
            for (_, port) in self.edges(i) {
                let last = readers[port.node].fetch_sub(1, Ordering::AcqRel) == 1;
                if last
                    && !self.active[port.node].is_empty()
                    && let Some(other) = next.replace(port.node)
                {
                    scope.spawn(move |scope| self.pull_from(other, readers, scope));
                }
            }
            match next {
                Some(node) => i = node,
                None => return,
            }
        }
    }

    /// The operands of a call to which cotangents flow.
    fn edges(&self, i: usize) -> impl Iterator<Item = (usize, &'g super::Port)> {
        let active = self.active[i];
        let call = self.graph.nodes[i].call().filter(|_| !active.is_empty());
        let inputs = call
            .into_iter()
            .flat_map(|call| call.inputs.iter().enumerate());
        inputs.filter(move |(k, _)| active.has(*k))
    }

    /// The cotangents of the outputs of a node in each lane, summed in order.
    fn cotangents(&self, i: usize) -> Vec<Cotangents> {
        let mut arrived = std::mem::take(&mut *locked(&self.arrived[i]));
        arrived.sort_by(|a, b| b.consumer.cmp(&a.consumer).then(a.operand.cmp(&b.operand)));
        let none = Cotangents::from_elem(None, self.graph.nodes[i].outputs());
        let mut sums = vec![none; self.width];
        for contribution in arrived {
            for (sum, more) in sums.iter_mut().zip(contribution.lanes) {
                let sum = &mut sum[contribution.output];
                match (sum.as_mut(), more) {
                    (_, None) => {}
                    (None, more) => *sum = more,
                    (Some(sum), Some(more)) => sum.accumulate(&more),
                }
            }
        }
        sums
    }

    /// Pulls back one call, and hands what it gives to the nodes that it read.
    pub(super) fn pull_one(&self, i: usize) {
        let Some(call) = self.graph.nodes[i].call() else {
            return;
        };
        if self.active[i].is_empty() {
            return;
        }
        let dy = self.cotangents(i);
        let tape = locked(&self.tapes[i]).take();
        let silent = dy.iter().flatten().all(Option::is_none);
        let (Some(tape), false) = (tape, silent) else {
            return;
        };
        let x = operands(call, &self.values);
        let shadow = |(k, x): (usize, &&Value)| self.active[i].has(k).then(|| x.zeros_like());
        let zeros = || -> Shadows { x.iter().enumerate().map(shadow).collect() };
        let mut dx: Vec<Shadows> = (0..self.width).map(|_| zeros()).collect();
        let told = self.told(i, call);
        if let Err(error) = call.operation.pullback(&x, dy, tape, &mut dx, &told) {
            let mut failed = locked(&self.failed);
            // of several errors the one that a single thread would have met first
            if failed.as_ref().is_none_or(|(node, _)| *node < i) {
                *failed = Some((i, at(self.graph, i)(error)));
            }
            return;
        }
        for (operand, port) in self.edges(i) {
            let lanes = dx.iter_mut().map(|lane| lane[operand].take()).collect();
            let contribution = Contribution {
                consumer: i,
                operand,
                output: port.output,
                lanes,
            };
            self.arrive(port.node, contribution);
        }
    }

    fn arrive(&self, node: usize, contribution: Contribution) {
        locked(&self.arrived[node]).push(contribution);
    }

    /// Forgets what a call returned.
    pub(super) fn forget(&mut self, i: usize) {
        self.values[i] = Outputs::new();
    }

    /// The cotangents of the inputs.
    pub(super) fn finish(&self) -> Result<Vec<Shadows>, OpError> {
        if let Some((_, error)) = locked(&self.failed).take() {
            return Err(error);
        }
        let inputs = self.graph.input_nodes();
        let mut dx = vec![Shadows::new(); self.width];
        for i in inputs {
            for (lane, sum) in self.cotangents(i).into_iter().enumerate() {
                dx[lane].extend(sum);
            }
        }
        Ok(dx)
    }

    /// What is left between the halves.
    pub(super) fn into_left(self) -> Left {
        Left {
            values: self.values,
            tapes: self.tapes,
            inputs: Mask::ALL,
        }
    }

    /// Goes on where another sweep of the same graph stood between the halves.
    pub(super) fn resume(mut self, left: Left) -> Self {
        (self.values, self.tapes) = (left.values, left.tapes);
        self
    }
}

/// What is on the tape of a graph that is called as an operation.
pub(super) struct Left {
    values: Values,
    tapes: Vec<Mutex<Option<Tape>>>,
    /// The inputs that were active.
    pub(super) inputs: Mask,
}
