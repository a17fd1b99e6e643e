//! Closures: expanded where they are called, or made functions where they are passed on.

pub(crate) mod array_pattern;
pub(crate) mod conversion;
pub(crate) mod inline;
