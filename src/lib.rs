//! Automatic differentiation by rules, on stable Rust: every argument has an *activity*, the rule of a function is found
//! by the types of its activities, and a derivative that does not exist is a compile error.
//!
//! Mark a plain function [`#[differentiable]`](macro@differentiable), and its derivative is generated at compile time:
//!
//! ```
//! use coenzyme::prelude::*;
//!
//! #[differentiable]
//! fn energy(x: &[f64], stiffness: f64) -> f64 {
//!     let mut sum = 0.0;
//!     for i in 1..x.len() {
//!         let stretch = x[i] - x[i - 1];
//!         sum += 0.5 * stiffness * stretch * stretch;
//!     }
//!     sum
//! }
//!
//! let x = [0.0, 1.0, 3.0];
//! // every derivative at once
//! assert_eq!(gradient!(energy, &x, 2.0), ([-2.0, -2.0, 4.0], 2.5));
//! // forward mode: the derivative along one direction
//! let direction = [0.0, 0.0, 1.0];
//! assert_eq!(autodiff!(Forward, energy, Duplicated(&x, &direction), Const(2.0)), (4.0,));
//! // reverse mode: the derivative of memory is added to its shadow, that of a value is returned
//! let mut dx = [0.0; 3];
//! assert_eq!(autodiff!(Reverse, energy, Duplicated(&x, &mut dx), Active(2.0)), (((), 2.5),));
//! assert_eq!(dx, [-2.0, -2.0, 4.0]);
//! ```
//!
//! Give a function rules of its own where the generated derivative would not do (a foreign function, a solver, a formula
//! that is better than the program's), with [`#[primitive]`](macro@primitive). [`easy_rule!`] writes both rules from partial
//! derivatives; [`ForwardRule`] and [`ReverseRule`] are the protocol itself.
//!
//! ```
//! use coenzyme::prelude::*;
//!
//! #[primitive]
//! fn log_cosh(x: f64) -> f64 {
//!     x.abs() + (-2.0 * x.abs()).exp().ln_1p() - std::f64::consts::LN_2
//! }
//!
//! easy_rule! {
//!     fn log_cosh(x: f64) -> y: f64;
//!     dy/dx = x.tanh();
//! }
//!
//! #[differentiable]
//! fn loss(residuals: &[f64]) -> f64 {
//!     let mut sum = 0.0;
//!     for r in residuals {
//!         sum += log_cosh(*r);
//!     }
//!     sum
//! }
//!
//! assert_eq!(gradient!(loss, &[1000.0, 0.0, -1000.0]), ([1.0, 0.0, -1.0],));
//! ```
//!
//! # Where things are
//!
//! Everything is at the crate's root; [`prelude`] has what most programs use.
//!
//! | module | what is there |
//! |---|---|
//! | [`activity`] | [`Const`], [`Active`], [`Duplicated`](type@Duplicated), …, and how rules see arguments |
//! | [`mod@autodiff`] | drivers: [`autodiff!`], [`gradient!`], [`jacobian_forward`], [`hvp!`], [`hessian!`], [`Thunk`] |
//! | [`rule`] | the protocol: [`ForwardRule`], [`ReverseRule`], [`Saved`] |
//! | [`config`] | what a rule is told about a call |
//! | [`tangent`] | types that have derivatives, and [`#[derive(Tangent)]`](derive@Tangent) for yours |
//! | [`dual`], [`real`] | numbers that carry a tangent: higher derivatives by nesting |
//! | [`fast`] | elementary functions that vectorize |
//! | [`ops`], [`partial`] | derivatives of operators, methods and of what `easy_rule!` multiplies |
//! | [`tape`], [`schedule`] | the tape of generated code, and how loops keep little on it |
//! | [`error`] | what constructors report |
//!
//! Rules for arrays, linear algebra and more are in the crate `coenzyme-rules`; `coenzyme-testutils` judges rules against
//! finite differences. The book, in the repository's `book/`, begins with a tutorial.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `ndarray` | yes | arrays and views of `ndarray` as arguments, results and partials |
//! | `complex` | yes | `num_complex::Complex` as a scalar |
//! | `checked` | no | derivatives compared with differences of their functions: `Checked(mode)` in one call, `COENZYME_CHECKED=1` in every call of a driver macro |
//! | `checked-modes` | no | `Checked(mode)` alone |
//! | `nalgebra` | no | types, operators and methods of `nalgebra` |
//! | `glam` | no | types, operators and methods of `glam` |
//!
//! # Shadows are out-parameters
//!
//! Rust's guidelines advise against out-parameters. Here they are on purpose: the derivative of memory lies in memory of
//! the same shape that the caller owns, so that a gradient allocates nothing and many calls can add to one shadow.

#![cfg_attr(docsrs, feature(doc_cfg))]

// The macros write `::coenzyme::…`, also when they are used here.
extern crate self as coenzyme;

#[doc(hidden)]
#[path = "private/mod.rs"]
pub mod __private;
pub mod activity;
pub mod autodiff;
pub mod config;
#[cfg(any(feature = "glam", feature = "nalgebra"))]
#[doc(hidden)]
pub mod constructors;
pub mod dual;
pub mod error;
pub mod fast;
#[cfg(any(feature = "glam", feature = "nalgebra"))]
pub mod foreign;
#[cfg(feature = "glam")]
pub mod glam;
mod inert;
#[cfg(feature = "nalgebra")]
pub mod nalgebra;
pub mod ops;
pub mod partial;
pub mod prelude;
pub mod real;
pub mod rule;
pub mod schedule;
pub mod tangent;
pub mod tape;

pub use activity::{
    Active, Activity, Adjoint, Annotation, AnyWidth, BatchDuplicated, BatchDuplicatedNoNeed,
    BatchMixedDuplicated, Const, Duplicated, DuplicatedNoNeed, DynArg, ForwardArg, ForwardArgMut,
    Join, Known, Lane, MixedDuplicated, Resolve, ReverseArg, ReverseArgMut, Width,
};
pub use autodiff::{
    AsActive, AsConst, AsDuplicated, AsDuplicatedNoNeed, Batch, Collapse, Forward, ForwardKind,
    ForwardWithPrimal, GradientArg, GradientArgs, Jacobian, Mode, ModeWidth, Natural,
    NaturalReturn, Nested, Pattern, Reverse, ReverseKind, ReverseWithPrimal, ScalarOutcome,
    StrongZero, Thunk, autodiff, gradient, gradient_into, hessian, hessian_sparse, hvp,
    hvp_and_gradient, jacobian, jacobian_forward, jacobian_reverse, jacobian_sparse, jvp,
    value_and_gradient, value_and_jacobian, vjp,
};
#[cfg(feature = "checked-modes")]
pub use autodiff::{
    CalledBy, Checked, CheckedForwardKind, CheckedIfAsked, CheckedReverseKind, Probed, ProbedArg,
    ProbedArgs, Pushed, PushedArgs, check_gradient, check_tangent,
};
pub use config::{ForwardConfig, ReverseConfig, scaled};
pub use dual::{Dual, derivative};
pub use error::Incongruent;
pub use inert::Inert;
pub use partial::{Diagonal, Number, Partial};
pub use real::Real;
pub use rule::{
    Annotated, Args, Augmented, AugmentedOutcome, AugmentedReturn, ForwardOutcome, ForwardReturn,
    ForwardRule, Function, Lanes, Outcome, ReverseReturn, ReverseRule, Saved, ignore_derivatives,
};
pub use tangent::{
    ByReference, ByValue, Holds, HoldsMut, Inactive, Memory, Tangent, Value, make_zero, remake_zero,
};
pub use tape::Tape;

#[cfg(feature = "ndarray")]
pub use ::ndarray;
#[doc = include_str!("docs/derive.md")]
pub use coenzyme_macros::Tangent;
#[doc = include_str!("docs/easy_rule.md")]
pub use coenzyme_macros::easy_rule;
#[doc = include_str!("docs/inactive.md")]
pub use coenzyme_macros::inactive;
#[doc = include_str!("docs/primitive.md")]
pub use coenzyme_macros::primitive;

/// The macros whose output depends on a feature, by the names of their kinds.
macro_rules! by_feature {
    ($($feature:literal { $($doc:literal $name:ident, $with:ident;)+ })+) => {$($(
        #[cfg(not(feature = $feature))]
        #[doc = include_str!(concat!("docs/", $doc, ".md"))]
        pub use coenzyme_macros::$name;
        #[cfg(feature = $feature)]
        #[doc = include_str!(concat!("docs/", $doc, ".md"))]
        pub use coenzyme_macros::$with as $name;
    )+)+};
}

by_feature! {
    "checked" {
        "autodiff_macro" autodiff, autodiff_checked;
        "gradient_macro" gradient, gradient_checked;
        "hessian_macro" hessian, hessian_checked;
        "hvp_macro" hvp, hvp_checked;
        "jacobian_macro" jacobian, jacobian_checked;
        "jvp_macro" jvp, jvp_checked;
        "vjp_macro" vjp, vjp_checked;
    }
    "nalgebra" {
        "differentiable" differentiable, differentiable_beside_nalgebra;
        "autodiff_attributes" autodiff_forward, autodiff_forward_beside_nalgebra;
        "autodiff_attributes" autodiff_reverse, autodiff_reverse_beside_nalgebra;
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
