//! Memory that a function lends to several calls, and that its caller changes before the reverse sweep: there is one copy for all of them.

use coenzyme::{Tangent, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

#[derive(Clone, Tangent)]
struct Chain {
    at: Vec<f64>,
    speed: Vec<f64>,
    stiffness: f64,
}

#[differentiable]
impl Chain {
    fn new(x: &[f64], stiffness: f64) -> Chain {
        let n = x.len() / 2;
        Chain {
            at: x[..n].to_vec(),
            speed: x[n..].to_vec(),
            stiffness,
        }
    }

    fn force(&self, i: usize) -> f64 {
        let left = if i == 0 { 0.0 } else { self.at[i - 1] };
        let d = self.at[i] - left;
        -self.stiffness * d * d * d
    }

    fn forces(&self) -> Vec<f64> {
        (0..self.at.len()).map(|i| self.force(i)).collect()
    }

    fn energy(&self) -> f64 {
        let mut sum = 0.0;
        for (i, v) in self.speed.iter().enumerate() {
            sum += v * v - self.force(i);
        }
        sum
    }

    fn step(&mut self, dt: f64) {
        let forces = self.forces();
        for (v, f) in self.speed.iter_mut().zip(&forces) {
            *v += dt * f;
        }
        for (x, v) in self.at.iter_mut().zip(&self.speed) {
            *x += dt * v;
        }
    }
}

#[differentiable]
fn steps(x: &[f64], stiffness: f64, n: usize) -> f64 {
    let mut chain = Chain::new(x, stiffness);
    let mut total = 0.0;
    for _ in 0..n {
        chain.step(0.1);
        total += chain.energy();
    }
    total * chain.at[0]
}

#[differentiable]
fn weighted(w: &[f64], x: f64) -> f64 {
    w.iter().map(|w| (w * x).sin()).sum()
}

#[differentiable]
fn entry(w: &[f64], i: usize) -> f64 {
    w[i] + 1.0
}

/// Two whole lendings; the first callee reads it later.
#[differentiable]
fn twice(w: &[f64], x: f64) -> f64 {
    weighted(w, x) * weighted(w, 2.0 * x)
}

/// The callee reads nothing later.
#[differentiable]
fn linear(w: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..w.len() {
        sum += entry(w, i);
    }
    sum
}

#[differentiable]
fn through(w: &[f64], x: f64) -> f64 {
    let f = |x: f64| weighted(w, x);
    let mut sum = 0.0;
    for i in 0..3 {
        sum += f(x * i as f64) * linear(w);
    }
    sum
}

#[differentiable]
fn changed_after(w: &mut [f64], x: f64) -> f64 {
    let mut total = twice(w, x);
    for round in 0..3 {
        total += through(w, x) * twice(w, x) + linear(w);
        for v in w.iter_mut() {
            *v *= 1.1 + 0.1 * total.tanh();
        }
        w[0] = x * round as f64;
    }
    total
}

/// A type without copies: each call keeps what it reads.
#[derive(Tangent)]
struct Scale {
    by: f64,
}

#[differentiable]
impl Scale {
    fn of(&self, x: f64) -> f64 {
        x * 2.0 + self.by
    }
    fn sum(&self, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for &x in x {
            sum += self.of(x);
        }
        sum
    }
}

#[differentiable]
fn uncopied(x: &[f64], by: f64) -> f64 {
    let scale = Scale { by };
    scale.sum(x) * by
}

/// The vector that a call gave, of which only the length is read again.
#[differentiable]
fn doubled(x: &[f64]) -> Vec<f64> {
    x.iter().map(|x| 2.0 * x * x).collect()
}

#[differentiable]
fn squashed(x: &[f64]) -> Vec<f64> {
    let hidden: Vec<f64> = doubled(x).iter().map(|z| z.tanh()).collect();
    doubled(&hidden)
}

#[differentiable]
fn returned_through(x: &[f64], n: usize) -> Vec<f64> {
    let mut y = x.to_vec();
    for _ in 0..n {
        y = squashed(&y);
    }
    squashed(&y)
}

/// What a call gave is not used: no cotangent comes back for it.
#[differentiable]
fn unused_result(x: &mut [f64]) -> f64 {
    changes_and_tells(x);
    x.iter().sum()
}

#[differentiable]
fn changes_and_tells(x: &mut [f64]) -> Vec<f64> {
    for v in x.iter_mut() {
        *v = v.sin();
    }
    doubled(x)
}

judge! {
    steps(&any(6), 0.7, 3);
    changed_after(&mut positive(4), 0.3);
    uncopied(&any(3), 0.4);
    squashed(&any(3));
    returned_through(&positive(3), 2) (&any(4), 0);
    unused_result(&mut any(3));
    changes_and_tells(&mut any(3));
}
