//! Programs on arrays of `ndarray`.

use coenzyme::differentiable;
use coenzyme::ndarray::{Array1, Array2, array};

use crate::subject::judge;

#[differentiable]
fn ridge(x: &Array2<f64>, y: &Array1<f64>, w: &Array1<f64>, lambda: f64) -> f64 {
    let residual = x.dot(w) - y;
    let n = y.len() as f64;
    residual.mapv(|r| r * r).sum() / n + lambda * w.dot(w)
}

#[differentiable]
fn batch_norm(x: &Array2<f64>, gamma: f64) -> f64 {
    let mean = x.mean_axis(coenzyme::ndarray::Axis(0)).unwrap();
    let centered = x - &mean;
    let var = centered
        .mapv(|v| v.powi(2))
        .mean_axis(coenzyme::ndarray::Axis(0))
        .unwrap();
    let std = var.mapv(|v| (v + 1e-5).sqrt());
    let out = &centered / &std * gamma;
    out.mapv(|v| v.powi(3)).sum()
}

#[differentiable]
fn power_iteration(a: &Array2<f64>, steps: usize) -> f64 {
    let n = a.nrows();
    let mut v = Array1::from_elem(n, 1.0);
    for _ in 0..steps {
        let w = a.dot(&v);
        let norm = w.dot(&w).sqrt();
        v = w / norm;
    }
    v.dot(&a.dot(&v))
}

#[differentiable]
fn trace(a: &Array2<f64>) -> f64 {
    let mut t = 0.0;
    for i in 0..a.nrows() {
        t += a[[i, i]] * a[(i, 0)];
    }
    t
}

#[differentiable]
fn row_norms(a: &Array2<f64>) -> f64 {
    let mut total = 0.0;
    for row in a.rows() {
        let s: f64 = row.iter().map(|v| v * v).sum();
        total += s.sqrt();
    }
    total
}

judge! {
    ridge(&array![[0.3, 0.2], [0.1, -0.4], [1.0, 0.3]], &array![0.1, 0.2, 0.3], &array![0.4, -0.2], 0.1);
    batch_norm(&array![[0.3, 0.2], [0.1, -0.4], [1.0, 0.3]], 0.7);
    power_iteration(&array![[2.0, 0.2], [0.1, 1.4]], 3);
    trace(&array![[2.0, 0.2], [0.1, 1.4]]);
    row_norms(&array![[2.0, 0.2], [0.1, 1.4]]);
}
