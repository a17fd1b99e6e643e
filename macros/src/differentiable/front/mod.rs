//! What stands in front of a body: parameters, generics, options.

pub(crate) mod callable;
pub(crate) mod combinations;
pub(crate) mod constant;
pub(crate) mod numbers;
pub(crate) mod options;
pub(crate) mod views;
