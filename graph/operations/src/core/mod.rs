//! The rule library, registered as `core::*`.
//!
//! One file for each family; a row says operands, attributes and value of a function as in its Rust signature, and which outline
//! tells its shape. A function that is new in `coenzyme-rules` is one row here.

mod arithmetic;
mod creation;
mod dynamic;
mod elementwise;
mod indexing;
mod joining;
mod linalg;
mod nn;
mod outlines;
mod plain;
mod reductions;
mod shape;
mod signal;

use std::sync::Arc;

use crate::call::Operation;

/// All operations.
#[must_use]
pub fn all() -> Vec<Arc<dyn Operation>> {
    [
        elementwise::all(),
        arithmetic::all(),
        reductions::all(),
        shape::all(),
        indexing::all(),
        joining::all(),
        linalg::all(),
        nn::all(),
        signal::all(),
        creation::all(),
    ]
    .concat()
}
