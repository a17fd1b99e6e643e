//! Generic functions and methods that call methods with their own parameters, whose types have a trait of the crate.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[differentiable]
trait Kernel {
    fn weight(&self, r: f64) -> f64;
    fn widen(&mut self, by: f64);
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Square;
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Gauss {
    width: f64,
}

#[differentiable]
impl Kernel for Square {
    fn weight(&self, r: f64) -> f64 {
        r * r
    }
    fn widen(&mut self, by: f64) {}
}
#[differentiable]
impl Kernel for Gauss {
    fn weight(&self, r: f64) -> f64 {
        (-r * r / self.width).exp()
    }
    fn widen(&mut self, by: f64) {
        self.width += by * self.width;
    }
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Points {
    x: Vec<f64>,
}

#[differentiable]
impl Points {
    fn update<K: Kernel>(&mut self, kernel: &K) {
        for i in 0..self.x.len() {
            self.x[i] = kernel.weight(self.x[i]);
        }
    }
    fn sum(&self, kernel: &impl Kernel) -> f64 {
        self.x.iter().map(|x| kernel.weight(*x)).sum()
    }
    fn widen_by_first<K>(&mut self, kernel: &mut K)
    where
        K: Kernel,
    {
        kernel.widen(self.x[0]);
        self.x[1] = kernel.weight(self.x[0]);
    }
}

#[differentiable]
fn step<K: Kernel>(points: &mut Points, kernel: &K) -> f64 {
    points.update(kernel);
    points.sum(kernel)
}

#[differentiable]
fn widened<K: Kernel>(points: &mut Points, kernel: &mut K) -> f64 {
    points.widen_by_first(kernel);
    kernel.weight(points.x[1])
}

#[differentiable]
fn by_value<K: Kernel + Copy>(points: &Points, kernel: K) -> f64 {
    points.sum(&kernel)
}

#[differentiable]
fn squares(points: &mut Points) -> f64 {
    step(points, &Square)
}

#[differentiable]
fn gauss(points: &mut Points, width: f64) -> f64 {
    let mut kernel = Gauss { width };
    widened(points, &mut kernel) * kernel.width + by_value(points, kernel)
}

judge! {
    squares(&mut Points { x: any(3) });
    gauss(&mut Points { x: any(3) }, 0.7);
}
