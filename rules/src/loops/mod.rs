//! Loops and calls whose reverse pass keeps little and computes again: checkpointing.
//!
//! | function | value | on the tape |
//! |---|---|---|
//! | [`iterate()`] | `x ← f(x, p, t)` for `t` in `0..n` | some of the `n` states, by a [`Schedule`] |
//! | [`checkpoint()`] | `f(x, p)` | nothing, or `x` and `p` if they are overwritten |
//!
//! The body `f` is a function with rules, in [`Inactive`](coenzyme::Inactive): anything under `#[differentiable]` or `#[primitive]`. It must do the same whenever it
//! runs on the same arguments: it runs again in the reverse pass. Printing and counting happen again too.
//!
//! A loop that is differentiated as it stands leaves the tape of every step. With [`iterate()`] the tape of one step exists at a
//! time, or of as many as the schedule says.

mod call;
mod stepping;

pub use call::{CheckpointTape, checkpoint};
pub use coenzyme::schedule::Schedule;
pub use stepping::{IterateTape, iterate};

use std::borrow::BorrowMut;

use coenzyme::Tangent;

/// Memory that a body reads or writes, and that can be kept: a number, a slice, an array, a struct.
pub trait Operand:
    Tangent + ToOwned<Owned: BorrowMut<Self> + Send + 'static> + Sync + 'static
{
}
impl<X> Operand for X where
    X: Tangent + ToOwned<Owned: BorrowMut<X> + Send + 'static> + Sync + ?Sized + 'static
{
}
