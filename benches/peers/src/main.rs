//! Gradients of softmax, GELU and layer normalization of 256 × 512 numbers, by the rules and by other crates.
//!
//! `cargo run --release` in this folder asserts that all agree and prints, for each problem and each crate,
//! `ratio,<problem>,<crate>,<median of the rounds' ratios>,<ratio of the best times>,<best microseconds>,<those of the rule>`: how long the crate
//! takes over the rule, in interleaved rounds. `cargo run --release -- network` does the same for a network that is recorded while it runs.

mod autograd_peer;
mod burn_peer;
mod network;
mod ours;

use std::hint::black_box;
use std::time::Instant;

/// Rows and columns.
pub(crate) const SHAPE: [usize; 2] = [256, 512];
const ROUNDS: usize = 61;

/// What every crate is given: the operand, weights, offsets, and the cotangent of the value.
pub(crate) struct Problem {
    pub(crate) x: Vec<f64>,
    pub(crate) w: Vec<f64>,
    pub(crate) b: Vec<f64>,
    pub(crate) seed: Vec<f64>,
}

/// All cotangents of a problem, one after the other.
type Gradient = fn(&Problem) -> Vec<f64>;

fn samples(seed: u32, n: usize) -> Vec<f64> {
    let mut at = (f64::from(seed) * 0.317).fract();
    let next = || {
        at = (at + 0.618_033_988_749_894_9).fract();
        2.0 * at - 1.0
    };
    std::iter::repeat_with(next).take(n).collect()
}

fn main() {
    if std::env::args().nth(1).as_deref() == Some("network") {
        return network::race();
    }
    let n = SHAPE[0] * SHAPE[1];
    let problem = Problem {
        x: samples(1, n),
        w: samples(2, SHAPE[1]),
        b: samples(3, SHAPE[1]),
        seed: samples(4, n),
    };
    let races: [(&str, &str, Gradient, Gradient); 6] = [
        ("softmax", "autograd", ours::softmax, autograd_peer::softmax),
        ("softmax", "burn-ndarray", ours::softmax, burn_peer::softmax),
        (
            "gelu_tanh",
            "autograd",
            ours::gelu_tanh,
            autograd_peer::gelu_tanh,
        ),
        ("gelu", "burn-ndarray", ours::gelu, burn_peer::gelu),
        (
            "layer_norm",
            "autograd",
            ours::layer_norm,
            autograd_peer::layer_norm,
        ),
        (
            "layer_norm",
            "burn-ndarray",
            ours::layer_norm,
            burn_peer::layer_norm,
        ),
    ];
    for (name, peer, ours, theirs) in races {
        // the gradient that burn has of GELU is that of the approximation by tanh
        let tolerance = if name == "gelu" { 1e-3 } else { 1e-9 };
        let (a, b) = (ours(&problem), theirs(&problem));
        assert_eq!(a.len(), b.len(), "{name}, {peer}");
        for (i, (a, b)) in a.iter().zip(&b).enumerate() {
            assert!(
                (a - b).abs() < tolerance,
                "{name}: entry {i} is {a}, of {peer} {b}"
            );
        }
        let rounds: Vec<[f64; 2]> = (0..ROUNDS)
            .map(|_| [seconds(ours, &problem), seconds(theirs, &problem)])
            .collect();
        let mut ratios: Vec<f64> = rounds.iter().map(|[a, b]| b / a).collect();
        ratios.sort_by(f64::total_cmp);
        let best = |i: usize| {
            rounds
                .iter()
                .map(|t| t[i] * 1e6)
                .fold(f64::INFINITY, f64::min)
        };
        println!(
            "ratio,{name},{peer},{:.2},{:.2},{:.0},{:.0}",
            ratios[ROUNDS / 2],
            best(1) / best(0),
            best(1),
            best(0),
        );
    }
}

fn seconds(gradient: Gradient, problem: &Problem) -> f64 {
    let start = Instant::now();
    black_box(gradient(black_box(problem)));
    start.elapsed().as_secs_f64()
}
