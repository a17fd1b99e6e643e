#![doc = include_str!("../README.md")]
//!
//! # How it works
//!
//! A finite difference is not a number, it is a number with an error bar. Every derivative is measured on a
//! ladder of steps, carries the bar it earned, and is compared with a rule's answer by that bar: a tester that
//! knows what it does not know can say *inconclusive*, and need never say *passed* out of ignorance.
//!
//! One Jacobian of the *total map*, from every argument to the returned value and every argument that can be written, serves
//! all mixes. The rule itself runs with its own types, between two conversions: [`Passing`] says how an argument is lent,
//! [`ForwardMix`] and [`ReverseMix`] which handles a mix gives it; what comes back is plain floats, and each check is
//! written once.
//!
//! The modules, from the bottom up; each imports only from those above it:
//!
//! | module | idea |
//! |---|---|
//! | `allocation` | what a call allocates |
//! | `canary` | NaN payloads which say who wrote them |
//! | `environment` | what the environment variables ask for |
//! | `sample` | points and seeds, the same on every machine |
//! | `strategies` | points, seeds, sizes and layouts for `proptest` |
//! | `layout` | names for the entries of a flat vector |
//! | `estimate` | a derivative with its error bar |
//! | `approximate` | the comparison traits of `approx` |
//! | `ladder` | differences on a ladder of steps: the reference |
//! | `jacobian` | all derivatives at a point, and their projections |
//! | `probe` | the same for inputs too long for a Jacobian |
//! | `tolerance`, `comparison` | how far from the reference is too far |
//! | `check`, `verdict` | what is checked, and what may come of it |
//! | `overrides` | what a rule's author allows, with a reason |
//! | `case`, `report` | which case it was, and what to tell its author |
//! | `argument` | arguments: their memory, and how it is lent |
//! | `mix` | activities: which handles a rule receives |
//! | `subject` | the function and its rules, from floats to floats |
//! | `judge` | the checks |
//! | `tester` | a function at its points, in any mix |
//! | `coverage` | whether there is a rule, and whether there should be; what was tested, for the coverage report |
//! | `macros` | `test_forward!`, `test_reverse!`, `test_rule!` |

mod allocation;
mod approximate;
mod argument;
mod canary;
mod case;
mod check;
mod comparison;
mod coverage;
mod environment;
mod estimate;
mod jacobian;
mod judge;
mod ladder;
mod layout;
mod macros;
mod mix;
mod overrides;
mod probe;
mod report;
mod sample;
#[cfg(feature = "proptest")]
pub mod strategies;
mod subject;
mod tester;
mod tolerance;
mod verdict;

pub use approx;
pub use argument::{
    Access, AllFiner, AnySlots, Arg, Arguments, ByReference, ByValue, Content, Element, Exclusive,
    Finer, Flat, Lent, Passing, Passings, Piece, Shared, Slice, SliceMut, Slot, Specs, Strided,
    View, ViewMut, Writable, by_mut, by_ref, inout, input, out, value,
};
pub use canary::{CANARY, CANARY_SINGLE, canary, is_canary, poison, poisoned_by};
pub use case::{Case, Mode, ParseReplayError, Replay};
pub use check::Check;
pub use comparison::{Comparison, same_bits, ulps};
pub use environment::{Environment, Profile};
pub use estimate::{Doubt, Estimate, Plateau};
pub use jacobian::Jacobian;
pub use ladder::{Ladder, Precision, guarded};
pub use layout::{Block, Layout, Place};
pub use mix::{
    Activity, AsMixed, Augmented, ForwardActivity, ForwardMix, ForwardRet, Marker, Markers,
    ReverseActivity, ReverseMix, ReverseRet, Tangents,
};
pub use overrides::{Override, Overrides};
pub use probe::{Probes, culprit};
pub use report::{Finding, Report};
pub use sample::{Points, Stream};
pub use tester::{
    ConstBuffers, InMix, Setting, Tester, flowing, severed, test_forward, test_reverse,
};
pub use tolerance::{Judgement, Tolerance};
pub use verdict::Verdict;

/// What the macros' output names. Not part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use coenzyme;
    pub use coenzyme::ndarray::Dim;
    pub use coenzyme::{AsActive, AsConst, AsDuplicated, AsDuplicatedNoNeed};

    pub use crate::argument::COMMON;
    pub use crate::coverage::*;
    pub use crate::tester::{Finer, FoundForward, FoundReverse, Points, Rules};
}
