//! Programs as they are found in simulation, statistics, learning, geometry, signal processing and finance, written without regard
//! to the macro; each judged as the small functions of `tests/conformance` are.

#![allow(
    clippy::all,
    unused_parens,
    unused_qualifications,
    unused_variables,
    unused_assignments,
    dead_code
)]

#[path = "../conformance/judge.rs"]
mod judge;
#[allow(unused_macros, unused_imports)]
#[path = "../conformance/subject.rs"]
mod subject;

#[cfg(feature = "ndarray")]
mod array_algorithms;
#[cfg(feature = "ndarray")]
mod array_models;
#[cfg(feature = "ndarray")]
mod array_programs;
mod fields;
mod finance;
mod geometry;
mod learning;
mod linear_systems;
mod programs;
mod signals;
mod simulation;
mod statistics;
