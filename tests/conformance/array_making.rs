//! Arrays that are made of active values, and reductions along axes.

use coenzyme::{Tangent, differentiable};
use ndarray::{Array, Array1, Array2, Axis, arr1, array, concatenate, s, stack};

use crate::judge::{any, positive};
use crate::subject::judge;

fn vector(n: usize) -> Array1<f64> {
    Array1::from(any(n))
}

fn matrix(m: usize, n: usize) -> Array2<f64> {
    Array2::from_shape_vec((m, n), positive(m * n)).unwrap()
}

#[differentiable]
fn literals(x: f64, b: &Array1<f64>) -> Array2<f64> {
    let rotation = array![[x.cos(), -x.sin()], [x.sin(), x.cos()]];
    let scale = array![x, b[0]];
    let shift = arr1(&[1.0, x * x]);
    rotation.dot(&(&scale * b)) + array![[x, 2.0], [b[1], x]] + &shift
}

#[differentiable]
fn from_vectors(x: &[f64], k: f64) -> f64 {
    let a = Array1::from_vec(x.iter().map(|v| v * k).collect());
    let b = Array1::from_iter(x.iter().map(|v| v * v));
    let c: Array1<f64> = x.iter().zip(&b).map(|(x, b)| x * b).collect();
    let d = Array1::from(vec![k, k * k]);
    let e = Array2::from_shape_vec((2, 1), vec![x[0], k]).unwrap();
    let f = Array2::from_elem((1, 2), k * x[1]);
    a.dot(&b) + c.sum() * d.dot(&e).sum() * f.dot(&d).sum()
}

#[differentiable]
fn from_functions(b: &Array1<f64>, k: f64) -> Array2<f64> {
    let n = b.len();
    let kernel = Array::from_shape_fn((n, n), |(i, j)| (-k * (b[i] - b[j]).powi(2)).exp());
    let powers = Array1::from_shape_fn(n, |i| k.powi(i as i32));
    kernel + Array2::from_diag(&powers)
}

#[differentiable]
fn joined(a: &Array2<f64>, b: &Array1<f64>) -> f64 {
    let c = concatenate![Axis(1), a.view(), b.clone().insert_axis(Axis(1))];
    let d = stack![Axis(0), a.row(0), *b];
    let e = ndarray::concatenate(Axis(0), &[c.view(), c.slice(s![..1, ..])]).unwrap();
    let mut total = d.dot(a).sum();
    for (k, v) in e.iter().enumerate() {
        total += v * v * (k + 1) as f64;
    }
    total
}

#[differentiable]
fn moments(a: &Array2<f64>) -> f64 {
    let centred = a - &a.mean_axis(Axis(0)).unwrap();
    let scaled = &centred / &a.std_axis(Axis(0), 1.0);
    a.var(1.0) + a.std(0.0) * a.product() + a.var_axis(Axis(1), 0.0).sum() * scaled[[0, 1]]
}

#[differentiable]
fn along_axes(a: &Array2<f64>, b: &Array1<f64>) -> f64 {
    let largest = a.fold_axis(Axis(1), f64::NEG_INFINITY, |&m, &v| m.max(v));
    let norms = a.map_axis(Axis(0), |lane| lane.dot(&lane).sqrt());
    let e = (a - &largest.insert_axis(Axis(1))).exp();
    e.sum_axis(Axis(1)).ln().sum() * norms.dot(b)
}

#[differentiable]
fn kinds_of_results(a: &Array2<f64>, b: &Array1<f64>) -> f64 {
    let c = a * 2.0;
    let d = c * 2.0 + 1.0;
    let e = &(&d * 2.0) * a;
    let f = (1.0 / a).sum() * e.select(Axis(0), &[1, 0]).row(0).sum();
    let g = -(a.dot(b)) - 1.0;
    f + g.dot(&g) / 2.0 + a.index_axis(Axis(0), 0).dot(b) * e.diag().sum()
}

#[derive(Clone, Debug, Tangent)]
struct Layers {
    w: Vec<Array2<f64>>,
    last: Array2<f64>,
}

#[differentiable]
fn in_structs(l: &Layers, x: &Array1<f64>) -> f64 {
    let mut h = x.clone();
    for w in &l.w {
        h = w.dot(&h).mapv(|v| v.max(0.1 * v));
    }
    let penalty: f64 = l.last.sum_axis(Axis(0)).iter().map(|v| v * v).sum();
    let out = l.last.t().dot(&h);
    for row in l.last.outer_iter() {
        h *= row[0];
    }
    out.sum() * h.sum() + penalty
}

judge! {
    literals(0.7, &vector(2));
    from_vectors(&any(2), 0.7);
    from_functions(&vector(2), 0.7);
    joined(&matrix(2, 2), &vector(2));
    moments(&matrix(2, 2));
    along_axes(&matrix(2, 2), &vector(2));
    kinds_of_results(&matrix(2, 2), &vector(2));
    in_structs(&Layers { w: vec![matrix(2, 2), matrix(2, 2) - 1.0], last: matrix(2, 2) }, &vector(2));
}
