//! The function under test, with types on the inside and flat vectors on the outside.
//!
//! Everything generic ends here. A [`Subject`] owns the function and its memory, and is [`Callable`] whatever its types;
//! [`Forward`] and [`Reverse`] run its rule in one mix and width, from and to a [`State`] of plain floats, so that each check is
//! written once, for all functions, and compiled once.

mod forward;
mod primal;
mod reverse;
mod state;

pub(crate) use forward::{Forward, ForwardCall, RawForward};
pub(crate) use primal::{Callable, Memory, Primal, Subject, Zero};
pub(crate) use reverse::{Gradients, Halfway, RawReverse, Reverse, ReverseCall};
pub(crate) use state::{Adjacent, Alias, Fault, Mix, State, allocated};
