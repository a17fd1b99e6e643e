//! Branches, loops and the ways out of them.

pub(crate) mod branch;
pub(crate) mod changed_parts;
pub(crate) mod ends;
pub(crate) mod exits;
pub(crate) mod loops;
pub(crate) mod matching;
pub(crate) mod question;
mod tuple_parts;
pub(crate) mod variant;
