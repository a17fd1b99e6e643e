//! Workloads as other people write them: operators of an own vector, `Option`s with early returns, small matrices through functions,
//! closures that return arrays, a function for the index, callees that fail. Each has an adjoint by hand, in the same style.
//!
//! `cargo bench --bench hands` asserts that the gradients agree with each other, to 1e-9, and with differences, and prints a line for each:
//! `ratio,<workload>,<gradient/primal>,<gradient/by hand>,<min>,<max>,<tape bytes>,<allocations>`. Words after `--` select lines by name;
//! `--quick` only asserts.

// by index where the style is that
#![allow(clippy::needless_range_loop)]

mod attention;
mod box_heat;
mod cameras;
mod chain;
mod cloth;
mod convolution;
mod crf;
mod failing;
mod flux;
mod glm;
mod gray_scott;
mod gru;
mod hand;
mod lennard_jones;
mod lorenz;
mod lstm;
mod markov;
#[path = "../workloads/measure.rs"]
mod measure;
mod neural_ode;
mod orbits;
mod ray;
mod recurrent;
mod residuals;
mod spline;
mod springs;
mod time_warping;
mod tracer;
mod tridiagonal;
mod vector;
mod warp;

use measure::Bench;

#[global_allocator]
static ALLOCATOR: measure::Counting = measure::Counting;

fn main() {
    let bench = Bench::from_args(std::env::args().skip(1));
    lennard_jones::run(&bench);
    ray::run(&bench);
    chain::run(&bench);
    lorenz::run(&bench);
    gray_scott::run(&bench);
    failing::run(&bench);
    box_heat::run(&bench);
    cameras::run(&bench);
    cloth::run(&bench);
    recurrent::run(&bench);
    spline::run(&bench);
    tracer::run(&bench);
    tridiagonal::run(&bench);
    residuals::run(&bench);
    gru::run(&bench);
    flux::run(&bench);
    glm::run(&bench);
    attention::run(&bench);
    crf::run(&bench);
    warp::run(&bench);
    springs::run(&bench);
    convolution::run(&bench);
    time_warping::run(&bench);
    lstm::run(&bench);
    markov::run(&bench);
    neural_ode::run(&bench);
    orbits::run(&bench);
}
