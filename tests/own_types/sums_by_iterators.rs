//! Sums of own types that go through their entries by iterators, or have as many as a vector has.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

#[derive(Clone, Debug, Tangent)]
struct Vector {
    x: Vec<f64>,
}
#[differentiable]
impl Add for Vector {
    type Output = Vector;
    fn add(self, r: Vector) -> Vector {
        Vector {
            x: self.x.iter().zip(&r.x).map(|(a, b)| a + b).collect(),
        }
    }
}
#[differentiable]
impl<'a> Add<&'a Vector> for &'a Vector {
    type Output = Vector;
    fn add(self, r: &Vector) -> Vector {
        Vector {
            x: self.x.iter().zip(r.x.iter()).map(|(a, b)| a + b).collect(),
        }
    }
}
#[differentiable]
impl Sub for Vector {
    type Output = Vector;
    fn sub(self, r: Vector) -> Vector {
        let n = self.x.len().min(r.x.len());
        Vector {
            x: (0..n).map(|i| self.x[i] - r.x[i]).collect(),
        }
    }
}
#[differentiable]
impl Mul<f64> for Vector {
    type Output = Vector;
    fn mul(self, k: f64) -> Vector {
        Vector {
            x: self.x.iter().map(|a| a * k).collect(),
        }
    }
}

#[derive(Clone, Copy, Debug, Tangent)]
struct Matrix<const R: usize, const C: usize>([[f64; C]; R]);
#[differentiable]
impl<const R: usize, const C: usize> Add for Matrix<R, C> {
    type Output = Self;
    fn add(mut self, rhs: Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(rhs.0.iter()) {
            for (x, y) in a.iter_mut().zip(b) {
                *x += *y;
            }
        }
        self
    }
}
#[differentiable]
impl<const R: usize, const C: usize> AddAssign for Matrix<R, C> {
    fn add_assign(&mut self, rhs: Self) {
        for (a, b) in self.0.iter_mut().zip(rhs.0.iter()) {
            for (x, y) in a.iter_mut().zip(b) {
                *x += *y;
            }
        }
    }
}
#[differentiable]
impl<const R: usize, const C: usize> Mul<f64> for Matrix<R, C> {
    type Output = Self;
    fn mul(mut self, k: f64) -> Self {
        self.0.iter_mut().flatten().for_each(|x| *x *= k);
        self
    }
}
#[differentiable]
impl<const R: usize, const C: usize> Neg for Matrix<R, C> {
    type Output = Self;
    fn neg(self) -> Self {
        let mut out = self;
        out.0.iter_mut().flatten().for_each(|x| *x = -*x);
        out
    }
}

#[differentiable]
impl std::ops::SubAssign for Vector {
    fn sub_assign(&mut self, r: Vector) {
        for i in 0..self.x.len() {
            self.x[i] -= r.x[i];
        }
    }
}

#[differentiable]
fn of_vectors(x: &[f64], k: f64) -> f64 {
    let v = Vector { x: x.to_vec() };
    let w = Vector { x: vec![k; 3] };
    let u = (&v + &w) * k + v;
    u.x[0] * u.x[1] + u.x[2]
}
#[differentiable]
fn of_different_lengths(x: &[f64], k: f64) -> f64 {
    let v = Vector { x: x.to_vec() };
    let w = Vector { x: vec![k, k * k] };
    let u = v.clone() - w * 2.0;
    u.x[0] * u.x[1] + v.x[2] * u.x.len() as f64
}
#[differentiable]
fn of_matrices(x: &[f64], k: f64) -> f64 {
    let mut p = Matrix([[x[0], x[1]], [x[2], k]]);
    let q = Matrix([[k, 1.0], [0.5, x[0]]]);
    for _ in 0..3 {
        p = p * k + q;
    }
    let r = p + q * 2.0;
    r.0[0][0] * r.0[1][1] + r.0[0][1] * p.0[1][0]
}
#[differentiable]
fn added_to(x: &[f64], k: f64) -> f64 {
    let mut p = Matrix([[x[0], x[1]], [x[2], k]]);
    let q = Matrix([[k, 1.0], [0.5, x[0]]]);
    p += q;
    p += q * k;
    p.0[0][0] * p.0[1][1]
}
#[differentiable]
fn taken_from(x: &[f64], k: f64) -> f64 {
    let mut all = [Vector { x: x.to_vec() }, Vector { x: vec![k; 3] }];
    let w = Vector {
        x: vec![k * x[0], k, x[1]],
    };
    for v in all.iter_mut() {
        *v -= w.clone();
    }
    all[1] -= w.clone();
    let u = &mut all[0];
    *u -= w.clone();
    all[0].x[1] * all[1].x[0] - (-Matrix([[k, x[0]]])).0[0][1]
}

/// Operands that are fields, and copies of fields.
#[derive(Clone, Debug, Tangent)]
struct Filter<const N: usize> {
    state: Matrix<N, 1>,
    history: Vec<Matrix<N, 1>>,
}
#[differentiable]
impl<const N: usize> Filter<N> {
    fn step(&mut self, y: f64) -> f64 {
        self.state = self.state + self.state;
        let last = self.history[0];
        let doubled = last + last;
        self.history[1] = self.state + self.history[1];
        self.history[0] = doubled + self.history[1];
        self.history[0].0[0][0] * y
    }
}
#[differentiable]
fn of_fields(y: &[f64]) -> f64 {
    let start = Matrix([[y[0]], [y[1] * y[2]]]);
    let history = vec![start; 2];
    let mut filter = Filter {
        state: start,
        history,
    };
    let first = filter.step(y[1]);
    filter.step(first).sin()
}

#[differentiable]
impl<const R: usize, const C: usize> Mul<Matrix<R, C>> for f64 {
    type Output = Matrix<R, C>;
    fn mul(self, m: Matrix<R, C>) -> Matrix<R, C> {
        m * self
    }
}

/// Multiples of fields, and locals that are sums of such.
#[differentiable]
fn of_multiples(filter: &mut Filter<2>, gain: f64) -> f64 {
    let mean = filter.state * 0.5 + filter.history[0] * gain;
    let doubled = mean + mean;
    filter.state = gain * filter.state + doubled * gain;
    filter.state.0[0][0] * filter.state.0[1][0]
}

#[derive(Clone, Debug, Tangent)]
struct Body {
    position: Vector,
    mass: f64,
}
#[differentiable]
fn of_vectors_in_fields(body: &Body, time: f64) -> f64 {
    let moved = body.position.clone() * time + body.position.clone() * body.mass;
    moved.x[0] * moved.x[1]
}

judge! {
    taken_from(&any(3), 0.7);
    of_vectors(&any(3), 0.7);
    of_different_lengths(&any(3), 0.7);
    of_matrices(&any(3), 0.7);
    added_to(&any(3), 0.7);
    of_fields(&any(3));
    of_multiples(&mut Filter { state: Matrix([[0.4], [0.3]]), history: vec![Matrix([[-0.2], [0.7]]); 2] }, 0.6);
    of_vectors_in_fields(&Body { position: Vector { x: any(3) }, mass: 0.4 }, 0.7);
}
