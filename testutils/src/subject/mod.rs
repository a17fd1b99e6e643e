//! The function under test, with types on the inside and flat vectors on the outside.
//!
//! Everything generic ends here. A [`Subject`] owns the function and its memory; [`Forward`] and [`Reverse`] run its rule
//! in one mix and width, from and to a [`State`] of plain floats, so that each check is written once, for all functions.

mod forward;
mod primal;
mod reverse;
mod state;

pub(crate) use forward::{Forward, ForwardCall};
pub(crate) use primal::{Memory, Primal, Subject, Zero};
pub(crate) use reverse::{Gradients, Halfway, Reverse, ReverseCall};
pub(crate) use state::{Fault, Mix, State, allocated};
