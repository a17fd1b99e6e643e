//! Rows that methods of an own type lend, which are called like those of `ndarray`.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Grid {
    width: usize,
    data: Vec<f64>,
}

#[differentiable]
impl Grid {
    fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.width..(i + 1) * self.width]
    }
    fn column(&self, j: usize) -> Vec<f64> {
        let rows = self.data.len() / self.width;
        (0..rows).map(|i| self.data[i * self.width + j]).collect()
    }
    fn rows(&self) -> Vec<f64> {
        self.data
            .chunks(self.width)
            .map(|r| r.iter().sum())
            .collect()
    }
}

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn zipped(g: &Grid, x: &[f64]) -> f64 {
    let before = g.row(0).iter().zip(x).map(|(a, b)| a * b).sum::<f64>();
    let pairs = x.iter().zip(g.row(0));
    before * pairs.map(|(a, b)| a * b * b).sum::<f64>()
        + x.iter().zip(g.row(1)).map(|(a, b)| a / b).sum::<f64>()
}

#[differentiable]
fn product(g: &Grid, x: &[f64]) -> Vec<f64> {
    (0..2).map(|i| dot(g.row(i), x)).collect()
}

#[differentiable]
fn chained(g: &Grid, x: &[f64]) -> Vec<f64> {
    let rows = 0..2;
    rows.map(|i| x.iter().zip(g.row(i)).map(|(&a, &b)| a * b).sum())
        .collect()
}

#[differentiable]
fn looped(g: &Grid, x: &[f64]) -> f64 {
    let mut s = g.row(1)[0] * dot(g.row(0), x);
    for (v, w) in g.row(0).iter().zip(x) {
        s += v * w;
    }
    for v in g.row(1) {
        s += v * s;
    }
    for (a, b) in x.iter().zip(g.row(0)) {
        s += a * b * b;
    }
    for v in g.column(1) {
        s *= v;
    }
    for v in &g.rows() {
        s += v.sin();
    }
    s + g.row(1).len() as f64 * x[1]
}

judge! {
    zipped(&Grid { width: 2, data: any(4) }, &any(2));
    product(&Grid { width: 2, data: any(4) }, &any(2));
    chained(&Grid { width: 2, data: any(4) }, &any(2));
    looped(&Grid { width: 2, data: any(4) }, &any(2));
}
