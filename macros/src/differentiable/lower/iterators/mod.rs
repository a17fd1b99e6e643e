//! Chains of iterators, which become loops.

pub(crate) mod advanced;
pub(crate) mod by_steps;
pub(crate) mod chain;
pub(crate) mod choice;
pub(crate) mod counting;
pub(crate) mod element;
pub(crate) mod extent;
pub(crate) mod listed;
pub(crate) mod looped;
pub(crate) mod named;
pub(crate) mod optional_closures;
mod optional_elements;
pub(crate) mod parted;
pub(crate) mod reduce;
pub(crate) mod returned;
pub(crate) mod searched;
pub(crate) mod seq;
pub(crate) mod sources;
