//! Questions about syntax that need no context: what an expression may give, how it may leave, what a pattern binds.

pub(crate) mod block_value;
pub(crate) mod built;
pub(crate) mod chains;
pub(crate) mod closure_inputs;
pub(crate) mod closure_output;
pub(crate) mod constructors;
pub(crate) mod effects;
pub(crate) mod ends;
pub(crate) mod exit_kinds;
pub(crate) mod first;
pub(crate) mod names;
pub(crate) mod options;
pub(crate) mod patterns;
pub(crate) mod receivers;
pub(crate) mod vec_macro;
