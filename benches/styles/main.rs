//! One workload in many styles: what a style adds to the text (a small function, a closure, a method, an iterator, scratch memory)
//! is to cost nothing.
//!
//! `cargo bench --bench styles` asserts that all styles of a workload have one gradient, to 1e-9, and prints a line for each:
//! `ratio,<workload> <style>,<gradient/primal>,<gradient/gradient of the text written out>,<min>,<max>,<tape bytes>,<allocations>`.
//! The aim is 1.15. Words after `--` select lines by name; `--quick` only asserts.

// the same by index and by iterators, and scratch memory as it is written
#![allow(clippy::needless_range_loop, clippy::useless_vec)]

mod layer_norm;
#[path = "../workloads/measure.rs"]
mod measure;
mod mixture;
mod runge_kutta;
mod stencil;
mod style;

use measure::Bench;

#[global_allocator]
static ALLOCATOR: measure::Counting = measure::Counting;

fn main() {
    let bench = Bench::from_args(std::env::args().skip(1));
    mixture::run(&bench);
    runge_kutta::run(&bench);
    layer_norm::run(&bench);
    stencil::run(&bench);
}
