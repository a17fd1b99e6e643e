//! Models of learning on arrays of `ndarray`.

use coenzyme::{Tangent, differentiable};
use coenzyme_rules::linalg::solve;
use ndarray::{Array1, Array2, Axis, s};

use crate::judge::{any, positive};
use crate::subject::judge;

fn vector(n: usize) -> Array1<f64> {
    Array1::from(any(n))
}

fn matrix(m: usize, n: usize) -> Array2<f64> {
    Array2::from_shape_vec((m, n), positive(m * n)).unwrap()
}

fn mixed(m: usize, n: usize) -> Array2<f64> {
    Array2::from_shape_vec((m, n), any(m * n)).unwrap()
}

/// Softmax regression: mean cross entropy.
#[differentiable]
fn softmax_regression(w: &Array2<f64>, b: &Array1<f64>, x: &Array2<f64>, labels: &[usize]) -> f64 {
    let logits = x.dot(w) + b;
    let mut loss = 0.0;
    for (row, &label) in logits.outer_iter().zip(labels) {
        let max = row.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = row.iter().map(|v| (v - max).exp()).sum();
        loss += max + sum.ln() - row[label];
    }
    loss / x.nrows() as f64 + 0.01 * w.iter().map(|v| v * v).sum::<f64>()
}

#[differentiable]
fn softmax_rows(a: &Array2<f64>) -> Array2<f64> {
    let max = a.fold_axis(Axis(1), f64::NEG_INFINITY, |m, v| m.max(*v));
    let mut e = a - &max.insert_axis(Axis(1));
    e.mapv_inplace(f64::exp);
    let total = e.sum_axis(Axis(1));
    for (mut row, t) in e.outer_iter_mut().zip(total.iter()) {
        row /= *t;
    }
    e
}

#[derive(Clone, Debug, Tangent)]
struct Rnn {
    wx: Array2<f64>,
    wh: Array2<f64>,
    b: Array1<f64>,
}

#[differentiable]
fn rnn(p: &Rnn, inputs: &Array2<f64>) -> f64 {
    let mut h = Array1::<f64>::zeros(p.b.len());
    for x in inputs.rows() {
        h = (p.wx.dot(&x) + p.wh.dot(&h) + &p.b).mapv(f64::tanh);
    }
    h.mapv(|v| v * v).sum()
}

#[differentiable]
fn attention(q: &Array2<f64>, k: &Array2<f64>, v: &Array2<f64>) -> Array2<f64> {
    let scale = 1.0 / (q.ncols() as f64).sqrt();
    let mut scores = q.dot(&k.t()) * scale;
    for mut row in scores.rows_mut() {
        let max = row.fold(f64::NEG_INFINITY, |m, &x| m.max(x));
        row.mapv_inplace(|x| (x - max).exp());
        let sum = row.sum();
        row /= sum;
    }
    scores.dot(v)
}

#[differentiable]
fn batch_norm(x: &Array2<f64>, gamma: &Array1<f64>, beta: &Array1<f64>) -> Array2<f64> {
    let mean = x.mean_axis(Axis(0)).unwrap();
    let var = x.var_axis(Axis(0), 0.0);
    let std = (&var + 1e-5).mapv(f64::sqrt);
    let normal = (x - &mean) / &std;
    &normal * gamma + beta
}

#[differentiable]
fn k_means(points: &Array2<f64>, centres: &Array2<f64>) -> f64 {
    points
        .outer_iter()
        .map(|p| {
            centres
                .outer_iter()
                .map(|c| {
                    let d = &p - &c;
                    d.dot(&d)
                })
                .fold(f64::INFINITY, f64::min)
        })
        .sum()
}

/// A Newton step of logistic regression.
#[differentiable]
fn logistic_newton(x: &Array2<f64>, y: &Array1<f64>, w: &Array1<f64>) -> Array1<f64> {
    let p = x.dot(w).mapv(|z| 1.0 / (1.0 + (-z).exp()));
    let gradient = x.t().dot(&(&p - y));
    let weights = &p * &(1.0 - &p);
    let mut wx = x.to_owned();
    for (mut row, v) in wx.axis_iter_mut(Axis(0)).zip(weights.iter()) {
        row *= *v;
    }
    let hessian = x.t().dot(&wx) + 0.1 * Array2::<f64>::eye(w.len());
    let step = solve(&hessian, &gradient).unwrap();
    w - &step
}

/// The residual of u'' + u = f on a grid, for a small network u.
#[differentiable]
fn physics(w: &Array1<f64>, b: &Array1<f64>, c: &Array1<f64>, grid: &Array1<f64>) -> f64 {
    let h = 0.1;
    let u = |x: f64| -> f64 {
        w.iter()
            .zip(b)
            .zip(c)
            .map(|((w, b), c)| c * (w * x + b).tanh())
            .sum()
    };
    let mut loss = 0.0;
    for &x in grid.iter() {
        let second = (u(x + h) - 2.0 * u(x) + u(x - h)) / (h * h);
        let r = second + u(x) - x.sin();
        loss += r * r;
    }
    loss / grid.len() as f64 + u(0.0) * u(0.0)
}

#[differentiable]
fn convolution_by_windows(image: &Array2<f64>, kernel: &Array2<f64>) -> f64 {
    let (p, q) = kernel.dim();
    let mut total = 0.0;
    for i in 0..image.nrows() - p + 1 {
        for j in 0..image.ncols() - q + 1 {
            let v = (&image.slice(s![i..i + p, j..j + q]) * kernel).sum();
            total += v.max(0.1 * v);
        }
    }
    total
}

judge! {
    softmax_regression(&mixed(2, 3), &vector(3), &mixed(3, 2), &vec![0, 2, 1]);
    softmax_rows(&mixed(2, 3));
    rnn(&Rnn { wx: mixed(2, 2), wh: mixed(2, 2), b: vector(2) }, &mixed(2, 2));
    attention(&mixed(2, 2), &matrix(2, 2), &mixed(2, 2));
    batch_norm(&mixed(3, 2), &vector(2), &vector(2));
    k_means(&mixed(3, 2), &matrix(2, 2));
    logistic_newton(&mixed(3, 2), &Array1::from(positive(3)), &vector(2));
    physics(&vector(2), &vector(2), &vector(2), &vector(2));
    convolution_by_windows(&mixed(3, 3), &mixed(2, 2));
}
