//! What changes active memory stands where the derivative follows it: not in what the primal runs by itself.

use coenzyme::{Tangent, differentiable};

#[derive(Clone, Tangent)]
struct Walk {
    at: f64,
    steps: usize,
}

#[differentiable]
impl Walk {
    fn advance(&mut self, k: f64) -> usize {
        self.at *= k;
        self.steps += 1;
        self.steps
    }
}

#[differentiable]
fn grows(x: &mut f64, k: f64) -> bool {
    *x *= k;
    *x > 0.5
}

#[differentiable]
fn in_macros(x: f64, k: f64) -> f64 {
    let mut walk = Walk { at: x, steps: 0 };
    assert!(walk.advance(k) > 0);
    let mut s = x;
    s += 1.0;
    println!("{}", grows(&mut s, k));
    walk.at * s
}

#[differentiable]
fn in_an_index(x: f64, k: f64) -> f64 {
    let mut walk = Walk { at: x, steps: 0 };
    let v = [x, k, 1.0];
    walk.at * v[walk.advance(k)]
}

fn doubled(y: &mut f64) -> f64 {
    *y *= 2.0;
    *y
}

#[differentiable]
fn behind_a_receiver(x: f64) -> f64 {
    let mut y = x;
    // `y` is read first
    let n = y.max(doubled(&mut y)) as usize;
    y * n as f64
}

fn main() {}
