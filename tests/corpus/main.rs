//! Functions as people write them, judged as those of `conformance` are: both modes, all mixes of activities, three widths.
//!
//! Each stands here as it would stand in a crate of its field; the attribute is all that was added. Those that the compiler does
//! not accept yet are listed in `refused.rs` with what it says. `count` prints how many of each there are.

// the functions are written in every way that people write, also in those that lints would have otherwise
#![allow(
    clippy::all,
    unused_parens,
    unused_variables,
    unused_assignments,
    dead_code
)]

#[path = "../conformance/judge.rs"]
mod judge;
#[path = "../conformance/subject.rs"]
mod subject;

mod colour;
mod finance;
mod geodesy;
mod geometry;
mod networks;
mod optimisation;
mod orbits;
mod physics;
mod signal;
mod special;
mod splines;
mod statistics;
