//! Which activities a function lists in `#[differentiable(combinations(…))]`.

/// Forward mode.
#[derive(Debug)]
pub enum InForward {}

/// Reverse mode.
#[derive(Debug)]
pub enum InReverse {}

/// A function has rules for these arguments.
#[diagnostic::on_unimplemented(
    message = "`{Self}` lists no derivative for the arguments `{Args}`",
    label = "not in its list of combinations",
    note = "add the combination to `#[differentiable(combinations(…))]`, or leave the list out"
)]
pub trait Combination<Mode, Args> {}
