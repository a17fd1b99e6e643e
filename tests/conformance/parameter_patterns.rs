//! Parameters that are patterns with `&`: what they bind are values, not what a reference leads to.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
fn square(v: f64) -> f64 {
    v * v
}

#[differentiable]
fn behind(&v: &f64, &(a, b): &(f64, f64), &[p, q]: &[f64; 2]) -> f64 {
    square(v) * a + square(b) * p - square(q)
}

#[derive(Clone, Copy, Tangent)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
impl Point {
    fn area(self) -> f64 {
        self.x * self.y
    }
    fn against(&self, &Point { x, y }: &Point) -> f64 {
        square(x) - self.y * y
    }
}

#[differentiable]
fn changed(&p: &Point, &q: &Point) -> Point {
    let mut r = p;
    r.x = q.y * r.y;
    r.y *= q.area();
    r
}

#[differentiable]
fn points(a: f64, b: f64) -> f64 {
    let (p, q) = (Point { x: a, y: b }, Point { x: b * b, y: a });
    let r = changed(&p, &q);
    r.against(&p) + q.against(&r) * p.area()
}

#[differentiable]
fn scaled(&mut mut v: &mut f64, &times: &usize) -> f64 {
    for _ in 0..times {
        v *= v;
    }
    square(v)
}

#[differentiable]
fn kept(x: f64) -> f64 {
    let mut v = x;
    let changed = scaled(&mut v, &2);
    changed * v
}

/// A window of the last values, as crates for indicators have it.
#[derive(Clone, Tangent)]
struct Window<T> {
    last: T,
    sum: T,
}

#[differentiable]
impl<T: Copy> Window<T> {
    fn new(value: T) -> Self {
        Self {
            last: value,
            sum: value,
        }
    }
}

trait Method {
    type Input;
    type Output;
    fn next(&mut self, value: &Self::Input) -> Self::Output;
}

#[differentiable]
impl Method for Window<f64> {
    type Input = f64;
    type Output = Self::Input;
    fn next(&mut self, &value: &Self::Input) -> Self::Output {
        self.sum += square(value) - self.last;
        self.last = value;
        self.sum
    }
}

#[differentiable]
fn windowed(x: &[f64]) -> f64 {
    let mut window = Window::new(x[0]);
    let mut total = 0.0;
    for v in x {
        total += window.next(v);
    }
    total * window.last
}

judge! {
    behind(&0.7, &(1.3, -0.4), &[0.9, 2.1]);
    points(0.8, 1.7);
    kept(1.1);
    windowed(&vec![0.5, -1.2, 2.3]);
}
