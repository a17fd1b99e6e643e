//! Operators and methods of `ndarray` arrays.

use coenzyme::{Real, Tangent, differentiable};
use ndarray::{Array1, Array2, ArrayRef1, Axis, ScalarOperand, array, s};

use crate::judge::{any, positive};
use crate::subject::judge;

fn vector(n: usize) -> Array1<f64> {
    Array1::from(any(n))
}

fn matrix(m: usize, n: usize) -> Array2<f64> {
    Array2::from_shape_vec((m, n), positive(m * n)).unwrap()
}

#[differentiable]
fn sum_of_arrays(a: &Array1<f64>, b: &Array1<f64>) -> Array1<f64> {
    a + b
}

#[differentiable]
fn arithmetic(a: &Array1<f64>, b: &Array1<f64>) -> Array1<f64> {
    let c = &(a + b) * &(a - b);
    let d = &c / b;
    &d - a
}

#[differentiable]
fn with_numbers(a: &Array2<f64>, k: f64) -> Array2<f64> {
    let b = a * 2.0 + a * k;
    &b / (k * k) - 1.0
}

#[differentiable]
fn negative(a: &Array1<f64>) -> Array1<f64> {
    let b = -a;
    &b * a
}

#[differentiable]
fn broadcast(a: &Array2<f64>, bias: &Array1<f64>) -> Array2<f64> {
    a * bias + bias
}

#[differentiable]
fn products(a: &Array2<f64>, x: &Array1<f64>) -> f64 {
    let y = a.dot(x);
    let z = y.dot(a);
    x.dot(&z) * y.sum()
}

#[differentiable]
fn matrix_products(a: &Array2<f64>, b: &Array2<f64>) -> Array2<f64> {
    let c = a.dot(b);
    c.dot(&a.dot(b).t())
}

#[differentiable]
fn sums(a: &Array2<f64>) -> f64 {
    a.sum() * a.mean().unwrap() + a.sum_axis(Axis(0)).dot(&a.mean_axis(Axis(0)).unwrap())
}

#[differentiable]
fn mapped(a: &Array2<f64>, k: f64) -> Array2<f64> {
    let b = a.mapv(f64::exp);
    let c = b.mapv(|v| v * k + v.sin());
    &b + &c
}

#[differentiable]
fn float_methods(a: &Array1<f64>) -> Array1<f64> {
    let b = a.exp();
    b.sqrt() * a.powi(2)
}

#[differentiable]
fn rows_and_columns(a: &Array2<f64>, i: usize) -> f64 {
    let r = a.row(i);
    let c = a.column(1);
    r.dot(&r) * c.sum() + a.t().row(0).sum() * r[0]
}

#[differentiable]
fn slices(a: &Array2<f64>, n: usize) -> f64 {
    let left = a.slice(s![.., ..n]);
    let right = a.slice(s![..;2, 1]);
    left.sum() * right.sum() + left[[0, 0]]
}

#[differentiable]
fn by_index(a: &Array2<f64>) -> f64 {
    let mut total = 0.0;
    for i in 0..a.nrows() {
        for j in 0..a.ncols() {
            total += a[[i, j]] * a[(i, j)] * (i + j) as f64;
        }
    }
    total / a.len() as f64 + a.shape()[0] as f64
}

#[differentiable]
fn filled_by_index(x: &Array1<f64>) -> Array2<f64> {
    let n = x.len();
    let mut out = Array2::zeros((n, n));
    for i in 0..n {
        for j in 0..n {
            out[[i, j]] = x[i] * x[j];
        }
    }
    out
}

#[differentiable]
fn updates(y: &mut Array1<f64>, x: &Array1<f64>, k: f64) {
    *y += x;
    *y *= k;
    *y *= x;
    *y -= &(x * x);
    *y /= 2.0;
}

#[differentiable]
fn local_updates(x: &Array1<f64>, k: f64) -> f64 {
    let mut y = x.clone();
    let mut z = Array1::<f64>::zeros(x.len());
    for _ in 0..2 {
        y *= k;
        z += &(&y * x);
        z.scaled_add(k, x);
    }
    let w = z.view();
    w.dot(&w)
}

#[differentiable]
fn assigned(y: &mut Array2<f64>, x: &Array2<f64>) {
    y.assign(&(x * x));
    y[[0, 1]] *= 3.0;
    y.mapv_inplace(|v| v * v);
}

#[differentiable]
fn reassigned(x: &Array1<f64>, a: &Array2<f64>, n: usize) -> f64 {
    let mut v = x.to_owned();
    for _ in 0..n {
        v = a.dot(&v) / v.sum();
    }
    v.dot(x)
}

#[differentiable]
fn generic<T: Real + ScalarOperand>(a: &Array1<T>, k: T) -> T {
    let b = a * k;
    b.sum()
}

#[differentiable]
fn layer(w: &Array2<f64>, b: &Array1<f64>, x: &Array1<f64>) -> f64 {
    let h = (w.dot(x) + b).mapv(|v| if v > 0.0 { v } else { 0.1 * v });
    h.mapv(f64::tanh).sum()
}

#[differentiable]
fn inactive_factors(x: &Array1<f64>) -> f64 {
    let w = Array1::<f64>::ones(x.len());
    let m = array![[1.0, 2.0], [0.5, -1.0]];
    let y = m.dot(x) + &w * x;
    w.dot(&y)
}

#[differentiable]
fn elements(x: &Array1<f64>) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += v * v;
    }
    for v in x.iter() {
        s += v.sin();
    }
    s + x.iter().map(|v| v.exp()).sum::<f64>()
}

#[differentiable]
fn owned(x: Array1<f64>) -> f64 {
    let y = &x * &x;
    y.sum() + x[0]
}

#[differentiable]
fn by_reference_type(x: &ArrayRef1<f64>) -> f64 {
    x.dot(x)
}

#[derive(Clone, Debug, Tangent)]
struct Dense {
    w: Array2<f64>,
    b: Array1<f64>,
}

#[differentiable]
fn dense(l: &Dense, x: &Array1<f64>) -> f64 {
    let y = &l.w.dot(x) + &l.b;
    y.dot(&y)
}

#[differentiable]
fn norm(x: &Array1<f64>) -> f64 {
    x.dot(x).sqrt()
}

#[differentiable]
fn in_branches(x: &Array1<f64>, flag: bool) -> f64 {
    let y = if flag { x * 2.0 } else { x * x };
    y.sum()
}

#[differentiable]
fn row_loop(a: &Array2<f64>, x: &Array1<f64>) -> Array1<f64> {
    let mut y = Array1::zeros(a.nrows());
    for i in 0..a.nrows() {
        y[i] = a.row(i).dot(x);
    }
    y
}

#[differentiable]
fn calls_others(x: &Array1<f64>) -> f64 {
    let y = x * 2.0;
    norm(&y) + norm(x)
}

judge! {
    sum_of_arrays(&vector(3), &vector(3));
    arithmetic(&vector(3), &Array1::from(positive(3)));
    with_numbers(&matrix(2, 3), 0.7);
    negative(&vector(3));
    broadcast(&matrix(2, 3), &vector(3));
    products(&matrix(3, 3), &vector(3));
    matrix_products(&matrix(2, 3), &matrix(3, 2));
    sums(&matrix(2, 2));
    mapped(&matrix(2, 2), 0.7);
    float_methods(&Array1::from(positive(3)));
    rows_and_columns(&matrix(2, 2), 1);
    slices(&matrix(3, 3), 2);
    by_index(&matrix(2, 3));
    filled_by_index(&vector(3));
    updates(&mut vector(3), &vector(3), 0.7);
    local_updates(&vector(3), 0.7);
    assigned(&mut matrix(2, 2), &matrix(2, 2));
    reassigned(&vector(2), &matrix(2, 2), 2);
    generic(&vector(3), 0.7);
    layer(&matrix(2, 3), &vector(2), &vector(3));
    inactive_factors(&vector(2));
    elements(&vector(3));
    owned(vector(2));
    by_reference_type(&vector(2));
    dense(&Dense { w: matrix(2, 2), b: vector(2) }, &vector(2));
    norm(&vector(2));
    in_branches(&vector(2), true) (&vector(2), false);
    row_loop(&matrix(2, 3), &vector(3));
    calls_others(&vector(2));
}
