//! Activities: how an argument, or the value a function returns, takes part in differentiation.
//!
//! | activity | as an argument | as a return activity |
//! |---|---|---|
//! | [`Const`] | not differentiated, nor is anything read through it | no derivative |
//! | [`Active`] | by value, reverse: the derivative is returned | by value, reverse: seeded by the caller |
//! | [`Duplicated`](type@Duplicated) | primal with one shadow | primal and shadow |
//! | [`DuplicatedNoNeed`](type@DuplicatedNoNeed) | as `Duplicated`; the primal afterwards is unspecified | shadow only |
//! | [`BatchDuplicated`](type@BatchDuplicated) | primal with `W` shadows | primal and `W` shadows |
//! | [`BatchDuplicatedNoNeed`](type@BatchDuplicatedNoNeed) | as above | `W` shadows only |
//! | [`MixedDuplicated`](type@MixedDuplicated), [`BatchMixedDuplicated`](type@BatchMixedDuplicated) | a value that owns memory, reverse: the shadow is elsewhere | |
//! | [`DynArg`] | decided at run time | |
//!
//! `Duplicated` *is* `BatchDuplicated` with one lane: nothing is special about one.
//!
//! In forward mode shadows of inputs are tangents, which are read; shadows of outputs are assigned. In reverse mode shadows
//! are cotangents: they are added to, and never assigned. Rules see arguments through [`ForwardArg`], [`ForwardArgMut`],
//! [`ReverseArg`] and [`ReverseArgMut`], which offer just that.

mod adjoint;
mod duplicated;
mod dynamic;
mod forward;
mod lane;
mod list;
mod reverse;
mod single;
mod width;

pub use adjoint::Adjoint;
pub use duplicated::{
    BatchDuplicated, BatchDuplicatedNoNeed, BatchMixedDuplicated, Duplicated, DuplicatedNoNeed,
    MixedDuplicated,
};
pub use dynamic::{DynArg, Lent};
pub use forward::{ForwardArg, ForwardArgMut};
pub use lane::Lane;
pub(crate) use lane::{each_lane, lanes_of};
#[doc(hidden)]
pub use lane::{lane_array, map_lanes, map_lanes_mut};
pub use reverse::{ReverseArg, ReverseArgMut};
pub use single::{Active, Const};
pub use width::{AnyWidth, Join, Known, Resolve, Width};

/// What is known of an annotated argument before the width of the call is.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is an argument without activity",
    label = "not annotated",
    note = "annotate every argument: `Const(x)`, `Active(x)`, `Duplicated(x, dx)`, `BatchDuplicated(x, [dx1, dx2])`"
)]
pub trait Annotation {
    /// What the differentiated function receives: `f64`, `&[f64]`, `&mut [f64]`, …
    type Primal;
    /// The widths it can stand in: [`AnyWidth`] or [`Width<W>`](Width).
    type Width;
}

/// An argument that can stand in a differentiated call of width `W`.
///
/// `Const` and `Active` stand in calls of any width, a duplicated argument in those of its own.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand in a differentiated call of width {W}",
    label = "not an activity of width {W}",
    note = "annotate every argument: `Const(x)`, `Active(x)`, `Duplicated(x, dx)`, `BatchDuplicated(x, [dx1, dx2])`",
    note = "all batched arguments of one call have the same number of shadows"
)]
pub trait Activity<const W: usize>: Annotation {
    /// This argument's entry in the result of a reverse rule: `[T; W]` for `Active`, `()` for the others.
    type Gradient;

    /// Whether derivatives flow through this argument. Folds to a constant for all but [`DynArg`].
    fn is_active(&self) -> bool;

    /// Whether what the function writes to this argument is read afterwards: not so for the `NoNeed` activities.
    #[inline]
    fn needs_primal(&self) -> bool {
        true
    }
}
