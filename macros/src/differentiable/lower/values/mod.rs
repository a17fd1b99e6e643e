//! Expressions, with a derivative and without.

mod arguments;
mod by_lengths;
pub(crate) mod call;
pub(crate) mod callees;
mod compared;
pub(crate) mod expr;
pub(crate) mod formats;
pub(crate) mod known;
pub(crate) mod lost;
mod made;
pub(crate) mod operator;
pub(crate) mod ranges;
pub(crate) mod replaced;
pub(crate) mod sizes;
pub(crate) mod substituted;
pub(crate) mod types;
