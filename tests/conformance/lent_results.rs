//! Functions that return references to numbers: their derivatives are those of functions that return copies.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Tangent)]
struct Matrix {
    columns: usize,
    entries: Vec<f64>,
}

#[differentiable]
impl Matrix {
    fn line(&self, i: usize) -> &[f64] {
        &self.entries[i * self.columns..(i + 1) * self.columns]
    }
    fn at(&self, i: usize, j: usize) -> &f64 {
        &self.entries[i * self.columns + j]
    }
    fn all(&self) -> &Vec<f64> {
        &self.entries
    }
    /// No numbers: it has no rule, and needs none.
    fn name(&self) -> &'static str {
        "matrix"
    }
}

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(p, q)| p * q).sum()
}

#[differentiable]
fn lines(x: &[f64]) -> f64 {
    let m = Matrix {
        columns: 2,
        entries: x.to_vec(),
    };
    let first = m.line(0);
    let total: f64 = m.all().iter().sum();
    let lines = dot(m.line(0), m.line(1)) + m.line(1).iter().sum::<f64>();
    lines * first[1] + m.at(1, 0) * 2.0 + *m.at(0, 0) * total
}

#[derive(Clone, Tangent)]
struct Point {
    x: f64,
    y: f64,
    speed: [f64; 2],
}

#[differentiable]
impl Point {
    fn component(&self, i: usize) -> &f64 {
        match i {
            0 => &self.x,
            1 => &self.y,
            _ => panic!("a point of the plane"),
        }
    }
    fn speed(&self) -> &[f64; 2] {
        &self.speed
    }
    fn larger(&self) -> &f64 {
        if self.x > self.y {
            return &self.x;
        }
        &self.y
    }
}

#[differentiable]
fn components(x: &[f64]) -> f64 {
    let p = Point {
        x: x[0],
        y: x[1],
        speed: [x[2], 1.5],
    };
    let crossed: f64 = (0..2).map(|i| p.component(i) * p.component(1 - i)).sum();
    let both: f64 = p.speed().iter().product();
    crossed + p.speed()[0] * p.larger() + both
}

#[differentiable]
fn largest(v: &[f64]) -> &f64 {
    let mut k = 0;
    for i in 0..v.len() {
        if v[i] > v[k] {
            k = i;
        }
    }
    &v[k]
}
#[differentiable]
fn begin<'a>(v: &'a [f64], n: usize) -> &'a [f64] {
    &v[..n]
}
#[differentiable]
fn better<'a>(v: &'a [f64], w: &'a [f64]) -> &'a [f64] {
    if v[0] > w[0] { v } else { w }
}
#[differentiable]
fn of_functions(x: &[f64]) -> f64 {
    let t = largest(x);
    let begun = begin(x, 2).iter().sum::<f64>() * begin(x, 1)[0];
    t * x[0] + begun + better(&x[..2], &x[1..])[1]
}

#[derive(Clone, Tangent)]
struct Network {
    layers: Vec<Vec<f64>>,
}

#[differentiable]
impl Network {
    fn layer(&self, i: usize) -> &Vec<f64> {
        &self.layers[i]
    }
    fn end(&self) -> &Vec<f64> {
        self.layers.last().unwrap()
    }
    fn layers(&self) -> &[Vec<f64>] {
        &self.layers
    }
}

#[differentiable]
fn layers(x: &[f64]) -> f64 {
    let network = Network {
        layers: vec![vec![x[0], x[1]], vec![x[2]]],
    };
    let first = network.layer(0);
    let mut squares = 0.0;
    for layer in network.layers() {
        for w in layer {
            squares += w * w;
        }
    }
    first[0] * first[1] + network.end()[0] * squares
}

/// Entries that are vectors themselves.
#[differentiable]
fn entries(x: &[f64]) -> f64 {
    let rows = vec![vec![x[0]], vec![x[1], x[2]]];
    let first = rows.first().unwrap().clone();
    let last = rows.last().expect("rows").to_vec();
    let sum: f64 = rows.last().unwrap().iter().sum();
    first[0] * last[1] + rows.get(1).unwrap()[0] * sum
}

judge! {
    lines(&vec![0.7, 1.3, -0.4, 0.9]);
    components(&vec![0.7, 1.3, -0.4])(&vec![1.7, 1.3, -0.4]);
    of_functions(&vec![0.7, 1.3, -0.4])(&vec![1.7, 1.3, -0.4]);
    layers(&vec![0.7, 1.3, -0.4]);
    entries(&vec![0.7, 1.3, -0.4]);
}

#[test]
fn what_is_no_number_is_as_it_was() {
    let m = Matrix {
        columns: 1,
        entries: vec![1.0],
    };
    assert_eq!(m.name(), "matrix");
}
