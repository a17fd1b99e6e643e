//! One attention head: matrices as `Vec<f64>` with their sizes in a struct, softmax by rows.
use crate::hand::against_hand;
use crate::measure::{Bench, numbers};
use coenzyme::prelude::*;
const T: usize = 24;
const D: usize = 16;
#[derive(Clone, Tangent)]
struct Mat {
    rows: usize,
    cols: usize,
    a: Vec<f64>,
}
#[differentiable]
impl Mat {
    fn zeros(rows: usize, cols: usize) -> Mat {
        Mat {
            rows,
            cols,
            a: vec![0.0; rows * cols],
        }
    }
    fn from_slice(rows: usize, cols: usize, v: &[f64]) -> Mat {
        Mat {
            rows,
            cols,
            a: v.to_vec(),
        }
    }
    fn times(&self, o: &Mat) -> Mat {
        let mut c = Mat::zeros(self.rows, o.cols);
        for i in 0..self.rows {
            for k in 0..self.cols {
                let s = self.a[i * self.cols + k];
                for j in 0..o.cols {
                    c.a[i * o.cols + j] += s * o.a[k * o.cols + j];
                }
            }
        }
        c
    }
    fn transposed(&self) -> Mat {
        let mut t = Mat::zeros(self.cols, self.rows);
        for i in 0..self.rows {
            for j in 0..self.cols {
                t.a[j * self.rows + i] = self.a[i * self.cols + j];
            }
        }
        t
    }
}
#[differentiable]
fn softmax_rows(m: &mut Mat, scale: f64) {
    let cols = m.cols;
    for row in m.a.chunks_mut(cols) {
        let top = row.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
        let mut sum = 0.0;
        for v in row.iter_mut() {
            *v = (scale * (*v - top)).exp();
            sum += *v;
        }
        for v in row.iter_mut() {
            *v /= sum;
        }
    }
}
/// `x`: the three weights; `data`: tokens, and what is to come out.
#[differentiable]
fn head(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let target = &data[T * D..];
    let e = Mat::from_slice(T, D, &data[..T * D]);
    let q = e.times(&Mat::from_slice(D, D, &x[..D * D]));
    let k = e.times(&Mat::from_slice(D, D, &x[D * D..2 * D * D]));
    let v = e.times(&Mat::from_slice(D, D, &x[2 * D * D..]));
    let mut s = q.times(&k.transposed());
    softmax_rows(&mut s, 1.0 / (D as f64).sqrt());
    let out = s.times(&v);
    out.a
        .iter()
        .zip(target)
        .map(|(o, t)| (o - t) * (o - t))
        .sum::<f64>()
        / T as f64
}
fn mm(m: usize, k: usize, n: usize, a: &[f64], b: &[f64]) -> Vec<f64> {
    let mut c = vec![0.0; m * n];
    for (c, a) in c.chunks_exact_mut(n).zip(a.chunks_exact(k)) {
        for (s, b) in a.iter().zip(b.chunks_exact(n)) {
            for (c, b) in c.iter_mut().zip(b) {
                *c += s * b;
            }
        }
    }
    c
}
fn tr(m: usize, n: usize, a: &[f64]) -> Vec<f64> {
    let mut t = vec![0.0; m * n];
    for i in 0..m {
        for j in 0..n {
            t[j * m + i] = a[i * n + j];
        }
    }
    t
}
fn by_hand(x: &[f64], data: &[f64], d: &mut [f64]) {
    let (e, target) = data.split_at(T * D);
    let (wq, wk, wv) = (&x[..D * D], &x[D * D..2 * D * D], &x[2 * D * D..]);
    let (q, k, v) = (mm(T, D, D, e, wq), mm(T, D, D, e, wk), mm(T, D, D, e, wv));
    let mut s = mm(T, D, T, &q, &tr(T, D, &k));
    let scale = 1.0 / (D as f64).sqrt();
    for row in s.chunks_exact_mut(T) {
        let top = row.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
        let mut sum = 0.0;
        for v in row.iter_mut() {
            *v = (scale * (*v - top)).exp();
            sum += *v;
        }
        for v in row.iter_mut() {
            *v /= sum;
        }
    }
    let out = mm(T, T, D, &s, &v);
    let go: Vec<f64> = out
        .iter()
        .zip(target)
        .map(|(o, t)| 2.0 * (o - t) / T as f64)
        .collect();
    let mut gs = mm(T, D, T, &go, &tr(T, D, &v));
    let gv = mm(T, T, D, &tr(T, T, &s), &go);
    for (g, s) in gs.chunks_exact_mut(T).zip(s.chunks_exact(T)) {
        let dot: f64 = g.iter().zip(s).map(|(g, s)| g * s).sum();
        for (g, s) in g.iter_mut().zip(s) {
            *g = scale * s * (*g - dot);
        }
    }
    let gq = mm(T, T, D, &gs, &k);
    let gk = mm(T, T, D, &tr(T, T, &gs), &q);
    let et = tr(T, D, e);
    for (n, g) in [gq, gk, gv].iter().enumerate() {
        let w = mm(D, T, D, &et, g);
        for (d, w) in d[n * D * D..].iter_mut().zip(&w) {
            *d += w;
        }
    }
}
pub(crate) fn run(bench: &Bench) {
    against_hand!(
        bench,
        "attention",
        (
            numbers(1, 3 * D * D, -0.5, 0.5),
            numbers(2, 2 * T * D, -1.0, 1.0)
        ),
        head,
        by_hand,
        |v| v
    );
}
