//! Gradients that `#[differentiable]` generates, beside adjoints written by hand.
//!
//! `cargo bench --bench workloads` asserts that both agree, to 1e-9, and prints one line for each workload and size:
//! `ratio,<workload>,<gradient/primal>,<gradient/hand>,<min>,<max>,<tape bytes>,<allocations per gradient>`: medians over
//! interleaved rounds; min and max are of gradient/hand. Words after `--` select workloads by name; `--quick` only asserts.
//!
//! The primals are ordinary Rust. What the generated code does slowly is mended in the compiler, not in the primals.

// the same problem by index and by iterators
#![allow(clippy::needless_range_loop)]

mod black_scholes;
mod bundle;
mod fft;
mod gmm;
mod gmm_styles;
mod heat;
mod kalman;
mod lotka_volterra;
mod measure;
mod mlp;
mod n_body;
mod norm_gelu;
mod pairs;
mod pendulum;
mod rosenbrock;
mod squares;

use measure::Bench;

#[global_allocator]
static ALLOCATOR: measure::Counting = measure::Counting;

fn main() {
    let bench = Bench::from_args(std::env::args().skip(1));
    squares::run(&bench);
    rosenbrock::run(&bench);
    pendulum::run(&bench);
    lotka_volterra::run(&bench);
    norm_gelu::run(&bench);
    gmm::run(&bench);
    gmm_styles::run(&bench);
    bundle::run(&bench);
    mlp::run(&bench);
    fft::run(&bench);
    heat::run(&bench);
    kalman::run(&bench);
    n_body::run(&bench);
    pairs::run(&bench);
    black_scholes::run(&bench);
}
