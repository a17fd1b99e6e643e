//! Static differentiation rules whose types are erased.
//!
//! An [`Operation`] is a function of [`Value`]s, arrays whose type of numbers and rank are known at run time, with its derivatives.
//! [`operation!`] makes one of a rule of `coenzyme-rules` or of yours; `core::all` are those of the library. Registries, sessions,
//! graphs and plug-ins stand on this in `coenzyme-graph`, which exports all of it: it is a crate of its own so that the library is
//! compiled once.
//!
//! | module | what is there |
//! |---|---|
//! | `value` | [`Value`], [`Spec`], [`DType`] |
//! | `call` | [`Operation`], [`Signature`], [`Attrs`], [`Outline`], [`Call`] |
//! | [`erase`] | from static rules to operations |
//! | `core` (feature `library`, on by default) | one row for each function of the library |
//! | `error` | [`OpError`] |

mod call;
#[cfg(feature = "library")]
pub mod core;
pub mod erase;
mod error;
mod float;
mod guard;
mod value;

pub use call::{
    Attr, AttrKind, Attrs, Call, Cotangents, Mask, Modes, Operand, Operation, Outline, Outputs,
    Parameter, Reads, Shadows, Signature, Tangents, Tape,
};
pub use error::{ErrorKind, OpError, suggestion};
pub use guard::guarded;
pub use value::{DType, Element, Shape, Spec, Value};

#[doc(hidden)]
pub mod text {
    //! Floats in files.
    pub use crate::float::{deserialize, serialize};
}
