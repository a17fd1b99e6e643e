//! Traits of the user's own on slices, arrays, floats, vectors and options, and methods by the paths of traits.

use coenzyme::{Tangent, differentiable};

use crate::judge::positive;
use crate::subject::judge;

trait Statistics {
    fn average(&self) -> f64;
    fn spread(&self) -> f64;
    fn rescale(&mut self, k: f64);
}

#[differentiable]
impl Statistics for [f64] {
    fn average(&self) -> f64 {
        self.iter().sum::<f64>() / self.len() as f64
    }
    fn spread(&self) -> f64 {
        let m = self.average();
        self.iter().map(|v| (v - m) * (v - m)).sum()
    }
    fn rescale(&mut self, k: f64) {
        for v in self.iter_mut() {
            *v *= k;
        }
    }
}

trait Geometry {
    fn projected(&self, o: &Self) -> f64;
    fn crossed(&self, o: &Self) -> Self;
    fn unit(self) -> Self;
}

#[differentiable]
impl Geometry for [f64; 3] {
    fn projected(&self, o: &Self) -> f64 {
        self[0] * o[0] + self[1] * o[1] + self[2] * o[2]
    }
    fn crossed(&self, o: &Self) -> Self {
        [
            self[1] * o[2] - self[2] * o[1],
            self[2] * o[0] - self[0] * o[2],
            self[0] * o[1] - self[1] * o[0],
        ]
    }
    fn unit(self) -> Self {
        let n = self.projected(&self).sqrt();
        self.map(|v| v / n)
    }
}

trait Squares {
    fn squares(&self) -> f64;
}

#[differentiable]
impl<const N: usize> Squares for [f64; N] {
    fn squares(&self) -> f64 {
        let mut s = 0.0;
        for i in 0..N {
            s += self[i] * self[i];
        }
        s
    }
}

trait Powers {
    fn squared(self) -> Self;
    fn cubed(&self) -> f64;
}

#[differentiable]
impl Powers for f64 {
    fn squared(self) -> Self {
        self * self
    }
    fn cubed(&self) -> f64 {
        self * self.squared()
    }
}

trait OrZero {
    fn or_zero(self) -> f64;
    fn times(&self, k: f64) -> f64;
}

#[differentiable]
impl OrZero for Option<f64> {
    fn or_zero(self) -> f64 {
        match self {
            Some(v) => v,
            None => 0.0,
        }
    }
    fn times(&self, k: f64) -> f64 {
        if let Some(v) = self { v * k } else { k }
    }
}

trait Tail {
    fn tail(&self) -> f64;
    fn raise(&mut self, v: f64);
}

#[differentiable]
impl Tail for Vec<f64> {
    fn tail(&self) -> f64 {
        self[1..].iter().sum()
    }
    fn raise(&mut self, v: f64) {
        self[0] += v;
    }
}

#[derive(Clone, Copy, Debug, Tangent)]
struct Disc {
    radius: f64,
}

trait Shape {
    fn area(&self) -> f64;
    fn grow(&mut self, by: f64);
    fn made(radius: f64) -> Self;
}

#[differentiable]
impl Shape for Disc {
    fn area(&self) -> f64 {
        3.0 * self.radius * self.radius
    }
    fn grow(&mut self, by: f64) {
        self.radius *= by;
    }
    fn made(radius: f64) -> Self {
        Disc {
            radius: radius * radius,
        }
    }
}

#[differentiable]
fn of_slices(x: &[f64], y: &mut [f64]) -> f64 {
    let mut v = x.to_vec();
    v.rescale(x[0]);
    y.rescale(2.0 * x[1]);
    v.spread() * x[1..3].average() + y[0] * [x[0], x[1]].average()
}

#[differentiable]
fn of_arrays(x: &[f64]) -> f64 {
    let a = [x[0], x[1], x[2]];
    let b = [x[2], x[0], x[1]].unit();
    a.crossed(&b).projected(&a.unit()) + a.projected(&b)
}

#[differentiable]
fn of_lengths(x: &[f64]) -> f64 {
    [x[0], x[1]].squares() * [x[2], x[0], x[1]].squares()
}

#[differentiable]
fn of_numbers(x: f64, y: f64) -> f64 {
    x.squared() * y + y.cubed() + (x * y).squared()
}

#[differentiable]
fn of_options(x: f64, y: f64) -> f64 {
    let a = if x > 0.0 { Some(x * y) } else { None };
    a.or_zero() * x + a.times(y)
}

#[differentiable]
fn of_vectors(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.raise(x[1] * x[2]);
    v.tail() * v[0]
}

#[differentiable]
fn by_paths(x: f64, y: f64) -> f64 {
    let mut d = <Disc as Shape>::made(x);
    Shape::grow(&mut d, y);
    let before = Shape::area(&d);
    <Disc as Shape>::grow(&mut d, x);
    before * <Disc as Shape>::area(&d)
}

judge! {
    of_slices(&positive(3), &mut vec![0.2, 0.4]);
    of_arrays(&positive(3));
    of_lengths(&positive(3));
    of_numbers(0.3, 0.7);
    of_options(0.3, 0.7);
    of_vectors(&positive(3));
    by_paths(0.3, 0.7);
}
