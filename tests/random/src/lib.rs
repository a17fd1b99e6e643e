//! Programs at random: loops in loops, branches, exits, memory that is overwritten and read again, in combinations that nobody
//! would think of. Each is differentiated by `#[differentiable]` and judged by the tester in both modes.
//!
//! `RANDOM_SEED=7 RANDOM_PROGRAMS=100 cargo test` judges a hundred others. A program whose differences cannot judge it (a jump
//! nearby, nothing that depends on anything) counts for nothing; a wrong derivative and a compile error count.
#![cfg(test)]
#![allow(unused, clippy::all)]

use coenzyme::prelude::*;
use coenzyme::{AsActive, AsConst, AsDuplicated};
use coenzyme_testutils::{Report, Verdict, inout, input, test_forward, test_reverse, value};

#[differentiable]
fn mix(x: f64, y: f64) -> f64 {
    x * (0.5 * y).cos() + y
}

#[differentiable]
fn energy(x: &[f64], scale: f64) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += v * v * scale;
    }
    sum.sin()
}

#[differentiable]
fn relax(x: &[f64], y: &mut [f64], rate: f64) {
    for i in 1..y.len() {
        y[i] = 0.5 * y[i - 1] + 0.4 * (rate * x[i]).sin() * y[i];
    }
}

#[differentiable]
fn both(x: &[f64], rate: f64) -> (f64, f64) {
    let mut sum = rate;
    for v in &x[1..] {
        sum += (v * x[0]).sin();
    }
    (sum, (rate * sum).cos())
}

#[differentiable]
fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let mut y = x;
    for _ in 0..2 {
        y = 0.5 * f(y);
    }
    y
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Body {
    at: f64,
    speed: f64,
}

#[differentiable]
impl Body {
    fn moved(self, force: f64) -> Body {
        let speed = 0.9 * self.speed + 0.1 * force * self.at;
        Body {
            at: (self.at + 0.3 * speed).sin(),
            speed,
        }
    }

    fn push(&mut self, force: f64) {
        self.speed += 0.2 * (force * self.at).sin();
        self.at = 0.8 * self.at + 0.1 * self.speed;
    }
}

/// A program's name, and both modes of its derivative judged.
type Judged = (&'static str, fn() -> [Report; 2]);

macro_rules! judged {
    ($program:ident) => {
        (stringify!($program), || {
            let name = stringify!($program);
            let arguments = || (input(6), inout(6), value(0.7), value(6_usize));
            let forward = (AsDuplicated, AsDuplicated, AsDuplicated, AsConst);
            let reverse = (AsDuplicated, AsDuplicated, AsActive, AsConst);
            [
                test_forward(name, arguments(), forward, AsDuplicated, $program {}),
                test_reverse(name, arguments(), reverse, AsActive, $program {}),
            ]
        })
    };
}

include!(concat!(env!("OUT_DIR"), "/programs.rs"));

#[test]
fn programs_at_random_have_right_derivatives() {
    let mut judged = 0;
    let mut wrong = Vec::new();
    for (name, judge) in PROGRAMS {
        for report in judge() {
            match report.verdict() {
                Verdict::Pass => judged += 1,
                Verdict::Fail(_) => wrong.push(report.to_string()),
                other => println!("{name}: {other:?}"),
            }
        }
    }
    println!("{judged} of {} judged right", 2 * PROGRAMS.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(judged > PROGRAMS.len(), "only {judged} could be judged");
}
