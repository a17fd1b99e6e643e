//! What is known of names: operations, queries, paths of the standard library. Every premise taken from here is asserted by `premises`.

pub(crate) mod paths;
pub(crate) mod table;
