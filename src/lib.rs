//! Activity-annotated differentiation rules.

// The macros write `::coenzyme::…`, also when they are used here.
extern crate self as coenzyme;

#[doc(hidden)]
#[path = "private/mod.rs"]
pub mod __private;
pub mod activity;
pub mod autodiff;
pub mod config;
pub mod dual;
pub mod error;
pub mod ops;
pub mod partial;
pub mod prelude;
pub mod real;
pub mod rule;
pub mod tangent;
pub mod tape;

pub use activity::*;
pub use autodiff::*;
pub use config::{ForwardConfig, ReverseConfig, scaled};
pub use dual::{Dual, derivative};
pub use error::Incongruent;
pub use partial::{Diagonal, Number, Partial};
pub use real::Real;
pub use rule::*;
pub use tangent::{
    ByReference, ByValue, Holds, HoldsMut, Inactive, Memory, Tangent, make_zero, remake_zero,
};
pub use tape::Tape;

#[doc = include_str!("docs/derive.md")]
pub use coenzyme_macros::Tangent;
#[doc = include_str!("docs/differentiable.md")]
pub use coenzyme_macros::differentiable;
#[doc = include_str!("docs/easy_rule.md")]
pub use coenzyme_macros::easy_rule;
#[doc = include_str!("docs/inactive.md")]
pub use coenzyme_macros::inactive;
#[doc = include_str!("docs/primitive.md")]
pub use coenzyme_macros::primitive;
#[doc = include_str!("docs/autodiff_attributes.md")]
pub use coenzyme_macros::{autodiff_forward, autodiff_reverse};
#[cfg(feature = "ndarray")]
pub use ndarray;
