//! An operator on references whose `impl` block is not marked.

use std::ops::Add;

use coenzyme::prelude::*;

#[derive(Clone, Tangent)]
struct Pair {
    a: f64,
    b: f64,
}

impl Add for &Pair {
    type Output = Pair;
    fn add(self, other: &Pair) -> Pair {
        Pair { a: self.a + other.a, b: self.b * other.b }
    }
}

#[differentiable]
fn sum(x: &Pair, y: &Pair) -> f64 {
    let sum = x + y;
    sum.a * sum.b
}

fn main() {}
