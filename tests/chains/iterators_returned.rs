//! Loops over what functions without derivative return: ranges, and what counts as they do. Other iterators: `tests/inactive.rs`.

use std::cell::Cell;
use std::iter::{Rev, StepBy};
use std::ops::{Range, RangeInclusive};

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

fn block(i: usize) -> Range<usize> {
    i * 2..i * 2 + 2
}

fn backwards(n: usize) -> Rev<RangeInclusive<usize>> {
    (0..=n).rev()
}

fn evens(n: usize) -> StepBy<Range<usize>> {
    (0..n).step_by(2)
}

/// What is a slice or a vector stays one.
fn weights(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.5 + i as f64).collect()
}

/// A range for each round, and in a method.
struct Grid {
    n: usize,
}

impl Grid {
    fn inside(&self) -> Range<usize> {
        1..self.n - 1
    }
}

#[differentiable]
fn ranges(x: f64, y: f64) -> f64 {
    let v = [x, y, x * y, x + y];
    let mut s = 1.0;
    for b in 0..2 {
        for i in block(b) {
            s = s * v[i] + b as f64;
        }
    }
    for i in backwards(3) {
        s += v[i] * s.sin();
    }
    for (k, i) in evens(4).enumerate() {
        s *= 1.0 + v[i] * k as f64;
    }
    s
}

#[differentiable]
fn left(x: f64, y: f64) -> f64 {
    let v = [x, y, x * y, x + y];
    let mut s = 1.0;
    for i in block(1) {
        s *= v[i];
        if s > 1.5 {
            break;
        }
        s += x;
    }
    s
}

#[differentiable]
fn in_a_method(x: f64, y: f64) -> f64 {
    let grid = Grid { n: 5 };
    let mut v = vec![x, y, x * y, x + y, 1.0];
    for i in grid.inside() {
        v[i] = 0.5 * (v[i - 1] + v[i + 1]) * v[i];
    }
    v.iter().sum()
}

#[differentiable]
fn a_vector(x: f64, y: f64) -> f64 {
    let mut s = 1.0;
    for w in weights(3) {
        s = s * x + w * y;
    }
    for w in weights(2).iter() {
        s *= w;
    }
    s
}

/// Its methods have the names of iterators'.
#[derive(Clone, Tangent)]
struct Signal {
    v: Vec<f64>,
}

#[differentiable]
impl Signal {
    fn skip(&self, n: usize) -> f64 {
        let mut s = 1.0;
        for i in n..self.v.len() {
            s *= self.v[i] + i as f64;
        }
        s
    }

    fn rev(&self, gain: f64) -> Signal {
        let n = self.v.len();
        let mut v = vec![0.0; n];
        for i in 0..n {
            v[i] = gain * self.v[n - 1 - i];
        }
        Signal { v }
    }
}

#[differentiable]
fn signal(x: f64, y: f64) -> Signal {
    Signal {
        v: vec![x, y * x, y],
    }
}

#[differentiable]
fn own_methods(x: f64, y: f64) -> f64 {
    signal(x, y).skip(1) * x + signal(y, x).rev(y).skip(2)
}

thread_local!(static DRAWN: Cell<usize> = const { Cell::new(0) });

/// A range that counts how often it was asked for.
fn drawn(n: usize) -> Range<usize> {
    DRAWN.set(DRAWN.get() + 1);
    0..n + DRAWN.get() % 2
}

#[differentiable]
fn asked_once(x: f64, y: f64) -> f64 {
    DRAWN.set(0);
    let v = [x, y, x * y, x + y, x - y];
    let mut s = 1.0;
    for _ in 0..3 {
        for i in drawn(3) {
            s = s * v[i] + 0.25;
        }
    }
    s + DRAWN.get() as f64
}

judge! {
    ranges(0.83, 1.1) (1.37, -0.6);
    left(0.83, 1.1) (1.37, 0.6);
    in_a_method(0.83, 1.1) (1.37, -0.6);
    a_vector(0.83, 1.1) (1.37, -0.6);
    own_methods(0.83, 1.1) (1.37, -0.6);
    asked_once(0.83, 1.1) (1.37, -0.6);
}
