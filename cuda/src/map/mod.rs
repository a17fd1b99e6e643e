//! One Rust function of each entry of arrays: one fused kernel, printed from the function.
//!
//! `map!(f, &x, k, &y)` is `f(xᵢ, k, yᵢ)` for each `i`. Arguments are arrays on the device, or numbers on the host; the result has the shape
//! of the array with most axes, and the others are repeated along its leading axes. All arrays are read once, whatever `f` computes.
//!
//! The derivative evaluates `f` once on dual numbers: along all lanes in forward mode; for all partials in reverse mode, which are then
//! in registers. There is no tape in the device's memory: the arguments are read again. The cotangent of an argument that was repeated is
//! a sum, always in the same order and without atomic additions. That of a number on the host has to be brought to the host: `reverse` waits for it,
//! once. An array of one entry (`Ix0`) in place of the number leaves it on the device, and nothing waits.
//!
//! A partial that is infinite or NaN gives 0 where what it is multiplied with is 0, in every mode.
//!
//! | module | idea |
//! |---|---|
//! | `argument` | what is mapped over |
//! | `print` | the kernels |
//! | `plan` | one call: shapes, kernels, launches |
//! | `rules` | the rules, for each number of arguments |

mod argument;
mod plan;
mod print;
mod rules;

pub use argument::{Mapped, Widest};
pub use plan::MapTape;
pub use print::source;
pub use rules::*;
