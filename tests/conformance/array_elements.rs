//! Iteration over the entries, the rows and the columns of arrays.

use coenzyme::{Real, differentiable};
use ndarray::{Array1, Array2, ArrayRef2, Axis, Zip, array, azip, s};

use crate::judge::{any, positive};
use crate::subject::judge;

fn vector(n: usize) -> Array1<f64> {
    Array1::from(any(n))
}

fn matrix(m: usize, n: usize) -> Array2<f64> {
    Array2::from_shape_vec((m, n), positive(m * n)).unwrap()
}

/// Column by column in memory.
fn transposed(m: usize, n: usize) -> Array2<f64> {
    matrix(n, m).reversed_axes()
}

#[differentiable]
fn entries(a: &Array2<f64>, b: &Array1<f64>) -> f64 {
    let mut total = 0.0;
    for (k, &v) in a.iter().enumerate() {
        total += v * v * (k + 1) as f64;
    }
    for v in b {
        total *= v;
    }
    total
}

#[differentiable]
fn sums_and_folds(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    let products: f64 = a.iter().zip(b.iter()).map(|(x, y)| x * y.sin()).sum();
    let largest = a.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
    let squares = b.fold(1.0, |p, v| p + v * v);
    products * largest + squares.ln() + b.iter().product::<f64>()
}

#[differentiable]
fn changed_entries(y: &mut Array2<f64>, k: f64) -> f64 {
    for v in y.iter_mut() {
        *v = *v * *v * k;
    }
    let mut z = &*y * 2.0;
    for v in &mut z {
        if *v > 1.0 {
            continue;
        }
        *v += k;
    }
    y.map_inplace(|v| *v = v.exp());
    z.iter().map(|v| v * v).sum()
}

#[differentiable]
fn views(a: &Array2<f64>) -> f64 {
    let t = a.t();
    let mut total = 0.0;
    for (k, v) in t.iter().enumerate() {
        total += v * v * (k + 1) as f64;
    }
    for v in a.slice(s![.., ..;2]).iter() {
        total += v.sin();
    }
    for (x, y) in a.row(1).iter().zip(a.column(0)) {
        total += x * y;
    }
    total
}

#[differentiable]
fn indexed(a: &Array2<f64>, b: &Array1<f64>) -> f64 {
    let mut total = 0.0;
    for ((i, j), v) in a.indexed_iter() {
        total += v * v * b[j] * (i + 1) as f64;
    }
    for (i, &v) in b.indexed_iter() {
        total *= 1.0 + v * a[[0, i]];
    }
    total
}

#[differentiable]
fn rows_and_columns(a: &Array2<f64>, b: &Array1<f64>) -> f64 {
    let mut total = 0.0;
    for row in a.rows() {
        let z = row.dot(b);
        for (v, w) in row.iter().zip(b) {
            total += v * w * w * z;
        }
        total += row[1].exp() * row.len() as f64;
    }
    for (j, column) in a.columns().into_iter().enumerate() {
        total += column.dot(&column) * b[j];
    }
    for (i, row) in a.outer_iter().enumerate().skip(1) {
        total *= row.sum() * i as f64;
    }
    total
}

#[differentiable]
fn lines_of_inactive(labels: &[f64], w: &Array1<f64>) -> f64 {
    let x = array![[1.0, 2.0], [0.5, -1.0]];
    let mut loss = 0.0;
    for (row, label) in x.outer_iter().zip(labels) {
        let z = row.dot(w) + row[0] - label;
        loss += z * z;
    }
    loss
}

#[differentiable]
fn changed_rows(a: &Array2<f64>, b: &Array1<f64>) -> Array2<f64> {
    let mut c = a.to_owned();
    for (mut row, k) in c.outer_iter_mut().zip(b.iter()) {
        let total = row.sum();
        row /= total;
        row *= *k;
        row[0] += row[1] * row[1];
        for v in row.iter_mut().skip(1) {
            *v = v.sqrt();
        }
    }
    for mut column in c.columns_mut() {
        column.mapv_inplace(|v| v * v);
    }
    c
}

#[differentiable]
fn windows_and_chunks(x: &Array1<f64>, n: usize) -> f64 {
    let mut total = 0.0;
    for w in x.windows(n) {
        total += w.dot(&w) * w[0];
    }
    for c in x.axis_chunks_iter(Axis(0), n) {
        total *= c.sum();
    }
    total
}

#[differentiable]
fn left_early(a: &Array2<f64>, limit: f64) -> f64 {
    let mut total = 0.0;
    for row in a.rows() {
        for &v in row {
            if total > limit {
                break;
            }
            total += v * v;
        }
        if row[0] > 1.5 {
            return total * row[1];
        }
    }
    total
}

#[differentiable]
fn zipped(y: &mut Array2<f64>, a: &Array2<f64>, b: &Array2<f64>) {
    Zip::from(&mut *y).and(a).and(b).for_each(|y, &a, &b| {
        *y = *y * a + b * b;
    });
    Zip::indexed(&mut *y)
        .and(a)
        .for_each(|(i, j), y, a| *y *= a * (i + 2 * j) as f64);
    azip!((y in &mut *y, &b in b) *y += b.sin());
    azip!((index (i, j), y in &mut *y, &a in a) { if i == j { *y = a * *y; } });
}

#[differentiable]
fn zipped_lines(a: &Array2<f64>, b: &Array1<f64>) -> f64 {
    let mut y = Array1::<f64>::zeros(a.nrows());
    Zip::from(&mut y)
        .and(a.rows())
        .for_each(|y, row| *y = row.dot(b));
    let mut c = a.clone();
    Zip::from(c.rows_mut())
        .and(&y)
        .for_each(|mut row, &y| row *= y);
    let total = Zip::from(&c).and(a).fold(0.0, |total, c, a| total + c * a);
    let d = Zip::from(&c).and(a).map_collect(|c, a| c * a * a);
    c.zip_mut_with(b, |c, b| *c *= b);
    total * (&d + &c).sum()
}

#[differentiable]
fn generic<T: Real>(a: &ArrayRef2<T>, k: T) -> T {
    let mut total = T::zero();
    for row in a.rows() {
        for v in row.iter() {
            total += *v * k * *v;
        }
    }
    total
}

judge! {
    entries(&transposed(2, 3), &vector(2));
    sums_and_folds(&matrix(2, 2), &transposed(2, 2));
    changed_entries(&mut transposed(2, 2), 0.7);
    views(&transposed(2, 2));
    indexed(&transposed(2, 3), &vector(3));
    rows_and_columns(&matrix(2, 2), &vector(2));
    lines_of_inactive(&any(2), &vector(2));
    changed_rows(&transposed(2, 2), &Array1::from(positive(2)));
    windows_and_chunks(&vector(5), 2);
    left_early(&matrix(2, 2), 0.6) (&matrix(3, 2), 10.0);
    zipped(&mut transposed(2, 2), &matrix(2, 2), &matrix(2, 2));
    zipped_lines(&matrix(2, 2), &vector(2));
    generic(&matrix(2, 2), 0.7);
}
