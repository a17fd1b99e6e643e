//! Loops over iterators that only their type knows: of the user's own, and those that functions return as `impl Iterator`.

use coenzyme::prelude::*;

use crate::subject::judge;

/// Numbers that fill an interval evenly.
#[derive(Clone)]
struct Halton {
    base: u32,
    index: u32,
}

impl Halton {
    fn new(base: u32) -> Self {
        Self { base, index: 0 }
    }
}

impl Iterator for Halton {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        self.index += 1;
        let (mut fraction, mut value, mut index) = (1.0, 0.0, self.index);
        while index > 0 {
            fraction /= f64::from(self.base);
            value += fraction * f64::from(index % self.base);
            index /= self.base;
        }
        Some(value)
    }
}

struct Grid {
    n: usize,
}

impl Grid {
    fn cells(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.n).flat_map(move |i| (0..self.n).map(move |j| (i, j)))
    }
}

/// What goes through it by itself.
struct Knots(Vec<f64>);

impl IntoIterator for Knots {
    type Item = f64;
    type IntoIter = std::vec::IntoIter<f64>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

fn odd(n: usize) -> impl DoubleEndedIterator<Item = usize> {
    (0..n).filter(|k| k % 2 == 1)
}

#[differentiable]
fn taken(x: f64, y: f64) -> f64 {
    let mut sum = 0.0;
    for u in Halton::new(2).take(5) {
        sum += (x * u).exp() * y;
    }
    let samples = Halton { base: 3, index: 0 };
    for u in samples.take(3) {
        sum *= 1.0 + u * y;
    }
    sum
}

/// One inside of another, with labels.
#[differentiable]
fn nested(x: f64, y: f64) -> f64 {
    let mut sum = 0.0;
    'outer: for u in (Halton { base: 3, index: 0 }).take(4) {
        for v in Halton::new(2) {
            if v > 0.7 {
                continue 'outer;
            }
            if u * v > 0.3 {
                break 'outer;
            }
            sum += (x * u).sin() * v + y * sum;
        }
    }
    sum
}

/// It has no end.
#[differentiable]
fn left(x: f64, y: f64) -> f64 {
    let samples = Halton::new(2);
    let mut product = y;
    for u in samples {
        if u > 0.8 {
            break;
        }
        product *= (x * u).cos();
    }
    product
}

#[differentiable]
fn own_into_iter(x: f64) -> f64 {
    let knots = Knots(vec![0.5, 1.5, 2.0]);
    let mut product = 1.0;
    for knot in knots {
        product *= x - knot;
    }
    product
}

#[differentiable]
fn in_chains(x: f64) -> f64 {
    let mean = Halton::new(2).take(4).map(|u| (u * x).sin()).sum::<f64>() / 4.0;
    let nodes: Vec<f64> = Halton::new(3).take(3).collect();
    mean * nodes.iter().map(|u| u * x).product::<f64>()
}

#[differentiable]
fn returned(x: f64, y: f64) -> f64 {
    let grid = Grid { n: 3 };
    let mut sum = 0.0;
    for (i, j) in grid.cells() {
        sum += x.powi(i as i32) * y.powi(j as i32);
    }
    for k in odd(6) {
        if k > 4 {
            return sum * x;
        }
        sum += x * y.powi(k as i32);
    }
    sum
}

judge! {
    taken (0.7, -0.4);
    nested (0.7, -0.4);
    left (0.7, -0.4);
    own_into_iter (0.7);
    in_chains (0.7);
    returned (0.7, -0.4);
}
