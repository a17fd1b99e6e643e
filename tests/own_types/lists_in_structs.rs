//! Loops over vectors and arrays that are fields, with sizes beside them.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Tangent)]
struct Matrix {
    rows: usize,
    columns: usize,
    entries: Vec<f64>,
}
#[differentiable]
impl Matrix {
    fn zeros(rows: usize, columns: usize) -> Matrix {
        Matrix {
            rows,
            columns,
            entries: vec![0.0; rows * columns],
        }
    }
    fn times(&self, other: &Matrix) -> Matrix {
        let mut product = Matrix::zeros(self.rows, other.columns);
        for i in 0..self.rows {
            for k in 0..self.columns {
                let s = self.entries[i * self.columns + k];
                for j in 0..other.columns {
                    product.entries[i * other.columns + j] +=
                        s * other.entries[k * other.columns + j];
                }
            }
        }
        product
    }
    fn scale(&mut self, k: f64) {
        for i in 0..self.rows {
            for j in 0..self.columns {
                self.entries[i * self.columns + j] *= k;
            }
        }
    }
    fn row(&self, i: usize) -> f64 {
        let mut s = 0.0;
        for j in 0..self.columns {
            s += self.entries[i * self.columns + j];
        }
        s
    }
}
#[differentiable]
fn products(x: f64, y: f64) -> f64 {
    let p = Matrix {
        rows: 2,
        columns: 3,
        entries: vec![x, y, x * y, 1.0, x, y],
    };
    let q = Matrix {
        rows: 3,
        columns: 2,
        entries: vec![y, x, 2.0, x + y, x * x, 0.5],
    };
    let mut r = p.times(&q);
    r.scale(y);
    r.row(0) * r.row(1) + p.row(1)
}

#[derive(Clone, Tangent)]
struct Layer {
    weights: Vec<f64>,
    shifts: [f64; 2],
    size: usize,
}
#[derive(Clone, Tangent)]
struct Network {
    layer: Layer,
    state: Box<[f64]>,
}
#[differentiable]
fn step(net: &mut Network, x: &[f64]) {
    let n = net.layer.size;
    for i in 0..n {
        let mut sum = net.layer.shifts[i];
        for j in 0..n {
            sum += net.layer.weights[i * n + j] * x[j];
        }
        net.state[i] = sum.tanh();
    }
}
#[differentiable]
fn parts_of_parts(x: f64, y: f64) -> f64 {
    let mut net = Network {
        layer: Layer {
            weights: vec![x, y, 1.0, x * y],
            shifts: [y, x],
            size: 2,
        },
        state: vec![0.0; 2].into_boxed_slice(),
    };
    step(&mut net, &[y, x]);
    let state = [net.state[0], net.state[1]];
    step(&mut net, &state);
    net.state[0] * net.state[1]
}

#[differentiable]
fn weighted(m: &Matrix, #[constant] w: &Matrix, x: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..2 {
        for j in 0..w.columns {
            s += m.entries[i * m.columns + j] * w.entries[i * w.columns + j] * x;
        }
    }
    s
}
#[differentiable]
fn skipped(m: &Matrix, skip: usize, x: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..m.columns {
        if i == skip {
            continue;
        }
        s += m.entries[i] * x;
        if s > 50.0 {
            break;
        }
    }
    s
}
#[differentiable]
fn with_weights(x: f64, y: f64) -> f64 {
    let m = Matrix {
        rows: 2,
        columns: 2,
        entries: vec![x, y, x * y, 1.0],
    };
    let w = Matrix {
        rows: 2,
        columns: 2,
        entries: vec![0.5, 2.0, 1.5, 3.0],
    };
    weighted(&m, &w, y) + skipped(&m, 1, y) * skipped(&m, 0, x)
}

judge! {
    products(0.83, 1.1);
    parts_of_parts(0.83, 1.1);
    with_weights(0.83, 1.1);
}
