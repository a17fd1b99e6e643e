//! Parameters by value that are declared `mut` and changed by methods alone, in patterns too.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Plant {
    x: f64,
    v: f64,
    seen: Vec<f64>,
}
#[differentiable]
impl Plant {
    fn advance(&mut self, u: f64) {
        self.v += u - self.x * self.v;
        self.x += 0.3 * self.v;
        self.seen.push(self.x);
    }
    fn energy(&self) -> f64 {
        self.x * self.x + self.v * self.v * self.seen.len() as f64
    }
    fn after(mut self, u: f64, n: usize) -> f64 {
        for _ in 0..n {
            self.advance(u);
        }
        self.energy()
    }
    fn warmed(mut self, u: f64) -> Self {
        self.advance(u);
        self
    }
}
#[differentiable]
fn run(mut plant: Plant, u: f64, n: usize) -> f64 {
    for k in 0..n {
        plant.advance(u * k as f64);
    }
    plant.energy()
}
#[differentiable]
fn two((mut a, b): (Plant, Plant), u: f64) -> f64 {
    a.advance(u * b.x);
    a.energy() * b.energy()
}
#[differentiable]
trait Optimizer {
    fn step(&mut self, x: &mut [f64], g: f64);
}
#[derive(Clone, Tangent)]
struct Sgd {
    lr: f64,
}
#[differentiable]
impl Optimizer for Sgd {
    fn step(&mut self, x: &mut [f64], g: f64) {
        self.lr *= 0.9;
        x[0] -= self.lr * g;
    }
}
#[differentiable]
fn train<O: Optimizer>(mut opt: O, x0: f64, n: usize) -> f64 {
    let mut x = vec![x0];
    for _ in 0..n {
        let g = x[0].sin();
        opt.step(&mut x, g);
    }
    x[0]
}
#[differentiable]
fn all(x: f64, u: f64) -> f64 {
    let p = Plant {
        x,
        v: u,
        seen: vec![],
    };
    let q = p.clone().warmed(x * u);
    run(p.clone(), u, 3) * q.clone().after(x, 2) + two((p, q), u) + train(Sgd { lr: u * 0.1 }, x, 3)
}
#[differentiable]
fn shared((mut a, b): (f64, f64), [mut c, d]: [f64; 2]) -> f64 {
    a += b * c;
    c *= a;
    for _ in 0..2 {
        a *= c;
    }
    a * c + d * b
}
#[differentiable]
fn in_parts(x: f64, y: f64) -> f64 {
    shared((x, y), [y * x, x])
}
judge! { all(0.9, 0.4); in_parts(0.7, 0.4); }
