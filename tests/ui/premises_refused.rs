//! Names of the standard library that mean something else here.

use coenzyme::{Tangent, differentiable};

#[derive(Clone, Tangent)]
struct Tank {
    v: f64,
}

impl Tank {
    fn capacity(&self) -> f64 {
        self.v * self.v
    }
    fn swap(&mut self, i: usize, j: usize) {
        self.v *= (i + j) as f64;
    }
}

#[derive(Clone, Tangent)]
struct Car {
    tank: Tank,
}

#[differentiable]
fn a_query_that_returns_a_number(c: &Car) -> f64 {
    c.tank.capacity() * 2.0
}

#[differentiable]
fn a_method_of_slices_that_is_another(c: &mut Car) -> f64 {
    c.tank.swap(0, 1);
    c.tank.v
}

/// What a macro declares is not seen in the file.
macro_rules! declared {
    ($($item:item)*) => { $($item)* };
}

declared! {
    #[derive(Clone, Tangent)]
    struct Range {
        low: f64,
        high: f64,
    }
}

#[differentiable]
fn a_type_called_like_an_inactive_one(r: &Range, k: f64) -> f64 {
    (r.high - r.low) * k
}

trait Statistics {
    fn sum(&self) -> f64;
}

impl Statistics for [f64] {
    fn sum(&self) -> f64 {
        self.iter().map(|x| x * x).sum()
    }
}

#[differentiable]
fn a_trait_that_gives_slices_a_sum(x: &[f64]) -> f64 {
    x.sum() * 2.0
}

declared! {
    #[differentiable]
    fn swap(a: &mut f64, b: &mut f64) {
        let old = *a;
        *a = 2.0 * *b;
        *b = 3.0 * old;
    }
}

#[differentiable]
fn a_function_called_like_one_of_std(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    swap(&mut a, &mut b);
    a - b
}

#[derive(Clone, Copy, PartialEq, Tangent)]
struct Point {
    x: f64,
}

#[differentiable]
impl std::ops::Sub for Point {
    type Output = f64;
    fn sub(self, other: Point) -> f64 {
        self.x - other.x
    }
}

#[differentiable]
impl std::ops::Sub for &Point {
    type Output = f64;
    fn sub(self, other: &Point) -> f64 {
        2.0 * self.x - other.x
    }
}

/// What is held is a reference, and no word of this says so.
#[differentiable]
fn references_held(points: &[Point]) -> f64 {
    let first = points.iter().map(|p| p).next().unwrap();
    first - first
}

#[differentiable]
impl std::ops::Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point { x: self.x + other.x }
    }
}

impl std::iter::Sum for Point {
    fn sum<I: Iterator<Item = Point>>(iter: I) -> Point {
        iter.fold(Point { x: 0.0 }, |a, b| Point { x: a.x.max(b.x) })
    }
}

/// A sum of one's own.
#[differentiable]
fn own_sum(points: &[Point]) -> f64 {
    let all: Point = points.iter().copied().sum();
    all.x
}

/// Goes over its entries from the other end.
#[derive(Clone, Tangent)]
struct Reversed {
    entries: Vec<f64>,
}

impl<'a> IntoIterator for &'a Reversed {
    type Item = &'a f64;
    type IntoIter = std::iter::Rev<std::slice::Iter<'a, f64>>;
    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter().rev()
    }
}

impl Reversed {
    fn len(&self) -> usize {
        self.entries.len()
    }
}

impl std::ops::Index<usize> for Reversed {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        &self.entries[i]
    }
}

impl std::ops::IndexMut<usize> for Reversed {
    fn index_mut(&mut self, i: usize) -> &mut f64 {
        &mut self.entries[i]
    }
}

#[differentiable]
fn own_loop(over: &Reversed) -> f64 {
    let mut all = 0.0;
    for x in over {
        all = all * 2.0 + x;
    }
    all
}

#[differentiable]
fn own_zip(over: &Reversed, weights: &[f64]) -> f64 {
    weights.iter().zip(over).map(|(w, x)| w * x).sum()
}

#[derive(Clone, Tangent)]
struct Ring {
    entries: Vec<f64>,
    head: usize,
    gain: f64,
}

impl std::ops::Index<usize> for Ring {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        &self.entries[(i + self.head) % self.entries.len()]
    }
}

impl std::ops::IndexMut<usize> for Ring {
    fn index_mut(&mut self, i: usize) -> &mut f64 {
        let n = self.entries.len();
        &mut self.entries[(i + self.head) % n]
    }
}

#[differentiable]
impl Ring {
    fn advance(&mut self, gain: f64) {
        self.entries[0] *= self.gain;
        self.gain = gain;
        self.head += 1;
    }
}

#[differentiable]
fn own_index_moves(ring: &mut Ring) -> f64 {
    ring.gain *= 2.0;
    ring.head = 3;
    ring[1] * ring.gain
}

#[derive(Clone, Tangent)]
struct Dial {
    entries: Vec<f64>,
    turned: f64,
}

impl std::ops::Index<usize> for Dial {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        &self.entries[(i + self.turned as usize) % self.entries.len()]
    }
}

impl std::ops::IndexMut<usize> for Dial {
    fn index_mut(&mut self, i: usize) -> &mut f64 {
        let n = self.entries.len();
        &mut self.entries[(i + self.turned as usize) % n]
    }
}

#[differentiable]
fn own_index_reads_numbers(dial: &Dial) -> f64 {
    dial[1] * dial.turned
}

trait First {
    fn go(&self) -> f64;
}

trait Second {
    fn go(&self) -> f64;
}

impl First for Point {
    fn go(&self) -> f64 {
        self.x
    }
}

#[differentiable]
impl Second for Point {
    fn go(&self) -> f64 {
        self.x * self.x
    }
}

mod of_the_first {
    use super::{First, Point};

    #[coenzyme::differentiable]
    fn two_traits_with_one_name(p: &Point) -> f64 {
        p.go()
    }
}

#[differentiable]
fn a_trait_by_its_path(p: &Point) -> f64 {
    Second::go(p)
}

#[derive(Clone, Tangent)]
struct Board {
    cells: [f64; 3],
}

impl Board {
    fn at(&mut self, i: usize) -> &mut f64 {
        &mut self.cells[i]
    }
}

#[differentiable]
fn what_a_method_lends(board: &mut Board, k: f64) {
    *board.at(1) *= k;
}

fn main() {}
