//! Questions about a program, each a function of it.

pub(crate) mod attempts;
mod behind;
pub(crate) mod commuting;
pub(crate) mod cost;
pub(crate) mod degree;
pub(crate) mod early;
pub(crate) mod floats;
pub(crate) mod invariant_memory;
pub(crate) mod length;
pub(crate) mod live;
pub(crate) mod loop_invariant;
pub(crate) mod moves;
pub(crate) mod places;
pub(crate) mod read_around;
pub(crate) mod reduction;
pub(crate) mod scratch;
pub(crate) mod shifting_slices;
pub(crate) mod slices;
pub(crate) mod stable;
pub(crate) mod useful;
