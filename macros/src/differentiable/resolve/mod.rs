//! What the names of a body stand for: references, what changes, what a derivative can flow into.

mod advances;
pub(crate) mod beside;
mod field_lengths;
pub(crate) mod fn_bounds;
mod growing;
pub(crate) mod imports;
pub(crate) mod known_types;
pub(crate) mod leads;
pub(crate) mod meanings;
pub(crate) mod own_closures;
pub(crate) mod own_effects;
pub(crate) mod receivers;
pub(crate) mod usage;
pub(crate) mod variants;
pub(crate) mod varied;
