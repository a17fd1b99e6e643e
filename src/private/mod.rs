//! What the macros' output names. Not part of the public interface.

mod lanes;
mod marker;
mod sweep;

pub use lanes::*;
pub use marker::*;
pub use sweep::{
    Slot, Sweep, Swept, augmented, call_augmented, call_augmented_unused, call_forward,
    call_reverse, reverse,
};
