//! What a program that differentiates, or a crate that gives rules, needs in scope: `use coenzyme::prelude::*;`.
//!
//! Activities, the traits of rules and of handles, the modes, the drivers and the macros. Everything else is at the crate's
//! root.

pub use crate::activity::{
    Active, Activity, BatchDuplicated, BatchDuplicatedNoNeed, BatchMixedDuplicated, Const,
    Duplicated, DuplicatedNoNeed, ForwardArg, ForwardArgMut, MixedDuplicated, ReverseArg,
    ReverseArgMut,
};
pub use crate::autodiff::{
    Batch, Forward, ForwardWithPrimal, Reverse, ReverseWithPrimal, StrongZero, Thunk,
    value_and_gradient,
};
pub use crate::config::{ForwardConfig, ReverseConfig};
/// The rules of constructors of `glam` and `nalgebra`, found by their types.
#[cfg(any(feature = "glam", feature = "nalgebra"))]
pub use crate::constructors::unnamed::*;
/// The rules of methods of `glam`, found by their names, and markers of constructors.
#[cfg(feature = "glam")]
pub use crate::glam::{Methods as _, make::*};
/// The rules of methods of `nalgebra`, found by their names, and markers of constructors.
#[cfg(feature = "nalgebra")]
pub use crate::nalgebra::{Methods as _, make::*};
pub use crate::real::Real;
pub use crate::rule::{
    AugmentedReturn, ForwardReturn, ForwardRule, Function, Lanes, Outcome, ReverseReturn,
    ReverseRule, Saved,
};
pub use crate::tangent::{Inactive, make_zero};
pub use crate::{
    Tangent, autodiff, differentiable, easy_rule, gradient, ignore_derivatives, inactive, primitive,
};
