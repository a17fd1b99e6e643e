//! Operations known at run time: registry, sessions, graphs, files, plug-ins.
//!
//! This crate computes no derivative. An [`Operation`] is a static rule whose types are erased ([`operation!`]), closures ([`Rule`]), a recorded
//! [`Graph`], or a function of a shared library; and [`Named`] makes a static rule of any, which the tester, drivers and
//! `#[differentiable]` take.
//!
//! ```
//! use coenzyme_graph::{Graph, Session, Spec, Value, attrs};
//!
//! let session = Session::global();
//! let loss = Graph::record(session, "user::loss", &[("w", Spec::f64(&[2])), ("x", Spec::f64(&[2]))], |g, v| {
//!     let y = g.call("core::dot", &[&v[0], &v[1]], &attrs! {})?;
//!     Ok(vec![g.call("core::softplus", &[&y], &attrs! {})?])
//! })?;
//! let (w, x) = (Value::from(vec![0.0, 0.0]), Value::from(vec![1.0, -3.0]));
//! let (_, dw) = loss.gradients(&[&w, &x], &[true, false], None)?;
//! assert_eq!(dw[0], Some(Value::from(vec![0.5, -1.5])));
//! # Ok::<(), coenzyme_graph::OpError>(())
//! ```
//!
//! | | |
//! |---|---|
//! | [`Value`], [`Spec`], [`DType`] | arrays of run-time type and rank |
//! | [`Operation`], [`Signature`], [`Attrs`], [`Outline`], [`Call`] | what an operation is |
//! | [`Registry`] | operations by name; the rule library is `core::*` of [`Registry::global`] |
//! | [`Session`], [`call`] | validate, outline, cache, execute, verify, record |
//! | [`Adapter`], [`Autocast`] | what runs in place of an operation: on a device, in another precision |
//! | [`Rule`] | operations of closures |
//! | [`Graph`], [`Recorder`] | record, replay, differentiate, simplify, draw, cost, plan, write |
//! | [`Named`], [`apply1()`] | an operation as a static rule |
//! | [`Registry::load_plugin`] | operations of shared libraries |
//! | [`Parameters`], [`Group`] | arrays that are fitted, with the gradients that have arrived |
//! | [`clip_norm`], [`clip_value`] | gradients, bounded where they are used |
//!
//! The face is object-safe and has no generics where a foreign caller would need them; errors own what they say. Messages name the
//! operation, its operands and their shapes, and suggest what was meant. The book's chapter *Operations known at run time* has a
//! table for people who come from PyTorch, JAX, Nabla, minitensor or Endia.

mod autocast;
mod builder;
mod clipping;
mod graph;
mod named;
mod parameters;
mod plugin;
mod registry;
mod session;

pub use autocast::Autocast;
pub use builder::{Pull, Rule, RuleBuilder, Said};
pub use clipping::{clip_norm, clip_value};
pub use coenzyme_operations::{
    Attr, AttrKind, Attrs, Call, Cotangents, DType, Element, ErrorKind, Mask, Modes, OpError,
    Operand, Operation, Outline, Outputs, Parameter, Reads, Shadows, Shape, Signature, Spec,
    Tangents, Tape, Value, attrs, erase, operation,
};
pub use graph::{Cost, Graph, LoadError, MemoryPlan, NodeCost, Port, Recorder, Var};
pub use named::{Named, NamedTape, Surely, apply1, apply2, apply3};
pub use parameters::{Group, Parameters};
pub use plugin::{Loaded, PluginError};
pub use registry::{Finding, Registry};
pub use session::{
    Adapter, Counters, Instead, Options, Pending, Plan, Session, WithGradients, call,
};
