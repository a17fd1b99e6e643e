//! Parts of arrays that are written through views.

use coenzyme::{Tangent, differentiable};
use ndarray::{Array1, Array2, ArrayRef1, ArrayView1, ArrayViewMut1, Axis, s};

use crate::judge::{any, positive};
use crate::subject::judge;

fn vector(n: usize) -> Array1<f64> {
    Array1::from(any(n))
}

fn matrix(m: usize, n: usize) -> Array2<f64> {
    Array2::from_shape_vec((m, n), positive(m * n)).unwrap()
}

#[differentiable]
fn rows(y: &mut Array2<f64>, b: &Array1<f64>, i: usize) {
    y.row_mut(i).assign(b);
    let mut r = y.row_mut(0);
    r += b;
    r[1] = r[0] * r[0];
    r *= 3.0;
    y.row_mut(i).scaled_add(b[0], &(b * b));
    y.row_mut(1).mapv_inplace(f64::sin);
}

#[differentiable]
fn columns(y: &mut Array2<f64>, k: f64) -> f64 {
    y.column_mut(1).fill(k);
    y.column_mut(0).fill(0.5);
    let mut c = y.column_mut(1);
    c -= k * k;
    c /= 2.0;
    let squares = c.dot(&c);
    c[0] *= squares;
    squares * c.sum()
}

#[differentiable]
fn slices(a: &Array2<f64>, b: &Array1<f64>, n: usize) -> Array2<f64> {
    let mut c = Array2::<f64>::zeros((n + 1, n + 1));
    c.slice_mut(s![..n, 1..]).assign(a);
    c.slice_mut(s![-1, ..n;-1]).assign(b);
    let mut q = c.slice_mut(s![1.., ..;2]);
    q *= b[1];
    q[[0, 1]] = b[0] * q[[1, 0]];
    c
}

#[differentiable]
fn in_loops(a: &Array2<f64>) -> Array2<f64> {
    let mut l = a.clone();
    let mut k = 0;
    while k < a.nrows() {
        for i in k + 1..a.nrows() {
            let factor = l[[i, k]] / l[[k, k]];
            let pivot = l.row(k).to_owned();
            l.row_mut(i).scaled_add(-factor, &pivot);
            l[[i, k]] = factor;
        }
        k += 1;
    }
    l
}

#[differentiable]
fn axes(a: &Array2<f64>, b: &Array1<f64>) -> f64 {
    let mut c = a.dot(&a.t());
    c.diag_mut().mapv_inplace(|v| v + b[0]);
    c.index_axis_mut(Axis(0), 1).assign(b);
    let mut d = c.diag_mut();
    d *= b;
    c.swap_axes(0, 1);
    c.swap([0, 0], [1, 0]);
    c.row(0).dot(b) + c.sum() * c[[1, 0]]
}

#[differentiable]
fn broadcast(a: &Array2<f64>, b: &Array1<f64>) -> f64 {
    let mut c = a.clone();
    c.assign(b);
    c.row_mut(1).assign(&(b * 2.0));
    c.row_mut(0).fill(b[1]);
    (&c * a).sum()
}

#[differentiable]
fn halves(a: &Array2<f64>, b: &Array1<f64>) -> Array2<f64> {
    let mut c = a.clone();
    let (mut top, bottom) = c.view_mut().split_at(Axis(0), 1);
    top.assign(&bottom);
    top *= 2.0;
    top[[0, 1]] *= bottom[[0, 0]];
    let mut all = c.view_mut();
    all *= b;
    all[[1, 0]] = b[0];
    all.row_mut(1)[1] += b[1] * b[1];
    c
}

#[differentiable]
fn parts_of_parts(a: &Array2<f64>, k: f64) -> f64 {
    let mut c = a.clone();
    let mut inner = c.slice_mut(s![1.., ..]);
    for mut row in inner.rows_mut() {
        row[0] = k * row[1];
        let first = row[0];
        let mut rest = row.slice_mut(s![1..]);
        rest *= k;
        rest[0] += first;
    }
    (&c * &c).sum()
}

/// Memory without derivative is viewed as it is.
#[differentiable]
fn inactive(x: &Array1<f64>) -> f64 {
    let mut w = Array2::<f64>::zeros((2, x.len()));
    let mut r = w.row_mut(0);
    r.fill(2.0);
    r[1] = 0.5;
    w.row_mut(1).assign(&Array1::ones(x.len()));
    let n = w.row(0).iter().filter(|v| **v > 1.0).count();
    w.dot(x).sum() * n as f64
}

#[differentiable]
fn norm(x: ArrayView1<f64>) -> f64 {
    x.dot(&x).sqrt()
}

#[differentiable]
fn scale(mut x: ArrayViewMut1<f64>, k: f64) {
    x *= k;
    x[0] += k * x[1];
}

#[differentiable]
fn square_into(y: &mut ArrayRef1<f64>, x: &ArrayRef1<f64>) {
    y.assign(&(x * x));
}

#[differentiable]
fn scaled(mut x: Array1<f64>, k: f64) -> Array1<f64> {
    x *= k;
    x
}

/// Views that are passed to functions.
#[differentiable]
fn lent(a: &Array2<f64>, k: f64) -> f64 {
    let mut c = a.clone();
    for row in c.rows_mut() {
        scale(row, k);
    }
    scale(c.column_mut(1), k);
    let mut r = c.row_mut(0);
    scale(r.view_mut(), k);
    square_into(&mut r, &a.row(1));
    let mut total = norm(c.row(0)) + norm(a.column(0).view());
    for row in a.outer_iter() {
        total *= norm(row);
    }
    total + c.sum()
}

/// Nothing but the calls makes these active.
#[differentiable]
fn filled_by_calls(a: &Array2<f64>) -> f64 {
    let mut z = Array2::<f64>::zeros((2, 2));
    for (mut row, x) in z.rows_mut().into_iter().zip(a.rows()) {
        square_into(&mut row, &x);
    }
    let mut w = Array1::<f64>::zeros(2);
    square_into(&mut w.slice_mut(s![..]), &a.row(0));
    let mut v = Array1::<f64>::zeros(2);
    scale(v.view_mut(), a[[0, 1]]);
    square_into(&mut v, &a.row(1));
    z.dot(&w).dot(&v)
}

#[differentiable]
fn by_value(a: &Array2<f64>, k: f64) -> f64 {
    let c = scaled(a.row(0).to_owned(), k);
    let d = scaled(&c * 2.0, k);
    let e = scaled(d.clone(), k);
    c.dot(&d) * e.dot(&e) + scaled(a.dot(&d), k).sum()
}

#[derive(Clone, Debug, Tangent)]
struct Linear {
    w: Array2<f64>,
}

#[differentiable]
impl Linear {
    fn apply(&self, x: ArrayView1<'_, f64>) -> f64 {
        self.w.dot(&x).sum()
    }
}

#[differentiable]
fn method_of_views(l: &Linear, x: &Array2<f64>) -> f64 {
    let mut total = 0.0;
    for row in x.rows() {
        total += l.apply(row).sin();
    }
    total * l.apply(x.column(0))
}

judge! {
    rows(&mut matrix(2, 2), &vector(2), 1);
    columns(&mut matrix(2, 2), 0.7);
    slices(&matrix(2, 2), &vector(2), 2);
    in_loops(&matrix(3, 3));
    axes(&matrix(2, 2), &vector(2));
    broadcast(&matrix(2, 2), &vector(2));
    halves(&matrix(2, 2), &vector(2));
    parts_of_parts(&matrix(3, 2), 0.7);
    inactive(&vector(2));
    lent(&matrix(2, 2), 0.7);
    filled_by_calls(&matrix(2, 2));
    by_value(&matrix(2, 2), 0.7);
    method_of_views(&Linear { w: matrix(2, 2) }, &matrix(2, 2));
}
