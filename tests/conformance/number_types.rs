//! Types over numbers that are described by their operators alone.

use std::ops::{Add, AddAssign, Mul, Sub};

use coenzyme::prelude::*;
use num_traits::Float;

use crate::subject::judge;

#[derive(Clone, Copy, Tangent)]
struct Pair<T> {
    x: T,
    y: T,
}

#[differentiable]
impl<T: Add<Output = T>> Add<Self> for Pair<T> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Pair {
            x: self.x + other.x,
            y: self.y + other.y,
        }
    }
}

#[differentiable]
impl<T: Float> Sub for Pair<T> {
    type Output = Pair<T>;
    fn sub(self, other: Pair<T>) -> Pair<T> {
        Pair {
            x: self.x - other.x,
            y: self.y - other.y,
        }
    }
}

#[differentiable]
impl<T> Mul<T> for Pair<T>
where
    T: Mul<Output = T> + Copy,
{
    type Output = Self;
    fn mul(self, by: T) -> Self {
        Pair {
            x: self.x * by,
            y: self.y * by,
        }
    }
}

#[differentiable]
impl<T: Mul<Output = T> + Add<Output = T> + Copy> Pair<T> {
    fn dot(self, other: Self) -> T {
        self.x * other.x + self.y * other.y
    }

    fn turned(&self, by: &Pair<T>) -> Self {
        Pair {
            x: self.x * by.x,
            y: self.y * by.x + self.x * by.y,
        }
    }
}

#[differentiable]
fn norm<T: Mul<Output = T> + Add<Output = T> + AddAssign + Copy>(x: &[T], start: T) -> T {
    let mut sum = start;
    for v in x {
        sum += *v * *v;
    }
    sum * start
}

#[differentiable]
fn of_pairs(x: &[f64]) -> f64 {
    let a = Pair { x: x[0], y: x[1] };
    let b = (a + a * x[1]) - a.turned(&a);
    a.dot(b) * norm(x, x[0])
}

judge! {
    of_pairs (&[0.7, 1.3]) (&[-0.4, 0.2]);
}
