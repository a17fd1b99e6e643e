//! The checks: what is required of every call of a rule, in one mix and width.
//!
//! Everything here works on plain floats, and is written once for all functions.

mod adjoints;
mod alias;
mod bench;
mod beside;
mod budget;
mod edges;
mod forward;
mod layouts;
mod long;
mod pairing;
mod pass;
mod picture;
mod point;
mod push;
mod refusal;
mod reverse;
mod second;
mod seeds;
mod silence;
mod tape;
mod threads;

pub(crate) use bench::Bench;
pub(crate) use beside::{forward_beside, reverse_beside};
pub(crate) use budget::Budgets;
pub(crate) use forward::forward;
pub(crate) use pairing::pairing;
pub(crate) use picture::{Question, question};
pub(crate) use point::{Elsewhere, Parameter, Point, Signature};
pub(crate) use reverse::reverse;
pub(crate) use second::second_order;
pub(crate) use tape::reused;
