//! What is known of names: methods, operations, macros, types, paths of the standard library. Every premise taken from here is
//! asserted by `premises`.

pub(crate) mod calls;
pub(crate) mod macros;
pub(crate) mod operations;
pub(crate) mod paths;
pub(crate) mod table;
pub(crate) mod types;
