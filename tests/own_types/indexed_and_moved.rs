//! Memory whose `Index` chooses by a field, or whose methods lend by one, changed and then moved into what a function returns: the cotangent that
//! comes back has the field.

use std::ops::{Index, IndexMut};

use crate::judge::any;
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Debug, Default, Tangent)]
struct Matrix {
    cells: Vec<f64>,
    columns: usize,
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.cells[i * self.columns + j]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.cells[i * self.columns + j]
    }
}

impl Index<usize> for Matrix {
    type Output = [f64];
    fn index(&self, i: usize) -> &[f64] {
        &self.cells[i * self.columns..][..self.columns]
    }
}

impl IndexMut<usize> for Matrix {
    fn index_mut(&mut self, i: usize) -> &mut [f64] {
        let columns = self.columns;
        &mut self.cells[i * columns..(i + 1) * columns]
    }
}

#[differentiable]
impl Matrix {
    fn of(x: &[f64]) -> Self {
        Matrix {
            cells: x.to_vec(),
            columns: 2,
        }
    }
    fn mix(&mut self) {
        let k = self[(1, 1)];
        self[(1, 0)] *= k;
    }
    fn line_mut(&mut self, i: usize) -> &mut [f64] {
        let start = i * self.columns;
        &mut self.cells[start..start + self.columns]
    }
    fn normalize(&mut self) {
        for i in 0..self.cells.len() / self.columns {
            let total: f64 = self[i].iter().map(|v| v * v).sum();
            for v in &mut self[i] {
                *v /= total;
            }
        }
    }
}

#[derive(Clone, Debug, Tangent)]
struct Layer {
    weights: Matrix,
    bias: f64,
}

#[derive(Clone, Debug, Default, Tangent)]
struct Net {
    layers: Vec<Layer>,
}

#[differentiable]
impl Net {
    fn with(mut self, mut weights: Matrix, bias: f64) -> Self {
        weights.mix();
        self.layers.push(Layer { weights, bias });
        self
    }
}

#[differentiable]
fn in_a_struct(x: &[f64]) -> Layer {
    let mut weights = Matrix::of(x);
    weights.mix();
    Layer {
        weights,
        bias: x[0],
    }
}

#[differentiable]
fn in_an_option(x: &[f64]) -> Option<Layer> {
    let mut weights = Matrix::of(x);
    weights.mix();
    Some(Layer {
        weights,
        bias: x[0],
    })
}

#[differentiable]
fn of_a_parameter(mut weights: Matrix) -> Layer {
    weights.mix();
    weights.mix();
    let bias = weights[(1, 0)];
    Layer { weights, bias }
}

#[differentiable]
fn of_rows(mut weights: Matrix) -> Layer {
    weights.normalize();
    for i in 0..2 {
        for v in &mut weights[i] {
            *v *= *v;
        }
        weights[i][0] *= weights[i][1];
    }
    Layer { weights, bias: 1.0 }
}

#[differentiable]
fn of_lent_rows(mut weights: Matrix) -> Layer {
    let line = weights.line_mut(1);
    line[0] *= line[1];
    for v in weights.line_mut(0) {
        *v *= *v;
    }
    Layer { weights, bias: 1.0 }
}

#[differentiable]
fn structs(x: &[f64]) -> f64 {
    let l = in_a_struct(x);
    l.weights[(1, 0)] * l.weights[(1, 1)] * l.bias
}

#[differentiable]
fn options(x: &[f64]) -> f64 {
    let l = in_an_option(x).unwrap();
    l.weights[(1, 0)] * l.weights[(1, 1)] * l.bias
}

#[differentiable]
fn parameters(x: &[f64]) -> f64 {
    let l = of_a_parameter(Matrix::of(x));
    l.weights[(1, 0)] * l.bias
}

#[differentiable]
fn rows(x: &[f64]) -> f64 {
    let l = of_rows(Matrix::of(x));
    l.weights.cells[0] * l.weights.cells[2] + l.weights[1][1] * l.bias
}

#[differentiable]
fn lent_rows(x: &[f64]) -> f64 {
    let l = of_lent_rows(Matrix::of(x));
    l.weights.cells[0] * l.weights.cells[2] * l.weights.cells[1]
}

#[differentiable]
fn pushed(x: &[f64]) -> f64 {
    let net = Net::default()
        .with(Matrix::of(x), x[0])
        .with(Matrix::of(x), x[1]);
    let [first, second] = [&net.layers[0], &net.layers[1]];
    first.weights[(1, 0)] * second.weights[(1, 0)] * first.bias
}

judge! {
    structs(&any(4));
    options(&any(4));
    parameters(&any(4));
    rows(&any(4));
    lent_rows(&any(4));
    pushed(&any(4));
}
