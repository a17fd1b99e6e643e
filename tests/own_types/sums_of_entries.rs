//! Operators of types of fixed arrays, which go through the entries: their sums and products are as those of numbers.

use crate::subject::judge;
use coenzyme::{Tangent, differentiable};
use std::ops::{Add, Mul, Sub};
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct V([f64; 3]);
#[differentiable]
impl Add for V {
    type Output = V;
    fn add(self, o: V) -> V {
        V(std::array::from_fn(|i| self.0[i] + o.0[i]))
    }
}
#[differentiable]
impl Sub for V {
    type Output = V;
    fn sub(self, o: V) -> V {
        let mut out = self;
        for i in 0..3 {
            out.0[i] -= o.0[i];
        }
        out
    }
}
#[differentiable]
impl Mul<f64> for V {
    type Output = V;
    fn mul(self, s: f64) -> V {
        V(self.0.map(|c| c * s))
    }
}
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct M<const N: usize>([[f64; N]; N]);
#[differentiable]
impl<const N: usize> Mul for M<N> {
    type Output = M<N>;
    fn mul(self, o: M<N>) -> M<N> {
        let mut out = [[0.0; N]; N];
        for i in 0..N {
            for j in 0..N {
                for k in 0..N {
                    out[i][j] += self.0[i][k] * o.0[k][j];
                }
            }
        }
        M(out)
    }
}
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Body {
    x: V,
    v: V,
    r: M<2>,
}
#[differentiable]
impl Body {
    fn step(&mut self, dt: f64, g: V) {
        self.x = self.x + self.v * dt;
        self.v = self.v - g * dt;
        self.r = self.r * self.r;
    }
    fn energy(&self) -> f64 {
        self.x
            .0
            .iter()
            .zip(&self.v.0)
            .map(|(a, b)| a * b)
            .sum::<f64>()
            + self.r.0[0][1]
    }
}
#[differentiable]
fn f(a: f64, b: f64, n: usize) -> f64 {
    let mut body = Body {
        x: V([a, b, 0.3]),
        v: V([b, 0.2, a]),
        r: M([[a, 0.1], [b, 0.5]]),
    };
    for k in 0..n {
        body.step(0.1 * a, V([0.0, b, k as f64]));
    }
    body.energy()
}
/// Entries of entries.
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct W([[f64; 2]; 3]);
#[differentiable]
impl Sub for W {
    type Output = W;
    fn sub(self, o: W) -> W {
        W(std::array::from_fn(|i| {
            std::array::from_fn(|j| self.0[i][j] - 2.0 * o.0[i][j])
        }))
    }
}
#[differentiable]
impl Mul<f64> for W {
    type Output = W;
    fn mul(self, s: f64) -> W {
        W(std::array::from_fn(|i| {
            std::array::from_fn(|j| self.0[i][j] * s)
        }))
    }
}
#[differentiable]
fn of_entries(a: f64, b: f64) -> f64 {
    let w = W([[a, a * b], [b, 1.0], [a, a]]);
    let v = (w - W([[1.0, b], [b, a], [a, 2.0]])) * a;
    (v - w * b).0[0][1] * v.0[2][0]
}
judge! { f(0.9, 1.1, 3); of_entries(0.9, 1.1); }
