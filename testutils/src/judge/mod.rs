//! The checks: what is required of every call of a rule, in one mix and width.
//!
//! Everything here works on plain floats, and is written once for all functions.

mod adjoints;
mod alias;
mod axes;
mod bench;
mod beside;
mod budget;
mod change;
mod digits;
mod domain;
mod echoes;
mod edges;
mod forward;
mod glance;
mod layouts;
mod long;
mod magnitudes;
mod memory;
mod pairing;
mod partly;
mod pass;
mod picture;
mod places;
mod point;
mod projections;
mod push;
mod refusal;
mod reverse;
mod rows;
mod second;
mod seeds;
mod signature;
mod silence;
mod tape;
mod threads;
mod units;
mod unnumbered;

pub(crate) use bench::{Bench, Flat};
pub(crate) use beside::{forward_beside, forward_sized, reverse_beside, reverse_sized};
pub(crate) use budget::Budgets;
pub(crate) use change::Change;
pub(crate) use digits::{digits, digits_ahead};
pub(crate) use forward::forward;
pub(crate) use glance::{forward_glanced, reverse_glanced};
pub(crate) use memory::{forward_again, reverse_again};
pub(crate) use pairing::pairing;
pub(crate) use picture::{Question, question};
pub(crate) use places::Place;
pub(crate) use point::Point;
pub(crate) use projections::Projections;
pub(crate) use reverse::reverse;
pub(crate) use second::second_order;
pub(crate) use signature::{Elsewhere, Parameter, Signature};
pub(crate) use tape::{elsewhere, reused};
