//! Operators on references to the user's own types, and own methods named as those of arrays are.

use std::ops::{Add, Div, Mul, Rem, Sub};

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

/// `c₀ + c₁ t + …`
#[derive(Clone, Debug, PartialEq, Tangent)]
struct Polynomial {
    c: Vec<f64>,
}

#[differentiable]
impl Polynomial {
    fn at(&self, t: f64) -> f64 {
        self.c.iter().rev().fold(0.0, |sum, c| sum * t + c)
    }
}

#[differentiable]
impl Mul for &Polynomial {
    type Output = Polynomial;
    fn mul(self, other: Self) -> Polynomial {
        let mut c = vec![0.0; self.c.len() + other.c.len() - 1];
        for (i, a) in self.c.iter().enumerate() {
            for (j, b) in other.c.iter().enumerate() {
                c[i + j] += a * b;
            }
        }
        Polynomial { c }
    }
}

#[differentiable]
impl<'a> Add<&'a Polynomial> for &'a Polynomial {
    type Output = Polynomial;
    fn add(self, other: &'a Polynomial) -> Polynomial {
        let mut c = self.c.to_vec();
        for (sum, b) in c.iter_mut().zip(&other.c) {
            *sum += b;
        }
        Polynomial { c }
    }
}

#[differentiable]
impl Mul<f64> for &Polynomial {
    type Output = Polynomial;
    fn mul(self, k: f64) -> Polynomial {
        let c = self.c.iter().map(|c| c * k).collect();
        Polynomial { c }
    }
}

#[differentiable]
impl Div<&Polynomial> for f64 {
    type Output = Polynomial;
    fn div(self, p: &Polynomial) -> Polynomial {
        let k = self;
        let c = p.c.iter().map(|c| k / c).collect();
        Polynomial { c }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct V<T> {
    x: T,
    y: T,
}

#[differentiable]
impl<T: coenzyme::Real> Sub<&V<T>> for &V<T> {
    type Output = V<T>;
    fn sub(self, b: &V<T>) -> V<T> {
        V {
            x: self.x - b.x,
            y: self.y * b.y,
        }
    }
}

/// By value on the left, beside the form on two references.
#[differentiable]
impl<T: coenzyme::Real> Sub<&V<T>> for V<T> {
    type Output = V<T>;
    fn sub(self, b: &V<T>) -> V<T> {
        &self - b
    }
}

#[differentiable]
impl Rem<V<f64>> for &V<f64> {
    type Output = f64;
    fn rem(self, b: V<f64>) -> f64 {
        let mut b = b;
        b.x *= 2.0;
        self.x * b.x + self.y * b.y
    }
}

#[differentiable]
impl Mul<f64> for V<f64> {
    type Output = V<f64>;
    fn mul(self, k: f64) -> V<f64> {
        V {
            x: self.x * k,
            y: self.y,
        }
    }
}

#[differentiable]
impl V<f64> {
    fn dot(self, b: Self) -> f64 {
        self.x * b.x + 3.0 * self.y * b.y
    }
    fn outer(&self, b: &Self) -> f64 {
        self.dot(*b) * self.x
    }
}

#[differentiable]
fn products(p: &Polynomial, q: &Polynomial, t: f64) -> f64 {
    let r = &(p * q) + p;
    let s = &r * t;
    (&s * &(2.0 / q)).at(t)
}

#[differentiable]
fn one_is_inactive(p: &Polynomial, t: f64) -> f64 {
    let fixed = Polynomial { c: vec![1.0, -2.0] };
    (&fixed * p).at(t) + (&(p * 2.0) * &fixed).at(0.3)
}

#[differentiable]
fn repeated(p: &Polynomial, t: f64) -> f64 {
    let mut power = Polynomial { c: vec![1.0] };
    let mut sum = 0.0;
    for k in 0..4 {
        power = &power * p;
        if k % 2 == 0 {
            sum += power.at(t);
        }
    }
    sum
}

#[differentiable]
fn changed_between(p: &mut Polynomial, q: &Polynomial) {
    let before = &*p * q;
    p.c[0] *= q.c[1];
    let after = &*p * q;
    p.c[1] = before.c[0] * after.c[1];
}

#[differentiable]
fn generic_references<T: coenzyme::Real>(a: &V<T>, b: &V<T>) -> T {
    let d = a - b;
    let e = &d - a;
    e.x * d.y
}

#[differentiable]
fn points(points: &[V<f64>], k: f64) -> f64 {
    let mut sum = 0.0;
    for i in 1..points.len() {
        let d = &points[i] - &points[i - 1];
        sum += d.x * d.y * k;
    }
    sum
}

#[differentiable]
fn own_products(a: V<f64>, b: V<f64>) -> f64 {
    let t = a.dot(b);
    let c = b * t;
    let u = c.dot(a) - t * t;
    u * a.outer(&c)
}

const A: V<f64> = V { x: 0.7, y: -0.4 };
const B: V<f64> = V { x: -0.3, y: 0.9 };

fn polynomial(c: &[f64]) -> Polynomial {
    Polynomial { c: c.to_vec() }
}

judge! {
    products(&polynomial(&[0.3, -0.7, 1.1]), &polynomial(&[0.8, 0.5]), 0.6);
    one_is_inactive(&polynomial(&[0.3, -0.7, 1.1]), 0.6);
    repeated(&polynomial(&[0.3, -0.7]), 0.6);
    changed_between(&mut polynomial(&[0.3, -0.7]), &polynomial(&[0.8, 0.5]));
    generic_references(&A, &B);
    points(&vec![A, B, V { x: 0.1, y: 0.2 }], 1.3);
    own_products(A, B);
}
