//! Operations known at run time.

mod builder;
mod clipping;
mod graph;
mod named;
mod plugin;
mod registry;
mod session;

pub use builder::{Pull, Rule, RuleBuilder, Said};
pub use clipping::{clip_norm, clip_value};
pub use coenzyme_operations::{
    Attr, AttrKind, Attrs, Call, Cotangents, DType, Element, ErrorKind, Mask, Modes, OpError,
    Operand, Operation, Outline, Outputs, Parameter, Reads, Shadows, Shape, Signature, Spec,
    Tangents, Tape, Value, attrs, erase, operation,
};
pub use graph::{Cost, Graph, LoadError, MemoryPlan, NodeCost, Port, Recorder, Var};
pub use named::{Named, NamedTape, apply1, apply2, apply3};
pub use plugin::{Loaded, PluginError};
pub use registry::{Finding, Registry};
pub use session::{Counters, Options, Pending, Plan, Session, WithGradients, call};
