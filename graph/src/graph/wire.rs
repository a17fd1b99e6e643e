//! Graphs in files: JSON for people, a compact binary form for machines.
//!
//! Operations are names, which a registry finds when the file is read; graphs that are called, and pullbacks, are in the file. A file is
//! checked as the recording was: each call is outlined again, so that a file which says something impossible is an error.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use coenzyme_operations::{
    Attrs, DType, Mask, OpError, Operand, Operation, Signature, Spec, Value,
};
use num_complex::Complex;
use serde::{Deserialize, Serialize};

use super::pullback::Pullback;
use super::{CallNode, Graph, Node, Port};
use crate::registry::Registry;
use crate::session::Plan;

/// The version of files that this library writes. It reads this one and earlier ones.
const VERSION: u32 = 1;
const FORMAT: &str = "coenzyme-graph";
/// The first bytes of binary files.
const MAGIC: &[u8] = b"coenzyme-graph\0";
/// The outputs that the calls of a file may have together.
const MOST_OUTPUTS: usize = 1 << 20;

/// Why a file is no graph.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LoadError {
    /// It is no file of this format, or says something impossible.
    Malformed(String),
    /// It was written by a later version.
    Version {
        /// That of the file.
        found: u32,
        /// The latest that is read.
        supported: u32,
    },
    /// The registry lacks these operations: all of them.
    Missing(Vec<String>),
    /// An operation refuses a call.
    Refused(OpError),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Malformed(reason) => write!(f, "malformed graph: {reason}"),
            LoadError::Version { found, supported } => {
                write!(
                    f,
                    "a graph of version {found}; this library reads up to {supported}"
                )
            }
            LoadError::Missing(names) => write!(f, "missing rules: {}", names.join(", ")),
            LoadError::Refused(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {}

fn malformed(reason: impl fmt::Display) -> LoadError {
    LoadError::Malformed(reason.to_string())
}

/// What comes first in a text, before the rest is looked at.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}

#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    version: u32,
    /// A graph comes after those that it calls; the last is the file's.
    graphs: Vec<Written>,
}

#[derive(Serialize, Deserialize)]
struct Written {
    name: String,
    /// The names of the inputs.
    inputs: Vec<String>,
    /// A pullback comes after what it is of.
    operations: Vec<Operations>,
    nodes: Vec<Nodes>,
    outputs: Vec<(u32, u32)>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Operations {
    /// Of the registry.
    Name(String),
    /// An earlier graph of the file.
    Graph(u32),
    /// The reverse rule of an earlier operation.
    Pullback {
        of: u32,
        operands: u32,
        outputs: u32,
        active: Vec<u32>,
        seeded: Vec<u32>,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Nodes {
    Input(Spec),
    Constant(Constant),
    Call {
        operation: u32,
        inputs: Vec<(u32, u32)>,
        #[serde(default)]
        attrs: Attrs,
    },
}

#[derive(Serialize, Deserialize)]
struct Constant {
    spec: Spec,
    entries: Entries,
}

#[derive(Serialize, Deserialize)]
struct Float(#[serde(with = "coenzyme_operations::text")] f64);

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Entries {
    Floats(Vec<Float>),
    Ints(Vec<i64>),
    Bools(Vec<bool>),
}

fn u32_of(n: usize) -> u32 {
    u32::try_from(n).expect("fewer than 2³² nodes")
}

impl Constant {
    fn of(value: &Value) -> Self {
        let floats = |x: &mut dyn Iterator<Item = f64>| Entries::Floats(x.map(Float).collect());
        let entries = match value.dtype() {
            DType::I64 => Entries::Ints(value.entries::<i64>().unwrap_or_default().to_vec()),
            DType::Bool => Entries::Bools(value.entries::<bool>().unwrap_or_default().to_vec()),
            DType::F64 => {
                let x = value.entries::<f64>().unwrap_or_default();
                floats(&mut x.iter().copied())
            }
            DType::F32 => {
                let x = value.entries::<f32>().unwrap_or_default();
                floats(&mut x.iter().map(|x| f64::from(*x)))
            }
            DType::Complex => {
                let x = value.entries::<Complex<f64>>().unwrap_or_default();
                floats(&mut x.iter().flat_map(|x| [x.re, x.im]))
            }
        };
        Self {
            spec: value.spec(),
            entries,
        }
    }

    fn value(self) -> Result<Value, LoadError> {
        let Self { spec, entries } = self;
        let shape = &spec.shape[..];
        let value = match (spec.dtype, entries) {
            (DType::I64, Entries::Ints(x)) => Value::from_vec(shape, x),
            (DType::Bool, Entries::Bools(x)) => Value::from_vec(shape, x),
            (DType::F64, Entries::Floats(x)) => {
                Value::from_vec(shape, x.into_iter().map(|x| x.0).collect())
            }
            (DType::F32, Entries::Floats(x)) => {
                Value::from_vec(shape, x.into_iter().map(|x| x.0 as f32).collect())
            }
            (DType::Complex, Entries::Floats(x)) if x.len().is_multiple_of(2) => {
                let pairs = x.chunks(2).map(|x| Complex::new(x[0].0, x[1].0));
                Value::from_vec(shape, pairs.collect())
            }
            _ => None,
        };
        value.ok_or_else(|| malformed(format_args!("a constant without the entries of {spec}")))
    }
}

/// Graphs on the way to a file: by address, so that a graph which is called twice is written once.
#[derive(Default)]
struct Writer {
    graphs: Vec<Written>,
    known: HashMap<usize, u32>,
}

impl Writer {
    fn graph(&mut self, graph: &Graph) -> u32 {
        let mut operations = Vec::new();
        let mut known = HashMap::new();
        let mut nodes = Vec::new();
        for node in graph.nodes() {
            nodes.push(match node {
                Node::Input(spec) => Nodes::Input(spec.clone()),
                Node::Constant(value) => Nodes::Constant(Constant::of(value)),
                Node::Call(call) => Nodes::Call {
                    operation: self.operation(&call.operation, &mut operations, &mut known),
                    inputs: call.inputs.iter().map(written).collect(),
                    attrs: call.plan.attrs.clone(),
                },
            });
        }
        let names = graph.signature().operands.iter();
        self.graphs.push(Written {
            name: graph.signature().name.clone().into_owned(),
            inputs: names.map(|x| x.name.clone().into_owned()).collect(),
            operations,
            nodes,
            outputs: graph.outputs.iter().map(written).collect(),
        });
        u32_of(self.graphs.len() - 1)
    }

    fn operation(
        &mut self,
        operation: &Arc<dyn Operation>,
        operations: &mut Vec<Operations>,
        known: &mut HashMap<usize, u32>,
    ) -> u32 {
        let address = Arc::as_ptr(operation).cast::<()>() as usize;
        if let Some(index) = known.get(&address) {
            return *index;
        }
        let any = operation.as_any();
        let entry = if let Some(graph) = any.and_then(|any| any.downcast_ref::<Graph>()) {
            let index = match self.known.get(&address) {
                Some(index) => *index,
                None => self.graph(graph),
            };
            self.known.insert(address, index);
            Operations::Graph(index)
        } else if let Some(rule) = any.and_then(|any| any.downcast_ref::<Pullback>()) {
            let of = self.operation(&rule.of, operations, known);
            let listed = |mask: Mask, n: usize| -> Vec<u32> {
                (0..n).filter(|i| mask.has(*i)).map(u32_of).collect()
            };
            Operations::Pullback {
                of,
                operands: u32_of(rule.operands),
                outputs: u32_of(rule.outputs),
                active: listed(rule.active, rule.operands),
                seeded: listed(rule.seeded, rule.outputs),
            }
        } else {
            Operations::Name(operation.signature().name.clone().into_owned())
        };
        operations.push(entry);
        let index = u32_of(operations.len() - 1);
        known.insert(address, index);
        index
    }
}

fn written(port: &Port) -> (u32, u32) {
    (u32_of(port.node), u32_of(port.output))
}

impl Graph {
    fn file(&self) -> File {
        let mut writer = Writer::default();
        writer.graph(self);
        File {
            format: FORMAT.into(),
            version: VERSION,
            graphs: writer.graphs,
        }
    }

    /// As JSON. Numbers are written so that they are read back bit by bit.
    ///
    /// # Panics
    /// Never: every graph can be written.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(&self.file()).expect("a graph can be written")
    }

    /// Reads what [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    /// If it is no graph, of a later version, calls operations that the registry lacks (all of them are named), or calls one as it
    /// cannot be called.
    pub fn from_json(registry: &Registry, text: &str) -> Result<Graph, LoadError> {
        let head: Head = serde_json::from_str(text).map_err(malformed)?;
        check_head(&head.format, head.version)?;
        read(registry, serde_json::from_str(text).map_err(malformed)?)
    }

    /// In a compact binary form.
    ///
    /// # Panics
    /// Never: every graph can be written.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let file = postcard::to_stdvec(&self.file()).expect("a graph can be written");
        bytes.extend(file);
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote. Bytes from anywhere are no danger: what they say is checked, and memory is taken
    /// for no more than they hold.
    ///
    /// # Errors
    /// As [`from_json`](Self::from_json).
    pub fn from_bytes(registry: &Registry, bytes: &[u8]) -> Result<Graph, LoadError> {
        let rest = bytes.strip_prefix(MAGIC);
        let rest = rest.ok_or_else(|| malformed("it does not begin as one"))?;
        let (version, rest) = rest
            .split_first_chunk::<4>()
            .ok_or_else(|| malformed("it ends too early"))?;
        check_head(FORMAT, u32::from_le_bytes(*version))?;
        read(registry, postcard::from_bytes(rest).map_err(malformed)?)
    }
}

fn check_head(format: &str, found: u32) -> Result<(), LoadError> {
    if format != FORMAT {
        return Err(malformed(format_args!("the format is '{format}'")));
    }
    let supported = VERSION;
    match (1..=supported).contains(&found) {
        true => Ok(()),
        false => Err(LoadError::Version { found, supported }),
    }
}

fn read(registry: &Registry, file: File) -> Result<Graph, LoadError> {
    check_head(&file.format, file.version)?;
    let names = file.graphs.iter().flat_map(|graph| &graph.operations);
    let names = names.filter_map(|operation| match operation {
        Operations::Name(name) => Some(name.clone()),
        _ => None,
    });
    let mut missing: Vec<String> = names.filter(|name| !registry.contains(name)).collect();
    missing.sort();
    missing.dedup();
    if !missing.is_empty() {
        return Err(LoadError::Missing(missing));
    }
    let mut graphs: Vec<Arc<dyn Operation>> = Vec::new();
    let mut last = None;
    let mut left = MOST_OUTPUTS;
    for written in file.graphs {
        let graph = one(registry, &graphs, written, &mut left)?;
        graphs.push(Arc::new(graph.clone()));
        last = Some(graph);
    }
    last.ok_or_else(|| malformed("there is no graph"))
}

/// One graph of a file; `left` outputs may still be.
fn one(
    registry: &Registry,
    graphs: &[Arc<dyn Operation>],
    written: Written,
    left: &mut usize,
) -> Result<Graph, LoadError> {
    let mut operations: Vec<Arc<dyn Operation>> = Vec::new();
    for operation in &written.operations {
        operations.push(found(registry, graphs, &operations, operation)?);
    }
    let mut nodes: Vec<Node> = Vec::new();
    let mut outputs: Vec<usize> = Vec::new();
    let mut dtypes = Vec::new();
    for node in written.nodes {
        let node = match node {
            Nodes::Input(spec) => {
                dtypes.push(spec.dtype);
                Node::Input(spec)
            }
            Nodes::Constant(constant) => Node::Constant(constant.value()?),
            Nodes::Call {
                operation,
                inputs,
                attrs,
            } => {
                let operation = operations.get(operation as usize);
                let operation = operation.ok_or_else(|| malformed("a call of no operation"))?;
                let ports = inputs.iter().map(|port| looked_up(*port, &outputs));
                let ports: Vec<Port> = ports.collect::<Result<_, _>>()?;
                Node::Call(called(operation, &nodes, ports, attrs)?)
            }
        };
        outputs.push(node.outputs());
        let rest = left.checked_sub(node.outputs());
        *left = rest.ok_or_else(|| malformed("calls with too many outputs"))?;
        nodes.push(node);
    }
    if written.inputs.len() != dtypes.len() {
        return Err(malformed("not as many inputs as names for them"));
    }
    let operands = written.inputs.into_iter().zip(dtypes);
    let signature = Signature {
        name: written.name.into(),
        operands: operands
            .map(|(name, dtype)| Operand {
                name: name.into(),
                dtypes: vec![dtype],
            })
            .collect(),
        ..Signature::default()
    };
    let ports = written
        .outputs
        .iter()
        .map(|port| looked_up(*port, &outputs));
    let ports = ports.collect::<Result<_, _>>()?;
    Ok(Graph::new(signature, nodes, ports))
}

fn found(
    registry: &Registry,
    graphs: &[Arc<dyn Operation>],
    before: &[Arc<dyn Operation>],
    operation: &Operations,
) -> Result<Arc<dyn Operation>, LoadError> {
    match operation {
        Operations::Name(name) => registry.get(name).map_err(LoadError::Refused),
        Operations::Graph(index) => {
            let graph = graphs.get(*index as usize).cloned();
            graph.ok_or_else(|| malformed("a call of a graph that comes later"))
        }
        Operations::Pullback {
            of,
            operands,
            outputs,
            active,
            seeded,
        } => {
            let of = before.get(*of as usize);
            let of = of.ok_or_else(|| malformed("a pullback of what comes later"))?;
            let (operands, outputs) = (*operands as usize, *outputs as usize);
            let mask = |indices: &[u32], n: usize| {
                let within = indices.iter().all(|i| (*i as usize) < n);
                let mask = indices.iter().fold(Mask::NONE, |m, i| m.with(*i as usize));
                within.then_some(mask)
            };
            // as many operands as a file can name; a mask has no more
            let few = operands <= 1 << 16 && outputs <= 1 << 16;
            match (mask(active, operands), mask(seeded, outputs)) {
                (Some(active), Some(seeded)) if few && of.modes().reverse => {
                    of.signature()
                        .check_count(operands)
                        .map_err(LoadError::Refused)?;
                    Ok(Arc::new(Pullback::new(
                        of, operands, outputs, active, seeded,
                    )))
                }
                _ => Err(malformed("an impossible pullback")),
            }
        }
    }
}

/// A port, if there is such an output of an earlier node.
fn looked_up((node, output): (u32, u32), outputs: &[usize]) -> Result<Port, LoadError> {
    let (node, output) = (node as usize, output as usize);
    match outputs.get(node) {
        Some(n) if output < *n => Ok(Port { node, output }),
        _ => Err(malformed(format_args!(
            "there is no output {output} of a node {node} before"
        ))),
    }
}

fn called(
    operation: &Arc<dyn Operation>,
    nodes: &[Node],
    inputs: Vec<Port>,
    attrs: Attrs,
) -> Result<CallNode, LoadError> {
    let signature = operation.signature();
    let specs: Vec<Spec> = inputs
        .iter()
        .map(|port| nodes[port.node].specs().swap_remove(port.output))
        .collect();
    signature.check(&specs).map_err(LoadError::Refused)?;
    let attrs = signature
        .resolve(&attrs.normalized())
        .map_err(LoadError::Refused)?;
    let outline = operation
        .outline(&specs, &attrs)
        .map_err(LoadError::Refused)?;
    if !outline.outputs.iter().all(Spec::is_possible) {
        return Err(malformed("a value that is too large"));
    }
    let plan = Plan {
        instead: None,
        attrs,
        outline,
    };
    Ok(CallNode {
        operation: Arc::clone(operation),
        plan: Arc::new(plan),
        inputs: inputs.into(),
    })
}
