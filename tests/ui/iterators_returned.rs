//! An iterator whose entries nobody knows before the first round.

use coenzyme::prelude::*;

struct Halves(usize);

impl Iterator for Halves {
    type Item = usize;
    fn next(&mut self) -> Option<usize> {
        self.0 /= 2;
        (self.0 > 0).then_some(self.0)
    }
}

fn halves(n: usize) -> Halves {
    Halves(n)
}

#[differentiable]
fn halved(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in halves(x.len()) {
        s += x[i] * x[i];
    }
    s
}

fn main() {}
