//! D20: differentiation inside of a rule costs nothing. `K(m)` and `K′(m)` by a sum loop that is differentiated inside, beside the two sums
//! written by hand: by the chain rule, and simplified, with a division less. Ratios of medians, interleaved. `--quick` asserts that they agree, and times nothing.
//!
//! `cargo bench -p coenzyme-loops --bench nesting`

use std::f64::consts::FRAC_PI_2;
use std::hint::black_box;
use std::time::Instant;

use coenzyme::AsDuplicated;
use coenzyme::prelude::*;
use coenzyme_loops::sum_loop;

const NODES: usize = 64;
const CALLS: usize = 2000;
const ROUNDS: usize = 101;

/// `sin²` at the midpoints of `[0, π/2)`.
type Squares = [f64; NODES];

/// `(1 − m·s)^{−1/2}`
#[differentiable]
fn integrand(s: f64, m: &f64) -> f64 {
    (1.0 - *m * s).sqrt().recip()
}

/// By differentiation of the sum.
fn nested(squares: &Squares, m: f64) -> (f64, f64) {
    let args = (
        Const(Inactive(squares.iter().copied())),
        Duplicated(&m, &1.0),
        Const(Inactive(integrand {})),
    );
    let (dk, k) = autodiff(ForwardWithPrimal, &sum_loop {}, AsDuplicated, args);
    (k, dk)
}

/// Both sums, by the chain rule.
fn by_hand(squares: &Squares, m: f64) -> (f64, f64) {
    let (mut k, mut dk) = (0.0, 0.0);
    for s in squares {
        let root = (1.0 - m * s).sqrt();
        let term = root.recip();
        k += term;
        dk += term * term * (0.5 / root) * s;
    }
    (k, dk)
}

/// Both sums, by somebody who has simplified the derivative.
fn simplified(squares: &Squares, m: f64) -> (f64, f64) {
    let (mut k, mut dk) = (0.0, 0.0);
    for s in squares {
        let term = (1.0 - m * s).sqrt().recip();
        k += term;
        dk += 0.5 * s * term * term * term;
    }
    (k, dk)
}

/// `K` and `K′`, but for a factor.
type Program = fn(&Squares, f64) -> (f64, f64);

const PROGRAMS: [Program; 3] = [nested, by_hand, simplified];

fn main() {
    let squares: Squares = std::array::from_fn(|i| {
        let u = (i as f64 + 0.5) / NODES as f64;
        (FRAC_PI_2 * u).sin().powi(2)
    });
    let scale = FRAC_PI_2 / NODES as f64;
    for f in PROGRAMS {
        let found = f(&squares, 0.5);
        assert!((found.0 * scale - 1.854_074_677_301_371_9).abs() < 1e-14);
        assert!((found.1 * scale - 0.847_213_084_793_979).abs() < 1e-14);
    }
    if std::env::args().any(|arg| arg == "--quick" || arg == "--test") {
        return;
    }
    let time = |f: Program| {
        let begun = Instant::now();
        for _ in 0..CALLS {
            black_box(f(black_box(&squares), black_box(0.5)));
        }
        begun.elapsed().as_secs_f64()
    };
    let mut times: [Vec<f64>; 3] = Default::default();
    for _ in 0..ROUNDS {
        for (f, times) in PROGRAMS.into_iter().zip(&mut times) {
            times.push(time(f));
        }
    }
    let [inside, hand, simplified] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[ROUNDS / 2]
    });
    println!(
        "K and K′ by differentiation inside: {:.2} of the sums by hand, {:.2} of the simplified ones",
        inside / hand,
        inside / simplified
    );
}
