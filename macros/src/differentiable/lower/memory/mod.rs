//! Locals that are memory, places in them, and what changes them.

pub(crate) mod assign;
pub(crate) mod boxed;
pub(crate) mod copied;
pub(crate) mod effect;
pub(crate) mod fixed;
pub(crate) mod halves;
pub(crate) mod locals;
pub(crate) mod place;
pub(crate) mod slice_array;
mod taken_out;
